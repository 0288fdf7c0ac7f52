"""Brings a database to the newest schema, or says why it is not ours to touch."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from finito.store.interface import StoreError
from finito.store.schema import NEWEST, VERSION_TABLE

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def is_current(connection: Connection, name: str) -> bool:
    """Whether the schema is the newest; a database of another program or of a newer Finito is refused."""
    version = _version(connection, name)
    if version is None or version == NEWEST:
        return version == NEWEST
    if version not in known_versions():
        raise StoreError(
            f"{name} was written by a newer Finito (schema {version}, this one knows {NEWEST}); "
            "it is left untouched: update Finito or choose another database"
        )
    return False


def migrate(connection: Connection) -> None:
    """Run the migrations that are missing, in the transaction of this connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def known_versions() -> list[str]:
    """All schema versions there have been, the newest first."""
    from alembic.script import ScriptDirectory

    return [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()]


def _version(connection: Connection, name: str) -> str | None:
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        version: str | None = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))
        return version
    if tables:
        raise StoreError(
            f"{name} belongs to another program (it has a table {tables[0]!r}); "
            "it is left untouched: give Finito a database of its own"
        )
    return None
