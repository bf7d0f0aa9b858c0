"""The entries of a YAML text, by the quickest reader that is sure of it."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice

from ...errors import Problem
from ...model import Kind
from ..draft import Draft, Places, Unreadable, mark_at
from .plain_yaml import list_items, read_plain, read_plain_item
from .yaml_events import parse_entries, parse_entry

_FIRST_KEY = re.compile(r"^\w", re.MULTILINE)
_NOT_IN_ITEM = re.compile(r"^[^ #\n]", re.MULTILINE)


def read_mapping(text: str, draft: Draft, first_line: int) -> None:
    """Put the one mapping of a text into the draft. Raises Unreadable where it stops being YAML, or is no mapping."""
    values = read_plain(text)
    if values is None:
        parse_entry(text, draft, first_line)
    else:
        draft.values = values
        draft.locate = partial(_places, text, draft.kind, draft.path, first_line)


def read_mappings(text: str, kind: Kind, path: str) -> Iterator[Draft | Problem]:
    """A draft for each mapping of a list, or for a single one, and a problem for each item that is none.

    Raises Unreadable as `read_mapping` does, after the entries before that place.
    """
    for given, entry in enumerate(_sure_entries(text, kind, path)):
        if entry is None:
            yield from islice(parse_entries(text, kind, path), given, None)
            return
        yield entry


def _sure_entries(text: str, kind: Kind, path: str) -> Iterator[Draft | Problem | None]:
    """The entries that can be read alone; None before the first that takes the whole text."""
    is_list = False
    for line, item in list_items(text):
        is_list = True
        yield _item(item, kind, path, line)
    if not is_list:
        yield _single(text, kind, path)


def _single(text: str, kind: Kind, path: str) -> Draft | None:
    values = read_plain(text)
    if values is None:
        return None
    first = _FIRST_KEY.search(text)
    line = mark_at(text, first.start())[0] if first else 1
    return Draft(kind, path, line, values, partial(_places, text, kind, path, 1))


def _item(text: str, kind: Kind, path: str, line: int) -> Draft | Problem | None:
    """What an item of a list says; None unless its text alone tells.

    A text that libyaml reads as one item, and that has nothing but this item in the first column, is one item within
    the list too: what comes next, `- ` there or the end, closes everything inside it.
    """
    values = read_plain_item(text)
    if values is not None:
        return Draft(kind, path, line, values, partial(_places, text, kind, path, line))
    if _NOT_IN_ITEM.search(text, 1):
        return None
    try:
        (entry,) = parse_entries(text, kind, path, line)
    except Unreadable:
        return None
    return entry


def _places(text: str, kind: Kind, path: str, first_line: int) -> tuple[Places, Places]:
    """Of the values and keys of an entry."""
    entry = next(entry for entry in parse_entries(text, kind, path, first_line) if isinstance(entry, Draft))
    return entry.marks, entry.keys
