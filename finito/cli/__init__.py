"""The command line: every command registers itself; errors become one sentence and an exit code."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from finito import __version__
from finito.cli import demo, judge, match, printing, rules
from finito.errors import BadInput
from finito.web import serve
from referee.errors import RefereeError


def _version(value: bool) -> None:
    if value:
        typer.echo(f"finito {__version__}")
        raise typer.Exit


def build_app() -> typer.Typer:
    """The `finito` command with all it can do."""
    app = typer.Typer(
        name="finito",
        help="The referee for Espresso and its cousins at a real card table.",
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
    )

    @app.callback()
    def finito(
        version: Annotated[
            bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
        ] = False,
    ) -> None:
        """The referee for Espresso and its cousins at a real card table."""

    for command in (judge, match, rules, printing, serve, demo):
        command.register(app)
    return app


def main() -> None:
    """Runs the command line; no traceback reaches a user."""
    try:
        build_app()()
    except (BadInput, RefereeError) as error:
        sys.stderr.write(f"finito: {error}\n")
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except KeyboardInterrupt:
        sys.stderr.write("finito: stopped\n")
        sys.exit(130)
