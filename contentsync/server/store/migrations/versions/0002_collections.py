"""The version and the size of every collection; beside each listing the ids of what it is linked to."""

import hashlib
import json
from collections import defaultdict

import sqlalchemy as sa
from alembic import op

from contentsync.server.store.tables import string, text

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


LINKS = {"categories": "category_id", "tags": "tag_id", "organizers": "organizer_id"}


def upgrade() -> None:
    """Make the table and the column from what is there."""
    _count_collections()
    # The default stays: to drop it SQLite would create the table again, and lose what references it.
    op.add_column("listings", sa.Column("links", text(), nullable=False, server_default="{}"))
    _copy_links()
    _shorten_keys()


def _count_collections() -> None:
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


def _copy_links() -> None:
    connection = op.get_bind()
    found: dict[int, dict[str, list[int]]] = defaultdict(lambda: {field: [] for field in LINKS})
    for field, column in LINKS.items():
        query = f"SELECT listing_id, {column} FROM listing_{field} ORDER BY listing_id, position"  # noqa: S608
        for listing_id, other_id in connection.execute(sa.text(query)):
            found[listing_id][field].append(other_id)
    none = json.dumps({field: [] for field in LINKS}, separators=(",", ":"))
    connection.execute(sa.text("UPDATE listings SET links = :links"), {"links": none})
    rows = [{"id": number, "links": json.dumps(links, separators=(",", ":"))} for number, links in found.items()]
    if rows:
        connection.execute(sa.text("UPDATE listings SET links = :links WHERE id = :id"), rows)


def _shorten_keys() -> None:
    """Keys that are too long for an index of PostgreSQL stand as their hashes."""
    connection = op.get_bind()
    query = sa.text("SELECT id, url_key FROM listings WHERE length(url_key) > 2500")
    for number, key in connection.execute(query).all():
        hashed = f"sha256:{hashlib.sha256(key.encode()).hexdigest()}"
        connection.execute(sa.text("UPDATE listings SET url_key = :key WHERE id = :id"), {"key": hashed, "id": number})
