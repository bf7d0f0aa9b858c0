"""Lines for a terminal: styled pieces of text, entries, and the values of their fields."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from rich.segment import Segment
from rich.style import Style

from ..errors import pluralize
from ..value_text import WIDTH, printable, value_pair, value_text
from .formatting import first_items, others_line
from .text_diff import CHANGED, GAP, field_lines, is_long

if TYPE_CHECKING:  # the problems of `validate` do not need a plan
    from ..sync import FieldChange
    from .document_parts import EntryDocument

MAX_DIFF_LINES = 12  # of a long text

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
