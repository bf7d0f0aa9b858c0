"""The active filters of a list, each with the link that removes it."""

from dataclasses import dataclass, replace
from typing import Any

from .listing_search import ListingSearch
from .page_request import PageRequest


@dataclass(frozen=True, slots=True)
class ActiveFilter:
    """A filter of a search, as a page shows it."""

    value: str
    link: str  # to the first page of the list without this filter
    label: str = ""  # of a custom field, in the default language
    is_translated: bool = False  # False: the value is in the default language

    @property
    def title(self) -> str:
        """Return the filter in the title of a list: options of authors alone, "Yes" and numbers with their label."""
        return f"{self.label} {self.value}" if self.label and self.is_translated else self.value


def active_filters(request: PageRequest, search: ListingSearch) -> list[ActiveFilter]:
    """Return the filters of a search: category, tag, custom fields and text."""

    def active(value: str, label: str = "", *, is_translated: bool = False, **removed: Any) -> ActiveFilter:
        rest = replace(search, **removed)
        return ActiveFilter(value, request.site.link(rest.path, **rest.query), label, is_translated)

    filters = []
    if search.category:
        filters.append(active(search.category["title"], category=None))
    if search.tag:
        filters.append(active(search.tag["title"], tag=None))
    for name, value in search.fields.items():
        definition = request.catalogue.field_filters[name]
        is_flag = definition["type"] == "checkbox"
        text = request.words(value) if is_flag else value
        others = {other: chosen for other, chosen in search.fields.items() if other != name}
        filters.append(active(text, definition["label"], is_translated=is_flag, fields=others))
    for name, bounds in search.numbers.items():
        others_ranges = {other: chosen for other, chosen in search.numbers.items() if other != name}
        label = request.catalogue.number_filters[name]["label"]
        filters.append(active(str(bounds), label, is_translated=True, numbers=others_ranges))
    if search.text:
        filters.append(active(request.words("found_for", text=search.text), is_translated=True, text=""))
    return filters
