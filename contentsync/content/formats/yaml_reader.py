"""Read the entries of a YAML text: simple YAML with a fast reader, and all other YAML with libyaml's events.

The fast reader parses the YAML that most authors write, line by line, and returns the same values as libyaml. Every
line is a blank, a comment, `key: value`, `- value` or `- key: value` as a whole, so that no scalar continues on the
next line, and the stack of open collections follows libyaml's rules of indentation (docs/decisions/0005).
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from ...errors import Problem
from ...model import Kind
from ..draft import Draft, Locations, UnreadableFile, position_at
from .yaml_events import parse_entries, parse_entry, plain_scalar

# Characters that YAML refuses, skips, or reads as line ends where editors do not; and tabs.
_NEVER = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_FIRST = rf"[^{_NEVER} \-?:,\[\]{{}}#&*!|>'\"%@`=]"
_TEXT = rf"[^{_NEVER}:#]*+"
_UNQUOTED = rf"(?:{_FIRST}|-(?=[0-9.])){_TEXT}(?:(?::(?=[^ \n])|(?<! )#){_TEXT})*+"
_WORD = rf"[^{_NEVER}:#?,\[\]{{}}'\"]*+"
_ITEM = rf"(?:{_FIRST}{_WORD}(?::(?=/){_WORD})*+|\"[^{_NEVER},\"\\]*+\" *+|'[^{_NEVER},']*+' *+)"
_LIST = rf"\[ *+(?:{_ITEM}(?:, *+{_ITEM})*+)?+\]"
_VALUE = rf"\"[^{_NEVER}\"\\]*+\"|'[^{_NEVER}']*+'|{_LIST}|{_UNQUOTED}"
_KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,99}+"
_INDENT = r" {0,12}+"  # nests less deeply than the events allow
_LINE = re.compile(rf"^({_INDENT}(?:- ++)?+)(?:#[^{_NEVER}]*+|(?:({_KEY}):(?= |$) *+)?+({_VALUE})?+)$", re.MULTILINE)
_BLANK = rf"(?:(?:#[^{_NEVER}]*+)?+\n)*+"
_HEAD = re.compile(rf"{_BLANK}(?:---\n{_BLANK})?+(?=- )")  # before a list that starts in the first column
_TRAILING = re.compile(r"(?<! ) ++$", re.MULTILINE)
_LONGEST = 256 * 1024  # characters; this bounds the memory

_MAYBE_NOT_TEXT = frozenset("0123456789+-.~nNtTfF[\"'")  # first characters of values that may need conversion


def read_simple_mapping(text: str) -> dict[str, Any] | None:
    """Return the mapping of a text; None if it is empty or only libyaml can read it."""
    values: dict[str, Any] = {}
    return values if _fill_simple(values, text) and values else None


def read_simple_item(text: str) -> dict[str, Any] | None:
    """Return the mapping that is the only item of a list; None for other text, or if only libyaml can read it."""
    items: list[Any] = []
    return items[0] if _fill_simple(items, text) and len(items) == 1 and type(items[0]) is dict else None


def split_items(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line number and the text of each item of a list whose dashes are in the first column.

    Yield nothing for other text. An item that contains `- ` in the first column, as in a quoted text, is split there.
    """
    head = _HEAD.match(text)
    start = head.end() if head else len(text)
    line = text.count("\n", 0, start) + 1
    while start < len(text):
        end = text.find("\n- ", start) + 1 or len(text)
        item = text[start:end]
        yield line, item
        line += item.count("\n")
        start = end


