"""The paths of a site's pages below its address (docs/contract.md 17)."""

from ...model import Kind

HOME = "/"
BLOG = "/blog/"
CATEGORIES = "/categories/"
COLOURS = "/colours.css"
STATIC = "/static/"


def listing(slug: str) -> str:
    """Return the path of a listing."""
    return f"/listings/{slug}/"


def category(slug: str) -> str:
    """Return the path of a category of listings."""
    return f"/categories/{slug}/"


def article(slug: str) -> str:
    """Return the path of an article."""
    return f"/blog/{slug}/"


def page(slug: str) -> str:
    """Return the path of a custom page."""
    return f"/pages/{slug}/"


def page_path(kind: Kind, slug: str, organizers_prefix: str) -> str:
    """Return the path of an entry's page, or "" for a kind without pages."""
    paths = {Kind.LISTING: listing, Kind.CATEGORY: category, Kind.ARTICLE: article, Kind.PAGE: page}
    if kind is Kind.ORGANIZER:
        return f"{organizers_prefix}/{slug}/"
    return paths[kind](slug) if kind in paths else ""
