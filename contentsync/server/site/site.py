"""A directory's site as one reader came to it."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from ..access import Directory
from .markup.root import LOCALE, Root


@dataclass(frozen=True, slots=True)
class Site:
    """A directory in one language at one moment, and the addresses of its pages.

    There are two of each. What a reader follows is a path from the root of the host that they came to, below the
    `mount`: it leads on where they are, be that the directory's domain, a name that only a proxy knows, or
    `/sites/<slug>/`. What machines keep (canonical, feeds, JSON-LD) is absolute, begins with the `address` that the API
    names, and is the same wherever it was asked for: never made of the Host header (docs/contract.md 10).
    """

    directory: Directory
    address: str  # absolute, without a slash at its end
    mount: str  # what stands before the path of a page: nothing, or /sites/<slug>
    locale: str
    now: str  # in wire form; the only clock of a request

    @property
    def default_locale(self) -> str:
        """The language of texts that have no translation."""
        return self.directory.locales[0]

    @property
    def root(self) -> Root:
        """Where the links and images of texts lead."""
        return Root(self.mount, "" if self.locale == self.default_locale else self.locale)

    @property
    def organizers_path(self) -> str:
        """The page of all organizers."""
        return f"{self.directory.organizers_prefix}/"

    def organizer_path(self, slug: str) -> str:
        """An organizer's profile."""
        return f"{self.directory.organizers_prefix}/{slug}/"

    def link(self, path: str, /, *, locale: str | None = None, **query: Any) -> str:
        """Where a reader gets to a page, in their language or in the one given; empty values are left out."""
        return f"{self.mount}{path}{self._query(self.locale if locale is None else locale, query)}"

    def url(self, path: str, /, *, locale: str | None = None, **query: Any) -> str:
        """The one absolute address of a page, in the default language or in the one given."""
        return f"{self.address}{path}{self._query(self.default_locale if locale is None else locale, query)}"

    def asset(self, path: str, version: str) -> str:
        """Where a page finds a file that never changes under the version's name."""
        return f"{self.mount}{path}?v={version}"

    def _query(self, locale: str, query: dict[str, Any]) -> str:
        given = {name: value for name, value in query.items() if value not in (None, "")}
        if locale != self.default_locale:
            given[LOCALE] = locale
        return f"?{urlencode(given)}" if given else ""
