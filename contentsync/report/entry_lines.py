"""Lines of entries and of the values of their fields, for a terminal; and the difference of two texts, for people.

A difference has the form of `git diff --word-diff`: `We open on [-Monday-]{+Tuesday+}`.
"""

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from rich.segment import Segment
from rich.style import Style

from ..errors import pluralize
from ..lazy_pattern import lazy_pattern
from ..value_text import WIDTH, printable, value_pair, value_text
from .formatting import first_items, others_line

if TYPE_CHECKING:  # the problems of `validate` do not need a plan
    from ..sync.comparing.diff import FieldChange
    from .document_parts import EntryDocument

MAX_DIFF_LINES = 12  # of a long text
CHANGED = "~"  # begins a line of which some words differ
GAP = "…"

_CONTEXT = 12  # words, spaces and signs that are shown before and after different words
_MAX_WORDS = 2_000  # of a line whose words are compared
_MIN_SIMILARITY = 0.5  # of lines whose words are compared
_WORD = lazy_pattern(r"\s+|\w+|[^\w\s]")

_DIFF_COLOURS = {"+": "green", "-": "red", CHANGED: "yellow", GAP: "dim"}  # by the sign of a line
_T = TypeVar("_T")


# Segments, because rich's Text takes ten times as long for ten thousand lines.
def segment(text: str, style: str = "") -> Segment:
    """Return a text, which may end a line, in a style such as `bold red`."""
    return Segment(text, _style(style) if style else None)


@cache
def _style(words: str) -> Style:
    return Style.parse(words)


class EntryLines:
    """Renders entries and the values of their fields for a terminal, without `full` in short lists and texts."""

    def __init__(self, full: bool) -> None:
        self._full = full

    def items(
        self, items: Sequence[_T], limit: int, description: str, render: Callable[[_T], Iterator[Segment]]
    ) -> Iterator[Segment]:
        """Yield the lines of the first items, and a line that counts the others by a `description` of them."""
        shown = first_items(items, limit, full=self._full)
        for item in shown:
            yield from render(item)
        if len(shown) < len(items):
            yield segment(others_line(len(items) - len(shown), description), "dim")

    def entry(self, symbol: str, colour: str, entry: "EntryDocument", note: str) -> Iterator[Segment]:
        """Yield the line of an entry: its kind, key and title, a note, and its location in the folder."""
        yield from self.head(symbol, colour, entry)
        yield from self.title(entry)
        yield segment(f"  {note}")
        yield from self.location(entry["path"], entry["line"])
        yield segment("\n")

    def head(self, symbol: str, colour: str, entry: "EntryDocument") -> Iterator[Segment]:
        """Yield the beginning of an entry's line: the symbol, the kind and the key."""
        yield segment(f"  {symbol} ", f"bold {colour}")
        yield segment(f"{entry['kind']} ")
        yield segment(printable(entry["key"]), "bold")

    def title(self, entry: "EntryDocument") -> Iterator[Segment]:
        """Yield the title of an entry, if it has one."""
        if entry["title"]:
            yield segment(f"  {value_text(entry['title'])}")

    def location(self, path: str | None, line: int | None) -> Iterator[Segment]:
        """Yield a location in the folder, if it has the entry."""
        if path is not None:
            yield segment(f"  {printable(path)}:{line}", "dim")

    def field(self, name: str, field: "FieldChange", note: str, arrow: str = " → ") -> Iterator[Segment]:
        """Yield the lines of a field: both values, then `note`; of a long text, `note` and then a diff."""
        yield segment(f"      {printable(name)}: ", "cyan")
        if is_long(field):
            yield segment(f"{note.strip()}\n", "magenta")
            yield from self._diff(field_lines(field))
            return
        before, after = value_pair(field, width=None if self._full else WIDTH)
        yield segment(before, "red")
        yield segment(arrow)
        yield segment(after, "green")
        yield segment(f"{note}\n", "magenta")

    def _diff(self, lines: Sequence[str]) -> Iterator[Segment]:
        """Yield the lines of a diff, indented and coloured; without `--full`, the first MAX_DIFF_LINES."""
        shown = first_items(lines, MAX_DIFF_LINES, full=self._full)
        for line in shown:
            yield segment(f"        {line}\n", _DIFF_COLOURS.get(line[0], ""))
        if len(shown) < len(lines):
            yield segment(f"        … {pluralize(len(lines) - len(shown), 'line')} more (--full shows all)\n", "dim")


def diff_of_texts(before: str, after: str) -> Iterator[str]:
    """Yield the lines of the difference, each after its sign: `+`, `-`, CHANGED, or a space for an equal one.

    Between two places of the text, yield GAP.
    """
    old, new = before.splitlines(), after.splitlines()
    for number, group in enumerate(SequenceMatcher(None, old, new).get_grouped_opcodes(1)):
        if number:
            yield GAP
        for tag, old_start, old_end, new_start, new_end in group:
            if tag == "equal":
                yield from (f" {printable(line)}" for line in old[old_start:old_end])
            else:
                yield from _replaced(old[old_start:old_end], new[new_start:new_end])


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a part that differs. Lines are compared word by word if there are as many on both sides."""
    pairs = [*zip(old, new, strict=True)] if len(old) == len(new) else []
    words = [_changed_words(*pair) for pair in pairs]
    if words and all(words):
        yield from (f"{CHANGED}{printable(line)}" for line in words)
        return
    yield from (f"-{printable(line)}" for line in old)
    yield from (f"+{printable(line)}" for line in new)


def _changed_words(before: str, after: str) -> str:
    """Return a line with the words that are gone and new; "" if the lines are not similar."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if max(len(old), len(new)) > _MAX_WORDS:
        return ""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < _MIN_SIMILARITY:
        return ""
    codes = matcher.get_opcodes()
    parts = []
    for number, (tag, old_start, old_end, new_start, new_end) in enumerate(codes):
        gone, added = "".join(old[old_start:old_end]), "".join(new[new_start:new_end])
        if tag == "equal":
            parts.append(_shortened(old[old_start:old_end], is_first=not number, is_last=number == len(codes) - 1))
        else:
            parts.append((f"[-{gone}-]" if gone else "") + (f"{{+{added}+}}" if added else ""))
    return "".join(parts)


def _shortened(words: Sequence[str], *, is_first: bool, is_last: bool) -> str:
    """Return equal words; if they are many, only those beside the different ones."""
    head = 0 if is_first else _CONTEXT
    tail = 0 if is_last else _CONTEXT
    if len(words) <= head + tail + 1:
        return "".join(words)
    return f"{''.join(words[:head])}…{''.join(words[len(words) - tail :])}"


def is_long(field: "FieldChange") -> bool:
    """Return whether a field has a text of several lines, which is shown as a diff."""
    if not all(value is None or isinstance(value, str) for value in field):
        return False
    return any("\n" in (value or "").strip() for value in field)


def field_lines(field: "FieldChange", width: int | None = WIDTH) -> list[str]:
    """Return the lines of a field: `diff_of_texts` of a long text, else the old and the new value, as `value_pair`."""
    if is_long(field):
        return [*diff_of_texts(*((value or "").strip() for value in field))]
    before, after = value_pair(field, width)
    return [f"- {before}", f"+ {after}"]
