"""Listings (docs/contract.md 4.3, 14)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from operator import itemgetter
from typing import Any, ClassVar

import orjson
from sqlalchemy import Connection, Row, bindparam, select

from ...model import Invalid, Kind, Values, Violation
from ...model.urls import url_key
from ..access import Access
from ..errors import Forbidden, Taken
from .anchors import Anchors
from .carried import carried
from .deferred import change_between, moment
from .drafts import Draft, Written
from .links import LINKS, known, relink
from .organizers import managed_by
from .records import Records, json_text
from .schema import listings
from .statement import Statement
from .submitters import submitted_listing
from .versions import Collection, states
from .words import words_of

KnownIds = Callable[[Connection, str, int, Sequence[int]], set[int]]
ManagedBy = Callable[[Connection, int, int], int | None]

TOLD = 20  # broken rules of a listing that is one of many
LONGEST_KEY = 2500  # characters, all of them ASCII


class Listings(Records):
    """Listings: a create with a known URL finds the listing and leaves it as it is."""

    kind: ClassVar = Kind.LISTING
    table: ClassVar = listings
    columns: ClassVar = ("name", "is_active", "is_featured", "starts_at", "ends_at")
    apart: ClassVar = frozenset({"category_id", *LINKS})
    deferrable: ClassVar = ("data", "links")

    def __init__(self, known: KnownIds = known, managed_by: ManagedBy = managed_by) -> None:
        self._known = known
        self._managed_by = managed_by

    def authorise(self, access: Access, row: Row[Any] | None) -> None:
        """The owner may change every listing, a submitter makes and edits its own."""
        if not access.is_owner and row is not None and row.user_id != access.user_id:
            raise Forbidden

    def authorise_delete(self, access: Access, row: Row[Any]) -> None:
        """The owner may delete every listing, a submitter its own."""
        self.authorise(access, row)

    def create(
        self, connection: Connection, access: Access, body: Mapping[str, Any], *, new_only: bool = False
    ) -> Written:
        """A new listing, or the one with its URL, unchanged (docs/contract.md 4.3.2)."""
        [result] = self.create_many(connection, access, [body])
        if isinstance(result, Invalid):
            raise result
        if new_only and not result.created:
            raise Taken
        return result

    def create_many(self, connection: Connection, access: Access, items: Sequence[Any]) -> list[Written | Invalid]:
        """What became of each item; one that fails leaves nothing behind (docs/contract.md 4.3.3)."""
        from .batch import Batch  # which is made of listings

        return Batch(connection, access, TOLD if len(items) > 1 else None).write(items)

    def page(
        self, connection: Connection, directory_id: int, anchors: Anchors, state: Collection, *, limit: int, offset: int
    ) -> Sequence[tuple[Any, ...]]:
        """The listings from an offset on, which is below the total, as bare tuples of what is `LISTED`."""
        start, skipped = anchors.nearest(connection, directory_id, state, offset)
        parameters = {"directory": directory_id, "start": start, "limit": limit, "skipped": skipped}
        statement = _PAGE_WITH_FIELDS if state.fields_changed else _PAGE
        rows = list(map(tuple, statement.tuples(connection, parameters)))
        anchors.note(directory_id, state, offset + len(rows), rows[-1][0] + 1)
        return _with_fields(connection, directory_id, state, rows) if state.fields_changed else rows

    def by_url(self, connection: Connection, directory_id: int, url: str) -> int | None:
        """The id of the listing with the URL, however it is written."""
        found: int | None = _BY_URL.scalar(connection, {"directory": directory_id, "url_key": stored_key(url)})
        return found

    def settle(self, connection: Connection, access: Access, draft: Draft) -> Iterator[Violation]:
        """Hold the URL unique, and the references inside the directory."""
        directory_id = access.directory.id
        yield from self.settle_key(connection, directory_id, draft)
        if draft.row is not None and draft.given.get("url"):
            other = self.by_url(connection, directory_id, draft.given["url"])
            if other not in (None, draft.row.id):
                yield Violation("taken", ("url",), "url is already that of another listing")
        yield from _references(connection, directory_id, draft, self._known)
        if draft.row is None or not access.is_owner:
            own = self._managed_by(connection, directory_id, access.user_id)
            if draft.row is None and own is not None:
                draft.whole["organizers"] = list(dict.fromkeys([*draft.whole["organizers"], own]))
            if not access.is_owner:
                yield from submitted_listing(draft, own)

    def values(self, row: Row[Any]) -> Values:
        """The fields of a stored listing, with the ids of what it is linked to."""
        links: Values = orjson.loads(row.links)
        return super().values(row) | links

    def born(self, access: Access) -> dict[str, Any]:
        """A listing keeps its creator."""
        return {"user_id": access.user_id}

    def stored(self, whole: Values) -> dict[str, Any]:
        """The columns that hold the fields; the URL also as it is compared, and the words that visitors search in."""
        links = {field: whole[field] for field in LINKS}
        key = stored_key(whole["url"]) if whole["url"] else None
        columns = super().stored(whole)
        columns["url_key"], columns["links"] = key, json_text(links)
        columns["words"] = words_of(whole["name"], whole["description"])
        return columns

    def link(self, connection: Connection, record_id: int, draft: Draft) -> None:
        """Keep the tables of links in step with the row."""
        lost = draft.row is not None and _may_have_lost_links(connection, draft.row)
        for field in LINKS:
            relink(connection, field, record_id, draft.whole[field], None if lost else draft.before.get(field, []))


LISTINGS = Listings()

LISTED = ("id", "slug", "links", "data", "created_at", "updated_at")  # the columns that lists show
# Of a whole row; by their places they are found in a fifth of the time that the row's attributes take.
listed: Callable[[Row[Any]], tuple[Any, ...]] = itemgetter(*map(listings.c.keys().index, LISTED))


def _page(*more: str) -> Statement:
    return Statement(
        select(*(listings.c[name] for name in (*LISTED, *more)))
        .where(listings.c.directory_id == bindparam("directory"), listings.c.id >= bindparam("start"))
        .order_by(listings.c.id)
        .limit(bindparam("limit"))
        .offset(bindparam("skipped"))
    )


_PAGE, _PAGE_WITH_FIELDS = _page(), _page("field_ids")
_BY_URL = Statement(
    select(listings.c.id).where(
        listings.c.directory_id == bindparam("directory"), listings.c.url_key == bindparam("url_key")
    )
)


def _with_fields(
    connection: Connection, directory_id: int, state: Collection, rows: list[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """Apply what has become of custom fields since to rows with `field_ids`; `Mentions` leaves lost links out."""
    since, now = moment(state.fields_changed), carried(connection, directory_id, Kind.LISTING).text
    changes = {before: change_between(before, now) for before in {row[6] for row in rows if row[5] < since}}
    return [
        (listing_id, slug, links, changes[before](data), created_at, since)
        if updated_at < since
        else (listing_id, slug, links, data, created_at, updated_at)
        for listing_id, slug, links, data, created_at, updated_at, before in rows
    ]


def _may_have_lost_links(connection: Connection, row: Row[Any]) -> bool:
    """Whether the tables may have more links than the listing, which was not written since a record was deleted."""
    state = states(connection, row.directory_id)[Kind.LISTING]
    return state.links_changed > 0 and row.updated_at <= moment(max(state.fields_changed, state.links_changed))


def stored_key(url: str) -> str:
    """What the URL is compared by, in a form that an index can hold: PostgreSQL's hold up to 2,700 bytes."""
    key = url_key(url)
    return key if len(key) <= LONGEST_KEY else f"sha256:{sha256(key.encode()).hexdigest()}"


