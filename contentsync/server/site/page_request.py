"""A reader's request for a page of a site."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from ..access import Directory
from ..store.public.catalogue import Catalogue
from .language import Language, language
from .markup.urls import LOCALE, LinkBase


class PageNotFound(Exception):
    """The site has no such page, or does not show it now."""


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
    mount: str  # what stands before the path of a page: nothing, or /sites/<slug>
    locale: str
    now: str  # in wire form; the only clock of a request

    @property
    def default_locale(self) -> str:
        """The language of texts without a translation."""
        return self.directory.locales[0]

    @property
    def link_base(self) -> LinkBase:
        """Where the site-relative links and images of texts lead."""
        return LinkBase(self.mount, "" if self.locale == self.default_locale else self.locale)

    @property
    def organizers_path(self) -> str:
        """The path of the page of all organizers."""
        return f"{self.directory.organizers_prefix}/"

    def organizer_path(self, slug: str) -> str:
        """Return the path of an organizer's profile."""
        return f"{self.directory.organizers_prefix}/{slug}/"

    def link(self, path: str, /, *, locale: str | None = None, **query: Any) -> str:
        """Return a reader's link to a page, in the reader's language by default. Empty query values are left out."""
        return f"{self.mount}{path}{self._query(self.locale if locale is None else locale, query)}"

    def url(self, path: str, /, *, locale: str | None = None, **query: Any) -> str:
        """Return the absolute address of a page, in the default language by default."""
        return f"{self.address}{path}{self._query(self.default_locale if locale is None else locale, query)}"

    def asset(self, path: str, version: str) -> str:
        """Return the link to a file that never changes under its version."""
        return f"{self.mount}{path}?v={version}"

    def _query(self, locale: str, query: dict[str, Any]) -> str:
        parameters = {name: value for name, value in query.items() if value not in (None, "")}
        if locale != self.default_locale:
            parameters[LOCALE] = locale
        return f"?{urlencode(parameters)}" if parameters else ""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What a view knows of a request, besides what it reads from the database in the same transaction."""

    site: SiteContext
    catalogue: Catalogue
    path: str  # below the mount, or "" where the site has no such page: an unknown path may lead anywhere
    slug: str  # in the path, or ""
    query: QueryParams

    @property
    def words(self) -> Language:
        """The texts of the pages in the reader's language."""
        return language(self.site.locale)
