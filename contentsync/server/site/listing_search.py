"""The reader's search in the listings: a category, a tag, a text, or a combination."""

from dataclasses import dataclass
from typing import Any, Self

from ..store.catalogue import CatalogueRecord
from ..store.listing_rules import MAX_QUERY, search_patterns
from ..store.public_listings import ListingFilter
from . import page_paths
from .page_request import PageNotFound, PageRequest


@dataclass(frozen=True, slots=True)
class ListingSearch:
    """A search for listings: an active category, an active tag and a text, each optional."""

    category: CatalogueRecord | None
    tag: CatalogueRecord | None
    text: str

    @classmethod
    def from_request(cls, request: PageRequest, category: CatalogueRecord | None = None) -> Self:
        """Return the search in the query, or within `category`; raise PageNotFound for an unknown slug."""
        category_slug, tag_slug = request.query.get("category", ""), request.query.get("tag", "")
        if category is None and category_slug:
            category = _require_record(request.catalogue.category(category_slug))
        printable = "".join(letter if letter.isprintable() else " " for letter in request.query.get("q", ""))
        text = " ".join(printable.split())[:MAX_QUERY]
        if not search_patterns(text):  # combining accents alone match nothing
            text = ""
        return cls(category, _require_record(request.catalogue.tag(tag_slug)) if tag_slug else None, text)

    def __bool__(self) -> bool:
        return bool(self.category or self.tag or self.text)

    def to_filter(self, request: PageRequest) -> ListingFilter:
        """Return the search as a filter of the store. A category includes its subcategories."""
        return ListingFilter(
            categories=tuple(request.catalogue.branch_ids(self.category["id"])) if self.category else (),
            tag=self.tag["id"] if self.tag else None,
            patterns=search_patterns(self.text),
        )

    @property
    def path(self) -> str:
        """Return the canonical path of the list: for a category alone its page, else the home page."""
        return page_paths.category(self.category["slug"]) if self.category and self._is_single else page_paths.HOME

    @property
    def query(self) -> dict[str, Any]:
        """Return the query of the canonical address."""
        if self.category and self._is_single:
            return {}
        return {
            "category": self.category["slug"] if self.category else None,
            "tag": self.tag["slug"] if self.tag else None,
            "q": self.text,
        }

    @property
    def is_indexed(self) -> bool:
        """Return whether search engines may index the list: not with a text or several filters, which are unlimited."""
        return not self or (self._is_single and not self.text)

    @property
    def _is_single(self) -> bool:
        return [bool(self.category), bool(self.tag), bool(self.text)].count(True) == 1


def _require_record(record: CatalogueRecord | None) -> CatalogueRecord:
    if record is None:
        raise PageNotFound
    return record
