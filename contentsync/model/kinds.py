"""The seven kinds of entries and their fields: one pydantic model each (docs/contract.md 2, 14, 15, 17)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo

from .entry import Kind
from .field_types import (
    Address255,
    Colour,
    Email,
    End,
    Flag,
    HeadHtml,
    Instant,
    Integer,
    Latitude,
    Links,
    ListOf,
    Longitude,
    Position,
    Reference,
    Slug,
    StoredPath,
    Text,
    Text255,
    Text500,
    Title,
    Url,
    Url255,
    User,
    check_key_count,
    context_of,
    fault,
)
from .json_value import JsonLd
from .record import EntryPart, FieldConflict, Part, Record
from .suggestion import did_you_mean


class PageSeo(EntryPart):
    """The texts of a page that search engines show."""

    read_only: ClassVar[frozenset[str]] = frozenset({"id", "created_at", "updated_at"})

    title: Text255 | None = None
    description: Text500 | None = None


class ArticleSeo(PageSeo):
    """The texts and images of an article that search engines and social networks show."""

    aliases: ClassVar[Mapping[str, str]] = {  # the published clients' names (docs/contract.md 17)
        "twitter_title": "card_title",
        "twitter_description": "card_description",
        "twitter_image": "card_image",
    }

    keywords: Text255 | None = None
    og_title: Text255 | None = None
    og_description: Text500 | None = None
    og_image: Url255 | None = None
    card_title: Text255 | None = None
    card_description: Text500 | None = None
    card_image: Url255 | None = None
    canonical: Url255 | None = None


Texts = TypeVar("Texts", bound=Part)


def _locale(value: str, info: ValidationInfo) -> str:
    """Return the language of a translation. Raise a fault if it is not one of the directory's other languages."""
    default, *others = context_of(info).locales
    if not others:
        hint = "list all languages in locales of contentsync.toml" if context_of(info).authored else ""
        raise fault("not-multilingual", "is not allowed: the directory has only one language", hint=hint)
    if value == default:
        hint = "write the texts of the default language in the entry itself"
        raise fault("default-locale", f"must not contain the default language '{default}'", hint=hint)
    if value not in others:
        hint = did_you_mean(value, others)
        raise fault("unknown-locale", f"is not one of the directory's other languages ({', '.join(others)})", hint=hint)
    return value


Translations = Annotated[dict[Annotated[Text, AfterValidator(_locale)], Texts | None], BeforeValidator(check_key_count)]


class ArticleTranslation(EntryPart):
    """The texts of an article in another language; null removes the translation (docs/contract.md 17)."""

    title: Title | None = None
    content: Text | None = None
    markdown: Text | None = None
    thumbnail_alt_text: Text255 | None = None
    seo: ArticleSeo | None = None


class Article(Record):
    """A post of the directory's blog."""

    kind: ClassVar[Kind] = Kind.ARTICLE
    read_only: ClassVar[frozenset[str]] = Record.read_only | {
        "is_markdown",
        "article_url",
        "user",
        "blog_tool_article_id",
        "blog_buster_article_id",  # the hosted service's name for the previous field
    }
    translated: ClassVar[tuple[str, ...]] = tuple(ArticleTranslation.model_fields)

    title: Title
    slug: Slug = ""
    content: Text | None = None
    markdown: Text | None = None
    active: Flag = True
    published_at: Instant | None = None
    thumbnail_url: Address255 | None = None
    thumbnail_alt_text: Text255 | None = None
    categories: ListOf[Title] = []
    seo: ArticleSeo | None = None
    translations: Translations[ArticleTranslation] = {}

    @classmethod
    def field_conflicts(cls, values: Mapping[str, Any]) -> Iterator[FieldConflict]:
        """Yield a conflict if the article has no text, neither Markdown nor HTML."""
        # Also on update: the body must have one of them, even if the stored article has (docs/contract.md 4.2.4).
        if not values.get("content") and not values.get("markdown"):
            yield FieldConflict("required-without", ("markdown", "content"), "an article needs markdown or content")


class Category(Record):
    """A group of listings; it may have a parent."""

    kind: ClassVar[Kind] = Kind.CATEGORY
    read_only: ClassVar[frozenset[str]] = Record.read_only | {"parent_title"}
    references: ClassVar[Mapping[str, Kind]] = {"parent_id": Kind.CATEGORY}

    title: Title
    slug: Slug = ""
    description: Text | None = None
    content: Text | None = None
    icon: Text255 | None = None
    custom_icon_url: Url | None = None
    parent_id: Reference | None = None
    is_active: Flag = True
    show_on_sidebar: Flag = True
    order: Position = 0
    seo_title: Text255 | None = None
    seo_description: Text500 | None = None
    head_html: HeadHtml | None = None


