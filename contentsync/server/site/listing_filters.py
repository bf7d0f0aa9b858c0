"""The form above a list of listings: the search, the filters with the number of listings of each choice, the order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..store import Connection
from ..store.listing_counts import CATEGORY, FIELD, TAG, Choice, listing_counts
from ..store.public_listings import Sort, matching_ids
from .listing_search import FLAGS, ListingSearch, field_options
from .page_request import PageRequest

MAX_OPTIONS = 100  # of a filter; a filter with more options offers only the current choice
MAX_LEVEL = 4  # of the indentation of subcategories

T = TypeVar("T")


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
    is_translated: bool = True  # False: the label is in the default language


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
    chosen = (search.category, 0) if search.category else None  # if it is offered alone, it is not indented
    options = [
        Option(
            category["slug"],
            f"{'– ' * min(level, MAX_LEVEL)}{category['title']}",
            is_chosen=category is search.category,
            count=_count_of(counts, (CATEGORY, category["id"])),
        )
        for category, level in _offered(request.catalogue.tree, chosen)
    ]
    return Menu("category", request.words("category"), request.words("any_category"), options)


def _tag_menu(request: PageRequest, search: ListingSearch, counts: Mapping[Choice, int] | None) -> Menu:
    """Return the menu of tags."""
    options = [
        Option(tag["slug"], tag["title"], is_chosen=tag is search.tag, count=_count_of(counts, (TAG, tag["id"])))
        for tag in _offered([*request.catalogue.tags.values()], search.tag)
    ]
    return Menu("tag", request.words("tag"), request.words("any_tag"), options)


def _field_menus(request: PageRequest, search: ListingSearch, counts: Mapping[Choice, int] | None) -> list[Menu]:
    """Return a menu for each custom field that listings can be filtered by; its options have no language."""
    menus = []
    for name, definition in request.catalogue.field_filters.items():
        parameter = f"{FIELD}{name}"
        is_flag = definition["type"] == "checkbox"
        options = [
            Option(
                value,
                request.words(value) if is_flag else value,
                is_chosen=search.fields.get(name) == value,
                count=_count_of(counts, (parameter, FLAGS[value] if is_flag else value)),
            )
            for value in field_options(definition)
        ]
        menus.append(Menu(parameter, definition["label"], request.words("any_value"), options, is_translated=False))
    return menus


def _order_menu(request: PageRequest, search: ListingSearch) -> Menu:
    orders = [Option(order.value, request.words(f"sort_{order.value}"), order is search.sort) for order in Sort]
    return Menu("sort", request.words("sort"), any_label="", options=orders)  # one order is always chosen


def _offered(options: Sequence[T], choice: T | None) -> Sequence[T]:
    """Return the options of a menu; of too many, only the chosen one, if any."""
    if len(options) <= MAX_OPTIONS:
        return options
    return () if choice is None else (choice,)
