"""The store in an SQL database; SQLite and PostgreSQL differ only in how they open and what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Engine, Row, func, insert, select
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from finito.store.interface import Event, StoredEvent, StoreError, decode, encode, kind_of, stale
from finito.store.schema import events as table

PAGE: Final = 500  # rows read at a time, so that a long stream costs no more memory than a short one
WRITING: Final = {"finito_writing": True}


class SqlStore:
    """`explain` turns the driver's error into a sentence for the person at the table."""

    def __init__(self, engine: Engine, explain: Callable[[DBAPIError], str]) -> None:
        self._engine = engine
        self._writer = engine.execution_options(**WRITING)
        self._explain = explain

    def append(self, stream: str, events: Sequence[Event], expected: int) -> int:
        kind = kind_of(stream)
        rows = [
            {"stream": stream, "sequence": number, "kind": kind, "body": encode(stream, event)}
            for number, event in enumerate(events, start=expected + 1)
        ]
        last = select(func.coalesce(func.max(table.c.sequence), 0)).where(table.c.stream == stream)
        try:
            with explained(self._explain), self._writer.begin() as connection:
                actual = connection.scalars(last).one()
                if actual != expected:
                    raise stale(stream, expected, actual)
                if rows:
                    connection.execute(insert(table), rows)
        except IntegrityError:
            raise stale(stream, expected) from None
        return expected + len(rows)

    def read(self, stream: str, after: int = 0) -> Iterator[StoredEvent]:
        kind_of(stream)
        while rows := self._page(stream, after):
            for sequence, body in rows:
                yield decode(stream, sequence, body)
            if len(rows) < PAGE:
                return
            after = rows[-1].sequence

    def _page(self, stream: str, after: int) -> Sequence[Row[int, str]]:
        page = (
            select(table.c.sequence, table.c.body)
            .where(table.c.stream == stream, table.c.sequence > after)
            .order_by(table.c.sequence)
            .limit(PAGE)
        )
        with explained(self._explain), self._engine.begin() as connection:
            return connection.execute(page).all()

    def streams(self, kind: str) -> list[str]:
        firsts = select(table.c.stream).where(table.c.kind == kind, table.c.sequence == 1)
        with explained(self._explain), self._engine.begin() as connection:
            return sorted(connection.scalars(firsts))

    def close(self) -> None:
        self._engine.dispose()


@contextmanager
def explained(explain: Callable[[DBAPIError], str]) -> Iterator[None]:
    """Say what the database complains about in one sentence; a broken key is left to the caller."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as problem:
        raise StoreError(explain(problem)) from problem
    except SQLAlchemyError as problem:
        raise StoreError(f"the database cannot be used: {str(problem).splitlines()[0]}") from problem
