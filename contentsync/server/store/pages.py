"""Custom pages (docs/contract.md 4.1)."""

from typing import ClassVar

from ...model import Kind
from .records import Records
from .schema import pages


class Pages(Records):
    """Pages: upserted by slug, listed by order."""

    kind: ClassVar = Kind.PAGE
    table: ClassVar = pages
    columns: ClassVar = ("order", "is_published", "placement")
    objects: ClassVar = ("seo",)
    slug_follows_title: ClassVar = True


PAGES = Pages()
