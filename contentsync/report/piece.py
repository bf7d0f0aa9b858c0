"""Pieces of text with a style, as a terminal shows them."""

from functools import cache

from rich.segment import Segment
from rich.style import Style


# Segments, as rich's Text takes ten times as long for ten thousand lines.
def piece(text: str, style: str = "") -> Segment:
    """A text, which may end a line, in a style such as `bold red`."""
    return Segment(text, _style(style) if style else None)


@cache
def _style(words: str) -> Style:
    return Style.parse(words)
