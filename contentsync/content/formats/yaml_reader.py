"""Read the entries of a YAML text: simple YAML with a fast reader, and all other YAML with libyaml's events.

The fast reader parses the YAML that most authors write, line by line, and returns the same values as libyaml. Every
line is a blank, a comment, `key: value`, `- value` or `- key: value` as a whole, so that no scalar continues on the
next line, and the stack of open collections follows libyaml's rules of indentation (docs/decisions/0005). In a long
list, items with the keys of the items before are matched as a whole, and their values are converted key by key.

libyaml is imported for the first text that needs it.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Any, NamedTuple

from ...errors import Problem
from ...lazy_pattern import lazy_pattern
from ...model import Kind
from ...model.scalar import plain_scalar
from ...model.suggestion import TYPOGRAPHIC_QUOTES
from ..files.file_text import UnreadableFile, position_at
from .draft import Draft, Locations

# Characters that YAML refuses, skips, or reads as line ends where editors do not; and tabs.
_NEVER = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
# An unquoted scalar: its first character, and text in which `: ` and ` #` would end it. `yaml_events` warns of
# typographic quotes around it.
_FIRST = rf"[^{_NEVER}{TYPOGRAPHIC_QUOTES} \-?:,\[\]{{}}#&*!|>'\"%@`=]"
_TEXT = rf"[^{_NEVER}:#]*+"
_UNQUOTED = rf"(?:{_FIRST}|-(?=[0-9.])){_TEXT}(?:(?::(?=[^ \n])|(?<! )#){_TEXT})*+"
# A list in brackets; a URL is the only item that may contain a colon.
_WORD = rf"[^{_NEVER}:#?,\[\]{{}}'\"]*+"
_ITEM = rf"(?:{_FIRST}{_WORD}(?::(?=/){_WORD})*+|\"[^{_NEVER},\"\\]*+\" *+|'[^{_NEVER},']*+' *+)"
_LIST = rf"\[ *+(?:{_ITEM}(?:, *+{_ITEM})*+)?+\]"
_VALUE = rf"\"[^{_NEVER}\"\\]*+\"|'[^{_NEVER}']*+'|{_LIST}|{_UNQUOTED}"
_KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,99}+"
_INDENT = r" {0,12}+"  # nests less deeply than MAX_DEPTH
# Groups: indentation and dash, key, value.
_LINE = lazy_pattern(rf"^({_INDENT}(?:- ++)?+)(?:#[^{_NEVER}]*+|(?:({_KEY}):(?= |$) *+)?+({_VALUE})?+)$", re.MULTILINE)
_BLANK = rf"(?:(?:#[^{_NEVER}]*+)?+\n)*+"
_HEAD = lazy_pattern(rf"{_BLANK}(?:---\n{_BLANK})?+(?=- )")  # before a list that starts in the first column
_TRAILING = lazy_pattern(r"(?<! ) ++$", re.MULTILINE)
_PLAIN_LINES = lazy_pattern(rf"(?:(?:{_VALUE})?+(?<! )\n)*+")  # lines that each contain a value, or are empty
_LONGEST = 256 * 1024  # characters; this bounds the memory
_REPEATED = 32  # items with the same keys in a row, before a regular expression for these keys is worth its time
_MAX_KEYS = 200  # of such an item
_MIN_RUN, _MAX_RUN = 4, 512  # items that are read together

_MAYBE_NOT_TEXT = frozenset("0123456789+-.~nNtTfF[\"'")  # first characters of values that may need conversion
_NOT_PLAIN = object()  # in place of a value that is not read with the fast reader


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
    start = _list_start(text)  # the end of other text
    line = text.count("\n", 0, start) + 1
    while start < len(text):
        end = _item_end(text, start)
        yield line, text[start:end]
        line += text.count("\n", start, end)
        start = end


def _list_start(text: str) -> int:
    """Return the offset of the first item of a list whose dashes are in the first column; the end of other text."""
    head = _HEAD.match(text)
    return head.end() if head else len(text)


def _item_end(text: str, start: int) -> int:
    next_dash = text.find("\n- ", start)
    return len(text) if next_dash < 0 else next_dash + 1


def _fill_simple(top: Any, text: str) -> bool:
    """Fill an empty dict or list from a text; return False, perhaps with a part filled, if only libyaml can read it."""
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
    for prefix, key, value in lines:  # `prefix` is the indentation, with a dash if the line starts an item
        if not key or prefix != margin:  # most lines are the next key of the same mapping
            indent, dash, _ = prefix.partition("-")
            if not (key or dash):  # a blank line, a comment, or the next line of a text
                if value:
                    return False
                continue
            width = len(indent)
            if open_key and (width > column or (dash and width == column)):  # the value of the key above
                outer.append((column, top))
                top[open_key] = inner = [] if dash else {}
                top, column = inner, width
            # Collections that ended above: those further right, and a list whose dashes are in the column of this key.
            while column > width or (outer and not dash and type(top) is list):
                column, top = outer.pop()
            if width != column or (type(top) is list) != bool(dash):  # the last one: a key in a list, or the opposite
                return False
            if not key:  # an item that is not a mapping
                if not value:
                    return False
                top.append(_scalar_or_list(value))
                margin, open_key = None, ""
                continue
            if dash:  # the first key of an item
                outer.append((column, top))
                inner = {}
                top.append(inner)
                top, column = inner, len(prefix)  # its keys are in one column, behind the dash
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
    """Return the value of a quoted text, a list in brackets (`_LIST`), or an unquoted scalar, each on one line."""
    first = text[0]
    if first == "[":
        items = text[1:-1].strip(" ")  # no item contains a comma, also in quotes
        return [_scalar_or_list(item.strip(" ")) for item in items.split(",")] if items else []
    return text[1:-1] if first in "\"'" else plain_scalar(text)


_FIRST_KEY = lazy_pattern(r"^\w", re.MULTILINE)
_BEHIND_ITEM = lazy_pattern(r"^[^ #\n]", re.MULTILINE)


def read_mapping(text: str, draft: Draft, first_line: int) -> None:
    """Set the values of a draft from a YAML text: one mapping, or nothing. Raise UnreadableFile for any other value."""
    values = read_simple_mapping(text)
    if values is None:
        from .yaml_events import fill_draft

        fill_draft(draft, text, first_line)
    else:
        draft.values = values
        draft.locate = partial(_locate, text, draft.kind, draft.path, first_line)


class PlainItem(NamedTuple):
    """An item of a list with one line for each key, as the fast reader matches it. `draft` makes its draft."""

    line: int
    names: tuple[str, ...]
    cells: tuple[Any, ...]  # texts, None, and tuples of those
    match: re.Match[str]  # of its text
    kind: Kind
    path: str

    def draft(self) -> Draft:
        """Return a new draft of the item."""
        cells = (list(cell) if type(cell) is tuple else cell for cell in self.cells)
        values = dict(zip(self.names, cells, strict=True))
        locate = partial(_locate, self.match[0], self.kind, self.path, self.line)
        return Draft(self.kind, self.path, self.line, values, locate)


def read_mappings(text: str, kind: Kind, path: str) -> Iterator[Draft | Problem]:
    """Yield the same as `read_items`, with a draft for each plain item."""
    return (item.draft() if isinstance(item, PlainItem) else item for item in read_items(text, kind, path))


def read_items(text: str, kind: Kind, path: str) -> Iterator[PlainItem | Draft | Problem]:
    """Yield the entry of each mapping of a list, or of a single mapping, and a problem for each other item.

    Raises UnreadableFile for a syntax error, after yielding the entries before it.
    """
    for count, entry in enumerate(_quick_entries(text, kind, path)):
        if entry is None:
            # Only libyaml can read this entry, and only in the whole text. Skip the entries that were yielded.
            from .yaml_events import parse_entries

            yield from islice(parse_entries(text, kind, path), count, None)
            return
        yield entry


def _quick_entries(text: str, kind: Kind, path: str) -> Iterator[PlainItem | Draft | Problem | None]:
    """Yield each entry, or its problem, that can be read without the rest of the text, and None for the others."""
    start = _list_start(text)
    if start == len(text):  # there is no list
        yield _single_entry(text, kind, path)
    line = text.count("\n", 0, start) + 1
    run_names: tuple[str, ...] = ()  # the keys that many items in a row had; items with them are read together
    last_names, repeated = run_names, 0  # the keys of the last item, and the number of items in a row with them
    while start < len(text):
        run = [*islice(_matches(text, start, run_names), _MAX_RUN)] if run_names else []
        if len(run) >= _MIN_RUN:
            yield from _plain_items(run, run_names, kind, path, line)
            start = run[-1].end()
            line += len(run) * len(run_names)  # each key has one line, and the items follow each other directly
            continue
        end = _item_end(text, start)
        entry = _list_item(text[start:end], kind, path, line)
        if isinstance(entry, Draft) and entry.locate:  # by the fast reader; libyaml sets the locations at once
            names = tuple(entry.values)
            last_names, repeated = names, repeated + 1 if names == last_names else 1
            if repeated == _REPEATED and len(names) <= _MAX_KEYS:
                run_names = names
        yield entry
        line += text.count("\n", start, end)
        start = end


def _matches(text: str, start: int, names: Sequence[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of consecutive items with these keys, from the offset `start` on. Each key has one line."""
    pattern = _item_pattern(names)
    while match := pattern.match(text, start):
        yield match
        start = match.end()