class Tag(Record):
    """A label of listings."""

    kind: ClassVar[Kind] = Kind.TAG

    title: Title
    slug: Slug = ""
    color: Colour | None = None
    text_color: Colour | None = None
    icon: Text255 | None = None
    heroicon: Text255 | None = None
    show_title: Flag = True
    show_icon: Flag = True
    is_active: Flag = True


class Listing(Record):
    """An item of the directory: a tool, a service, a product."""

    kind: ClassVar[Kind] = Kind.LISTING
    read_only: ClassVar[frozenset[str]] = Record.read_only | {
        "listing_url",
        "visibility_now",
        "additional_images_urls",  # of the hosted service: the addresses where it serves additional_image_urls
    }
    title_field: ClassVar[str] = "name"
    references: ClassVar[Mapping[str, Kind]] = {
        "category_id": Kind.CATEGORY,
        "categories": Kind.CATEGORY,
        "tags": Kind.TAG,
        "organizers": Kind.ORGANIZER,
    }
    related: ClassVar[tuple[frozenset[str], ...]] = (
        frozenset({"starts_at", "ends_at"}),
        frozenset({"category_id", "categories"}),
    )

    name: Title
    slug: Slug = ""
    description: Text | None = None
    content: Text | None = None
    url: Url | None = None
    image_url: Url | None = None
    image_alt_text: Text255 | None = None
    logo_url: Url | None = None
    logo_alt_text: Text255 | None = None
    video_url: Url | None = None
    video_thumbnail_url: Url | None = None
    additional_image_urls: ListOf[Url] = []
    phone_number: Text255 | None = None
    email: Email | None = None
    address: Text255 | None = None
    latitude: Latitude | None = None
    longitude: Longitude | None = None
    social_links: Links | None = None
    category_id: Reference | None = None
    categories: ListOf[Reference] = []
    tags: ListOf[Reference] = []
    organizers: ListOf[Reference] = []
    starts_at: Instant | None = None
    ends_at: End | None = None
    is_active: Flag = True
    is_featured: Flag = False
    is_no_follow: Flag = False
    seo_title: Text255 | None = None
    seo_description: Text500 | None = None
    json_ld: JsonLd | None = Field(default=None, alias="schema")
    head_html: HeadHtml | None = None

    @classmethod
    def field_conflicts(cls, values: Mapping[str, Any]) -> Iterator[FieldConflict]:
        """Yield a conflict if the listing ends before it starts."""
        starts, ends = values.get("starts_at"), values.get("ends_at")
        if starts and ends and ends < starts:
            message = "ends_at must not be before starts_at"
            yield FieldConflict("ends-before-start", ("ends_at", "starts_at"), message, "correct one of them")


class OrganizerTranslation(EntryPart):
    """The texts of an organizer in another language; null removes the translation (docs/contract.md 17)."""

    name: Title | None = None
    description: Text | None = None
    content: Text | None = None
    address: Text255 | None = None


class Organizer(Record):
    """A person or group with a profile page, linked to any number of listings."""

    kind: ClassVar[Kind] = Kind.ORGANIZER
    read_only: ClassVar[frozenset[str]] = Record.read_only | {"projects"}
    title_field: ClassVar[str] = "name"
    translated: ClassVar[tuple[str, ...]] = tuple(OrganizerTranslation.model_fields)

    name: Title
    slug: Slug = ""
    description: Text | None = None
    content: Text | None = None
    logo: StoredPath | None = None
    logo_url: Url255 | None = None
    cover_image: StoredPath | None = None
    cover_image_url: Url255 | None = None
    email: Email | None = None
    phone: Text255 | None = None
    address: Text255 | None = None
    website_url: Url | None = None
    social_links: Links | None = None
    user_id: User | None = None
    is_active: Flag = True
    order: Integer = 0
    translations: Translations[OrganizerTranslation] = {}


class Page(Record):
    """A standalone page, or a link to an external URL."""

    kind: ClassVar[Kind] = Kind.PAGE
    read_only: ClassVar[frozenset[str]] = Record.read_only | {"is_markdown", "page_url"}

    title: Title
    slug: Slug = ""
    markdown: Text | None = None
    placement: Literal["navbar", "footer", "sidebar", "unlisted"] = "unlisted"
    is_published: Flag = True
    is_external: Flag = False
    external_url: Url | None = None
    new_tab: Flag = False
    order: Integer = 0
    seo: PageSeo | None = None

    @classmethod
    def field_conflicts(cls, values: Mapping[str, Any]) -> Iterator[FieldConflict]:
        """Yield a conflict if an external page has no address."""
        if values.get("is_external") and not values.get("external_url"):
            message = "external_url is required when is_external is true"
            hint = "add external_url, or set is_external to false"
            yield FieldConflict("required-with", ("external_url", "is_external"), message, hint)
