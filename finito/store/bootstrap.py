"""The one place where settings, store and match book are wired together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from finito.errors import BadInput
from finito.settings import load_settings
from finito.store.interface import EventStore, StoreError
from finito.store.match_book import MatchBook


def open_store(database: str | None = None, *, create: bool = True) -> EventStore:
    """The store at a path or postgresql:// address; without one, that of the settings, made where missing.

    `create` says whether a file that was asked for by name may be made: a typing error must not look like
    an empty book.
    """
    address = database or load_settings().database
    if address.startswith(("postgresql:", "postgres:", "postgresql+psycopg:")):
        from finito.store.postgres import open_postgres

        return open_postgres(address)
    from finito.store.sqlite import open_sqlite

    path = _sqlite_path(address)
    if database is None:
        _make_folder(path.parent)
    elif not create and not path.exists():
        raise StoreError(
            f"the database {path} does not exist: check --db, or start it with 'finito match new'"
        )
    return open_sqlite(path)


@contextmanager
def match_book(database: str | None = None, *, create: bool = True) -> Iterator[MatchBook]:
    """The book of matches on the store that `open_store` gives, closed at the end."""
    with closing(open_store(database, create=create)) as store:
        yield MatchBook(store, time_now)


def time_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _sqlite_path(address: str) -> Path:
    scheme, found, rest = address.partition("://")
    if found and scheme != "sqlite":
        raise BadInput(f"{scheme}:// is no database Finito knows: give an SQLite file or postgresql://…")
    return Path(rest.removeprefix("/") if found else address).expanduser()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BadInput(
            f"the data folder {folder} cannot be made ({problem.strerror}): set FINITO_DATA to another folder"
        ) from problem
