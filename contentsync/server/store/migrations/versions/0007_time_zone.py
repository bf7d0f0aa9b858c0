"""The time zone in which a directory's public site shows dates."""

import sqlalchemy as sa
from alembic import op

from contentsync.server.store.migrations.column_types import string

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the column; sites showed dates in UTC before."""
    op.add_column("directories", sa.Column("timezone", string(255), nullable=False, server_default="UTC"))
