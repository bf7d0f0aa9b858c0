"""Colours of tags."""

import math

from ....model.field_types import COLOUR


def colour(value: object) -> str | None:
    """The value, if it is a colour as `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`; else None."""
    return value if isinstance(value, str) and COLOUR.match(value) else None


def contrasting(background: str) -> str:
    """Black or white, whichever can be read better on a colour, or under it; what shines through is not regarded."""
    digits = background[1:]
    channels = [digit * 2 for digit in digits[:3]] if len(digits) < 6 else [digits[at : at + 2] for at in (0, 2, 4)]
    red, green, blue = (_linear(int(channel, 16) / 255) for channel in channels)
    return "#000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > _MIDDLE else "#fff"


# Of the relative luminance (WCAG 2.2): the contrasts with black and with white are the same there.
_MIDDLE = 0.179


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else math.pow((channel + 0.055) / 1.055, 2.4)
