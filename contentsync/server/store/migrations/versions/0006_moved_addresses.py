"""The former slugs of records, from which sites redirect."""

import sqlalchemy as sa
from alembic import op

from contentsync.server.store.migrations.column_types import INSTANT, string

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the table; slugs that changed before are unknown."""
    op.create_table(
        "moved_addresses",
        sa.Column("directory_id", sa.Integer(), nullable=False),
        sa.Column("kind", string(16), nullable=False),
        sa.Column("slug", string(255), nullable=False),
        sa.Column("moved_to", string(255), nullable=False),
        sa.Column("moved_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["directory_id"], ["directories.id"], name="fk_moved_addresses_directory_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("directory_id", "kind", "slug", name="pk_moved_addresses"),
    )
    op.create_index(
        "ix_moved_addresses_directory_id_kind_moved_to", "moved_addresses", ["directory_id", "kind", "moved_to"]
    )
