"""The reader's search in the listings (a category, a tag, values of custom fields, a text, an order), and its form."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self, TypeVar

from ...lazy_pattern import lazy_pattern
from ...model import Definition
from ..store import Connection
from ..store.catalogue import Catalogue, CatalogueRecord
from ..store.listing_counts import CATEGORY, FIELD, TAG, ListingCounts, MenuCounts, listing_counts, may_count
from ..store.listing_filter import NO_TEXT, FieldValue, ListingFilter
from ..store.public_listings import Sort
from ..store.search_documents import field_choice, link_choice
from ..store.search_index import NumberRange
from ..store.search_text import search_text
from ..store.words import MAX_QUERY, query_words
from . import page_paths
from .page_request import PageNotFound, PageRequest

# The query values of a checkbox.
FLAGS: Mapping[str, bool] = {"yes": True, "no": False}

_NUMBER = lazy_pattern(r"-?[0-9]{1,15}(?:\.[0-9]{1,9})?", re.ASCII)

MAX_OPTIONS = 100  # of a filter; a filter with more options offers only the current choice
MAX_LEVEL = 4  # of the indentation of subcategories

T = TypeVar("T")


class Bounds(NamedTuple):
    """The lowest and the highest number that a field may have, as in the query; "" is no bound."""

    low: str
    high: str

    @classmethod
    def from_query(cls, query: Mapping[str, str], name: str) -> Self:
        """Return the bounds in the query; raise PageNotFound for a text that is no number."""
        bounds = cls(query.get(f"{FIELD}{name}.min", ""), query.get(f"{FIELD}{name}.max", ""))
        for bound in bounds:
            if bound and _NUMBER.fullmatch(bound) is None:
                raise PageNotFound
        return bounds

    def to_range(self, field_id: int) -> NumberRange:
        """Return the bounds as a filter of the store."""
        return NumberRange(field_id, float(self.low or "-inf"), float(self.high or "inf"))

    def __str__(self) -> str:
        if self.low and self.high:
            return f"{self.low} – {self.high}"
        return f"≥ {self.low}" if self.low else f"≤ {self.high}"


@dataclass(frozen=True, slots=True)
class ListingSearch:
    """A search for listings: an active category, an active tag, values of filterable fields and a text."""

    category: CatalogueRecord | None
    tag: CatalogueRecord | None
    text: str
    fields: Mapping[str, str] = field(default_factory=dict)  # the value in the query, by the field's name
    numbers: Mapping[str, "Bounds"] = field(default_factory=dict)  # by the field's name
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
        text = " ".join(printable.split())
        if len(text) > MAX_QUERY:
            text = text[:MAX_QUERY].rpartition(" ")[0] or text[:MAX_QUERY]  # without the word that is cut
        if not query_words(text):  # accents and punctuation alone are no words
            text = ""
        fields = {}
        for name, definition in catalogue.field_filters.items():
            value = query.get(f"{FIELD}{name}", "")
            if value and value not in field_options(definition):
                raise PageNotFound
            if value:
                fields[name] = value
        numbers = {name: Bounds.from_query(query, name) for name in catalogue.number_filters}
        sort = query.get("sort") or Sort.FEATURED
        if sort not in list(Sort):
            raise PageNotFound
        numbers = {name: bounds for name, bounds in numbers.items() if any(bounds)}
        return cls(category, tag, text, fields, numbers, Sort(sort))

    def __bool__(self) -> bool:
        return bool(self.category or self.tag or self.text or self.fields or self.numbers)

    def to_filter(self, connection: Connection, request: PageRequest) -> ListingFilter:
        """Return the search as a filter of the store. A category includes its subcategories."""
        catalogue, site = request.catalogue, request.site
        text = NO_TEXT
        if self.text:
            text = search_text(connection, site.directory, catalogue, site.now, self.text)
        return ListingFilter(
            categories=tuple(catalogue.branch_ids(self.category["id"])) if self.category else (),
            tag=self.tag["id"] if self.tag else None,
            text=text,
            fields=tuple(_field_value(catalogue, name, value) for name, value in self.fields.items()),
            numbers=tuple(
                bounds.to_range(catalogue.number_filters[name]["id"]) for name, bounds in self.numbers.items()
            ),
        )

    def without_menus(self, wanted: ListingFilter) -> dict[str, ListingFilter]:
        """Return, for each menu that the visitor has used, the filter without the choice in this menu."""
        menus = {
            f"{FIELD}{name}": wanted._replace(fields=(*wanted.fields[:index], *wanted.fields[index + 1 :]))
            for index, name in enumerate(self.fields)
        }
        if self.category:
            menus[CATEGORY] = wanted._replace(categories=())
        if self.tag:
            menus[TAG] = wanted._replace(tag=None)
        return menus

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
            **{f"{FIELD}{name}.min": bounds.low for name, bounds in self.numbers.items()},
            **{f"{FIELD}{name}.max": bounds.high for name, bounds in self.numbers.items()},
            **order,
        }

    @property
    def is_indexed(self) -> bool:
        """Return whether search engines may index the list: all listings or one category or tag, in the usual order."""
        if self.text or self.fields or self.numbers or self.sort is not Sort.FEATURED:
            return False
        return self.category is None or self.tag is None

    @property
    def is_long(self) -> bool:
        """Return whether the list may look at every listing: for a text, a custom field, or the order by name."""
        return bool(self.text or self.fields or self.numbers) or self.sort is Sort.NAME

    @property
    def choice_count(self) -> int:
        """Return the number of choices in the filters, without the text and the order."""
        return bool(self.category) + bool(self.tag) + len(self.fields) + len(self.numbers)

    @property
    def _is_single(self) -> bool:
        return self.choice_count + bool(self.text) == 1


def field_options(definition: Definition) -> list[str]:
    """Return the values that a field's filter accepts in the query."""
    return [*FLAGS] if _is_flag(definition) else list(definition["options"])


