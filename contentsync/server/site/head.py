"""What a page says of itself to search engines and social networks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .markup import safe_url
from .paging import Paging, in_address
from .site import Site

NOT_INDEXED = "noindex, follow"


class Crumb(NamedTuple):
    """A step on the way to a page: its words, and its path below the mount."""

    title: str
    path: str


class Alternate(NamedTuple):
    """The same page in another language, or without one (`x-default`)."""

    hreflang: str
    url: str


class Neighbours(NamedTuple):
    """The pages before and after one of a list."""

    previous: str | None = None
    next: str | None = None


ALONE = Neighbours()


@dataclass(frozen=True, slots=True)
class Head:
    """The head of one page. All addresses are absolute."""

    title: str  # all of <title>
    name: str  # of the page alone
    url: str
    description: str | None = None
    canonical: str | None = None
    robots: str | None = None
    keywords: str | None = None
    kind: str = "website"  # og:type
    image: str | None = None
    og_title: str | None = None
    og_description: str | None = None
    card_title: str | None = None
    card_description: str | None = None
    card_image: str | None = None
    published_at: str | None = None
    updated_at: str | None = None
    alternates: Sequence[Alternate] = ()
    neighbours: Neighbours = ALONE
    json_ld: Sequence[Mapping[str, Any]] = field(default_factory=tuple)


def titled(site: Site, title: str) -> str:
    """A page's title with that of its site."""
    return f"{title} · {site.directory.name}"


def alternates(site: Site, path: str, locales: Sequence[str], **query: Any) -> list[Alternate]:
    """The page in each of the languages in which it has a text; none where that is one."""
    if len(locales) < 2:
        return []
    urls = [Alternate(locale, site.url(path, locale=locale, **query)) for locale in locales]
    return [*urls, Alternate("x-default", site.url(path, **query))]


def neighbours(site: Site, path: str, paging: Paging, **query: Any) -> Neighbours:
    """The pages around one of a list, in the reader's language."""

    def url(number: int | None) -> str | None:
        return None if number is None else site.url(path, locale=site.locale, **query, page=in_address(number))

    return Neighbours(url(paging.previous), url(paging.next))


def image_url(*candidates: str | None) -> str | None:
    """The first of the addresses that is one."""
    return next((url for url in map(safe_url, candidates) if url), None)


def breadcrumb_list(site: Site, crumbs: Sequence[Crumb]) -> dict[str, Any]:
    """The way to a page, as schema.org has it; the page itself, at its end, needs no address."""
    items: list[dict[str, Any]] = [
        {"@type": "ListItem", "position": at, "name": crumb.title, "item": site.url(crumb.path, locale=site.locale)}
        for at, crumb in enumerate(crumbs, 1)
    ]
    del items[-1]["item"]
    return {"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items}
