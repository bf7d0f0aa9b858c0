"""Tags of listings (docs/contract.md 15)."""

from typing import ClassVar

from .fields import Colour, Flag, Slug, Text255, Title
from .kind import Kind
from .record import Record


class Tag(Record):
    """A label that listings carry."""

    kind: ClassVar[Kind] = Kind.TAG

    title: Title
    slug: Slug = ""
    color: Colour | None = None
    text_color: Colour | None = None
    icon: Text255 | None = None
    heroicon: Text255 | None = None
    show_title: Flag = True
    show_icon: Flag = True
    is_active: Flag = True
