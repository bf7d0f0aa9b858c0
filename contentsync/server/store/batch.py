"""New listings, one or many: what they must know is looked up for all of them, and all rows are written together."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, select

from ...model import Invalid, Kind, Values, Violation, check
from ..access import Access
from .clock import now
from .context import context_for, extra_fields
from .drafts import Draft, Written
from .inserts import insert_keyed
from .keys import Keys
from .links import LINKS, known_in, link
from .listings import Listings, stored_key
from .organizers import managed_by
from .schema import listings
from .statement import Columns, Statement
from .versions import moved


class _Item(NamedTuple):
    """A listing that somebody wants, judged by the model."""

    values: Values
    slug: str  # given, or made of the name
    url_key: str | None


class _New(NamedTuple):
    """A listing that is to be made."""

    whole: Values
    row: dict[str, Any]
    links: Mapping[str, Sequence[int]]


class _Keys(Keys):
    """The slugs of listings, and those that a batch gives."""

    def __init__(self) -> None:
        super().__init__(Kind.LISTING, listings)
        self._taken: set[str] = set()  # as far as they were asked for

    def look_up(self, connection: Connection, directory_id: int, items: Iterable[_Item]) -> None:
        """Ask for all at once which of the slugs that the listings will ask for are taken."""
        slugs = [item.slug for item in items]
        self._taken.update(_BY_SLUGS.column(connection, {"directory": directory_id, "keys": slugs}))

    def take(self, slug: str) -> None:
        """Give a slug away."""
        self._taken.add(slug)

    def is_taken(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> bool:
        """Whether a listing has the slug."""
        return key in self._taken

    def _around(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> set[str]:
        if key not in self._taken:
            return set()
        return super()._around(connection, directory_id, key, row_id) | self._taken


Outcome = Written | Invalid | str  # a slug: made or found, and the id will be known when its row is written


class Batch(Listings):
    """Listings that are made in one transaction by the holder of the directory.

    One that fails leaves nothing behind (docs/contract.md 4.3.3): nothing is written before each has been judged, and
    nothing that is written can fail after that.
    """

    def __init__(self, connection: Connection, access: Access, told: int | None = None) -> None:
        super().__init__(known_in(connection), cache(managed_by))  # many listings name the same records
        self.told = told
        self._connection = connection
        self._access = access
        self._context = context_for(connection, access.directory, self.kind, told)
        self._blank = self._defaults | dict.fromkeys(extra_fields(self._context, self.kind))
        self._by_url: dict[str, Written | str] = {}  # by what URLs are compared by
        self._new: dict[str, _New] = {}  # by slug

    @cached_property
    def keys(self) -> _Keys:
        """The slugs of listings, and those that the batch gives."""
        return _Keys()

    def write(self, items: Sequence[Any]) -> list[Written | Invalid]:
        """What became of each item."""
        judged = [self._judged(item) for item in items]
        self._look_up([item for item in judged if isinstance(item, _Item)])
        outcomes = [self._outcome(item) if isinstance(item, _Item) else item for item in judged]
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

    def _judged(self, item: Any) -> _Item | Invalid:
        if not isinstance(item, dict):
            return Invalid([Violation("not-an-object", (), "the entry must be an object of keys and values")])
        try:
            values = check(self.kind, item, self._context)
        except Invalid as invalid:
            return invalid
        url = values.get("url")
        return _Item(values, values.get("slug") or self.keys.made(values["name"]), stored_key(url) if url else None)

    def _look_up(self, items: Sequence[_Item]) -> None:
        """Ask for all at once what each will ask for."""
        directory_id = self._access.directory.id
        urls = {item.url_key for item in items if item.url_key is not None}
        if urls:
            for key, listing_id in _BY_URLS.tuples(self._connection, {"directory": directory_id, "keys": list(urls)}):
                self._by_url[key] = Written(listing_id, created=False)
        self.keys.look_up(self._connection, directory_id, items)
        for field in LINKS:
            self._known(self._connection, field, directory_id, list(_ids(items, field)))

    def _outcome(self, item: _Item) -> Outcome:
        """The listing with the URL, unchanged (docs/contract.md 4.3.2), or a new one."""
        values, _, url_key = item
        if url_key in self._by_url:
            return self._by_url[url_key]
        draft = Draft(values, self._blank | values, {})
        try:
            self._settle(self._connection, self._access, draft)
        except Invalid as invalid:
            return invalid
        slug: str = draft.whole["slug"]
        self.keys.take(slug)
        links = {field: draft.whole[field] for field in LINKS}
        self._new[slug] = _New(draft.whole, self.stored(draft.whole), links)
        if url_key is not None:
            self._by_url[url_key] = slug
        return slug

    def _insert(self) -> Mapping[str, Row[Any]]:
        """The new listings by slug."""
        if not self._new:
            return {}
        moment = now()
        born = self.born(self._access) | {"directory_id": self._access.directory.id}
        born |= {"created_at": moment, "updated_at": moment}
        born |= self._note_fields(
            self._connection, self._access.directory.id, [], [new.whole for new in self._new.values()]
        )
        values = {slug: _values(new.row | born) for slug, new in self._new.items()}
        ids = insert_keyed(self._connection, listings, _COLUMNS, [*values.values()], "slug")
        for field in LINKS:
            link(self._connection, field, {ids[slug]: new.links[field] for slug, new in self._new.items()})
        moved(self._connection, self._access.directory.id, Kind.LISTING, added=len(values))
        rows = _ROW.rows([(ids[slug], *row) for slug, row in values.items()])
        return dict(zip(values, rows, strict=True))


def _ids(items: Iterable[_Item], field: str) -> set[int]:
    ids = {other for item in items for other in item.values.get(field, ())}
    if field == "categories":
        ids |= {item.values["category_id"] for item in items if item.values.get("category_id")}
    return ids


_COLUMNS = tuple(name for name in listings.c.keys() if name != "id")  # noqa: SIM118  # columns, not their names
_ROW = Columns(("id", *_COLUMNS))
_values = itemgetter(*_COLUMNS)
_HERE = listings.c.directory_id == bindparam("directory")
_BY_URLS = Statement(
    select(listings.c.url_key, listings.c.id).where(_HERE, listings.c.url_key.in_(bindparam("keys", expanding=True)))
)
_BY_SLUGS = Statement(select(listings.c.slug).where(_HERE, listings.c.slug.in_(bindparam("keys", expanding=True))))
