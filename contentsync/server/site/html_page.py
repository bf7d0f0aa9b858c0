"""HTML pages before they are rendered: template, head, breadcrumbs, values, and the links of a list to its pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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


def with_site_name(site: SiteContext, title: str) -> str:
    """Return a page's title followed by the name of its site."""
    return f"{title} · {site.directory.name}"


def list_page(
    request: PageRequest,
    template: str,
    title: str,
    path: str,
    paging: Paging,
    crumbs: Sequence[Crumb],
    values: Mapping[str, Any],
    *,
    query: Mapping[str, Any] | None = None,
    whole_title: str | None = None,
    **head: Any,
) -> HtmlPage:
    """Return a page of a list, whose canonical address contains the `query` and the page's number.

    `path` is that of the list, and `values` are those of the template. On the first page, `whole_title` replaces the
    text of <title>, which is otherwise made from `title` and the site's name. `head` are more fields of Head.
    """
    site, query = request.site, query or {}
    number = page_parameter(paging.number)  # None for the first page
    if number is None:
        head_title = whole_title or with_site_name(site, title)
    else:
        head_title = with_site_name(site, f"{title}, {request.words('page', number=number)}")
    url = site.url(path, locale=site.locale, **query, page=number)
    return HtmlPage(
        template,
        Head(
            title=head_title,
            name=title,
            url=url,
            canonical=url,
            alternates=alternates(site, path, site.directory.locales, **query, page=number),
            neighbours=neighbours(site, path, paging, **query),
            **head,
        ),
        crumbs,
        {
            "title": title,
            "paging": paging,
            "page_link": lambda target: site.link(path, **query, page=page_parameter(target)),
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


def neighbours(site: SiteContext, path: str, paging: Paging, **query: Any) -> Neighbours:
    """Return the addresses of the previous and next page of a list, in the reader's language."""

    def url(number: int | None) -> str | None:
        return None if number is None else site.url(path, locale=site.locale, **query, page=page_parameter(number))

    return Neighbours(url(paging.previous), url(paging.next))


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
