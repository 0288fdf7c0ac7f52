"""One PostgreSQL server for all store tests, one database in it for each test."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest

from tests.store.postgres_server import NoServer, postgres_server


@pytest.fixture(scope="session")
def server_address() -> Iterator[str]:
    try:
        with postgres_server() as address:
            yield address
    except NoServer as problem:
        pytest.skip(f"no PostgreSQL server can be started here: {problem}")


@pytest.fixture
def postgres_address(server_address: str) -> str:
    name = f"finito_{uuid4().hex}"
    with psycopg.connect(server_address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return server_address.replace("/postgres?", f"/{name}?")
