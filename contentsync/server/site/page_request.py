"""A reader's request for a page of a site, and for a page of a list there."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from ...model.markup.safe_urls import LOCALE, LinkBase
from ..access import Directory
from ..paging import Paging, parse_page_number
from ..store.catalogue import Catalogue
from ..store.read_pool import ReadQueue
from .language import Language, language

PER_PAGE = 20  # whole rows of two, four and five cards, and a page below 50 KB
MAX_PAGE = 999_999  # no list has more pages, and the database accepts their offsets


class PageNotFound(Exception):
    """The site has no such page, or does not show it now."""


class QueueNeeded(Exception):
    """The page exists, but is a long read, and the request has not waited in its queue yet."""

    def __init__(self, queue: ReadQueue) -> None:
        super().__init__(queue)
        self.queue = queue


@dataclass(frozen=True, slots=True)
class SiteContext:
    """A directory in one language at one moment, and the addresses of its pages.

    There are two kinds of addresses. Links for readers are paths below the `mount`, so that they work on the host that
    the reader used: the directory's domain, a name that only a proxy knows, or `/sites/<slug>/`. Addresses for machines
    (canonical, feeds, JSON-LD) are absolute, begin with the `address` that the API names, and never depend on the Host
    header (docs/contract.md 10).
    """

    directory: Directory
    address: str  # absolute, without a slash at its end
    mount: str  # the start of every page's path: nothing, or /sites/<slug>
    locale: str
    now: str  # in wire form; the only clock of a request

    @property
    def default_locale(self) -> str:
        """Return the language of texts without a translation."""
        return self.directory.locales[0]

    @property
    def link_base(self) -> LinkBase:
        """Return the mount and language of site-relative links and images in texts."""
        return LinkBase(self.mount, "" if self.locale == self.default_locale else self.locale)

    @property
    def organizers_path(self) -> str:
        """Return the path of the page of all organizers."""
        return f"{self.directory.organizers_prefix}/"

    def organizer_path(self, slug: str) -> str:
        """Return the path of an organizer's profile."""
        return f"{self.directory.organizers_prefix}/{slug}/"

    def link(self, path: str, /, *, locale: str | None = None, **query: Any) -> str:
        """Return a reader's link to a page, in the reader's language by default. Empty query values are omitted."""
        return f"{self.mount}{path}{self._query(self.locale if locale is None else locale, query)}"

    def url(self, path: str, /, *, locale: str | None = None, **query: Any) -> str:
        """Return the absolute address of a page; without `locale`, in the directory's default language."""
        return f"{self.address}{path}{self._query(self.default_locale if locale is None else locale, query)}"

    def asset(self, path: str, version: str) -> str:
        """Return the link to a file whose version changes with its content."""
        return f"{self.mount}{path}?v={version}"

    def _query(self, locale: str, query: dict[str, Any]) -> str:
        """Return the query with its `?`, without empty values, and with the language unless it is the default."""
        parameters = {name: value for name, value in query.items() if value not in (None, "")}
        if locale != self.default_locale:
            parameters[LOCALE] = locale
        return f"?{urlencode(parameters)}" if parameters else ""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The request as a view sees it; the view reads all other data from the database in the same transaction."""

    site: SiteContext
    catalogue: Catalogue
    path: str  # below the mount; "" if it is the path of no page, so that no link repeats an unknown path
    slug: str  # in the path, or ""
    query: QueryParams
    is_admitted: bool = False  # whether it has waited in the queue of its long read

    def require_admission(self, queue: ReadQueue) -> None:
        """Raise QueueNeeded unless the request may begin a long read. Views call this before they search."""
        if not self.is_admitted:
            raise QueueNeeded(queue)

    @property
    def words(self) -> Language:
        """Return the texts of the pages in the reader's language, with dates in the directory's time zone."""
        return language(self.site.locale, self.site.directory.zone)


def require_page(request: PageRequest, total: int) -> Paging:
    """Return the requested page of a list of `total` rows; raise PageNotFound if there is no such page."""
    paging = Paging(_requested_number(request.query), total, PER_PAGE)
    if not 1 <= paging.number <= paging.last:
        raise PageNotFound
    return paging


def requested_rows(query: QueryParams) -> dict[str, Any]:
    """Return `limit` and `offset` of the rows on the requested page, even if the list has no such page."""
    page = Paging(max(1, _requested_number(query)), total=0, per_page=PER_PAGE)  # the offset needs no total
    return {"limit": PER_PAGE, "offset": page.offset}


def _requested_number(query: QueryParams) -> int:
    """Return the number in the query; 0 for a text that is no number of a page."""
    number = parse_page_number(query.get("page", "1"))
    return number if number <= MAX_PAGE else 0
