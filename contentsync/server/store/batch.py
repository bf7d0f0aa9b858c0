"""New listings, one or many: what they must know is looked up for all of them, and all rows are written together."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, select

from ...model import Invalid, Kind, Values, Violation, check, make_key
from ..access import Access
from .clock import now
from .context import context_for, extra_fields
from .inserts import insert_returning
from .links import LINKS, Known, link
from .listings import Listings, stored_key
from .organizers import managed_by
from .records import Draft, Written
from .schema import listings
from .versions import moved


class _New(NamedTuple):
    """A listing that is to be made."""

    row: dict[str, Any]
    links: Mapping[str, Sequence[int]]


Outcome = Written | Invalid | str  # a slug: made or found, and the id will be known when its row is written


class Batch(Listings):
    """Listings that are made in one transaction by the holder of the directory.

    One that fails leaves nothing behind (service-api.md 4.3.3): nothing is written before each has been judged, and
    nothing that is written can fail after that.
    """

    def __init__(self, connection: Connection, access: Access) -> None:
        super().__init__(Known(), cache(managed_by))  # many listings name the same records
        self._connection = connection
        self._access = access
        self._context = context_for(connection, access.directory, self.kind)
        self._by_url: dict[str, Written | str] = {}  # by what URLs are compared by
        self._slugs: set[str] = set()  # that are taken, as far as they were asked for
        self._new: dict[str, _New] = {}  # by slug

    def write(self, items: Sequence[Any]) -> list[Written | Invalid]:
        """What became of each item."""
        judged = [self._judged(item) for item in items]
        self._look_up([values for values in judged if not isinstance(values, Invalid)])
        outcomes = [values if isinstance(values, Invalid) else self._outcome(values) for values in judged]
        rows = self._insert()
        made: set[str] = set()
        results: list[Written | Invalid] = []
        for outcome in outcomes:
            if isinstance(outcome, str):
                row = rows[outcome]
                results.append(Written(row.id, created=outcome not in made, row=row))
                made.add(outcome)
            else:
                results.append(outcome)
        return results

    def _judged(self, item: Any) -> Values | Invalid:
        if not isinstance(item, dict):
            return Invalid([Violation("not-an-object", (), "the entry must be an object of keys and values")])
        try:
            return check(self.kind, item, self._context)
        except Invalid as invalid:
            return invalid

    def _look_up(self, values: Sequence[Values]) -> None:
        """Ask for all at once what each will ask for."""
        directory_id = self._access.directory.id
        urls = {stored_key(each["url"]) for each in values if each.get("url")}
        parameters: dict[str, Any] = {"directory": directory_id}
        if urls:
            for key, listing_id in self._connection.execute(_BY_URLS, parameters | {"keys": list(urls)}):
                self._by_url[key] = Written(listing_id, created=False)
        slugs = {each.get("slug") or make_key(self.kind, each) for each in values}
        self._slugs = set(self._connection.execute(_BY_SLUGS, parameters | {"keys": list(slugs)}).scalars())
        for field in LINKS:
            self._known(self._connection, field, directory_id, list(_ids(values, field)))

    def _outcome(self, values: Values) -> Outcome:
        """The listing with the URL, unchanged (service-api.md 4.3.2), or a new one."""
        key = stored_key(values["url"]) if values.get("url") else None
        if key in self._by_url:
            return self._by_url[key]
        defaults = self._defaults | dict.fromkeys(extra_fields(self._context, self.kind))
        draft = Draft(values, defaults | values, {})
        try:
            self._settle(self._connection, self._access, draft)
        except Invalid as invalid:
            return invalid
        slug: str = draft.whole["slug"]
        self._slugs.add(slug)
        self._new[slug] = _New(self.stored(draft.whole), {field: draft.whole[field] for field in LINKS})
        if key is not None:
            self._by_url[key] = slug
        return slug

    def _insert(self) -> Mapping[str, Row[Any]]:
        """The new listings by slug."""
        if not self._new:
            return {}
        moment = now()
        born = self.born(self._access) | {"directory_id": self._access.directory.id}
        born |= {"created_at": moment, "updated_at": moment}
        columns = (*next(iter(self._new.values())).row, *born)
        values = [(*new.row.values(), *born.values()) for new in self._new.values()]
        rows = {row.slug: row for row in insert_returning(self._connection, listings, columns, values)}
        for field in LINKS:
            link(self._connection, field, {rows[slug].id: new.links[field] for slug, new in self._new.items()})
        moved(self._connection, self._access.directory.id, Kind.LISTING, added=len(rows))
        return rows

    def _taken(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> bool:
        return key in self._slugs

    def _keys_around(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> set[str]:
        if key not in self._slugs:
            return set()
        return super()._keys_around(connection, directory_id, key, row_id) | self._slugs


def _ids(values: Iterable[Values], field: str) -> set[int]:
    ids = {other for each in values for other in each.get(field, ())}
    if field == "categories":
        ids |= {each["category_id"] for each in values if each.get("category_id")}
    return ids


_HERE = listings.c.directory_id == bindparam("directory")
_BY_URLS = select(listings.c.url_key, listings.c.id).where(
    _HERE, listings.c.url_key.in_(bindparam("keys", expanding=True))
)
_BY_SLUGS = select(listings.c.slug).where(_HERE, listings.c.slug.in_(bindparam("keys", expanding=True)))
