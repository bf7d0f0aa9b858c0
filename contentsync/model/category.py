"""Categories of listings, in a tree (docs/contract.md 15)."""

from collections.abc import Mapping
from typing import ClassVar

from .fields import Flag, HeadHtml, Position, Reference, Slug, Text, Text255, Text500, Title, Url
from .kind import Kind
from .record import Record


class Category(Record):
    """A group of listings; may stand under another one."""

    kind: ClassVar[Kind] = Kind.CATEGORY
    read_only: ClassVar[frozenset[str]] = Record.read_only | {"parent_title"}
    references: ClassVar[Mapping[str, Kind]] = {"parent_id": Kind.CATEGORY}

    title: Title
    slug: Slug = ""
    description: Text | None = None
    content: Text | None = None
    icon: Text255 | None = None
    custom_icon_url: Url | None = None
    parent_id: Reference | None = None
    is_active: Flag = True
    show_on_sidebar: Flag = True
    order: Position = 0
    seo_title: Text255 | None = None
    seo_description: Text500 | None = None
    head_html: HeadHtml | None = None
