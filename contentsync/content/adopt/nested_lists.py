"""Find the entries in a file of nested lists, such as groups of tools, and where they have their category."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...model import Kind
from ..config import Config
from ..scan import ContentFile
from ..source_file import ContentRoot
from ..unknown_keys import content_table
from .config_merge import ProposedSetting
from .samples import CATEGORY_KEYS, TITLE_KEYS, Sampler, normalized_key

_MAX_DEPTH = 6  # lists around an entry
_STEP = re.compile(r"[^.\[\]\s]+\Z")  # a key that a path can contain


def find_items(values: Mapping[str, Any]) -> tuple[str, int]:
    """Return the path of the entries in a mapping, such as `groups[].entries[]`, and their number; ("", 0) without any.

    Of several lists whose items have names, the one with the most items has the entries.
    """
    counts: Counter[str] = Counter()  # by path of a list
    level: list[tuple[str, Mapping[str, Any]]] = [("", values)]
    for _depth in range(_MAX_DEPTH):
        level = [(path, item) for outer_path, mapping in level for path, item in _items(outer_path, mapping)]
        counts.update(path for path, item in level if _title_key(item))
    return max(counts.items(), key=lambda path_and_count: path_and_count[1], default=("", 0))


def propose_items(folder: Path, config: Config, files: list[ContentFile]) -> Iterator[ProposedSetting]:
    """Yield the path of the entries in nested lists, unless the config has one, and the names around them."""
    lists = [file for file in files if file.kind is Kind.LISTING]
    table = content_table(Kind.LISTING)
    if config.content[Kind.LISTING].item_path:
        return
    with ContentRoot(folder) as root:
        sampler = Sampler(config, root)
        for values in filter(None, map(sampler.only_mapping, lists)):
            path, _count = find_items(values)
            if path:
                yield ProposedSetting(table, "items", path)
                if category := _category_path(values, path):
                    yield ProposedSetting(table, "inherit", category, "categories")
                return


def _items(outer_path: str, mapping: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each mapping in the lists of the mapping at a path, with the path of its list."""
    for key, value in mapping.items():
        if isinstance(value, list) and _STEP.match(key):
            path = f"{outer_path}.{key}[]" if outer_path else f"{key}[]"
            yield from ((path, item) for item in value if isinstance(item, dict))


def _title_key(item: Mapping[str, Any]) -> str:
    """Return the first key of an item that has its name; "" without one."""
    for key, value in item.items():
        if normalized_key(key) in TITLE_KEYS and isinstance(value, str):
            return key
    return ""


def _category_path(values: Mapping[str, Any], path: str) -> str:
    """Return the path of the names nearest around the entries, such as `groups[].name` for `groups[].entries[]`.

    Return "" if nothing around them has a name, or if the entries have categories.
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
        lists = (item.get(key) for item in items)
        items = [item for value in lists if isinstance(value, list) for item in value if isinstance(item, dict)]
        list_path = f"{list_path}.{step}" if list_path else step
    has_category = any(normalized_key(key) in CATEGORY_KEYS for item in items for key in item)
    return "" if has_category else name_path
