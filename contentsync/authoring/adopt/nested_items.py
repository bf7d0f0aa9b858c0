"""Find the entries in nested lists, such as `groups[].entries[]`, and the names of their groups."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...content.config.unknown_keys import content_table, field_of
from ...lazy_pattern import lazy_pattern
from ...model import Kind
from .key_evidence import is_title
from .proposed_settings import ProposedSetting

_CATEGORIES = ("category_id", "categories")
_MAX_DEPTH = 6  # lists around an entry
_STEP = lazy_pattern(r"[^.\[\]\s]+\Z")  # a key that a path can contain


def find_items(values: Mapping[str, Any]) -> tuple[str, int]:
    """Return the path of the entries in a mapping, such as `groups[].entries[]`, and their number; ("", 0) without any.

    Of several lists whose items have names, the one with the most items has the entries. Only lists directly in the
    mapping, or in items of such lists, are searched.
    """
    counts: Counter[str] = Counter()  # by path of a list
    level: list[tuple[str, Mapping[str, Any]]] = [("", values)]
    for _depth in range(_MAX_DEPTH):
        next_level: list[tuple[str, Mapping[str, Any]]] = []
        for outer_path, mapping in level:
            next_level += _items_of_lists(outer_path, mapping)
        level = next_level
        counts.update(path for path, item in level if _title_key(item))
    return max(counts.items(), key=lambda path_and_count: path_and_count[1], default=("", 0))


def propose_items(mappings: Iterable[Mapping[str, Any]]) -> Iterator[ProposedSetting]:
    """Yield the path of the entries in the first mapping with nested lists, and that of the categories they inherit.

    `mappings` are the values of list files that contain one mapping each.
    """
    table = content_table(Kind.LISTING)
    for values in mappings:
        path, _count = find_items(values)
        if path:
            yield ProposedSetting(table, "items", path)
            if category := _category_path(values, path):
                yield ProposedSetting(table, "inherit", category, "categories")
            return


def items_at(values: Mapping[str, Any], path: str) -> list[Mapping[str, Any]]:
    """Return the entries at a path such as `groups[].entries[]` in a mapping."""
    items = [values]
    for step in path.split("."):
        items = _items_below(items, step.removesuffix("[]"))
    return items


def _items_below(items: Iterable[Mapping[str, Any]], key: str) -> list[Mapping[str, Any]]:
    lists = (item.get(key) for item in items)
    return [item for value in lists if isinstance(value, list) for item in value if isinstance(item, dict)]


def _items_of_lists(outer_path: str, mapping: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each mapping in the lists of the mapping at a path, with the path of its list."""
    for key, value in mapping.items():
        if isinstance(value, list) and _STEP.match(key):
            path = f"{outer_path}.{key}[]" if outer_path else f"{key}[]"
            yield from ((path, item) for item in value if isinstance(item, dict))


def _title_key(item: Mapping[str, Any]) -> str:
    """Return the first key of an item that has its name; "" without one."""
    for key, value in item.items():
        if is_title(key) and isinstance(value, str):
            return key
    return ""


def _category_path(values: Mapping[str, Any], path: str) -> str:
    """Return the path of the names of the groups of entries, such as `groups[].name` for `groups[].entries[]`.

    Of groups in groups, the innermost ones with names count. Return "" without names, or if entries have categories.
    """
    name_path = ""
    list_path = ""
    items = [values]
    for step in path.split("."):  # each is a key with []
        key = step.removesuffix("[]")
        if list_path:
            title_keys = {_title_key(item) for item in items}
            if len(title_keys) == 1 and (title_key := title_keys.pop()) and _STEP.match(title_key):
                name_path = f"{list_path}.{title_key}"
        items = _items_below(items, key)
        list_path = f"{list_path}.{step}" if list_path else step
    has_category = any(field_of(Kind.LISTING, key) in _CATEGORIES for item in items for key in item)
    return "" if has_category else name_path
