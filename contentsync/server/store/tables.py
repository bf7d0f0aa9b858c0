"""The tables. A value that queries search or sort by has a column; other values are JSON text as clients get it.

Text compares by code points in both databases: with collation C in PostgreSQL, by default in SQLite.
"""

from collections.abc import Iterator, Mapping

from .table_definition import DatabaseTable, index, reference

REVISION = "0009"  # the newest migration, which produces the tables below

_INSTANT = "VARCHAR(27){c}"  # in wire form, 2026-01-15T10:30:00.000000Z, which sorts by time
_TIMESTAMPS = (f"created_at {_INSTANT} NOT NULL", f"updated_at {_INSTANT} NOT NULL")
# The custom fields at the time `data` was written: a JSON object of ids by name.
_FIELD_IDS = "field_ids TEXT{c} DEFAULT '{{}}' NOT NULL"


users = DatabaseTable(
    "users",
    (
        "id {id}",
        "email VARCHAR(255){c} NOT NULL",
        "name VARCHAR(255){c} NOT NULL",
        *_TIMESTAMPS,
        "CONSTRAINT uq_users_email UNIQUE (email)",
    ),
)

directories = DatabaseTable(
    "directories",
    (
        "id {id}",
        "name VARCHAR(255){c} NOT NULL",
        "slug VARCHAR(255){c} NOT NULL",
        "domain VARCHAR(255){c}",
        "owner_id INTEGER NOT NULL",
        "locales VARCHAR(255){c} NOT NULL",  # separated by commas, the default first
        "timezone VARCHAR(255){c} DEFAULT 'UTC' NOT NULL",
        "expired VARCHAR(16){c} NOT NULL",
        "organizers_enabled BOOLEAN NOT NULL",
        "organizers_prefix VARCHAR(255){c} NOT NULL",
        "organizers_label VARCHAR(255){c} NOT NULL",
        "description TEXT{c} DEFAULT '' NOT NULL",
        *_TIMESTAMPS,
        "CONSTRAINT uq_directories_slug UNIQUE (slug)",
        "CONSTRAINT uq_directories_domain UNIQUE (domain)",
        reference("directories", "owner_id", "users", on_delete=""),
    ),
)

collections = DatabaseTable(
    "collections",
    (
        "directory_id INTEGER NOT NULL",
        "kind VARCHAR(16){c} NOT NULL",
        "total INTEGER NOT NULL",  # number of records
        # Microseconds since 1970, strictly increasing:
        "version BIGINT NOT NULL",  # with every change
        "shifted BIGINT NOT NULL",  # with every delete
        # With the last deferred change of custom fields, and of links: later than `updated_at` of all records then.
        "fields_changed BIGINT DEFAULT '0' NOT NULL",
        "links_changed BIGINT DEFAULT '0' NOT NULL",
        "CONSTRAINT pk_collections PRIMARY KEY (directory_id, kind)",
        reference("collections", "directory_id", "directories"),
    ),
)

submitters = DatabaseTable(
    "submitters",
    (
        "directory_id INTEGER NOT NULL",
        "user_id INTEGER NOT NULL",
        "CONSTRAINT pk_submitters PRIMARY KEY (directory_id, user_id)",
        reference("submitters", "directory_id", "directories"),
        reference("submitters", "user_id", "users"),
    ),
)

tokens = DatabaseTable(
    "tokens",
    (
        "id {id}",
        "user_id INTEGER NOT NULL",
        "directory_id INTEGER",
        "digest VARCHAR(64){c} NOT NULL",  # SHA-256 of the secret, which is not stored
        "scopes VARCHAR(64){c} NOT NULL",  # separated by commas
        f"created_at {_INSTANT} NOT NULL",
        f"expires_at {_INSTANT}",
        f"revoked_at {_INSTANT}",
        "name VARCHAR(255){c} DEFAULT '' NOT NULL",  # for people; may be empty, and need not be unique
        f"used_at {_INSTANT}",  # up to an hour older than the last use
        "CONSTRAINT uq_tokens_digest UNIQUE (digest)",
        reference("tokens", "user_id", "users"),
        reference("tokens", "directory_id", "directories"),
    ),
)

lost_links = DatabaseTable(
    "lost_links",
    (
        "other_id INTEGER NOT NULL",  # of the deleted record; ids are never reused
        "field VARCHAR(16){c} NOT NULL",  # of a listing
        "directory_id INTEGER NOT NULL",
        "lost_at BIGINT NOT NULL",  # the collection's `links_changed` after the delete
        "CONSTRAINT pk_lost_links PRIMARY KEY (other_id, field)",
        reference("lost_links", "directory_id", "directories"),
    ),
)


