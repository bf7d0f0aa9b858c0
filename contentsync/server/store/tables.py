"""The tables. A value that queries search or sort by has a column; other values are JSON text as clients get it.

Text compares by code points in both databases: with collation C in PostgreSQL, by default in SQLite.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    event,
    false,
    true,
)
from sqlalchemy.types import TypeEngine

REVISION = "0009"  # the newest migration, which produces the tables below

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMING)


def string(length: int) -> TypeEngine[str]:
    """Return the column type of a text of at most `length` characters."""
    return String(length).with_variant(String(length, collation="C"), "postgresql")


def text() -> TypeEngine[str]:
    """Return the column type of a text of any length."""
    return Text().with_variant(Text(collation="C"), "postgresql")


DOCUMENT_KEY = BigInteger().with_variant(Integer, "sqlite")  # of 64 bits there too, and the key of the rows
INSTANT = string(27)  # in wire form, 2026-01-15T10:30:00.000000Z, which sorts by time


def _timestamps() -> tuple[Column[str], Column[str]]:
    return Column("created_at", INSTANT, nullable=False), Column("updated_at", INSTANT, nullable=False)


def _field_ids() -> Column[str]:
    """Return the column with the custom fields at the time `data` was written: a JSON object of ids by name."""
    return Column("field_ids", text(), nullable=False, server_default="{}")


def _flag(name: str, *, default: bool = True) -> Column[bool]:
    return Column(name, Boolean, nullable=False, server_default=true() if default else false())


def _foreign_key(name: str, to: str, *, primary_key: bool = False, nullable: bool = False) -> Column[int]:
    return Column(name, Integer, ForeignKey(f"{to}.id", ondelete="CASCADE"), primary_key=primary_key, nullable=nullable)


users = Table(
    "users",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("email", string(255), nullable=False, unique=True),
    Column("name", string(255), nullable=False),
    *_timestamps(),
    sqlite_autoincrement=True,
)

directories = Table(
    "directories",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", string(255), nullable=False),
    Column("slug", string(255), nullable=False, unique=True),
    Column("domain", string(255), unique=True),
    Column("owner_id", Integer, ForeignKey("users.id"), nullable=False),
    Column("locales", string(255), nullable=False),  # separated by commas, the default first
    Column("timezone", string(255), nullable=False, server_default="UTC"),
    Column("expired", string(16), nullable=False),
    Column("organizers_enabled", Boolean, nullable=False),
    Column("organizers_prefix", string(255), nullable=False),
    Column("organizers_label", string(255), nullable=False),
    Column("description", text(), nullable=False, server_default=""),
    *_timestamps(),
    sqlite_autoincrement=True,
)

collections = Table(
    "collections",
    metadata,
    _foreign_key("directory_id", "directories", primary_key=True),
    Column("kind", string(16), primary_key=True),
    Column("total", Integer, nullable=False),  # number of records
    # Microseconds since 1970, strictly increasing:
    Column("version", BigInteger, nullable=False),  # with every change
    Column("shifted", BigInteger, nullable=False, key="deleted_at_version"),  # with every delete
    # With the last deferred change of custom fields, and of links: later than `updated_at` of all records at that time.
    Column("fields_changed", BigInteger, nullable=False, server_default="0", key="fields_version"),
    Column("links_changed", BigInteger, nullable=False, server_default="0", key="links_version"),
)

submitters = Table(
    "submitters",
    metadata,
    _foreign_key("directory_id", "directories", primary_key=True),
    _foreign_key("user_id", "users", primary_key=True),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Integer, primary_key=True),
    _foreign_key("user_id", "users"),
    _foreign_key("directory_id", "directories", nullable=True),
    Column("digest", string(64), nullable=False, unique=True),  # SHA-256 of the secret, which is not stored
    Column("scopes", string(64), nullable=False),  # separated by commas
    Column("created_at", INSTANT, nullable=False),
    Column("expires_at", INSTANT),
    Column("revoked_at", INSTANT),
    Column("name", string(255), nullable=False, server_default=""),  # for people; may be empty, and need not be unique
    Column("used_at", INSTANT),  # up to an hour older than the last use
    sqlite_autoincrement=True,
)


lost_links = Table(
    "lost_links",
    metadata,
    Column("other_id", Integer, primary_key=True, autoincrement=False),  # of the deleted record; ids are never reused
    Column("field", string(16), primary_key=True),  # of a listing
    _foreign_key("directory_id", "directories"),
    Column("lost_at", BigInteger, nullable=False),  # the collection's `links_version` after the delete
)


def _record_table(
    name: str, *columns: Column[str] | Column[int] | Column[bool] | UniqueConstraint | Index, key: str = "slug"
) -> Table:
    """Return the table of a kind of record: the columns that all kinds have, the column of its key, and `columns`."""
    return Table(
        name,
        metadata,
        Column("id", Integer, primary_key=True),
        _foreign_key("directory_id", "directories"),
        Column(key, string(255), nullable=False),
        *columns,
        Column("data", text(), nullable=False),
        *_timestamps(),
        UniqueConstraint("directory_id", key),
        sqlite_autoincrement=True,
    )


categories = _record_table(
    "categories",
    Column("title", string(255), nullable=False),
    Column("parent_id", Integer, ForeignKey("categories.id"), index=True),
    Column("order", Integer, nullable=False),
    Index(None, "directory_id", "order", "id"),
)

tags = _record_table("tags")

custom_fields = _record_table(
    "custom_fields",
    Column("fieldable_type", string(16), nullable=False),
    Column("order", Integer, nullable=False),
    Column("filled", Integer, nullable=False, server_default="0"),  # number of records that have a value
    Index(None, "directory_id", "order", "id"),
    key="name",
)

organizers = _record_table(
    "organizers",
    Column("name", string(255), nullable=False),
    Column("user_id", Integer, ForeignKey("users.id", ondelete="SET NULL")),
    Column("order", Integer, nullable=False),
    _flag("is_active"),
    Column("translations", text(), nullable=False),
    _field_ids(),
    UniqueConstraint("directory_id", "user_id"),  # docs/contract.md 4.4.5
    Index(None, "directory_id", "order", "id"),
)

listings = _record_table(
    "listings",
    Column("name", string(255), nullable=False),
    Column("url_key", text()),  # as `listing_rules.url_column` makes it
    Column("links", text(), nullable=False, server_default="{}"),  # JSON: ids of linked records by field
    Column("user_id", Integer, ForeignKey("users.id"), nullable=False),
    _flag("is_active"),
    _flag("is_featured", default=False),
    Column("starts_at", INSTANT),
    Column("ends_at", INSTANT),
    Column("sort_name", text(), nullable=False, server_default=""),  # as `listing_rules.sort_name` makes it
    _field_ids(),
    UniqueConstraint("directory_id", "url_key"),
    Index(None, "directory_id", "id"),
    # Covers the query for a page of the site, so that it reads only the rows that it shows.
    Index("ix_listings_shown", "directory_id", "is_active", "is_featured", "id", "starts_at", "ends_at"),
)

pages = _record_table(
    "pages",
    Column("order", Integer, nullable=False),
    _flag("is_published"),
    Column("placement", string(16), nullable=False, server_default="unlisted"),
    Column("seo", text(), nullable=False),
    Index(None, "directory_id", "order", "id"),
)

articles = _record_table(
    "articles",
    Column("published_at", INSTANT),
    _flag("active"),
    Column("user_id", Integer, ForeignKey("users.id"), nullable=False),
    Column("seo", text(), nullable=False),
    Column("translations", text(), nullable=False),
    _field_ids(),
)
_newest = Index(
    "ix_articles_newest",
    articles.c.directory_id,
    articles.c.published_at.desc().nulls_last(),
    articles.c.id,
)
_newest.ddl_if(dialect="postgresql")
# SQLite sorts NULL last by itself, and refuses an index that says so.
event.listen(
    articles,
    "after_create",
    DDL(  # type: ignore[no-untyped-call]  # SQLAlchemy annotates no arguments of it
        "CREATE INDEX ix_articles_newest ON articles (directory_id, published_at DESC, id)"
    ).execute_if(dialect="sqlite"),
)

article_categories = Table(
    "article_categories",
    metadata,
    _foreign_key("article_id", "articles", primary_key=True),
    Column("name", string(255), primary_key=True),
    Index(None, "name"),
)


def _link_table(name: str, to: str) -> Table:
    """Return the table of the links from listings to records of another kind, such as `category`."""
    linked_id = f"{to}_id"
    return Table(
        name,
        metadata,
        _foreign_key("listing_id", "listings", primary_key=True),
        # No foreign key: rows of a deleted record stay until the listing's next write (see `deferred_changes`).
        Column(linked_id, Integer, primary_key=True),
        Column("position", Integer, nullable=False),
        Index(None, linked_id, "listing_id"),  # finds the newest listings of a record without sorting
    )


listing_categories = _link_table("listing_categories", "category")
listing_tags = _link_table("listing_tags", "tag")
listing_organizers = _link_table("listing_organizers", "organizer")

# The index of searches and filters (decision 32): a row for each record that visitors may see, now or at some time.
search_documents = Table(
    "search_documents",
    metadata,
    Column("key", DOCUMENT_KEY, primary_key=True, autoincrement=False),  # as `search_documents.key_of` makes it
    Column("starts_at", INSTANT),
    Column("ends_at", INSTANT),
    Column("choices", text(), nullable=False),  # of a listing in the visitors' filters
)
for _column in (search_documents.c.starts_at, search_documents.c.ends_at):
    _is_set = _column.is_not(None)
    Index(f"ix_search_documents_{_column.name}", _column, sqlite_where=_is_set, postgresql_where=_is_set)

search_numbers = Table(
    "search_numbers",
    metadata,
    Column("field_id", Integer, primary_key=True, autoincrement=False),
    Column("number", Float, primary_key=True),
    Column("key", DOCUMENT_KEY, primary_key=True, autoincrement=False),
    Index(None, "key"),
    sqlite_with_rowid=False,
)

# All words that a visitor may have meant by another one; a word stays when its last record is deleted.
search_words = Table(
    "search_words",
    metadata,
    _foreign_key("directory_id", "directories", primary_key=True),
    Column("word", string(64), primary_key=True),
    Column("reversed", string(64), nullable=False),  # its letters from the last to the first
    Index(None, "directory_id", "reversed"),
    sqlite_with_rowid=False,
)

# What the databases' search engines need cannot be described by a Table.
SEARCH_INDEX: Mapping[str, Sequence[str]] = {  # by dialect
    "sqlite": (
        """CREATE VIRTUAL TABLE search_index USING fts5(
        tokens, detail=none, columnsize=0, tokenize = "ascii tokenchars '+#='")""",
    ),
    "postgresql": (
        "ALTER TABLE search_documents ADD COLUMN tokens tsvector NOT NULL DEFAULT ''",
        "CREATE INDEX ix_search_documents_tokens ON search_documents USING gin (tokens)",
    ),
}
for _dialect, _statements in SEARCH_INDEX.items():
    for _statement in _statements:
        _ddl = DDL(_statement)  # type: ignore[no-untyped-call]  # SQLAlchemy annotates no arguments of it
        event.listen(search_documents, "after_create", _ddl.execute_if(dialect=_dialect))

moved_addresses = Table(
    "moved_addresses",
    metadata,
    _foreign_key("directory_id", "directories", primary_key=True),
    Column("kind", string(16), primary_key=True),
    Column("slug", string(255), primary_key=True),  # the former slug
    Column("moved_to", string(255), nullable=False),  # the present slug of its record
    Column("moved_at", INSTANT, nullable=False),
    Index(None, "directory_id", "kind", "moved_to"),
)
