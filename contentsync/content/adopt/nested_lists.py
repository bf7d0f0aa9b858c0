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
    """Return the path of the entries in a mapping, such as `groups[].entries[]`, and their number; "" without entries.

    Of several lists with names, the one with the most items has the entries.
    """
    counts: Counter[str] = Counter()
    level: list[tuple[str, Mapping[str, Any]]] = [("", values)]
    for _ in range(_MAX_DEPTH):
        inner = [(path, item) for at, mapping in level for path, item in _items(at, mapping)]
        counts.update(path for path, item in inner if _title_key(item))
        level = inner
    return max(counts.items(), key=lambda count: count[1], default=("", 0))


def propose_items(folder: Path, config: Config, files: list[ContentFile]) -> Iterator[ProposedSetting]:
    """Yield the path of the entries in the first file with nested lists, and the names around them as categories."""
    lists = [file for file in files if file.kind is Kind.LISTING]
    table = content_table(Kind.LISTING)
    if config.content[Kind.LISTING].item_path:
        return
    with ContentRoot(folder) as root:
        sampler = Sampler(config, root)
        for values in filter(None, map(sampler.only_mapping, lists)):
            path, _ = find_items(values)
            if path:
                yield ProposedSetting(table, "items", path)
                if category := _category_path(values, path):
                    yield ProposedSetting(table, "inherit", category, "categories")
                return


def _items(at: str, mapping: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each mapping in the lists of a mapping, with the path of its list."""
    for key, value in mapping.items():
        if isinstance(value, list) and _STEP.match(key):
            path = f"{at}.{key}[]" if at else f"{key}[]"
            yield from ((path, item) for item in value if isinstance(item, dict))


def _title_key(item: Mapping[str, Any]) -> str:
    return next(
        (key for key, value in item.items() if normalized_key(key) in TITLE_KEYS and isinstance(value, str)), ""
    )


def _category_path(values: Mapping[str, Any], path: str) -> str:
    """Return the path of the name that is nearest around the entries; "" if they have categories, or nothing around."""
    *outer, _ = path.split(".")
    level = [("", values)]
    name = ""
    for number in range(len(outer) + 1):
        level = [(at, item) for before, mapping in level for at, item in _items(before, mapping) if path.startswith(at)]
        items = [item for _, item in level]
        if number == len(outer):
            has_own = any(normalized_key(key) in CATEGORY_KEYS for item in items for key in item)
            return "" if has_own else name
        keys = {_title_key(item) for item in items}
        if len(keys) == 1 and (key := keys.pop()) and _STEP.match(key):
            name = f"{'.'.join(outer[: number + 1])}.{key}"
    return ""
