"""The tables as the newest migration leaves them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Index, Integer, MetaData, String, Table, Text, text

NEWEST: Final = "0002"  # the last migration; known here so that opening a current database needs no Alembic
VERSION_TABLE: Final = "finito_version"

metadata = MetaData()
events = Table(
    "events",
    metadata,
    Column("stream", String(160), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    Column("kind", String(40), nullable=False),
    Index(
        "events_first_of_kind",
        "kind",
        "stream",
        sqlite_where=text("sequence = 1"),
        postgresql_where=text("sequence = 1"),
    ),
)
