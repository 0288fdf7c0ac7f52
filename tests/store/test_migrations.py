"""A database of an older Finito is brought up to date without loss; one of a newer Finito is left alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, inspect, text

from finito.store.bootstrap import open_store
from finito.store.interface import StoreError
from finito.store.migrating import MIGRATIONS, known_versions
from finito.store.schema import NEWEST, VERSION_TABLE, metadata


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "book.sqlite")
    address: str = request.getfixturevalue("postgres_address")
    return address


@contextmanager
def connected(database: str) -> Iterator[Connection]:
    url = (
        database.replace("postgresql:", "postgresql+psycopg:")
        if "://" in database
        else f"sqlite:///{database}"
    )
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def make_first_version(database: str, *statements: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with connected(database) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        for stream, sequence in (("match/1", 1), ("match/1", 2), ("round/1", 1)):
            body = f'{{"n": "{stream} {sequence}"}}'
            row = {"stream": stream, "sequence": sequence, "body": body}
            connection.execute(text("INSERT INTO events VALUES (:stream, :sequence, :body)"), row)
        for statement in statements:
            connection.execute(text(statement))


def version_of(database: str) -> str | None:
    with connected(database) as connection:
        version: str | None = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))
        return version


def test_an_older_database_is_migrated_without_loss(database: str) -> None:
    make_first_version(database)
    with closing(open_store(database)) as store:
        assert [kept.event["n"] for kept in store.read("match/1")] == ["match/1 1", "match/1 2"]
        assert store.streams("match") == ["match/1"]
        assert store.streams("round") == ["round/1"]
        assert store.append("match/1", [{"n": "new"}], expected=2) == 3
    assert version_of(database) == NEWEST


def test_a_migration_that_fails_leaves_the_older_database_as_it_was(database: str) -> None:
    make_first_version(database, "CREATE INDEX events_first_of_kind ON events (body)")
    with pytest.raises(StoreError, match=r"cannot be used: .*already exists"):
        open_store(database)
    assert version_of(database) == "0001"
    with connected(database) as connection:
        columns = [column["name"] for column in inspect(connection).get_columns("events")]
        assert columns == ["stream", "sequence", "body"]
        assert connection.scalar(text("SELECT count(*) FROM events")) == 3


def test_the_migrations_lead_to_the_schema_that_the_code_uses(database: str) -> None:
    open_store(database).close()
    with connected(database) as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, metadata) == []


def test_the_newest_version_is_the_last_migration() -> None:
    assert known_versions()[0] == NEWEST


def test_a_database_of_a_newer_finito_is_refused_and_left_untouched(database: str) -> None:
    with closing(open_store(database)) as store:
        store.append("match/1", [{"n": 1}], expected=0)
    with connected(database) as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    before = b"" if "://" in database else Path(database).read_bytes()
    with pytest.raises(StoreError, match=f"newer Finito .schema 9999, this one knows {NEWEST}.*untouched"):
        open_store(database)
    assert version_of(database) == "9999"
    if before:
        assert Path(database).read_bytes() == before


def test_a_database_of_another_program_is_refused_and_left_untouched(database: str) -> None:
    with connected(database) as connection:
        connection.execute(text("CREATE TABLE recipes (name TEXT)"))
    before = b"" if "://" in database else Path(database).read_bytes()
    with pytest.raises(StoreError, match=r"belongs to another program .it has a table 'recipes'"):
        open_store(database)
    with connected(database) as connection:
        assert inspect(connection).get_table_names() == ["recipes"]
    if before:
        assert Path(database).read_bytes() == before


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    path.touch()
    open_store(str(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
