"""The names of tokens, and when each was last used."""

import sqlalchemy as sa
from alembic import op

from contentsync.server.store.migrations.column_types import INSTANT, string

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the columns; older tokens have no name, and their uses before are unknown."""
    op.add_column("tokens", sa.Column("name", string(255), nullable=False, server_default=""))
    op.add_column("tokens", sa.Column("used_at", INSTANT))
