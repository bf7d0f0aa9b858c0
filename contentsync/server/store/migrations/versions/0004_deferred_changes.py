"""Add what a write of many records needs to leave their rows unchanged (decision 16)."""

import json
from collections import Counter, defaultdict
from typing import Any

import sqlalchemy as sa
from alembic import op

from contentsync.server.store.migrations.column_types import string, text

revision = "0004"
down_revision = "0003"

# The names of the tables at this revision: later versions may name kinds differently.
TABLES_WITH_FIELDS = {"listing": "listings", "organizer": "organizers", "article": "articles"}
LINKS = {"categories": "category_id", "tags": "tag_id", "organizers": "organizer_id"}


def upgrade() -> None:
    """Add the columns, fill `field_ids` and `filled`, and allow links to records that were deleted."""
    # The defaults stay: to drop one, SQLite would replace the table, and delete the rows that reference the old one.
    for name in ("fields_changed", "links_changed"):
        op.add_column("collections", sa.Column(name, sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("custom_fields", sa.Column("filled", sa.Integer(), nullable=False, server_default="0"))
    for table in TABLES_WITH_FIELDS.values():
        op.add_column(table, sa.Column("field_ids", text(), nullable=False, server_default="{}"))
    _fill_field_columns()
    op.create_table(
        "lost_links",
        sa.Column("other_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("field", string(16), nullable=False),
        sa.Column("directory_id", sa.Integer(), nullable=False),
        sa.Column("lost_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["directory_id"], ["directories.id"], name="fk_lost_links_directory_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("other_id", "field", name="pk_lost_links"),
    )
    for field, column in LINKS.items():
        with op.batch_alter_table(f"listing_{field}") as batch:
            batch.drop_constraint(f"fk_listing_{field}_{column}", type_="foreignkey")


def _fill_field_columns() -> None:
    """Set `field_ids` of each record, and `filled` of each custom field: the number of records with a value."""
    connection = op.get_bind()
    fields: dict[tuple[int, str], dict[str, int]] = defaultdict(dict)  # ids by name, of a directory and kind
    query = 'SELECT id, directory_id, fieldable_type, name FROM custom_fields ORDER BY "order", id'
    for field_id, directory_id, kind, name in connection.execute(sa.text(query)):
        fields[directory_id, kind][name] = field_id
    for (directory_id, kind), ids in fields.items():
        table, text_ = TABLES_WITH_FIELDS[kind], json.dumps(ids, separators=(",", ":"))
        change = f"UPDATE {table} SET field_ids = :ids WHERE directory_id = :directory"
        connection.execute(sa.text(change), {"ids": text_, "directory": directory_id})
        counts = [{"field": id_, "filled": count} for id_, count in _count_filled(table, directory_id, ids).items()]
        if counts:
            connection.execute(sa.text("UPDATE custom_fields SET filled = :filled WHERE id = :field"), counts)


def _count_filled(table: str, directory_id: int, ids: dict[str, int]) -> Counter[int]:
    """Return the number of records that have a value of each field, by the field's id."""
    counts: Counter[int] = Counter()
    query = f"SELECT data FROM {table} WHERE directory_id = :directory"
    for data in op.get_bind().execute(sa.text(query), {"directory": directory_id}).scalars():
        values: dict[str, Any] = json.loads(data)
        counts.update(field_id for name, field_id in ids.items() if values.get(name) is not None)
    return counts
