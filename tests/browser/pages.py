"""A page of each type that the example has, and others of interest, as paths from its home page on."""

from collections.abc import Mapping

TYPES: Mapping[str, str] = {
    "home": "",
    "categories": "categories/",
    "category": "categories/repair-cafes/",
    "listing": "listings/the-small-library-handbook/",
    "listing-expired": "listings/summer-repair-barge/",
    "blog": "blog/",
    "article": "blog/one-laser-cutter-six-villages/",
    "page": "pages/how-we-check/",
    "organizers": "organizers/",
    "organizer": "organizers/atelier-des-tanneurs/",
    "not-found": "nowhere/",
}
OTHERS: Mapping[str, str] = {
    "home-last-page": "?page=8",
    "nothing-found": "?q=zeppelin",
    "listing-place": "listings/atelier-des-tanneurs-open-tuesday/",
    "listing-event": "listings/harbour-lane-winter-warm-bench/",
    "blog-category": "blog/?category=Stories",
    "article-html": "blog/subtitling-a-village-film-archive/",
    "page-unlisted": "pages/thank-you/",
    "organizer-of-many": "organizers/fjordbibliotekene/",
}
PAGES = {**TYPES, **OTHERS}
STATUS = {"not-found": 404}


def in_french(path: str) -> str:
    """The same page in the example's other language."""
    return f"{path}{'&' if '?' in path else '?'}locale=fr"
