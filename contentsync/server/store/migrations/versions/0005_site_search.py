"""The introduction of a site, and search texts that sort by name."""

import json
import unicodedata
from typing import Any

import sqlalchemy as sa
from alembic import op

from contentsync.server.store.migrations.column_types import text

revision = "0005"
down_revision = "0004"

# The names of the tables and columns of links at this revision.
LINKS = {"categories": "category_id", "tags": "tag_id", "organizers": "organizer_id"}
LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)


def upgrade() -> None:
    """Add the column, order the indexes of links by listing, and write the search texts again."""
    # The default stays: to drop it, SQLite would replace the table, and delete the rows that reference the old one.
    op.add_column("directories", sa.Column("description", text(), nullable=False, server_default=""))
    for field, column in LINKS.items():
        op.drop_index(f"ix_listing_{field}_{column}", f"listing_{field}")
        op.create_index(f"ix_listing_{field}_{column}_listing_id", f"listing_{field}", [column, "listing_id"])
    _write_words()


def _write_words() -> None:
    """Write the search text of each listing, a thousand listings at a time."""
    connection = op.get_bind()
    query = sa.text("SELECT id, data FROM listings WHERE id > :after ORDER BY id LIMIT 1000")
    change = sa.text("UPDATE listings SET words = :words WHERE id = :id")
    after = 0
    while rows := connection.execute(query, {"after": after}).all():
        after = rows[-1].id
        connection.execute(change, [{"id": row.id, "words": _words(json.loads(row.data))} for row in rows])


def _words(data: dict[str, Any]) -> str:
    lines = (_normalise((data[name] or "")[:1000]) for name in ("name", "description"))
    return "\n".join(filter(None, lines))[:1000]


def _normalise(value: str) -> str:
    letters = (
        letter for letter in unicodedata.normalize("NFKD", value.casefold()) if not unicodedata.combining(letter)
    )
    return " ".join("".join(letters).casefold().translate(LETTERS).split())
