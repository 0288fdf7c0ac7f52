"""`finito serve`: the page at the table and its API, on this machine or on the local network."""

from __future__ import annotations

import ipaddress
import json
import socket
import sys
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from finito.errors import BadInput
from finito.settings import load_settings
from finito.store.bootstrap import open_store
from finito.web.links import Links

if TYPE_CHECKING:
    from fastapi import FastAPI

    from finito.web.host import TableHost
    from finito.web.openings import Openings
    from finito.web.watch_order import WatchOrder

HELP = """Serve the page at the table. Only this machine can reach it unless --lan is given.

On the local network every visitor needs a key: that of the table writes, that of a spectator only reads. Both
are in the links that are printed, and in the codes that the page shows.

Examples:

  finito serve --demo

  finito serve --watch 0 --deck house --players pizza:south,gelato:north

  finito serve --lan                  (tablets and phones of this network, by the links that are printed)

  finito serve --port 0 --json        (any free port, named on standard output)

  finito serve --db postgresql://club@db.example/finito
"""
ANYWHERE: Final = "0.0.0.0"
MOST_CONNECTIONS: Final = 500
MOST_MESSAGE: Final = 4 * 1024 * 1024  # a frame of a phone's camera


def register(app: typer.Typer) -> None:
    app.command("serve", help=HELP)(serve)


@dataclass(frozen=True, slots=True)
class _Door:
    """How the server can be reached."""

    links: Links
    hosts: frozenset[str] | None
    tls: dict[str, Any]


def serve(
    host: Annotated[
        str | None, typer.Option(help="The address to listen on; 127.0.0.1, or all with --lan.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.")] = 8000,
    lan: Annotated[bool, typer.Option("--lan", help="Let the local network in, by key.")] = False,
    db: Annotated[
        str | None,
        typer.Option("--db", metavar="FILE|URL", help="An SQLite file or a postgresql:// address."),
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Put a round of bots on the table at once.")] = False,
    film: Annotated[
        Path | None, typer.Option(help="Put a filmed virtual table on it: a folder of finito simulate.")
    ] = None,
    watch: Annotated[
        str | None, typer.Option(metavar="SOURCE", help="Referee a camera, a video, a stream, or phone.")
    ] = None,
    players: Annotated[
        str, typer.Option(help="With --watch, who sits where: pizza:south,gelato:north.")
    ] = "",
    deck: Annotated[str, typer.Option(help="With --watch, a deck of the library.")] = "house",
    as_json: Annotated[bool, typer.Option("--json", help="Name the address as JSON.")] = False,
) -> None:
    from finito.web.app import (
        Places,
        close_table,
        create_app,
    )  # a second of imports that no other command needs

    address = host or (ANYWHERE if lan else "127.0.0.1")
    with closing(listening(address, port)) as listener, closing(open_store(db)) as store:
        bound, number = listener.getsockname()[:2]
        if not lan and not ipaddress.ip_address(bound).is_loopback:
            raise BadInput(f"--host {bound} lets other machines in; say --lan, too, and they need a key")
        door = _locked(bound, number) if lan else _local(bound, number, address)
        places = Places(table=_kept_beside(db))
        app = create_app(store, hosts=door.hosts, links=door.links, places=places)
        if watch is not None:
            order = _order(players, deck)
            if not app.state.openings.resume(watch, order):
                app.state.openings.watch(watch, order)
        else:
            _lay(app.state.openings, app.state.host, demo, film)
        _announce(door.links, as_json)
        try:
            _run(app, door, listener)
        finally:
            close_table(app)


def _run(app: FastAPI, door: _Door, listener: socket.socket) -> None:
    import uvicorn

    from finito.web.impatience import ImpatientProtocol

    config = uvicorn.Config(
        app,
        http=ImpatientProtocol,
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=MOST_MESSAGE,
        ws_max_queue=4,
        ws_per_message_deflate=False,  # pictures are pressed already
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=2,
        proxy_headers=False,
        server_header=False,
        **door.tls,
    )
    try:
        uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        sys.stderr.write("finito: stopped\n")


def _order(players: str, deck: str) -> WatchOrder:
    from finito.live_setup import parse_guests
    from finito.web.watch_order import WatchOrder
    from referee.actions import RoundHeader
    from referee.rules.espresso import DEFAULT_EDITION

    guests = parse_guests(players)
    names = tuple(guest.name for guest in guests)
    return WatchOrder(RoundHeader("espresso", ("normalo",), DEFAULT_EDITION, names), guests, deck)


def _lay(openings: Openings, host: TableHost, demo: bool, film: Path | None) -> None:
    """The round that was on the table when the server ended, or the one that is asked for."""
    from finito.web.host import Wish

    try:
        if openings.resume():
            return
    except BadInput as problem:
        sys.stderr.write(f"finito: the round of before cannot go on: {problem}\n")
    if film is not None:
        host.open(Wish(source="film", film=str(film)))
    elif demo:
        host.open(Wish())


def _kept_beside(db: str | None) -> Path:
    """The round on the table belongs to a match of one database: each has a folder of its own."""
    folder = load_settings().data.expanduser() / "web"
    return folder if db is None else folder / sha256(db.encode()).hexdigest()[:12]


def _local(bound: str, port: int, asked: str) -> _Door:
    return _Door(Links(_url("http", bound, port)), frozenset({"localhost", bound, asked}), {})


def _locked(bound: str, port: int) -> _Door:
    """On a network: keys, and a certificate, so that nobody reads them or a picture on the way."""
    from finito.web.access import kept_keys
    from finito.web.certificate import certificate_for, lan_addresses

    folder = load_settings().data.expanduser() / "web"
    addresses = lan_addresses() if bound == ANYWHERE else (bound,)
    names = tuple(dict.fromkeys((*addresses, "localhost", "127.0.0.1")))
    certificate = certificate_for(names, folder)
    links = Links(_url("https", addresses[0], port), kept_keys(folder / "keys.json"), certificate.fingerprint)
    return _Door(links, None, {"ssl_certfile": certificate.file, "ssl_keyfile": certificate.file})


def _url(scheme: str, address: str, port: int) -> str:
    return f"{scheme}://[{address}]:{port}" if ":" in address else f"{scheme}://{address}:{port}"


def listening(host: str, port: int) -> socket.socket:
    """The port is taken before anything else, so that a busy one is told at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as problem:
        raise BadInput(
            f"cannot listen on {host} port {port} ({problem.strerror}): choose another with --host and --port"
        ) from None


def _announce(links: Links, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps({"url": links.url, **links.private()}) + "\n")
        sys.stdout.flush()
        return
    sys.stderr.write(
        f"finito: listening on {links.url} (API at {links.url}/api/openapi.json); Ctrl+C stops it\n"
    )
    if links.keys is not None:
        sys.stderr.write(
            f"finito: the table   {links.table}\n"
            f"finito: spectators  {links.spectators}\n"
            "finito: a browser warns once, since no authority vouches for a home network; the certificate's\n"
            f"finito: fingerprint is {links.fingerprint}\n"
        )
