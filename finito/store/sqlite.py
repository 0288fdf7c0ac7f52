"""The embedded store: one SQLite file, safe against a power cut and against two programs at once."""

from __future__ import annotations

import time
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from sqlite3 import OperationalError
from typing import Final

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from finito.store.interface import StoreError
from finito.store.migrating import is_current, migrate
from finito.store.sql import WRITING, SqlStore, explained

PATIENCE_SECONDS: Final = 10.0  # how long to wait for another program that writes

BUSY: Final = "is in use by another program; try again when it is done"
DAMAGED: Final = "is damaged or no database; it is left untouched: restore a copy or choose another with --db"
COMPLAINTS: Final = {
    "SQLITE_BUSY": BUSY,
    "SQLITE_LOCKED": BUSY,
    "SQLITE_NOTADB": DAMAGED,
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_CANTOPEN": "cannot be opened; check that its folder exists and may be written",
    "SQLITE_READONLY": "may not be written; check its permissions or choose another with --db",
    "SQLITE_PERM": "may not be opened; check its permissions or choose another with --db",
    "SQLITE_FULL": "cannot grow: the disk is full; nothing was written",
}


def open_sqlite(path: Path, *, patience: float = PATIENCE_SECONDS) -> SqlStore:
    """Open the file, create it where it is missing, and bring it to the newest schema."""
    _refuse_impossible(path)
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": patience, "isolation_level": None},
    )
    event.listen(engine, "connect", _make_durable)
    event.listen(engine, "begin", _begin)

    def explain(problem: DBAPIError) -> str:
        return f"the database {path} {_complaint(problem.orig)}"

    try:
        with explained(explain):
            _prepare(engine, f"the database {path}", patience)
    except BaseException:
        engine.dispose()
        raise
    return SqlStore(engine, explain)


def _refuse_impossible(path: Path) -> None:
    if path.is_dir():
        raise StoreError(
            f"the database {path} is a folder: name a file in it, such as {path / 'finito.sqlite'}"
        )
    if not path.parent.is_dir():
        raise StoreError(f"the database {path} cannot be made: the folder {path.parent} does not exist")


def _prepare(engine: Engine, name: str, patience: float) -> None:
    with engine.begin() as connection:
        if is_current(connection, name):
            return
    # Only now is the file known to be new or ours: the journal mode is written into it.
    _keep_write_ahead_log(engine, name, patience)
    with engine.execution_options(**WRITING).begin() as connection:
        if not is_current(connection, name):  # another program may have been faster
            migrate(connection)


def _keep_write_ahead_log(engine: Engine, name: str, patience: float) -> None:
    """Readers and a writer do not wait for each other then."""
    deadline = time.monotonic() + patience
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, SqliteConnection)
        while True:
            try:
                driver.execute("PRAGMA journal_mode = WAL").close()
            except OperationalError as problem:
                # SQLite itself does not wait here when another program makes the same file at the same time.
                if _complaint(problem) != BUSY or time.monotonic() > deadline:
                    raise StoreError(f"{name} {_complaint(problem)}") from problem
                time.sleep(0.02)
            else:
                return


def _make_durable(connection: SqliteConnection, _record: object) -> None:
    # FULL: a commit is on the disk before it is acknowledged, also in WAL mode.
    connection.execute("PRAGMA synchronous = FULL").close()


def _begin(connection: Connection) -> None:
    # A writer takes its lock at once: one that first reads and then writes could not wait for another.
    writing = connection.get_execution_options().get("finito_writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _complaint(problem: BaseException | None) -> str:
    code = str(getattr(problem, "sqlite_errorname", ""))
    for known, sentence in COMPLAINTS.items():
        if code.startswith(known):
            return sentence
    return f"cannot be used: {problem}"
