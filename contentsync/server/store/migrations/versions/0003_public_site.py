"""The columns by which the public site finds what visitors may see."""

import json
import unicodedata
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

from contentsync.server.store.migrations.column_types import string, text

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns and fill them from the records."""
    # The defaults stay: to drop one, SQLite would replace the table, and delete the rows that reference the old one.
    op.add_column("listings", _flag("is_active", default=True))
    op.add_column("listings", _flag("is_featured", default=False))
    op.add_column("listings", sa.Column("starts_at", string(27)))
    op.add_column("listings", sa.Column("ends_at", string(27)))
    op.add_column("listings", sa.Column("words", text(), nullable=False, server_default=""))
    op.add_column("organizers", _flag("is_active", default=True))
    op.add_column("pages", _flag("is_published", default=True))
    op.add_column("pages", sa.Column("placement", string(16), nullable=False, server_default="unlisted"))
    op.add_column("articles", _flag("active", default=True))
    _fill("listings", ("is_active", "is_featured", "starts_at", "ends_at", "words"), _with_words)
    _fill("organizers", ("is_active",))
    _fill("pages", ("is_published", "placement"))
    _fill("articles", ("active",))
    shown = ["directory_id", "is_active", "is_featured", "id", "starts_at", "ends_at"]
    op.create_index("ix_listings_shown", "listings", shown)


def _flag(name: str, *, default: bool) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.true() if default else sa.false())


def _fill(
    table: str, columns: tuple[str, ...], values_of: Callable[[dict[str, Any]], dict[str, Any]] = lambda data: data
) -> None:
    """Set the columns of all rows from the values in `data`, a thousand rows at a time."""
    connection = op.get_bind()
    assignments = ", ".join(f"{column} = :{column}" for column in columns)
    change = sa.text(f"UPDATE {table} SET {assignments} WHERE id = :id")
    query = sa.text(f"SELECT id, data FROM {table} WHERE id > :after ORDER BY id LIMIT 1000")
    after = 0
    while rows := connection.execute(query, {"after": after}).all():
        after = rows[-1].id
        new_rows = []
        for row in rows:
            values = values_of(json.loads(row.data))
            new_rows.append({"id": row.id, **{column: values[column] for column in columns}})
        connection.execute(change, new_rows)


def _with_words(data: dict[str, Any]) -> dict[str, Any]:
    """Return a listing's values with `words`: name and description in lower case, without accents."""
    texts = " ".join(text_[:1000] for text_ in (data["name"], data["description"]) if text_).casefold()
    letters = (letter for letter in unicodedata.normalize("NFKD", texts) if not unicodedata.combining(letter))
    return {**data, "words": " ".join("".join(letters).casefold().split())[:1000]}
