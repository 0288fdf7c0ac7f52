"""A locked, damaged or unreachable database: one sentence, nothing overwritten."""

from __future__ import annotations

import importlib.util
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from finito.errors import BadInput
from finito.settings import load_settings
from finito.store.bootstrap import open_store
from finito.store.interface import EventStore, StoreError
from finito.store.postgres import open_postgres
from finito.store.sqlite import open_sqlite


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.sqlite"
    with closing(open_sqlite(path)) as store:
        store.append("match/1", [{"text": "x" * 3000} for _ in range(50)], expected=0)
    return path


def test_a_locked_database_is_waited_for_and_then_named(book: Path) -> None:
    with closing(open_sqlite(book, patience=0.1)) as store, closing(sqlite3.connect(book)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"book\.sqlite is in use by another program; try again"):
            store.append("match/1", [{}], expected=50)
        assert len(list(store.read("match/1"))) == 50  # readers are not kept waiting
        other.rollback()
        assert store.append("match/1", [{}], expected=50) == 51


def test_a_database_locked_while_it_is_made_is_named(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="is in use by another program"):
            open_sqlite(path, patience=0.1)


def overwrite(start: int, data: bytes) -> Callable[[bytes], bytes]:
    return lambda content: content[:start] + data + content[start + len(data) :]


@pytest.mark.parametrize(
    "damage",
    [
        overwrite(0, b"This is no database, it is a text about cards."),
        lambda content: content[: len(content) // 2],
        overwrite(4096, b"\xff" * 4096 * 3),
        lambda content: b"\x89PNG" + content,
    ],
    ids=["header", "cut in half", "pages", "another format"],
)
def test_a_damaged_database_is_named_and_left_untouched(book: Path, damage: Callable[[bytes], bytes]) -> None:
    book.write_bytes(damage(book.read_bytes()))
    before = book.read_bytes()
    with pytest.raises(StoreError, match=r"book\.sqlite is damaged or no database; it is left untouched"):
        use(book)
    assert book.read_bytes() == before


def use(book: Path) -> None:
    with closing(open_sqlite(book)) as store:
        list(store.read("match/1"))
        store.append("match/1", [{}], expected=50)


@pytest.mark.parametrize("body", ["{broken", "[1, 2]", "null"])
def test_a_damaged_event_is_named(book: Path, body: str) -> None:
    with closing(sqlite3.connect(book)) as connection, connection:
        connection.execute("UPDATE events SET body = ? WHERE sequence = 7", (body,))
    with (
        closing(open_sqlite(book)) as store,
        pytest.raises(StoreError, match="event 7 of match/1 is damaged"),
    ):
        list(store.read("match/1"))


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder: name a file in it"):
        open_store(str(tmp_path))


def test_a_missing_folder_is_not_made_for_a_database_given_by_name(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"the folder .*nowhere does not exist"):
        open_store(str(tmp_path / "nowhere" / "book.sqlite"))


def test_a_mistyped_database_does_not_look_like_an_empty_book(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"bok.sqlite does not exist: check --db"):
        open_store(str(tmp_path / "bok.sqlite"), create=False)
    assert list(tmp_path.iterdir()) == []


def test_the_default_is_a_file_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FINITO_DB", raising=False)
    monkeypatch.setenv("FINITO_DATA", str(tmp_path / "deep" / "data"))
    open_store().close()
    assert (tmp_path / "deep" / "data" / "finito.sqlite").stat().st_size > 0
    monkeypatch.setenv("FINITO_DB", str(tmp_path / "other.sqlite"))
    assert load_settings().database == str(tmp_path / "other.sqlite")


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.delenv("FINITO_DB", raising=False)
    monkeypatch.setenv("FINITO_DATA", str(tmp_path / "file" / "data"))
    with pytest.raises(BadInput, match=r"data folder .* cannot be made .*FINITO_DATA"):
        open_store()


@pytest.mark.parametrize("address", ["sqlite:///{}", "{}"])
def test_sqlite_is_given_by_path_or_address(tmp_path: Path, address: str) -> None:
    path = tmp_path / "a%20b.sqlite"
    open_store(address.format(path)).close()
    assert path.exists()


def test_an_unknown_kind_of_database_is_refused() -> None:
    with pytest.raises(BadInput, match="mysql:// is no database Finito knows"):
        open_store("mysql://localhost/x")


def test_postgresql_out_of_reach_is_named_without_its_password() -> None:
    with pytest.raises(StoreError, match=r"postgresql://me:\*\*\*@127.0.0.1:1/club cannot be used") as caught:
        open_postgres("postgresql://me:secret@127.0.0.1:1/club", patience=2)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_malformed_postgresql_address_is_refused() -> None:
    with pytest.raises(StoreError, match="cannot be read: write postgresql://"):
        open_store("postgresql://me@host:port/club")


def test_postgresql_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(StoreError, match=r"pip install 'finito\[postgres\]'"):
        open_postgres("postgresql://localhost/club")


def test_a_connection_lost_meanwhile_is_replaced(postgres_address: str) -> None:
    import psycopg

    with closing(open_store(postgres_address)) as store:
        store.append("match/1", [{}], expected=0)
        with psycopg.connect(postgres_address, autocommit=True) as other:
            mine = "pid <> pg_backend_pid() AND datname = current_database()"
            other.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {mine}".encode())
        assert_still_there(store)


def assert_still_there(store: EventStore) -> None:
    assert [kept.sequence for kept in store.read("match/1")] == [1]


def test_every_append_is_on_the_disk_before_it_is_acknowledged(book: Path) -> None:
    """What SIGKILL cannot show: a power cut loses what only the system had taken."""
    with closing(open_sqlite(book)) as store, store._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
