"""Blog articles (docs/contract.md 2.2)."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from .fields import Address255, Flag, Instant, ListOf, Slug, Text, Text255, Title
from .kind import Kind
from .record import Clash, EntryPart, Record
from .seo import ArticleSeo
from .translation import Translations


class ArticleTranslation(EntryPart):
    """The texts of an article in another language; null removes one (docs/contract.md 17)."""

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
        "blog_buster_article_id",  # the hosted service's name for it
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
    def clashes(cls, values: Mapping[str, Any]) -> Iterator[Clash]:
        # On update too: the body must name one of them, whatever is stored (docs/contract.md 4.2.4).
        if not values.get("content") and not values.get("markdown"):
            yield Clash("required-without", ("markdown", "content"), "an article needs markdown or content")
