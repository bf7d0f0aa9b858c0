"""The tables: what queries look for is a column, the rest of a record JSON text as it leaves the service."""

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

REVISION = "0001"  # the newest migration, which makes the tables as they stand here

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMING)

INSTANT = String(27)  # as on the wire, 2026-01-15T10:30:00.000000Z: sorts as it reads


def _stamps() -> tuple[Column[str], Column[str]]:
    return Column("created_at", INSTANT, nullable=False), Column("updated_at", INSTANT, nullable=False)


def _refers(name: str, to: str, *, primary_key: bool = False, nullable: bool = False) -> Column[int]:
    return Column(name, Integer, ForeignKey(f"{to}.id", ondelete="CASCADE"), primary_key=primary_key, nullable=nullable)


users = Table(
    "users",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("email", String(255), nullable=False, unique=True),
    Column("name", String(255), nullable=False),
    *_stamps(),
    sqlite_autoincrement=True,
)

directories = Table(
    "directories",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(255), nullable=False),
    Column("slug", String(255), nullable=False, unique=True),
    Column("domain", String(255), unique=True),
    Column("owner_id", Integer, ForeignKey("users.id"), nullable=False),
    Column("locales", String(255), nullable=False),  # separated by commas, the default first
    Column("expired", String(16), nullable=False),
    Column("organizers_enabled", Boolean, nullable=False),
    Column("organizers_prefix", String(255), nullable=False),
    Column("organizers_label", String(255), nullable=False),
    *_stamps(),
    sqlite_autoincrement=True,
)

submitters = Table(
    "submitters",
    metadata,
    _refers("directory_id", "directories", primary_key=True),
    _refers("user_id", "users", primary_key=True),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Integer, primary_key=True),
    _refers("user_id", "users"),
    _refers("directory_id", "directories", nullable=True),
    Column("digest", String(64), nullable=False, unique=True),  # SHA-256 of the secret, which is not kept
    Column("scopes", String(64), nullable=False),  # separated by commas
    Column("created_at", INSTANT, nullable=False),
    Column("expires_at", INSTANT),
    Column("revoked_at", INSTANT),
    sqlite_autoincrement=True,
)


def _records(name: str, *columns: Column[str] | Column[int] | UniqueConstraint | Index, key: str = "slug") -> Table:
    return Table(
        name,
        metadata,
        Column("id", Integer, primary_key=True),
        _refers("directory_id", "directories"),
        Column(key, String(255), nullable=False),
        *columns,
        Column("data", Text, nullable=False),
        *_stamps(),
        UniqueConstraint("directory_id", key),
        sqlite_autoincrement=True,
    )


categories = _records(
    "categories",
    Column("title", String(255), nullable=False),
    Column("parent_id", Integer, ForeignKey("categories.id"), index=True),
    Column("order", Integer, nullable=False),
    Index(None, "directory_id", "order", "id"),
)

tags = _records("tags")

custom_fields = _records(
    "custom_fields",
    Column("fieldable_type", String(16), nullable=False),
    Column("order", Integer, nullable=False),
    Index(None, "directory_id", "order", "id"),
    key="name",
)

organizers = _records(
    "organizers",
    Column("name", String(255), nullable=False),
    Column("user_id", Integer, ForeignKey("users.id", ondelete="SET NULL")),
    Column("order", Integer, nullable=False),
    Column("translations", Text, nullable=False),
    UniqueConstraint("directory_id", "user_id"),  # service-api.md 4.4.5
    Index(None, "directory_id", "order", "id"),
)

listings = _records(
    "listings",
    Column("name", String(255), nullable=False),
    Column("url_key", Text),
    Column("user_id", Integer, ForeignKey("users.id"), nullable=False),
    UniqueConstraint("directory_id", "url_key"),
    Index(None, "directory_id", "id"),
)

pages = _records(
    "pages",
    Column("order", Integer, nullable=False),
    Column("seo", Text, nullable=False),
    Index(None, "directory_id", "order", "id"),
)

articles = _records(
    "articles",
    Column("published_at", INSTANT),
    Column("user_id", Integer, ForeignKey("users.id"), nullable=False),
    Column("seo", Text, nullable=False),
    Column("translations", Text, nullable=False),
)
Index(
    "ix_articles_newest",
    articles.c.directory_id,
    articles.c.published_at.desc(),
    articles.c.id,
)

article_categories = Table(
    "article_categories",
    metadata,
    _refers("article_id", "articles", primary_key=True),
    Column("name", String(255), primary_key=True),
    Index(None, "name"),
)


def _link(name: str, to: str) -> Table:
    other = f"{to}_id"
    return Table(
        name,
        metadata,
        _refers("listing_id", "listings", primary_key=True),
        _refers(other, name.removeprefix("listing_"), primary_key=True),
        Column("position", Integer, nullable=False),
        Index(None, other),
    )


listing_categories = _link("listing_categories", "category")
listing_tags = _link("listing_tags", "tag")
listing_organizers = _link("listing_organizers", "organizer")
