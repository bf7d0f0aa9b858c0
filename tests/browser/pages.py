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
FILTERED = (
    "?q=librar&category=library-software&tag=self-hosted&field.licence=AGPL-3.0&field.platforms=Linux"
    "&field.volunteer_run=yes&sort=name"
)
OTHERS: Mapping[str, str] = {
    "home-last-page": "?page=8",
    "search": "?q=repair+caf",
    "corrected-search": "?q=repiar",
    "filtered": FILTERED,
    "nothing-found": "?q=zeppelin&category=repair-cafes",
    "busy": "?q=repair&category=repair-cafes",
    "listing-place": "listings/atelier-des-tanneurs-open-tuesday/",
    "listing-event": "listings/harbour-lane-winter-warm-bench/",
    "blog-category": "blog/?category=Stories",
    "article-html": "blog/subtitling-a-village-film-archive/",
    "page-unlisted": "pages/thank-you/",
    "organizer-of-many": "organizers/fjordbibliotekene/",
}
PAGES = {**TYPES, **OTHERS}
STATUS = {"not-found": 404, "busy": 503}


def in_french(path: str) -> str:
    """Return the same page in the example's other language."""
    return f"{path}{'&' if '?' in path else '?'}locale=fr"
