"""HTML pages before they are rendered: template, head, breadcrumbs, values, and the links of a list to its pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from ...model.markup import safe_url
from ..paging import Paging
from .page_request import PageRequest, SiteContext

NOT_INDEXED = "noindex, follow"


class Crumb(NamedTuple):
    """A breadcrumb: a title, and a path below the mount."""

    title: str
    path: str


class Alternate(NamedTuple):
    """The address of a page in one language, or in any language (`x-default`)."""

    hreflang: str
    url: str


class Neighbours(NamedTuple):
    """The addresses of the pages before and after a page of a list; None if there is no such page."""

    previous: str | None = None
    next: str | None = None


NO_NEIGHBOURS = Neighbours()


@dataclass(frozen=True, slots=True)
class Head:
    """The metadata of a page for search engines and social networks. All addresses are absolute."""

    title: str  # the whole text of <title>
    name: str  # of the page, without the name of the site
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
    neighbours: Neighbours = NO_NEIGHBOURS
    json_ld: Sequence[Mapping[str, Any]] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page, as a view returns it. `crumbs` begin below the home page and end with the page itself."""

    template: str
    head: Head
    crumbs: Sequence[Crumb]
    values: Mapping[str, Any]  # for the template
    status: int = 200


@dataclass(frozen=True, slots=True)
class ListPlace:
    """A page in a list: the path of the list, the page's number among all pages, and the query that chose the list."""

    path: str
    paging: Paging
    query: Mapping[str, Any] = field(default_factory=dict)

    def parameters(self, number: int) -> dict[str, Any]:
        """Return the query of the page with this number."""
        return {**self.query, "page": page_parameter(number)}

    def url(self, site: SiteContext, number: int) -> str:
        """Return the canonical address of the page with this number, in the reader's language."""
        return site.url(self.path, locale=site.locale, **self.parameters(number))

    def link(self, site: SiteContext, number: int) -> str:
        """Return the link to the page with this number."""
        return site.link(self.path, **self.parameters(number))

    def neighbours(self, site: SiteContext) -> Neighbours:
        """Return the addresses of the previous and next page, in the reader's language."""
        previous, following = self.paging.previous, self.paging.next
        return Neighbours(
            None if previous is None else self.url(site, previous),
            None if following is None else self.url(site, following),
        )


def with_site_name(site: SiteContext, title: str) -> str:
    """Return a page's title followed by the name of its site."""
    return f"{title} · {site.directory.name}"


def list_page(
    request: PageRequest,
    template: str,
    title: str,
    place: ListPlace,
    crumbs: Sequence[Crumb],
    values: Mapping[str, Any],
    *,
    whole_title: str | None = None,
    **head: Any,
) -> HtmlPage:
    """Return a page of a list; `values` are those of the template, and `head` are more fields of Head.

    On the first page, `whole_title` replaces the text of <title>, which is otherwise made from `title` and the site's
    name.
    """
    site, paging = request.site, place.paging
    if paging.number == 1:
        head_title = whole_title or with_site_name(site, title)
    else:
        head_title = with_site_name(site, f"{title}, {request.words('page', number=paging.number)}")
    url = place.url(site, paging.number)
    return HtmlPage(
        template,
        Head(
            title=head_title,
            name=title,
            url=url,
            canonical=url,
            alternates=alternates(site, place.path, site.directory.locales, **place.parameters(paging.number)),
            neighbours=place.neighbours(site),
            **head,
        ),
        crumbs,
        {
            "title": title,
            "paging": paging,
            "page_link": partial(place.link, site),
            **values,
        },
    )


def page_parameter(number: int) -> int | None:
    """Return the number of a page for its address; None for the first page, whose address has no number."""
    return number if number > 1 else None


def page_numbers(paging: Paging) -> list[int | None]:
    """Return the pages to link to: the first, the last and those around the current page; None stands for a gap."""
    wanted = {1, paging.last, paging.number - 1, paging.number, paging.number + 1}
    numbers: list[int | None] = []
    previous = 0
    for number in sorted(number for number in wanted if 1 <= number <= paging.last):
        if number == previous + 2:
            numbers.append(number - 1)  # a gap of one page takes as much room as the page
        elif number > previous + 2:
            numbers.append(None)
        numbers.append(number)
        previous = number
    return numbers


def alternates(site: SiteContext, path: str, locales: Sequence[str], **query: Any) -> list[Alternate]:
    """Return the page's addresses in these languages and in any language; empty if there is only one language."""
    if len(locales) < 2:
        return []
    urls = [Alternate(locale, site.url(path, locale=locale, **query)) for locale in locales]
    return [*urls, Alternate("x-default", site.url(path, **query))]


def first_safe_url(*candidates: str | None) -> str | None:
    """Return the first candidate that is a safe URL, or None."""
    return next((url for url in map(safe_url, candidates) if url), None)


def breadcrumb_list(site: SiteContext, crumbs: Sequence[Crumb]) -> dict[str, Any]:
    """Return the breadcrumbs as a schema.org BreadcrumbList. The last breadcrumb, the page itself, has no address."""
    items: list[dict[str, Any]] = [
        {"@type": "ListItem", "position": number, "name": crumb.title, "item": site.url(crumb.path, locale=site.locale)}
        for number, crumb in enumerate(crumbs, 1)
    ]
    del items[-1]["item"]
    return {"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items}
