"""Parts of Markdown that several reports share: content as code, and the size of a comment.

All content is shown as code, so that it cannot contain mentions, links or HTML.
"""

from collections.abc import Iterable
from math import inf

from ..lazy_pattern import lazy_pattern
from ..value_text import printable, shortened, value_text
from .document_parts import EntryDocument

# GitHub accepts 65,536 characters. This limit counts bytes, which are never fewer, and leaves room for the text around
# the changes.
LIMIT = 60_000  # bytes
WIDTH = 200  # of a line in a block
MAX_CODE = 500  # characters of inline code

_INVISIBLE = lazy_pattern(r"$|```|<!--|</|\|---")  # begins a line of Markdown that a reader does not see
_TICKS = lazy_pattern("`+")


def inline_code(text: str) -> str:
    """Return a text as inline code, at most MAX_CODE characters on one line; the text cannot end the code."""
    text = shortened(printable(text), MAX_CODE)
    ticks = _fence(text, 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def code_block(lines: Iterable[str], width: int | None = WIDTH) -> str:
    """Return lines, each cut to `width` characters, as a `diff` code block; the lines cannot end the block."""
    inner = "\n".join(printable(line)[:width] for line in lines)
    fence = _fence(inner, 3)
    return f"{fence}diff\n{inner}\n{fence}"


def _fence(text: str, min_length: int) -> str:
    """Return a row of backticks that is longer than each one in the text."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    return "`" * max(longest + 1, min_length)


def entry_name(entry: EntryDocument) -> str:
    """Return the kind, the key and the title of an entry as Markdown."""
    name = key_name(entry["kind"], entry["key"])
    return f"{name} {inline_code(value_text(entry['title']))}" if entry["title"] else name


def key_name(kind: str, key: str) -> str:
    """Return the kind and the key of an entry as Markdown."""
    return f"{kind.replace('_', ' ')} {inline_code(key)}"


def count_visible_lines(markdown: str) -> int:
    """Return the number of lines that a reader sees, with all sections open."""
    return sum(not _INVISIBLE.match(line) for line in markdown.splitlines())


class Budget:
    """The number of bytes, and of lines that a reader sees, that may still be added to the comment."""

    def __init__(self, size: float, lines: float = inf) -> None:
        self._size = size
        self._lines = lines

    def spend(self, text: str, lines_left: float = -inf) -> bool:
        """Subtract a text if its bytes fit, and if it leaves this number of lines; return whether it does."""
        size, lines = self._size - len(text.encode()), self._lines - count_visible_lines(text)
        if size < 0 or lines < lines_left:
            return False
        self._size, self._lines = size, lines
        return True
