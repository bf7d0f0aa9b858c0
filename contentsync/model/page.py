"""Custom pages (docs/contract.md 2.1)."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from .fields import Flag, Integer, Slug, Text, Title, Url
from .kind import Kind
from .record import Clash, Record
from .seo import PageSeo


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
    def clashes(cls, values: Mapping[str, Any]) -> Iterator[Clash]:
        if values.get("is_external") and not values.get("external_url"):
            yield Clash(
                "required-with",
                ("external_url", "is_external"),
                "external_url is required when is_external is true",
                "add external_url, or set is_external to false",
            )
