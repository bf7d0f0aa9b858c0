"""The SEO objects of pages and articles (service-api.md 2.1, 2.2)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import AliasChoices, AliasGenerator, BeforeValidator, ConfigDict

from .fields import Text255, Text500, Url255
from .record import Part


def _blank_is_null(value: Any) -> Any:
    return None if value == "" else value


# The published clients' names (resolved.md, Articles and pages).
_TWITTER_NAMES = {
    "twitter_title": "card_title",
    "twitter_description": "card_description",
    "twitter_image": "card_image",
}


def _names(field: str) -> AliasChoices:
    """What a field may be called on input; of two that are given, the second is a key too many."""
    return AliasChoices(field, *(alias for alias, name in _TWITTER_NAMES.items() if name == field))


class PageSeo(Part):
    """What search engines show of a page."""

    read_only: ClassVar[frozenset[str]] = frozenset({"id", "created_at", "updated_at"})

    title: Text255 | None = None
    description: Text500 | None = None


class ArticleSeo(PageSeo):
    """What search engines and social networks show of an article."""

    model_config = ConfigDict(alias_generator=AliasGenerator(validation_alias=_names))

    aliases: ClassVar[Mapping[str, str]] = _TWITTER_NAMES

    keywords: Text255 | None = None
    og_title: Text255 | None = None
    og_description: Text500 | None = None
    og_image: Url255 | None = None
    card_title: Text255 | None = None
    card_description: Text500 | None = None
    card_image: Url255 | None = None
    canonical: Annotated[Url255 | None, BeforeValidator(_blank_is_null)] = None
