"""Run by Alembic: the store hands in its connection, and commits."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=True)
context.run_migrations()
