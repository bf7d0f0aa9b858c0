"""The first tables."""

import sqlalchemy as sa
from alembic import op

from contentsync.server.store.migrations.column_types import string, text

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", string(255), nullable=False),
        sa.Column("name", string(255), nullable=False),
        sa.Column("created_at", string(27), nullable=False),
        sa.Column("updated_at", string(27), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("email", name="uq_users_email"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "directories",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", string(255), nullable=False),
        sa.Column("slug", string(255), nullable=False),
        sa.Column("domain", string(255), nullable=True),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("locales", string(255), nullable=False),
        sa.Column("expired", string(16), nullable=False),
        sa.Column("organizers_enabled", sa.Boolean(), nullable=False),
        sa.Column("organizers_prefix", string(255), nullable=False),
        sa.Column("organizers_label", string(255), nullable=False),
        sa.Column("created_at", string(27), nullable=False),
        sa.Column("updated_at", string(27), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name="fk_directories_owner_id"),
        sa.PrimaryKeyConstraint("id", name="pk_directories"),
        sa.UniqueConstraint("domain", name="uq_directories_domain"),
        sa.UniqueConstraint("slug", name="uq_directories_slug"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "articles",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("directory_id", sa.Integer(), nullable=False),
        sa.Column("slug", string(255), nullable=False),
        sa.Column("published_at", string(27), nullable=True),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("seo", text(), nullable=False),
        sa.Column("translations", text(), nullable=False),
        sa.Column("data", text(), nullable=False),
        sa.Column("created_at", string(27), nullable=False),
        sa.Column("updated_at", string(27), nullable=False),
        sa.ForeignKeyConstraint(
            ["directory_id"], ["directories.id"], name="fk_articles_directory_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_articles_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_articles"),
        sa.UniqueConstraint("directory_id", "slug", name="uq_articles_directory_id_slug"),
        sqlite_autoincrement=True,
    )
    last = "" if op.get_bind().dialect.name == "sqlite" else " NULLS LAST"  # which SQLite does by itself
    newest: sa.ColumnClause[str] = sa.literal_column(f"published_at DESC{last}")
    op.create_index("ix_articles_newest", "articles", ["directory_id", newest, "id"], unique=False)
    op.create_table(
        "categories",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("directory_id", sa.Integer(), nullable=False),
        sa.Column("slug", string(255), nullable=False),
        sa.Column("title", string(255), nullable=False),
        sa.Column("parent_id", sa.Integer(), nullable=True),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("data", text(), nullable=False),
        sa.Column("created_at", string(27), nullable=False),
        sa.Column("updated_at", string(27), nullable=False),
        sa.ForeignKeyConstraint(
            ["directory_id"], ["directories.id"], name="fk_categories_directory_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["parent_id"], ["categories.id"], name="fk_categories_parent_id"),
        sa.PrimaryKeyConstraint("id", name="pk_categories"),
        sa.UniqueConstraint("directory_id", "slug", name="uq_categories_directory_id_slug"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_categories_directory_id_order_id", "categories", ["directory_id", "order", "id"], unique=False)
    op.create_index("ix_categories_parent_id", "categories", ["parent_id"], unique=False)
    op.create_table(
        "custom_fields",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("directory_id", sa.Integer(), nullable=False),
        sa.Column("name", string(255), nullable=False),
        sa.Column("fieldable_type", string(16), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("data", text(), nullable=False),
        sa.Column("created_at", string(27), nullable=False),
        sa.Column("updated_at", string(27), nullable=False),
        sa.ForeignKeyConstraint(
            ["directory_id"], ["directories.id"], name="fk_custom_fields_directory_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_custom_fields"),
        sa.UniqueConstraint("directory_id", "name", name="uq_custom_fields_directory_id_name"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_custom_fields_directory_id_order_id", "custom_fields", ["directory_id", "order", "id"], unique=False
    )
    op.create_table(
        "listings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("directory_id", sa.Integer(), nullable=False),
        sa.Column("slug", string(255), nullable=False),
        sa.Column("name", string(255), nullable=False),
        sa.Column("url_key", text(), nullable=True),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("data", text(), nullable=False),
        sa.Column("created_at", string(27), nullable=False),
        sa.Column("updated_at", string(27), nullable=False),
        sa.ForeignKeyConstraint(
            ["directory_id"], ["directories.id"], name="fk_listings_directory_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_listings_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_listings"),
        sa.UniqueConstraint("directory_id", "slug", name="uq_listings_directory_id_slug"),
        sa.UniqueConstraint("directory_id", "url_key", name="uq_listings_directory_id_url_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_listings_directory_id_id", "listings", ["directory_id", "id"], unique=False)
    op.create_table(
        "organizers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("directory_id", sa.Integer(), nullable=False),
        sa.Column("slug", string(255), nullable=False),
        sa.Column("name", string(255), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("translations", text(), nullable=False),
        sa.Column("data", text(), nullable=False),
        sa.Column("created_at", string(27), nullable=False),
        sa.Column("updated_at", string(27), nullable=False),
        sa.ForeignKeyConstraint(
            ["directory_id"], ["directories.id"], name="fk_organizers_directory_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_organizers_user_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_organizers"),
        sa.UniqueConstraint("directory_id", "slug", name="uq_organizers_directory_id_slug"),
        sa.UniqueConstraint("directory_id", "user_id", name="uq_organizers_directory_id_user_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_organizers_directory_id_order_id", "organizers", ["directory_id", "order", "id"], unique=False)
    op.create_table(
        "pages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("directory_id", sa.Integer(), nullable=False),
        sa.Column("slug", string(255), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("seo", text(), nullable=False),
        sa.Column("data", text(), nullable=False),
        sa.Column("created_at", string(27), nullable=False),
        sa.Column("updated_at", string(27), nullable=False),
        sa.ForeignKeyConstraint(["directory_id"], ["directories.id"], name="fk_pages_directory_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_pages"),
        sa.UniqueConstraint("directory_id", "slug", name="uq_pages_directory_id_slug"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_pages_directory_id_order_id", "pages", ["directory_id", "order", "id"], unique=False)
    op.create_table(
        "submitters",
        sa.Column("directory_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["directory_id"], ["directories.id"], name="fk_submitters_directory_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_submitters_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("directory_id", "user_id", name="pk_submitters"),
    )
    op.create_table(
        "tags",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("directory_id", sa.Integer(), nullable=False),
        sa.Column("slug", string(255), nullable=False),
        sa.Column("data", text(), nullable=False),
        sa.Column("created_at", string(27), nullable=False),
        sa.Column("updated_at", string(27), nullable=False),
        sa.ForeignKeyConstraint(["directory_id"], ["directories.id"], name="fk_tags_directory_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_tags"),
        sa.UniqueConstraint("directory_id", "slug", name="uq_tags_directory_id_slug"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("directory_id", sa.Integer(), nullable=True),
        sa.Column("digest", string(64), nullable=False),
        sa.Column("scopes", string(64), nullable=False),
        sa.Column("created_at", string(27), nullable=False),
        sa.Column("expires_at", string(27), nullable=True),
        sa.Column("revoked_at", string(27), nullable=True),
        sa.ForeignKeyConstraint(
            ["directory_id"], ["directories.id"], name="fk_tokens_directory_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_tokens_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("digest", name="uq_tokens_digest"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "article_categories",
        sa.Column("article_id", sa.Integer(), nullable=False),
        sa.Column("name", string(255), nullable=False),
        sa.ForeignKeyConstraint(
            ["article_id"], ["articles.id"], name="fk_article_categories_article_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("article_id", "name", name="pk_article_categories"),
    )
    op.create_index("ix_article_categories_name", "article_categories", ["name"], unique=False)
    op.create_table(
        "listing_categories",
        sa.Column("listing_id", sa.Integer(), nullable=False),
        sa.Column("category_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["category_id"], ["categories.id"], name="fk_listing_categories_category_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["listing_id"], ["listings.id"], name="fk_listing_categories_listing_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("listing_id", "category_id", name="pk_listing_categories"),
    )
    op.create_index("ix_listing_categories_category_id", "listing_categories", ["category_id"], unique=False)
    op.create_table(
        "listing_organizers",
        sa.Column("listing_id", sa.Integer(), nullable=False),
        sa.Column("organizer_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["listing_id"], ["listings.id"], name="fk_listing_organizers_listing_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["organizer_id"], ["organizers.id"], name="fk_listing_organizers_organizer_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("listing_id", "organizer_id", name="pk_listing_organizers"),
    )
    op.create_index("ix_listing_organizers_organizer_id", "listing_organizers", ["organizer_id"], unique=False)
    op.create_table(
        "listing_tags",
        sa.Column("listing_id", sa.Integer(), nullable=False),
        sa.Column("tag_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["listing_id"], ["listings.id"], name="fk_listing_tags_listing_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tag_id"], ["tags.id"], name="fk_listing_tags_tag_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("listing_id", "tag_id", name="pk_listing_tags"),
    )
    op.create_index("ix_listing_tags_tag_id", "listing_tags", ["tag_id"], unique=False)
