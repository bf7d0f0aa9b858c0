"""The reader's search in the listings: a category, a tag, a text, or a combination."""

from dataclasses import dataclass
from typing import Any, Self

from ..store.public.catalogue import Values
from ..store.public.listings import Filter
from ..store.words import LONGEST_QUERY, patterns_of
from . import page_paths
from .page_request import PageNotFound, PageRequest


@dataclass(frozen=True, slots=True)
class ListingSearch:
    """The search of a list of listings. Its category and tag are active."""

    category: Values | None
    tag: Values | None
    text: str

    @classmethod
    def of(cls, request: PageRequest, category: Values | None = None) -> Self:
        """Return the search of the query, in `category` if given. Raise PageNotFound for an unknown slug."""
        category_slug, tag_slug = request.query.get("category", ""), request.query.get("tag", "")
        if category is None and category_slug:
            category = _require(request.catalogue.category(category_slug))
        printable = "".join(letter if letter.isprintable() else " " for letter in request.query.get("q", ""))
        text = " ".join(printable.split())[:LONGEST_QUERY]
        if not patterns_of(text):  # combining accents alone match nothing
            text = ""
        return cls(category, _require(request.catalogue.tag(tag_slug)) if tag_slug else None, text)

    def __bool__(self) -> bool:
        return bool(self.category or self.tag or self.text)

    def filter(self, request: PageRequest) -> Filter:
        """Return the search for the store. A category includes its subcategories."""
        return Filter(
            categories=tuple(request.catalogue.branch(self.category["id"])) if self.category else (),
            tag=self.tag["id"] if self.tag else None,
            patterns=patterns_of(self.text),
        )

    @property
    def path(self) -> str:
        """The canonical path of the list: a category alone has its own page."""
        return page_paths.category(self.category["slug"]) if self.category and self._is_single else page_paths.HOME

    @property
    def query(self) -> dict[str, Any]:
        """The query of the canonical address."""
        if self.category and self._is_single:
            return {}
        return {
            "category": self.category["slug"] if self.category else None,
            "tag": self.tag["slug"] if self.tag else None,
            "q": self.text,
        }

    @property
    def is_indexed(self) -> bool:
        """Whether search engines may index the list; the number of texts and combinations is unlimited."""
        return not self or (self._is_single and not self.text)

    @property
    def _is_single(self) -> bool:
        return [bool(self.category), bool(self.tag), bool(self.text)].count(True) == 1


def _require(record: Values | None) -> Values:
    if record is None:
        raise PageNotFound
    return record
