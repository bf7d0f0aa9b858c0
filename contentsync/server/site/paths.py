"""The paths of a site's pages below its address, as the API names them (docs/contract.md 17)."""

HOME = "/"
BLOG = "/blog/"
CATEGORIES = "/categories/"
COLOURS = "/colours.css"
STATIC = "/static/"


def listing(slug: str) -> str:
    """A listing's page."""
    return f"/listings/{slug}/"


def category(slug: str) -> str:
    """The page of a category of listings."""
    return f"/categories/{slug}/"


def article(slug: str) -> str:
    """An article's page."""
    return f"/blog/{slug}/"


def page(slug: str) -> str:
    """A custom page."""
    return f"/pages/{slug}/"
