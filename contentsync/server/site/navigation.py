"""The menus around every page."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from ..store import Connection
from ..store.public import articles, organizers
from ..store.public.catalogue import Values
from . import page_paths
from .language import language, language_name
from .markup import safe_url
from .visit import Visit

# Every page has the menus, and weighs less than 50 KB.
MOST_LINKS = 30  # of a menu, and of a level of the sidebar's tree
MOST_LEVELS = 4

KEPT = ("category", "tag", "q", "page")  # of a query, in another language


@dataclass(frozen=True, slots=True)
class Link:
    """An entry of a menu."""

    title: str
    url: str
    is_current: bool = False
    new_tab: bool = False
    is_external: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """A category of the sidebar with those below it."""

    link: Link
    below: Sequence["Branch"]


@dataclass(frozen=True, slots=True)
class Navigation:
    """What stands around a page."""

    brand: Link
    main: Sequence[Link]
    categories: Sequence[Branch]
    side: Sequence[Link]
    footer: Sequence[Link]
    locales: Sequence[tuple[str, Link]]  # by code; none in a directory of one language, and where there is no page


def navigation(connection: Connection, visit: Visit) -> Navigation:
    """The menus of a directory, of which nothing leads to an empty place."""
    site, word = visit.site, language(visit.site.locale)
    main = []
    if visit.catalogue.categories:
        main.append(_own(visit, word("categories"), page_paths.CATEGORIES))
    if articles.any_shown(connection, site.directory, site.now):
        main.append(_own(visit, word("blog"), page_paths.BLOG))
    if organizers.any_shown(connection, site.directory):
        main.append(_own(visit, word.several(site.directory.organizers_label), site.organizers_path))
    menus = {
        place: [_of_page(visit, page) for page in pages[:MOST_LINKS]] for place, pages in visit.catalogue.menus.items()
    }
    return Navigation(
        brand=_own(visit, site.directory.name, page_paths.HOME),
        main=[*main, *menus["navbar"]],
        categories=_branches(visit, None, _way(visit)),
        side=menus["sidebar"],
        footer=menus["footer"],
        locales=_locales(visit),
    )


def _way(visit: Visit) -> list[int]:
    """The ids of the categories that lead to the one whose page this is, as far as the sidebar shows them."""
    category = visit.catalogue.category(visit.slug) if visit.path == page_paths.category(visit.slug) else None
    return [each["id"] for each in visit.catalogue.way_to(category["id"])][: MOST_LEVELS - 1] if category else []


def _branches(visit: Visit, parent: int | None, way: Sequence[int]) -> list[Branch]:
    """A level, in which the branch that leads on the way is open."""
    shown = (each for each in visit.catalogue.children.get(parent, ()) if each["show_on_sidebar"])
    branches = [
        Branch(
            _own(visit, each["title"], page_paths.category(each["slug"])),
            _branches(visit, each["id"], way[1:]) if way and each["id"] == way[0] else (),
        )
        for each in islice(shown, MOST_LINKS)
    ]
    if parent is None and next(shown, None):
        branches.append(Branch(_own(visit, language(visit.site.locale)("any_category"), page_paths.CATEGORIES), ()))
    return branches


def _own(visit: Visit, title: str, path: str) -> Link:
    return Link(title, visit.site.link(path), is_current=visit.path == path)


def _of_page(visit: Visit, page: Values) -> Link:
    url = safe_url(page["external_url"]) if page["is_external"] else None
    if url is None:
        return _own(visit, page["title"], page_paths.page(page["slug"]))
    return Link(page["title"], url, new_tab=page["new_tab"], is_external=True)


def _locales(visit: Visit) -> list[tuple[str, Link]]:
    """The same page in the directory's languages, with what the reader chose in it."""
    site = visit.site
    if len(site.directory.locales) < 2 or not visit.path:
        return []
    query = {name: visit.query[name] for name in KEPT if name in visit.query}
    return [
        (locale, Link(language_name(locale), site.link(visit.path, locale=locale, **query), locale == site.locale))
        for locale in site.directory.locales
    ]
