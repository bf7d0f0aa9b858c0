"""The menus around every page."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...model.markup import safe_url
from ..store import Connection, public_records
from ..store.catalogue import CatalogueRecord
from ..store.listing_counts import FIELD
from . import page_paths
from .language import language_name
from .page_request import PageRequest

# Every page contains the menus and stays below 50 KB.
MAX_LINKS = 30  # of a menu, and of a level of the sidebar's tree
MAX_LEVELS = 4  # of the sidebar's tree

_QUERY_TO_KEEP = ("category", "tag", "q", "sort", "page")  # query parameters of the links to other languages


@dataclass(frozen=True, slots=True)
class MenuLink:
    """An entry of a menu."""

    title: str
    url: str
    is_current: bool = False
    new_tab: bool = False
    is_external: bool = False
    below: Sequence["MenuLink"] = ()  # of a category in the sidebar: its subcategories


@dataclass(frozen=True, slots=True)
class Navigation:
    """The menus of one page."""

    brand: MenuLink
    main: Sequence[MenuLink]
    categories: Sequence[MenuLink]
    side: Sequence[MenuLink]
    footer: Sequence[MenuLink]
    locales: Sequence[tuple[str, MenuLink]]  # by code; empty if there is one language or no page


def navigation(connection: Connection, request: PageRequest) -> Navigation:
    """Return the menus of a page, without links to empty lists."""
    site, words = request.site, request.words
    main = []
    if request.catalogue.categories:
        main.append(_internal_link(request, words("categories"), page_paths.CATEGORIES))
    if public_records.has_articles(connection, site.directory, site.now):
        main.append(_internal_link(request, words("blog"), page_paths.BLOG))
    if public_records.has_organizers(connection, site.directory):
        main.append(
            _internal_link(request, words.label(site.directory.organizers_label, plural=True), site.organizers_path)
        )
    menus = {
        placement: [_page_link(request, page) for page in pages[:MAX_LINKS]]
        for placement, pages in request.catalogue.menus.items()
    }
    return Navigation(
        brand=_internal_link(request, site.directory.name, page_paths.HOME),
        main=[*main, *menus["navbar"]],
        categories=_sidebar_level(request, parent=None, open_categories=_open_categories(request)),
        side=menus["sidebar"],
        footer=menus["footer"],
        locales=_locale_links(request),
    )


def _open_categories(request: PageRequest) -> list[int]:
    """Return the ids from the top category to that of the page; the lowest level of the sidebar opens none."""
    category = request.catalogue.category(request.slug)
    if category is None or request.path != page_paths.category(request.slug):
        return []
    return [each["id"] for each in request.catalogue.path_to(category["id"])][: MAX_LEVELS - 1]


def _sidebar_level(request: PageRequest, parent: int | None, open_categories: Sequence[int]) -> list[MenuLink]:
    """Return the links to the sidebar's subcategories of `parent` (None: to the top categories).

    `open_categories` has the id of this level's open category, if any, and then those of the levels below. The link of
    an open category has links to its subcategories.
    """
    children = request.catalogue.children.get(parent, ())
    visible = [category for category in children if category["show_on_sidebar"]]
    links = []
    for category in visible[:MAX_LINKS]:
        is_open = category["id"] in open_categories[:1]
        below = _sidebar_level(request, category["id"], open_categories[1:]) if is_open else ()
        links.append(_internal_link(request, category["title"], page_paths.category(category["slug"]), below))
    if parent is None and len(visible) > MAX_LINKS:
        links.append(_internal_link(request, request.words("any_category"), page_paths.CATEGORIES))
    return links


def _internal_link(request: PageRequest, title: str, path: str, below: Sequence[MenuLink] = ()) -> MenuLink:
    return MenuLink(title, request.site.link(path), is_current=request.path == path, below=below)


def _page_link(request: PageRequest, page: CatalogueRecord) -> MenuLink:
    """Return the link of a page in a menu; an external page with a safe URL opens that URL."""
    url = safe_url(page["external_url"]) if page["is_external"] else None
    if url is None:
        return _internal_link(request, page["title"], page_paths.page(page["slug"]))
    return MenuLink(page["title"], url, new_tab=page["new_tab"], is_external=True)


def _locale_links(request: PageRequest) -> list[tuple[str, MenuLink]]:
    """Return links to the same page and search in each language; empty for one language, and for an unknown path."""
    site = request.site
    is_page = bool(request.path)
    if len(site.directory.locales) < 2 or not is_page:
        return []
    names = (*_QUERY_TO_KEEP, *(f"{FIELD}{name}" for name in request.catalogue.field_filters))
    query = {name: request.query[name] for name in names if name in request.query}
    links = []
    for locale in site.directory.locales:
        url = site.link(request.path, locale=locale, **query)
        links.append((locale, MenuLink(language_name(locale), url, is_current=locale == site.locale)))
    return links
