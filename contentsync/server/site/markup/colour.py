"""Colours of tags."""

from ....model.fields import COLOUR


def colour(value: object) -> str | None:
    """The value, if it is a colour as `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`; else None."""
    return value if isinstance(value, str) and COLOUR.match(value) else None
