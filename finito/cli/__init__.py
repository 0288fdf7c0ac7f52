"""The command line: every command registers itself; errors become one sentence and an exit code."""

from __future__ import annotations

import io
import os
import signal
import sys
from types import FrameType
from typing import Annotated, NoReturn

import typer

from finito import __version__
from finito.cli import (
    calibrate,
    demo,
    enroll,
    judge,
    match,
    printing,
    read,
    replay,
    rules,
    score,
    sessions,
    simulate,
    watch,
)
from finito.errors import BadInput
from finito.web import serve
from referee.errors import RefereeError


class _Stopped(BaseException):
    """Ctrl-C, in a form that the command line library does not swallow without a word."""


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _Stopped


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
        rich_markup_mode=None,  # names such as :pizza: are no emoji here
        pretty_exceptions_enable=False,
    )

    @app.callback()
    def finito(
        version: Annotated[
            bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
        ] = False,
    ) -> None:
        """The referee for Espresso and its cousins at a real card table."""

    commands = (read, enroll, score, calibrate, judge, match, rules, printing, simulate, serve, demo)
    for command in (*commands, watch, sessions, replay):
        command.register(app)
    return app


def main() -> None:
    """Runs the command line; no traceback reaches a user."""
    _say_it_in_utf8()
    try:
        signal.signal(signal.SIGINT, _stop)
        build_app()()
    except (BadInput, RefereeError) as error:
        _fail(str(error), 1)
    except BrokenPipeError:
        _drop_output()
        sys.exit(0)
    except (_Stopped, KeyboardInterrupt):
        _fail("stopped", 130)
    except OSError as error:
        _drop_output()
        _fail(
            f"{error.filename or 'the output'}: {error.strerror or error}; free the place or choose another",
            1,
        )


def _say_it_in_utf8() -> None:
    """Names have accents whatever the terminal's locale says; a closed stream swallows what is written."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (for the whole run)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _fail(sentence: str, code: int) -> NoReturn:
    sys.stderr.write(f"finito: {sentence}\n")
    sys.exit(code)


def _drop_output() -> None:
    """What could not be written is given up, so that the end of the program does not try again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
