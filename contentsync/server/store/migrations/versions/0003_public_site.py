"""The columns by which the public site finds what visitors may see."""

import json
import unicodedata
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

from contentsync.server.store.tables import string, text

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns and fill them from the records."""
    # The defaults stay, as those of 0002 do.
    op.add_column("listings", _flag("is_active", default=True))
    op.add_column("listings", _flag("is_featured", default=False))
    op.add_column("listings", sa.Column("starts_at", string(27)))
    op.add_column("listings", sa.Column("ends_at", string(27)))
    op.add_column("listings", sa.Column("words", text(), nullable=False, server_default=""))
    op.add_column("organizers", _flag("is_active", default=True))
    op.add_column("pages", _flag("is_published", default=True))
    op.add_column("pages", sa.Column("placement", string(16), nullable=False, server_default="unlisted"))
    op.add_column("articles", _flag("active", default=True))
    _fill("listings", ("is_active", "is_featured", "starts_at", "ends_at", "words"), _of_listing)
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
    connection = op.get_bind()
    names = ", ".join(f"{column} = :{column}" for column in columns)
    change = sa.text(f"UPDATE {table} SET {names} WHERE id = :id")  # noqa: S608  # names of our own
    after = 0
    while True:
        some = sa.text(f"SELECT id, data FROM {table} WHERE id > :after ORDER BY id LIMIT 1000")  # noqa: S608
        rows = connection.execute(some, {"after": after}).all()
        if not rows:
            return
        after = rows[-1].id
        values = [(row.id, values_of(json.loads(row.data))) for row in rows]
        connection.execute(change, [{"id": number, **{name: of[name] for name in columns}} for number, of in values])


def _of_listing(data: dict[str, Any]) -> dict[str, Any]:
    given = " ".join(text_[:1000] for text_ in (data["name"], data["description"]) if text_).casefold()
    letters = (letter for letter in unicodedata.normalize("NFKD", given) if not unicodedata.combining(letter))
    return {**data, "words": " ".join("".join(letters).casefold().split())[:1000]}
