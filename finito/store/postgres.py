"""The store for a club with many tables: one PostgreSQL database for all of them."""

from __future__ import annotations

import importlib.util
from typing import Final

from sqlalchemy import Engine, create_engine, func, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from finito.store.interface import StoreError
from finito.store.migrating import is_current, migrate
from finito.store.sql import SqlStore, explained

PATIENCE_SECONDS: Final = 10
MIGRATION_LOCK: Final = 0x46494E49544F  # "FINITO": one program migrates, the others wait


def open_postgres(url: str, *, patience: int = PATIENCE_SECONDS) -> SqlStore:
    """Connect to postgresql://user:password@host/database and bring it to the newest schema."""
    if importlib.util.find_spec("psycopg") is None:
        raise StoreError("PostgreSQL needs the psycopg package: pip install 'finito[postgres]'")
    try:
        address = make_url(url).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError):
        raise StoreError(
            "the PostgreSQL address cannot be read: write postgresql://user:password@host:5432/database"
        ) from None
    name = address.set(drivername="postgresql").render_as_string(hide_password=True)
    timeouts = f"-c lock_timeout={patience}s"
    engine = create_engine(
        address, pool_pre_ping=True, connect_args={"connect_timeout": patience, "options": timeouts}
    )

    def explain(problem: DBAPIError) -> str:
        reason = str(problem.orig).strip().splitlines() or ["no reason given"]
        return f"the database {name} cannot be used: {reason[0]}; check that it runs and that you may use it"

    try:
        with explained(explain):
            _prepare(engine, f"the database {name}")
    except BaseException:
        engine.dispose()
        raise
    return SqlStore(engine, explain)


def _prepare(engine: Engine, name: str) -> None:
    with engine.begin() as connection:
        if is_current(connection, name):
            return
        connection.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK)))
        if not is_current(connection, name):
            migrate(connection)
