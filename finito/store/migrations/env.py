"""Alembic runs this for every migration, on the connection that the store has opened and locked."""

from alembic import context

from finito.store.schema import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    transactional_ddl=True,
)
context.run_migrations()
