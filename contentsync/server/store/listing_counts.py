"""How many listings each choice of a visitor's filters would show."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import orjson
from sqlalchemy import Connection, Row, bindparam, select

from ...model import Kind
from ..access import Directory
from ..bounded_cache import BoundedCache
from .catalogue import Catalogue
from .listing_store import LISTINGS
from .statements import Statement
from .tables import listings
from .versions import collection_states

MAX_COUNTED = 10_000  # listings; counting more of them after each change would take too long

MAX_RESULTS = 64  # counts of a directory in the cache

CATEGORY, TAG, FIELD = "category", "tag", "field."

Choice = tuple[str, Hashable]  # a filter and a value: CATEGORY or TAG and an id, or FIELD, a name and a value


class _Counted(NamedTuple):
    """What counts of one active listing; `choices` has its categories, and the categories above them."""

    id: int
    starts_at: str | None
    ends_at: str | None
    choices: tuple[Choice, ...]


class ListingCounts:
    """The active listings of a directory, in one version of it."""

    def __init__(self, counted: Sequence[_Counted]) -> None:
        self._counted = counted
        # Between two of these moments, the same listings are visible.
        self._starts = sorted(each.starts_at for each in counted if each.starts_at is not None)
        self._ends = sorted(each.ends_at for each in counted if each.ends_at is not None)
        self._results: BoundedCache[Hashable, Counter[Choice]] = BoundedCache(MAX_RESULTS)

    def count(
        self, directory: Directory, now: str, chosen: Mapping[str, Hashable], ids: Collection[int] | None = None
    ) -> Mapping[Choice, int]:
        """Count the visible listings of each choice that meet all *other* chosen filters; `ids` are those of a search.

        So each number is that of the list which the visitor gets by changing this filter alone.
        """
        hides = directory.expired == "hide"
        if ids is not None:
            return self._count(hides, now, chosen, ids)
        started, ended = bisect_right(self._starts, now), bisect_left(self._ends, now)
        key = (started, ended, hides, frozenset(chosen.items()))
        counts = self._results.get(key)
        if counts is None:
            counts = self._count(hides, now, chosen, None)
            self._results.put(key, counts)
        return counts

    def _count(
        self, hides: bool, now: str, chosen: Mapping[str, Hashable], ids: Collection[int] | None
    ) -> Counter[Choice]:
        counts: Counter[Choice] = Counter()
        for listing_id, starts_at, ends_at, choices in self._counted:
            if (starts_at is not None and starts_at > now) or (hides and ends_at is not None and ends_at < now):
                continue
            if ids is not None and listing_id not in ids:
                continue
            missing = [name for name, value in chosen.items() if (name, value) not in choices]
            if not missing:
                counts.update(choices)
            elif len(missing) == 1:
                counts.update(choice for choice in choices if choice[0] == missing[0])
        return counts


_CACHED: WeakKeyDictionary[Catalogue, tuple[int, ListingCounts]] = WeakKeyDictionary()
_COLUMNS = (listings.c.id, listings.c.links, listings.c.updated_at, listings.c.starts_at, listings.c.ends_at)
_STATEMENTS = {
    with_fields: Statement(
        select(*_COLUMNS, *((listings.c.data, listings.c.field_ids) if with_fields else ())).where(
            listings.c.directory_id == bindparam("directory"), listings.c.is_active
        )
    )
    for with_fields in (False, True)
}


def listing_counts(connection: Connection, directory: Directory, catalogue: Catalogue) -> ListingCounts | None:
    """Return the directory's counts, cached until a listing changes; None for more than MAX_COUNTED listings."""
    state = collection_states(connection, directory.id)[Kind.LISTING]
    if state.total > MAX_COUNTED:
        return None
    cached = _CACHED.get(catalogue)
    if cached is None or cached[0] != state.version:
        rows = _STATEMENTS[bool(catalogue.field_filters)].all(connection, {"directory": directory.id})
        rows = LISTINGS.apply_deferred(connection, directory.id, rows)
        shared: dict[Choice, Choice] = {}  # one object for equal choices
        counted = [
            _Counted(
                row.id,
                row.starts_at,
                row.ends_at,
                tuple(shared.setdefault(choice, choice) for choice in dict.fromkeys(_choices(row, catalogue))),
            )
            for row in rows
        ]
        cached = _CACHED[catalogue] = state.version, ListingCounts(counted)
    return cached[1]


def _choices(row: Row[Any], catalogue: Catalogue) -> Iterator[Choice]:
    links = orjson.loads(row.links)
    for category_id in links["categories"]:
        for category in catalogue.path_to(category_id):
            yield CATEGORY, category["id"]
    for tag_id in links["tags"]:
        if tag_id in catalogue.tags:
            yield TAG, tag_id
    if catalogue.field_filters:
        data = orjson.loads(row.data)
        for name in catalogue.field_filters:
            value = data.get(name)
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, str | bool):
                    yield f"{FIELD}{name}", each
