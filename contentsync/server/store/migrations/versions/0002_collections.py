"""The version and the size of every collection."""

import sqlalchemy as sa
from alembic import op

from contentsync.server.store.schema import string

revision = "0002"
down_revision = "0001"

# The tables as they are named here: later versions may name kinds in another way.
KINDS = {
    "category": "categories",
    "tag": "tags",
    "custom_field": "custom_fields",
    "organizer": "organizers",
    "listing": "listings",
    "page": "pages",
    "article": "articles",
}


def upgrade() -> None:
    """Make the table, and count what is there."""
    op.create_table(
        "collections",
        sa.Column("directory_id", sa.Integer(), nullable=False),
        sa.Column("kind", string(16), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("shifted", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["directory_id"], ["directories.id"], name="fk_collections_directory_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("directory_id", "kind", name="pk_collections"),
    )
    for kind, table in KINDS.items():
        op.execute(
            "INSERT INTO collections (directory_id, kind, total, version, shifted)"  # noqa: S608  # names of our own
            f" SELECT id, '{kind}', (SELECT count(*) FROM {table} WHERE directory_id = directories.id), 0, 0"
            " FROM directories"
        )
