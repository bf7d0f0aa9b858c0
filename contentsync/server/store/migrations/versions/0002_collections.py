"""The version and the number of records of each collection, and the linked ids in the row of each listing."""

import hashlib
import json
from collections import defaultdict

import sqlalchemy as sa
from alembic import op

from contentsync.server.store.migrations.column_types import string, text

revision = "0002"
down_revision = "0001"

# The names of the tables at this revision: later versions may name kinds differently.
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
    """Add the table `collections` and the column `links`, and fill them from the stored records."""
    _create_collections()
    # The default stays: to drop it, SQLite would replace the table, and delete the rows that reference the old one.
    op.add_column("listings", sa.Column("links", text(), nullable=False, server_default="{}"))
    _copy_links()
    _shorten_keys()


def _create_collections() -> None:
    """Create the table, with the number of records of each kind in each directory."""
    op.create_table(
        "collections",
        sa.Column("directory_id", sa.Integer(), nullable=False),
        sa.Column("kind", string(16), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("shifted", sa.BigInteger(), nullable=False),  # the version of the last delete
        sa.ForeignKeyConstraint(
            ["directory_id"], ["directories.id"], name="fk_collections_directory_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("directory_id", "kind", name="pk_collections"),
    )
    for kind, table in KINDS.items():
        op.execute(
            "INSERT INTO collections (directory_id, kind, total, version, shifted)"
            f" SELECT id, '{kind}', (SELECT count(*) FROM {table} WHERE directory_id = directories.id), 0, 0"
            " FROM directories"
        )


def _copy_links() -> None:
    """Copy the linked ids from the link tables into the listings' rows, as JSON."""
    connection = op.get_bind()
    no_links = json.dumps({field: [] for field in LINKS}, separators=(",", ":"))
    connection.execute(sa.text("UPDATE listings SET links = :links"), {"links": no_links})
    links_by_listing: dict[int, dict[str, list[int]]] = defaultdict(lambda: {field: [] for field in LINKS})
    for field, column in LINKS.items():
        query = f"SELECT listing_id, {column} FROM listing_{field} ORDER BY listing_id, position"
        for listing_id, linked_id in connection.execute(sa.text(query)):
            links_by_listing[listing_id][field].append(linked_id)
    rows = [{"id": id_, "links": json.dumps(links, separators=(",", ":"))} for id_, links in links_by_listing.items()]
    if rows:
        connection.execute(sa.text("UPDATE listings SET links = :links WHERE id = :id"), rows)


def _shorten_keys() -> None:
    """Replace the URL keys that are too long for an index of PostgreSQL with their hashes."""
    connection = op.get_bind()
    # URL keys are ASCII, so this length is also their number of bytes.
    query = sa.text("SELECT id, url_key FROM listings WHERE length(url_key) > 2500")
    change = sa.text("UPDATE listings SET url_key = :key WHERE id = :id")
    for listing_id, key in connection.execute(query).all():
        key_hash = f"sha256:{hashlib.sha256(key.encode()).hexdigest()}"
        connection.execute(change, {"key": key_hash, "id": listing_id})
