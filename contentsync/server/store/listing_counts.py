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
        """Return, for each choice, how many listings the visitor would see after changing one filter to this choice.

        `chosen` has the value of each filter that the visitor uses. `ids` are the results of a search; None: no search.
        Choices without listings are missing.
        """
        hides_expired = directory.expired == "hide"
        if ids is not None:  # the cache is for counts without a search
            return self._count(now, chosen, ids, hides_expired=hides_expired)
        # The same listings are visible until another one starts or ends.
        started, ended = bisect_right(self._starts, now), bisect_left(self._ends, now)
        key = (started, ended, hides_expired, frozenset(chosen.items()))
        counts = self._results.get(key)
        if counts is None:
            counts = self._count(now, chosen, ids=None, hides_expired=hides_expired)
            self._results.put(key, counts)
        return counts

    def _count(
        self, now: str, chosen: Mapping[str, Hashable], ids: Collection[int] | None, *, hides_expired: bool
    ) -> Counter[Choice]:
        """Count the listings with each choice that meet all filters, except perhaps the filter of this choice."""
        counts: Counter[Choice] = Counter()
        for listing_id, starts_at, ends_at, choices in self._counted:
            if starts_at is not None and starts_at > now:
                continue
            if hides_expired and ends_at is not None and ends_at < now:
                continue
            if ids is not None and listing_id not in ids:
                continue
            unmet = [name for name, value in chosen.items() if (name, value) not in choices]
            if not unmet:
                counts.update(choices)
            elif len(unmet) == 1:  # the listing is shown if this one filter changes
                counts.update(choice for choice in choices if choice[0] == unmet[0])
        return counts


_COUNTS_BY_CATALOGUE: WeakKeyDictionary[Catalogue, tuple[int, ListingCounts]] = WeakKeyDictionary()  # with versions
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
    """Return the directory's counts, cached until a listing or the catalogue changes; None for too many listings."""
    state = collection_states(connection, directory.id)[Kind.LISTING]
    if state.total > MAX_COUNTED:
        return None
    version, counts = _COUNTS_BY_CATALOGUE.get(catalogue, (None, None))
    if counts is None or version != state.version:
        counts = _read_counts(connection, directory, catalogue)
        _COUNTS_BY_CATALOGUE[catalogue] = state.version, counts
    return counts


def _read_counts(connection: Connection, directory: Directory, catalogue: Catalogue) -> ListingCounts:
    """Read all active listings; their custom fields only if visitors can filter by one."""
    rows = _STATEMENTS[bool(catalogue.field_filters)].all(connection, {"directory": directory.id})
    shared: dict[Choice, Choice] = {}  # one object for equal choices saves memory
    counted = []
    for row in LISTINGS.apply_deferred_changes(connection, directory.id, rows):
        unique = dict.fromkeys(_choices(row, catalogue))
        choices = tuple([shared.setdefault(choice, choice) for choice in unique])
        counted.append(_Counted(row.id, row.starts_at, row.ends_at, choices))
    return ListingCounts(counted)


def _choices(row: Row[Any], catalogue: Catalogue) -> Iterator[Choice]:
    """Yield the choices that find a listing; some more than once, such as the parent of two of its categories."""
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
            chosen_values = value if isinstance(value, list) else [value]
            for each in chosen_values:
                if isinstance(each, str | bool):  # not null
                    yield f"{FIELD}{name}", each
