"""The three stores keep the same promises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from finito.store.bootstrap import open_store
from finito.store.interface import EventStore
from finito.store.memory import MemoryStore
from tests.store.contract import StoreContract


class TestMemory(StoreContract):
    @pytest.fixture
    def store(self) -> EventStore:
        return MemoryStore()


class TestSqlite(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[EventStore]:
        with closing(open_store(str(tmp_path / "book.sqlite"))) as store:
            yield store


class TestPostgres(StoreContract):
    @pytest.fixture
    def store(self, postgres_address: str) -> Iterator[EventStore]:
        with closing(open_store(postgres_address)) as store:
            yield store
