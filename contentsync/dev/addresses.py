"""Where the site shows an entry."""

from ..model import Kind
from ..server.site import paths


def page_of(kind: Kind, slug: str, organizers: str) -> str:
    """The path below the site's address; empty for kinds without pages. `organizers` is the prefix of theirs."""
    pages = {Kind.LISTING: paths.listing, Kind.CATEGORY: paths.category, Kind.ARTICLE: paths.article}
    pages |= {Kind.PAGE: paths.page, Kind.ORGANIZER: lambda slug: f"{organizers}/{slug}/"}
    return pages[kind](slug) if kind in pages else ""