def _record_table(
    name: str, *columns: str, key: str = "slug", more: tuple[str, ...] = (), indexes: tuple[str, ...] = ()
) -> DatabaseTable:
    """Return the table of a kind of record: the columns that all kinds have, the column of its key, and `columns`."""
    lines = (
        "id {id}",
        "directory_id INTEGER NOT NULL",
        f"{key} VARCHAR(255){{c}} NOT NULL",
        *columns,
        "data TEXT{c} NOT NULL",
        *_TIMESTAMPS,
        f"CONSTRAINT uq_{name}_directory_id_{key} UNIQUE (directory_id, {key})",
        reference(name, "directory_id", "directories"),
        *more,
    )
    in_order = (index(name, "directory_id", "order", "id"),) if any('"order"' in column for column in columns) else ()
    return DatabaseTable(name, lines, (*in_order, *indexes))


categories = _record_table(
    "categories",
    "title VARCHAR(255){c} NOT NULL",
    "parent_id INTEGER",
    '"order" INTEGER NOT NULL',
    more=(reference("categories", "parent_id", "categories", on_delete=""),),
    indexes=(index("categories", "parent_id"),),
)

tags = _record_table("tags")

custom_fields = _record_table(
    "custom_fields",
    "fieldable_type VARCHAR(16){c} NOT NULL",
    '"order" INTEGER NOT NULL',
    "filled INTEGER DEFAULT '0' NOT NULL",  # number of records that have a value
    key="name",
)

organizers = _record_table(
    "organizers",
    "name VARCHAR(255){c} NOT NULL",
    "user_id INTEGER",
    '"order" INTEGER NOT NULL',
    "is_active BOOLEAN DEFAULT {true} NOT NULL",
    "translations TEXT{c} NOT NULL",
    _FIELD_IDS,
    more=(
        "CONSTRAINT uq_organizers_directory_id_user_id UNIQUE (directory_id, user_id)",  # docs/contract.md 4.4.5
        reference("organizers", "user_id", "users", on_delete=" ON DELETE SET NULL"),
    ),
)

listings = _record_table(
    "listings",
    "name VARCHAR(255){c} NOT NULL",
    "url_key TEXT{c}",  # as `listing_rules.url_column` makes it
    "links TEXT{c} DEFAULT '{{}}' NOT NULL",  # JSON: ids of linked records by field
    "user_id INTEGER NOT NULL",
    "is_active BOOLEAN DEFAULT {true} NOT NULL",
    "is_featured BOOLEAN DEFAULT {false} NOT NULL",
    f"starts_at {_INSTANT}",
    f"ends_at {_INSTANT}",
    "sort_name TEXT{c} DEFAULT '' NOT NULL",  # as `listing_rules.sort_name` makes it
    _FIELD_IDS,
    more=(
        "CONSTRAINT uq_listings_directory_id_url_key UNIQUE (directory_id, url_key)",
        reference("listings", "user_id", "users", on_delete=""),
    ),
    indexes=(
        index("listings", "directory_id", "id"),
        # Covers the query for a page of the site, so that it reads only the rows that it shows.
        "CREATE INDEX ix_listings_shown ON listings (directory_id, is_active, is_featured, id, starts_at, ends_at)",
    ),
)

pages = _record_table(
    "pages",
    '"order" INTEGER NOT NULL',
    "is_published BOOLEAN DEFAULT {true} NOT NULL",
    "placement VARCHAR(16){c} DEFAULT 'unlisted' NOT NULL",
    "seo TEXT{c} NOT NULL",
)

articles = _record_table(
    "articles",
    f"published_at {_INSTANT}",
    "active BOOLEAN DEFAULT {true} NOT NULL",
    "user_id INTEGER NOT NULL",
    "seo TEXT{c} NOT NULL",
    "translations TEXT{c} NOT NULL",
    _FIELD_IDS,
    more=(reference("articles", "user_id", "users", on_delete=""),),
    indexes=("CREATE INDEX ix_articles_newest ON articles (directory_id, published_at DESC{nulls_last}, id)",),
)

article_categories = DatabaseTable(
    "article_categories",
    (
        "article_id INTEGER NOT NULL",
        "name VARCHAR(255){c} NOT NULL",
        "CONSTRAINT pk_article_categories PRIMARY KEY (article_id, name)",
        reference("article_categories", "article_id", "articles"),
    ),
    (index("article_categories", "name"),),
)