def _is_flag(definition: Definition) -> bool:
    return bool(definition["type"] == "checkbox")


def _field_value(catalogue: Catalogue, name: str, value: str) -> FieldValue:
    """Return the condition that a custom field has the value in the query."""
    definition = catalogue.field_filters[name]
    return FieldValue(definition["id"], FLAGS[value] if _is_flag(definition) else value)


def _require_record(record: CatalogueRecord | None) -> CatalogueRecord:
    """Return the record. Raise PageNotFound for None."""
    if record is None:
        raise PageNotFound
    return record


class Count(NamedTuple):
    """The number of listings that a choice would show; with `has_more`, there are more."""

    number: int
    has_more: bool


@dataclass(frozen=True, slots=True)
class Option:
    """A choice in a menu of the form; `count` is None if listings are not counted."""

    value: str  # in the query
    label: str
    is_chosen: bool
    count: Count | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu of the form; its first choice, `any_label`, has an empty value."""

    name: str  # of the query parameter
    label: str
    any_label: str
    options: Sequence[Option]
    has_translated_label: bool = True  # False: the label is in the default language


class RangeInputs(NamedTuple):
    """The two inputs for the numbers of a custom field; the label is in the default language."""

    name: str  # of the query parameters, without their ends
    label: str
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class FilterForm:
    """The form of one list. `counts` are those of its choices; None if listings are not counted."""

    search: ListingSearch
    menus: Sequence[Menu]
    ranges: Sequence[RangeInputs]
    orders: Menu
    counts: ListingCounts | None

    def count(self, category_id: int) -> Count | None:
        """Return the number of listings in a category and its subcategories; None if listings are not counted."""
        return _count_of(self.counts, CATEGORY, link_choice("categories", category_id))


def filter_form(
    connection: Connection, request: PageRequest, search: ListingSearch, wanted: ListingFilter
) -> FilterForm:
    """Return the form of a search, whose filter is `wanted`."""
    site, counts = request.site, None
    if search.is_long or may_count(connection, site.directory):

        def of(filters: ListingFilter) -> MenuCounts:
            return listing_counts(connection, site.directory, request.catalogue, site.now, filters)

        used = {name: of(without) for name, without in search.without_menus(wanted).items()}
        counts = ListingCounts(of(wanted), used)
    menus = [_category_menu(request, search, counts), _tag_menu(request, search, counts)]
    menus += _field_menus(request, search, counts)
    menus_with_options = [menu for menu in menus if menu.options]
    ranges = [
        RangeInputs(f"{FIELD}{name}", definition["label"], search.numbers.get(name, Bounds("", "")))
        for name, definition in request.catalogue.number_filters.items()
    ]
    return FilterForm(search, menus_with_options, ranges, _order_menu(request, search), counts)


def _count_of(counts: ListingCounts | None, menu: str, choice: str) -> Count | None:
    """Return the number of listings with a choice of a menu; None if listings are not counted."""
    if counts is None:
        return None
    of_menu = counts.of_menu(menu)
    return Count(of_menu.numbers.get(choice, 0), of_menu.total.has_more)


def _category_menu(request: PageRequest, search: ListingSearch, counts: ListingCounts | None) -> Menu:
    """Return the menu of categories, indented by their level."""
    only_chosen = (search.category, 0) if search.category else None  # level 0: not indented
    options = [
        Option(
            category["slug"],
            f"{'– ' * min(level, MAX_LEVEL)}{category['title']}",
            is_chosen=category is search.category,
            count=_count_of(counts, CATEGORY, link_choice("categories", category["id"])),
        )
        for category, level in _all_or_only_chosen(request.catalogue.tree, only_chosen)
    ]
    return Menu(CATEGORY, request.words("category"), request.words("any_category"), options)


def _tag_menu(request: PageRequest, search: ListingSearch, counts: ListingCounts | None) -> Menu:
    """Return the menu of tags."""
    options = [
        Option(
            tag["slug"],
            tag["title"],
            is_chosen=tag is search.tag,
            count=_count_of(counts, TAG, link_choice("tags", tag["id"])),
        )
        for tag in _all_or_only_chosen([*request.catalogue.tags.values()], search.tag)
    ]
    return Menu(TAG, request.words("tag"), request.words("any_tag"), options)


def _field_menus(request: PageRequest, search: ListingSearch, counts: ListingCounts | None) -> list[Menu]:
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
                count=_count_of(counts, parameter, field_choice(*_field_value(request.catalogue, name, value))),
            )
            for value in field_options(definition)
        ]
        menus.append(
            Menu(parameter, definition["label"], request.words("any_value"), options, has_translated_label=False)
        )
    return menus


def _order_menu(request: PageRequest, search: ListingSearch) -> Menu:
    """Return the menu of orders. With a text, the default order is by how well a listing meets it."""

    def label(order: Sort) -> str:
        return "sort_best" if search.text and order is Sort.FEATURED else f"sort_{order.value}"

    orders = [Option(order.value, request.words(label(order)), order is search.sort) for order in Sort]
    return Menu("sort", request.words("sort"), any_label="", options=orders)  # one order is always chosen


def _all_or_only_chosen(options: Sequence[T], choice: T | None) -> Sequence[T]:
    """Return the options of a menu, or if they are more than MAX_OPTIONS, only the chosen one, if any."""
    if len(options) <= MAX_OPTIONS:
        return options
    return () if choice is None else (choice,)
