"""What a reader chose of the listings: a category, a tag, words of a text, or all of them together."""

from dataclasses import dataclass
from typing import Any, Self

from ..store.public.catalogue import Values
from ..store.public.listings import Filter
from ..store.words import LONGEST_QUERY, patterns_of
from . import page_paths
from .visit import NotFound, Visit


@dataclass(frozen=True, slots=True)
class Selection:
    """The filters of a list of listings; an active category and tag."""

    category: Values | None
    tag: Values | None
    text: str

    @classmethod
    def of(cls, visit: Visit, category: Values | None = None) -> Self:
        """The filters of the query, inside a category on the page of one; raises NotFound for what is unknown."""
        slug, tag = visit.query.get("category", ""), visit.query.get("tag", "")
        if category is None and slug:
            category = _known(visit.catalogue.category(slug))
        typed = "".join(letter if letter.isprintable() else " " for letter in visit.query.get("q", ""))
        text = " ".join(typed.split())[:LONGEST_QUERY]
        looked_for = text if patterns_of(text) else ""  # nothing is left of accents alone
        return cls(category, _known(visit.catalogue.tag(tag)) if tag else None, looked_for)

    def __bool__(self) -> bool:
        return bool(self.category or self.tag or self.text)

    def filter(self, visit: Visit) -> Filter:
        """The same for the store; a category stands for those below it too."""
        return Filter(
            categories=tuple(visit.catalogue.branch(self.category["id"])) if self.category else (),
            tag=self.tag["id"] if self.tag else None,
            patterns=patterns_of(self.text),
        )

    @property
    def path(self) -> str:
        """The page that shows them: a category alone has one of its own."""
        return page_paths.category(self.category["slug"]) if self.category and self._is_one else page_paths.HOME

    @property
    def query(self) -> dict[str, Any]:
        """The query of that page."""
        if self.category and self._is_one:
            return {}
        return {
            "category": self.category["slug"] if self.category else None,
            "tag": self.tag["slug"] if self.tag else None,
            "q": self.text,
        }

    @property
    def is_for_search_engines(self) -> bool:
        """Whether the list is worth a place in an index: texts and combinations have no end."""
        return not self or (self._is_one and not self.text)

    @property
    def _is_one(self) -> bool:
        return [bool(self.category), bool(self.tag), bool(self.text)].count(True) == 1


def _known(found: Values | None) -> Values:
    if found is None:
        raise NotFound
    return found
