"""The reader's search in the listings: a category, a tag, values of custom fields, a text, and an order."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from ...model import Definition
from ...model.custom_field import LIST_TYPES
from ..store.catalogue import Catalogue, CatalogueRecord
from ..store.listing_counts import CATEGORY, FIELD, TAG
from ..store.listing_filter import FieldChoice, ListingFilter, SearchTerm
from ..store.listing_rules import MAX_QUERY, search_terms
from ..store.public_listings import Sort
from . import page_paths
from .page_request import PageNotFound, PageRequest

# The query values of a checkbox.
FLAGS: Mapping[str, bool] = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class ListingSearch:
    """A search for listings: an active category, an active tag, values of filterable fields and a text."""

    category: CatalogueRecord | None
    tag: CatalogueRecord | None
    text: str
    fields: Mapping[str, str] = field(default_factory=dict)  # the value in the query, by the field's name
    sort: Sort = Sort.FEATURED

    @classmethod
    def from_request(cls, request: PageRequest, category: CatalogueRecord | None = None) -> Self:
        """Return the search in the query, or within `category`; raise PageNotFound for an unknown slug or value."""
        query, catalogue = request.query, request.catalogue
        category_slug, tag_slug = query.get("category", ""), query.get("tag", "")
        if category is None and category_slug:
            category = _require_record(catalogue.category(category_slug))
        tag = _require_record(catalogue.tag(tag_slug)) if tag_slug else None
        printable = "".join(letter if letter.isprintable() else " " for letter in query.get("q", ""))
        text = " ".join(printable.split())[:MAX_QUERY]
        if not search_terms(text):  # combining accents alone match nothing
            text = ""
        fields = {}
        for name, definition in catalogue.field_filters.items():
            value = query.get(f"{FIELD}{name}", "")
            if value and value not in field_options(definition):
                raise PageNotFound
            if value:
                fields[name] = value
        sort = query.get("sort") or Sort.FEATURED
        if sort not in list(Sort):
            raise PageNotFound
        return cls(category, tag, text, fields, Sort(sort))

    def __bool__(self) -> bool:
        return bool(self.category or self.tag or self.text or self.fields)

    def to_filter(self, request: PageRequest) -> ListingFilter:
        """Return the search as a filter of the store. A category includes its subcategories."""
        catalogue = request.catalogue
        return ListingFilter(
            categories=tuple(catalogue.branch_ids(self.category["id"])) if self.category else (),
            tag=self.tag["id"] if self.tag else None,
            terms=tuple(SearchTerm(word, *catalogue.matching_ids(word)) for word in search_terms(self.text)),
            fields=tuple(_field_choice(catalogue, name, value) for name, value in self.fields.items()),
        )

    def chosen(self, catalogue: Catalogue) -> dict[str, Hashable]:
        """Return the choices of the filters, but not the text, as `listing_counts` has them."""
        choices: dict[str, Hashable] = {
            f"{FIELD}{name}": FLAGS[value] if _is_flag(catalogue.field_filters[name]) else value
            for name, value in self.fields.items()
        }
        if self.category:
            choices[CATEGORY] = self.category["id"]
        if self.tag:
            choices[TAG] = self.tag["id"]
        return choices

    @property
    def path(self) -> str:
        """Return the canonical path of the list: for a category alone its page, else the home page."""
        return page_paths.category(self.category["slug"]) if self.category and self._is_single else page_paths.HOME

    @property
    def query(self) -> dict[str, Any]:
        """Return the query of the canonical address; values that are empty or None are not part of it."""
        order = {"sort": None if self.sort is Sort.FEATURED else self.sort.value}
        if self.category and self._is_single:  # the path names the category
            return order
        return {
            "category": self.category["slug"] if self.category else None,
            "tag": self.tag["slug"] if self.tag else None,
            "q": self.text,
            **{f"{FIELD}{name}": value for name, value in self.fields.items()},
            **order,
        }

    @property
    def is_indexed(self) -> bool:
        """Return whether search engines may index the list: all listings or one category or tag, in the usual order."""
        if self.text or self.fields or self.sort is not Sort.FEATURED:
            return False
        return self.category is None or self.tag is None

    @property
    def choice_count(self) -> int:
        """Return the number of choices in the filters, without the text and the order."""
        return bool(self.category) + bool(self.tag) + len(self.fields)

    @property
    def _is_single(self) -> bool:
        return self.choice_count + bool(self.text) == 1


def field_options(definition: Definition) -> list[str]:
    """Return the values that a field's filter accepts in the query."""
    return [*FLAGS] if _is_flag(definition) else list(definition["options"])


def _is_flag(definition: Definition) -> bool:
    return bool(definition["type"] == "checkbox")


def _field_choice(catalogue: Catalogue, name: str, value: str) -> FieldChoice:
    """Return the condition that a custom field has the chosen value."""
    definition = catalogue.field_filters[name]
    if _is_flag(definition):
        return FieldChoice(definition["id"], "flag", "true" if FLAGS[value] else "false")
    return FieldChoice(definition["id"], "list" if definition["type"] in LIST_TYPES else "text", value)


def _require_record(record: CatalogueRecord | None) -> CatalogueRecord:
    """Return the record. Raise PageNotFound for None."""
    if record is None:
        raise PageNotFound
    return record