def _references(connection: Connection, directory_id: int, draft: Draft, known: KnownIds) -> Iterator[Violation]:
    """Bring the given references into the form that is linked: no id twice, `category_id` among the categories."""
    given, whole = draft.given, draft.whole
    for field in ("categories", "tags"):
        if field in given:
            found = known(connection, field, directory_id, given[field])
            for at, other in enumerate(given[field]):
                if other not in found:
                    yield _unknown(f"{field}.{at}", (field, at), other, field)
            whole[field] = list(dict.fromkeys(given[field]))
    if "organizers" in given:
        # Those of other directories are ignored silently (docs/contract.md 4.3.1).
        found = known(connection, "organizers", directory_id, given["organizers"])
        whole["organizers"] = [other for other in dict.fromkeys(given["organizers"]) if other in found]
    primary = given.get("category_id")
    if primary is not None:
        if primary not in known(connection, "categories", directory_id, [primary]):
            yield _unknown("category_id", ("category_id",), primary, "categories")
        whole["categories"] = list(dict.fromkeys([*whole["categories"], primary]))


def _unknown(name: str, loc: tuple[str | int, ...], other: int, field: str) -> Violation:
    word = {"categories": "category", "tags": "tag"}[field]
    return Violation("unknown-reference", loc, f"{name} {other} is no {word} of this directory")
