"""`finito serve`: the web API on this machine."""

from __future__ import annotations

import ipaddress
import json
import socket
import sys
from contextlib import closing
from typing import Annotated

import typer

from finito.errors import BadInput
from finito.store.bootstrap import open_store

HELP = """Serve the web API. Only this machine can reach it unless --host says otherwise.

Examples:

  finito serve

  finito serve --port 0 --json        (any free port, named on standard output)

  finito serve --db postgresql://club@db.example/finito
"""


def register(app: typer.Typer) -> None:
    app.command("serve", help=HELP)(serve)


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.")] = 8000,
    db: Annotated[
        str | None,
        typer.Option("--db", metavar="FILE|URL", help="An SQLite file or a postgresql:// address."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Name the address as JSON.")] = False,
) -> None:
    import uvicorn  # a second of imports that no other command needs

    from finito.web.app import create_app

    with closing(_listening(host, port)) as listener, closing(open_store(db)) as store:
        address, bound = listener.getsockname()[:2]
        local = ipaddress.ip_address(address).is_loopback
        hosts = frozenset({"localhost", address, host}) if local else None
        server = uvicorn.Server(
            uvicorn.Config(create_app(store, hosts=hosts), log_level="warning", access_log=False)
        )
        _announce(address, bound, local, as_json)
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            sys.stderr.write("finito: stopped\n")


def _listening(host: str, port: int) -> socket.socket:
    """The port is taken before anything else, so that a busy one is told at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as problem:
        raise BadInput(
            f"cannot listen on {host} port {port} ({problem.strerror}): choose another with --host and --port"
        ) from None


def _announce(address: str, port: int, local: bool, as_json: bool) -> None:
    url = f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"
    if not local:
        sys.stderr.write("finito: everybody who can reach this machine can change matches\n")
    if as_json:
        sys.stdout.write(json.dumps({"url": url}) + "\n")
        sys.stdout.flush()
    else:
        sys.stderr.write(
            f"finito: listening on {url} (described at {url}/api/openapi.json); Ctrl+C stops it\n"
        )