def _fill_simple(top: Any, text: str) -> bool:
    """Fill an empty dict or list from a text; return False if only libyaml can read it."""
    if len(text) > _LONGEST:
        return False
    text = text.strip("\n")
    if " \n" in text or text.endswith(" "):
        text = _TRAILING.sub("", text)
    lines = _LINE.findall(text)
    if len(lines) != text.count("\n") + 1:
        return False
    column = 0  # of `top`, the innermost open collection
    margin = None if type(top) is list else ""  # the spaces before each key of `top`; None if it is a list
    outer: list[tuple[int, Any]] = []  # the other open collections
    open_key = ""  # a key of `top` whose value may be on the next lines
    inner: Any
    for prefix, key, value in lines:
        if not key or prefix != margin:  # most lines are the next key of the same mapping
            indent, dash, _ = prefix.partition("-")
            if not (key or dash):
                if value:
                    return False
                continue
            width = len(indent)
            if open_key and (width > column or (dash and width == column)):
                outer.append((column, top))
                top[open_key] = inner = [] if dash else {}
                top, column = inner, width
            while column > width or (outer and not dash and type(top) is list):
                column, top = outer.pop()
            if width != column or (type(top) is list) != bool(dash):
                return False
            if not key:
                if not value:
                    return False
                top.append(_scalar_or_list(value))
                margin, open_key = None, ""
                continue
            if dash:
                outer.append((column, top))
                inner = {}
                top.append(inner)
                top, column = inner, len(prefix)
            margin = " " * column
        if key in top:
            return False
        if value:
            top[key] = _scalar_or_list(value) if value[0] in _MAYBE_NOT_TEXT else value
            open_key = ""
        else:
            top[key] = None
            open_key = key
    return True


def _scalar_or_list(text: str) -> Any:
    """Return the value of a quoted text, a list in brackets, or an unquoted scalar, each on one line."""
    first = text[0]
    if first == "[":
        items = text[1:-1].strip(" ")
        return [_scalar_or_list(item.strip(" ")) for item in items.split(",")] if items else []
    return text[1:-1] if first in "\"'" else plain_scalar(text)


_FIRST_KEY = re.compile(r"^\w", re.MULTILINE)
_BEHIND_ITEM = re.compile(r"^[^ #\n]", re.MULTILINE)


def read_mapping(text: str, draft: Draft, first_line: int) -> None:
    """Set the values of a draft from a text with one mapping; raise UnreadableFile for any other value."""
    values = read_simple_mapping(text)
    if values is None:
        parse_entry(text, draft, first_line)
    else:
        draft.values = values
        draft.locate = partial(_locate, text, draft.kind, draft.path, first_line)


def read_mappings(text: str, kind: Kind, path: str) -> Iterator[Draft | Problem]:
    """Yield a draft for each mapping of a list, or for a single mapping, and a problem for each other item.

    Raises UnreadableFile for a syntax error, after yielding the entries before it.
    """
    for count, entry in enumerate(_certain_entries(text, kind, path)):
        if entry is None:
            yield from islice(parse_entries(text, kind, path), count, None)
            return
        yield entry


def _certain_entries(text: str, kind: Kind, path: str) -> Iterator[Draft | Problem | None]:
    """Yield each entry that can be read without the rest of the text, and None for each other entry."""
    is_list = False
    for line, item in split_items(text):
        is_list = True
        yield _list_item(item, kind, path, line)
    if not is_list:
        yield _single_entry(text, kind, path)


def _single_entry(text: str, kind: Kind, path: str) -> Draft | None:
    """Return the entry of a text that is one plain mapping; None if only libyaml can read it."""
    values = read_simple_mapping(text)
    if values is None:
        return None
    first = _FIRST_KEY.search(text)
    line = position_at(text, first.start())[0] if first else 1
    return Draft(kind, path, line, values, partial(_locate, text, kind, path, 1))


def is_one_item(text: str) -> bool:
    """Return whether only the dash of a list item is in the first column, so that nothing in the text ends the item."""
    return not _BEHIND_ITEM.search(text, 1)


def _list_item(text: str, kind: Kind, path: str, line: int) -> Draft | Problem | None:
    """Return the entry of a list item, or None if it cannot be read without the rest of the list.

    If libyaml reads the text as one item, and only its dash is in the first column, the item is the same in the whole
    list: the next `- ` or the end closes everything inside it.
    """
    values = read_simple_item(text)
    if values is not None:
        return Draft(kind, path, line, values, partial(_locate, text, kind, path, line))
    if not is_one_item(text):
        return None
    try:
        (entry,) = parse_entries(text, kind, path, line)
    except UnreadableFile:
        return None
    return entry


def _locate(text: str, kind: Kind, path: str, first_line: int) -> tuple[Locations, Locations]:
    """Return the locations of an entry's values and keys."""
    entry = next(entry for entry in parse_entries(text, kind, path, first_line) if isinstance(entry, Draft))
    return entry.value_locations, entry.key_locations
