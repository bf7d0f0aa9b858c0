"""How many listings each choice of a visitor's filters would show."""

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ...model import Kind
from ..access import Directory
from ..bounded_cache import BoundedCache
from .catalogue import Catalogue
from .listing_filter import ListingFilter
from .public_listings import MAX_COUNTED, Total, max_counted, selected_listings
from .search_documents import AFTER_CATEGORIES, key_range, link_choice
from .search_index import next_change, select_choices
from .sql import Connection
from .versions import collection_states

MAX_SAMPLED = 1_000  # listings whose choices are counted if there are too many to count all
MAX_RESULTS = 64  # counts of a directory in the cache

CATEGORY, TAG, FIELD = "category", "tag", "field."  # the names of menus: FIELD and the name of a custom field


class MenuCounts(NamedTuple):
    """The listings that meet a filter, and those of each choice of a menu."""

    total: Total  # with more listings, there may be more of each choice
    numbers: Mapping[str, int]  # by the choice, as the index has it; choices without listings are missing


class ListingCounts(NamedTuple):
    """The counts of the menus of a list."""

    others: MenuCounts  # of the menus that the visitor has not used
    used: Mapping[str, MenuCounts]  # of those that were used, by name: without the menu's own filter

    def of_menu(self, name: str) -> MenuCounts:
        """Return the counts of a menu: what the visitor would see after changing this menu alone."""
        return self.used.get(name, self.others)


class _Cached(NamedTuple):
    counts: MenuCounts
    begins: str  # the time at which it was counted
    ends: str | None  # the time at which other listings are visible


# By the catalogue as an object: a changed catalogue is another object, and the counts of the old one are freed with it.
_CACHES: WeakKeyDictionary[Catalogue, BoundedCache[Hashable, _Cached]] = WeakKeyDictionary()


def may_count(connection: Connection, directory: Directory) -> bool:
    """Return whether all listings of the directory are counted soon enough for a short read."""
    return collection_states(connection, directory.id)[Kind.LISTING].total <= MAX_COUNTED


def listing_counts(
    connection: Connection, directory: Directory, catalogue: Catalogue, now: str, wanted: ListingFilter
) -> MenuCounts:
    """Count the listings that meet a filter, and those of them that have each choice of a menu.

    At most `max_counted(wanted)` listings are counted. If the filter has no text, the counts are cached until a listing
    or the catalogue changes, or another listing starts or ends.
    """
    if wanted.text.words:
        return _count(connection, directory, catalogue, now, wanted)
    version = collection_states(connection, directory.id)[Kind.LISTING].version
    key = (version, directory.expired, wanted)  # the setting `expired` decides whether expired listings count
    cache = _CACHES.setdefault(catalogue, BoundedCache(MAX_RESULTS))
    cached = cache.get(key)
    if cached is None or now < cached.begins or (cached.ends is not None and now >= cached.ends):
        counts = _count(connection, directory, catalogue, now, wanted)
        cached = _Cached(counts, now, next_change(connection, key_range(directory.id, Kind.LISTING), now))
        cache.put(key, cached)
    return cached.counts


def _count(
    connection: Connection, directory: Directory, catalogue: Catalogue, now: str, wanted: ListingFilter
) -> MenuCounts:
    """Count the listings that meet a filter, and those of each choice; one in a category also counts for its ancestors.

    The index has a line for each listing: the choices of its categories, AFTER_CATEGORIES, and its other choices. With
    more listings than are counted, the choices are those of the first MAX_SAMPLED lines.
    """
    most = max_counted(wanted)
    lines = select_choices(connection, selected_listings(connection, directory, now, wanted), limit=most + 1)
    number = lines.count("\n") + 1 if lines else 0
    total = Total(min(number, most), has_more=number > most)
    if total.has_more:
        lines = "\n".join(lines.split("\n", MAX_SAMPLED)[:MAX_SAMPLED])
    above = {
        link_choice("categories", id_): [link_choice("categories", each["id"]) for each in catalogue.path_to(id_)]
        for id_ in catalogue.categories
    }
    branches: Counter[str] = Counter()
    for categories, listings in Counter(line.partition(AFTER_CATEGORIES)[0] for line in lines.split("\n")).items():
        for choice in {each for own in categories.split() for each in above.get(own, ())}:
            branches[choice] += listings
    return MenuCounts(total, {**Counter(lines.replace(AFTER_CATEGORIES, " ").split()), **branches})