@lru_cache
def _item_pattern(names: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of an item with these keys; the groups are their values, any text to the end of the line."""
    lines = "\n  ".join(rf"{name}:(?= |$) *+(.*+)" for name in names)
    return re.compile(rf"- {lines}(?:\n(?=- )|\n?+\Z)", re.MULTILINE)


def _plain_items(
    matches: Sequence[re.Match[str]], names: tuple[str, ...], kind: Kind, path: str, line: int
) -> Iterator[PlainItem | Draft | Problem | None]:
    """Yield the entry of each of these consecutive items, its problem, or None if only libyaml can read it.

    The items have the same keys, each on one line. `line` is the first line of the first item.
    """
    columns = [_cells(values) for values in zip(*(match.groups() for match in matches), strict=True)]
    has_others = any(_NOT_PLAIN in column for column in columns)
    for match, cells in zip(matches, zip(*columns, strict=True), strict=True):
        if has_others and _NOT_PLAIN in cells:
            yield _list_item(match[0], kind, path, line)
        else:
            yield PlainItem(line, names, cells, match, kind, path)
        line += len(names)


def _cells(values: Sequence[str]) -> Sequence[Any]:
    """Return the cells of one key of several items: texts, None and tuples, and `_NOT_PLAIN` for other values."""
    joined = "\n".join(values)
    # If all values are in double quotes and simple, no regular expression is needed.
    if joined[:1] == joined[-1:] == '"' and joined.count('"') == 2 * len(values) and "\\" not in joined:
        texts = joined[1:-1].split('"\n"')
        if len(texts) == len(values) and "".join(texts).isprintable():
            return texts
    if _PLAIN_LINES.fullmatch(joined + "\n"):  # all values, each on one line
        return [_cell(value) if not value or value[0] in _MAYBE_NOT_TEXT else value for value in values]
    return [_cell(value) if _PLAIN_LINES.fullmatch(value + "\n") else _NOT_PLAIN for value in values]


@lru_cache(4096)  # flags, categories and tags recur
def _cell(value: str) -> Any:
    cell = _scalar_or_list(value) if value else None
    return tuple(cell) if type(cell) is list else cell


def _single_entry(text: str, kind: Kind, path: str) -> Draft | None:
    """Return the entry of a text that is one mapping; None if only libyaml can read it."""
    values = read_simple_mapping(text)
    if values is None:
        return None
    first_key = _FIRST_KEY.search(text)
    line, _column = position_at(text, first_key.start() if first_key else 0)
    return Draft(kind, path, line, values, partial(_locate, text, kind, path, first_line=1))


def is_one_item(text: str) -> bool:
    """Return whether only the dash of a list item is in the first column, so that no line after it ends the item."""
    after_dash = 1
    return not _BEHIND_ITEM.search(text, after_dash)


def _list_item(text: str, kind: Kind, path: str, line: int) -> Draft | Problem | None:
    """Return the entry of a list item, or the problem that it is not a mapping; `line` is its first line in the file.

    Return None if the item may be another one in the whole list: if a second line begins in the first column, or if
    libyaml finds an error in the item alone. If not, the next `- ` or the end of the list closes everything in it.
    """
    values = read_simple_item(text)
    if values is not None:
        return Draft(kind, path, line, values, partial(_locate, text, kind, path, line))
    if not is_one_item(text):
        return None
    from .yaml_events import parse_entries

    try:
        (entry,) = parse_entries(text, kind, path, line)
    except UnreadableFile:
        return None
    return entry


def _locate(text: str, kind: Kind, path: str, first_line: int) -> tuple[Locations, Locations]:
    """Return the locations of an entry's values and keys."""
    from .yaml_events import parse_entries

    entry = next(entry for entry in parse_entries(text, kind, path, first_line) if isinstance(entry, Draft))
    return entry.value_locations, entry.key_locations