def _link_table(name: str, linked_id: str) -> DatabaseTable:
    """Return the table of the links from listings to records of another kind, by the column `linked_id`."""
    return DatabaseTable(
        name,
        (
            "listing_id INTEGER NOT NULL",
            # No foreign key: rows of a deleted record stay until the listing's next write (see `deferred_changes`).
            f"{linked_id} INTEGER NOT NULL",
            "position INTEGER NOT NULL",
            f"CONSTRAINT pk_{name} PRIMARY KEY (listing_id, {linked_id})",
            reference(name, "listing_id", "listings"),
        ),
        (index(name, linked_id, "listing_id"),),  # finds the newest listings of a record without sorting
    )


listing_categories = _link_table("listing_categories", "category_id")
listing_tags = _link_table("listing_tags", "tag_id")
listing_organizers = _link_table("listing_organizers", "organizer_id")

# The index of searches and filters (decision 32): a row for each record that visitors may see, now or at some time.
search_documents = DatabaseTable(
    "search_documents",
    (
        "key {document_key} NOT NULL",  # as `search_documents.key_of` makes it
        f"starts_at {_INSTANT}",
        f"ends_at {_INSTANT}",
        "choices TEXT{c} NOT NULL",  # of a listing in the visitors' filters
        "CONSTRAINT pk_search_documents PRIMARY KEY (key)",
    ),
    tuple(
        f"CREATE INDEX ix_search_documents_{column} ON search_documents ({column}) WHERE {column} IS NOT NULL"
        for column in ("starts_at", "ends_at")
    ),
)

search_numbers = DatabaseTable(
    "search_numbers",
    (
        "field_id INTEGER NOT NULL",
        "number FLOAT NOT NULL",
        "key {document_key} NOT NULL",
        "CONSTRAINT pk_search_numbers PRIMARY KEY (field_id, number, key)",
    ),
    (index("search_numbers", "key"),),
    "{without_rowid}",
)

# All words that a visitor may have meant by another one; a word stays when its last record is deleted.
search_words = DatabaseTable(
    "search_words",
    (
        "directory_id INTEGER NOT NULL",
        "word VARCHAR(64){c} NOT NULL",
        "reversed VARCHAR(64){c} NOT NULL",  # its letters from the last to the first
        "CONSTRAINT pk_search_words PRIMARY KEY (directory_id, word)",
        reference("search_words", "directory_id", "directories"),
    ),
    (index("search_words", "directory_id", "reversed"),),
    "{without_rowid}",
)

# What the databases' search engines need, besides the tables.
SEARCH_INDEX: Mapping[str, tuple[str, ...]] = {  # by the name of the database
    "sqlite": (
        """CREATE VIRTUAL TABLE search_index USING fts5(
        tokens, detail=none, columnsize=0, tokenize = "ascii tokenchars '+#='")""",
    ),
    "postgresql": (
        "ALTER TABLE search_documents ADD COLUMN tokens tsvector NOT NULL DEFAULT ''",
        "CREATE INDEX ix_search_documents_tokens ON search_documents USING gin (tokens)",
    ),
}

moved_addresses = DatabaseTable(
    "moved_addresses",
    (
        "directory_id INTEGER NOT NULL",
        "kind VARCHAR(16){c} NOT NULL",
        "slug VARCHAR(255){c} NOT NULL",  # the former slug
        "moved_to VARCHAR(255){c} NOT NULL",  # the present slug of its record
        f"moved_at {_INSTANT} NOT NULL",
        "CONSTRAINT pk_moved_addresses PRIMARY KEY (directory_id, kind, slug)",
        reference("moved_addresses", "directory_id", "directories"),
    ),
    (index("moved_addresses", "directory_id", "kind", "moved_to"),),
)

# The table in which Alembic keeps the revision, as it makes it itself.
alembic_version = DatabaseTable(
    "alembic_version", ("version_num VARCHAR(32) NOT NULL", "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)")
)

_ORDERED = (  # a table comes after those that it references
    users,
    directories,
    collections,
    submitters,
    tokens,
    lost_links,
    categories,
    tags,
    custom_fields,
    organizers,
    listings,
    pages,
    articles,
    article_categories,
    listing_categories,
    listing_tags,
    listing_organizers,
    search_documents,
    search_numbers,
    search_words,
    moved_addresses,
    alembic_version,
)
TABLES: Mapping[str, DatabaseTable] = {table.name: table for table in _ORDERED}


def definition(*, is_sqlite: bool) -> Iterator[str]:
    """Yield the statements that make the tables of this version in an empty database."""
    for table in TABLES.values():
        yield from table.statements(is_sqlite=is_sqlite)
    yield from SEARCH_INDEX["sqlite" if is_sqlite else "postgresql"]
    yield f"INSERT INTO alembic_version (version_num) VALUES ('{REVISION}')"
