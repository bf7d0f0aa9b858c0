"""The SEO objects of pages and articles (docs/contract.md 2.1, 2.2)."""

from collections.abc import Mapping
from typing import ClassVar

from .fields import Text255, Text500, Url255
from .record import EntryPart


class PageSeo(EntryPart):
    """What search engines show of a page."""

    read_only: ClassVar[frozenset[str]] = frozenset({"id", "created_at", "updated_at"})

    title: Text255 | None = None
    description: Text500 | None = None


class ArticleSeo(PageSeo):
    """What search engines and social networks show of an article."""

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
