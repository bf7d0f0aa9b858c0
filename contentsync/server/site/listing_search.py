"""The reader's search in the listings (a category, a tag, values of custom fields, a text, an order), and its form."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

from ...model import Definition
from ...model.custom_field import LIST_TYPES
from ..store import Connection
from ..store.catalogue import Catalogue, CatalogueRecord
from ..store.listing_counts import CATEGORY, FIELD, TAG, Choice, listing_counts
from ..store.listing_filter import FieldChoice, ListingFilter, SearchTerm
from ..store.listing_rules import MAX_QUERY, search_terms
from ..store.public_listings import Sort, matching_ids
from . import page_paths
from .page_request import PageNotFound, PageRequest

# The query values of a checkbox.
FLAGS: Mapping[str, bool] = {"yes": True, "no": False}

MAX_OPTIONS = 100  # of a filter; a filter with more options offers only the current choice
MAX_LEVEL = 4  # of the indentation of subcategories

T = TypeVar("T")


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


@dataclass(frozen=True, slots=True)
class Option:
    """A choice in a menu of the form; `count` is None if listings are not counted."""

    value: str  # in the query
    label: str
    is_chosen: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu of the form; its first choice, `any_label`, has an empty value."""

    name: str  # of the query parameter
    label: str
    any_label: str
    options: Sequence[Option]
    has_translated_label: bool = True  # False: the label is in the default language


@dataclass(frozen=True, slots=True)
class FilterForm:
    """The form of one list. `counts` are those of its choices; None if listings are not counted."""

    search: ListingSearch
    menus: Sequence[Menu]
    orders: Menu
    counts: Mapping[Choice, int] | None

    def count(self, category_id: int) -> int | None:
        """Return the number of listings in a category and its subcategories; None if listings are not counted."""
        return _count_of(self.counts, (CATEGORY, category_id))


def filter_form(connection: Connection, request: PageRequest, search: ListingSearch) -> FilterForm:
    """Return the form of a search."""
    counts = _counts(connection, request, search)
    menus = [_category_menu(request, search, counts), _tag_menu(request, search, counts)]
    menus += _field_menus(request, search, counts)
    menus_with_options = [menu for menu in menus if menu.options]
    return FilterForm(search, menus_with_options, _order_menu(request, search), counts)


def _counts(connection: Connection, request: PageRequest, search: ListingSearch) -> Mapping[Choice, int] | None:
    """Return how many listings each choice would show, with the other filters; None in a very large directory."""
    site, catalogue = request.site, request.catalogue
    counts = listing_counts(connection, site.directory, catalogue)
    if counts is None:
        return None
    terms = search.to_filter(request).terms
    ids = matching_ids(connection, site.directory, site.now, terms) if terms else None
    return counts.count(site.directory, site.now, search.chosen(catalogue), ids)


def _count_of(counts: Mapping[Choice, int] | None, choice: Choice) -> int | None:
    """Return the number of listings with a choice; None if listings are not counted."""
    return None if counts is None else counts.get(choice, 0)


def _category_menu(request: PageRequest, search: ListingSearch, counts: Mapping[Choice, int] | None) -> Menu:
    """Return the menu of categories, indented by their level."""
    only_chosen = (search.category, 0) if search.category else None  # level 0: not indented
    options = [
        Option(
            category["slug"],
            f"{'– ' * min(level, MAX_LEVEL)}{category['title']}",
            is_chosen=category is search.category,
            count=_count_of(counts, (CATEGORY, category["id"])),
        )
        for category, level in _all_or_only_chosen(request.catalogue.tree, only_chosen)
    ]
    return Menu("category", request.words("category"), request.words("any_category"), options)


def _tag_menu(request: PageRequest, search: ListingSearch, counts: Mapping[Choice, int] | None) -> Menu:
    """Return the menu of tags."""
    options = [
        Option(tag["slug"], tag["title"], is_chosen=tag is search.tag, count=_count_of(counts, (TAG, tag["id"])))
        for tag in _all_or_only_chosen([*request.catalogue.tags.values()], search.tag)
    ]
    return Menu("tag", request.words("tag"), request.words("any_tag"), options)


def _field_menus(request: PageRequest, search: ListingSearch, counts: Mapping[Choice, int] | None) -> list[Menu]:
    """Return a menu for each filterable custom field; the labels and values that an author wrote are not translated."""
    menus = []
    for name, definition in request.catalogue.field_filters.items():
        parameter = f"{FIELD}{name}"
        is_flag = _is_flag(definition)
        options = [
            Option(
                value,
                request.words(value) if is_flag else value,
                is_chosen=search.fields.get(name) == value,
                count=_count_of(counts, (parameter, FLAGS[value] if is_flag else value)),
            )
            for value in field_options(definition)
        ]
        menus.append(
            Menu(parameter, definition["label"], request.words("any_value"), options, has_translated_label=False)
        )
    return menus


def _order_menu(request: PageRequest, search: ListingSearch) -> Menu:
    orders = [Option(order.value, request.words(f"sort_{order.value}"), order is search.sort) for order in Sort]
    return Menu("sort", request.words("sort"), any_label="", options=orders)  # one order is always chosen


def _all_or_only_chosen(options: Sequence[T], choice: T | None) -> Sequence[T]:
    """Return the options of a menu, or if they are more than MAX_OPTIONS, only the chosen one, if any."""
    if len(options) <= MAX_OPTIONS:
        return options
    return () if choice is None else (choice,)
