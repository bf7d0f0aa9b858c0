"""Alembic runs this file on the connection of `run.run_migrations`."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=True)
context.run_migrations()
