"""The kind of a stream in its own column: matches are listed from an index, not by reading every event."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("events", sa.Column("kind", sa.String(40), nullable=False, server_default=""))
    events = sa.table("events", sa.column("stream", sa.String), sa.column("kind", sa.String))
    streams = op.get_bind().scalars(sa.select(events.c.stream).distinct()).all()
    for stream in streams:
        kind = stream.partition("/")[0]
        op.execute(events.update().where(events.c.stream == stream).values(kind=kind))
    first = sa.text("sequence = 1")
    op.create_index(
        "events_first_of_kind", "events", ["kind", "stream"], sqlite_where=first, postgresql_where=first
    )
