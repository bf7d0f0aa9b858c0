"""The index of searches and filters; `migration.migrate` fills it."""

import sqlalchemy as sa
from alembic import op

from contentsync.server.store.migrations.column_types import DOCUMENT_KEY, INSTANT, string, text
from contentsync.server.store.tables import SEARCH_INDEX

revision = "0009"
down_revision = "0008"

_FIRST_LINES = {
    "sqlite": "substr(sort_name, 1, instr(sort_name, char(10)) - 1)",
    "postgresql": "split_part(sort_name, chr(10), 1)",
}
_HAS_LINES = {"sqlite": "instr(sort_name, char(10)) > 0", "postgresql": "strpos(sort_name, chr(10)) > 0"}


def upgrade() -> None:
    """Add the tables, and keep only the names of the former search texts: lists are sorted by them."""
    dialect = op.get_bind().dialect.name
    op.execute("ALTER TABLE listings RENAME COLUMN words TO sort_name")
    op.execute(f"UPDATE listings SET sort_name = {_FIRST_LINES[dialect]} WHERE {_HAS_LINES[dialect]}")
    op.create_table(
        "search_documents",
        sa.Column("key", DOCUMENT_KEY, nullable=False, autoincrement=False),
        sa.Column("starts_at", INSTANT),
        sa.Column("ends_at", INSTANT),
        sa.Column("choices", text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_search_documents"),
    )
    for column in ("starts_at", "ends_at"):
        is_set = sa.text(f"{column} IS NOT NULL")
        name = f"ix_search_documents_{column}"
        op.create_index(name, "search_documents", [column], sqlite_where=is_set, postgresql_where=is_set)
    op.create_table(
        "search_numbers",
        sa.Column("field_id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("number", sa.Float, nullable=False),
        sa.Column("key", DOCUMENT_KEY, nullable=False, autoincrement=False),
        sa.PrimaryKeyConstraint("field_id", "number", "key", name="pk_search_numbers"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_search_numbers_key", "search_numbers", ["key"])
    op.create_table(
        "search_words",
        sa.Column("directory_id", sa.Integer, nullable=False),
        sa.Column("word", string(64), nullable=False),
        sa.Column("reversed", string(64), nullable=False),
        sa.ForeignKeyConstraint(
            ["directory_id"], ["directories.id"], name="fk_search_words_directory_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("directory_id", "word", name="pk_search_words"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_search_words_directory_id_reversed", "search_words", ["directory_id", "reversed"])
    for statement in SEARCH_INDEX[dialect]:
        op.execute(statement)
