"""A directory of the service: what it holds, and writes to it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import Malfunction, Rejected
from ..model import RECORDS, Entry, Kind
from .service import Service
from .wire import SocialNames, entry_of, id_of, key_of, translation_of

BULK_SIZE = 100  # service-api.md 8

_PAGINATED = frozenset({Kind.PAGE, Kind.ARTICLE, Kind.LISTING})

Heard = Callable[[Kind, int], None]  # told after each answer: the kind, and how many of its records are there


@dataclass(frozen=True, slots=True)
class Created:
    """What became of one listing of a bulk create; neither id nor error when the answer does not say."""

    id: int | None = None
    error: str | None = None
    organizers: tuple[int | None, ...] | None = None  # what it is linked to; None when the answer does not say


class Remote:
    """One directory, as the owner of the service's token sees it."""

    def __init__(self, service: Service, directory: int, *, social_names: SocialNames = "card") -> None:
        self._service = service
        self._path = f"/api/directories/{directory}"
        self.social_names = social_names

    async def fetch(
        self, kinds: Collection[Kind], locales: Sequence[str] = (), heard: Heard = lambda kind, count: None
    ) -> list[Entry]:
        """Every entry of the kinds and of those they refer to, complete or an error.

        `locales` are the languages, besides the default, whose texts are wanted.
        """
        records: dict[Kind, list[dict[str, Any]]] = {}
        keys: dict[Kind, dict[int, str]] = {}
        for kind in Kind:
            if kind in kinds or any(kind in RECORDS[other].references.values() for other in kinds):
                records[kind] = await self._records(kind, locales if RECORDS[kind].translated else (), heard)
                keys[kind] = {_id(record): key_of(kind, record) for record in records[kind]}
        return [entry_of(kind, record, keys) for kind in records for record in records[kind]]

    async def create(self, kind: Kind, body: Mapping[str, Any]) -> int:
        """Makes an entry, or finds it by its key and updates it; its id."""
        answer = await self._service.post(f"{self._path}/{kind.collection}", body)
        return _single(answer)

    async def update(self, kind: Kind, identity: int, body: Mapping[str, Any]) -> None:
        """Changes the given fields of an entry."""
        _single(await self._service.put(f"{self._path}/{kind.collection}/{identity}", body))

    async def create_listings(self, bodies: Sequence[Mapping[str, Any]]) -> list[Created]:
        """Makes up to BULK_SIZE listings in one request; what became of each, in order."""
        answer = await self._service.post(f"{self._path}/{Kind.LISTING.collection}/bulk", {"listings": list(bodies)})
        return _matched(answer, bodies)

    async def _records(self, kind: Kind, locales: Sequence[str], heard: Heard) -> list[dict[str, Any]]:
        params = {"include": "translations"} if locales else {}
        records = await self._list(kind, params, heard)
        if locales and any("translations" not in record for record in records):
            for record in records:
                record["translations"] = {}
            for locale in locales:
                await self._localise(kind, locale, {_id(record): record for record in records})
        return records

    async def _localise(self, kind: Kind, locale: str, records: Mapping[int, dict[str, Any]]) -> None:
        """Adds a language to the records of a service that does not know `include=translations`."""
        try:
            localised = await self._list(kind, {"locale": locale}, lambda kind, count: None)
        except Rejected as error:
            if error.status == 422:  # not a language of the directory: there can be no texts in it
                return
            raise
        for record in localised:
            default = records.get(_id(record))
            if default is not None:
                texts = translation_of(kind, default, record)
                if texts:
                    default["translations"][locale] = texts

    async def _list(self, kind: Kind, params: Mapping[str, str], heard: Heard) -> list[dict[str, Any]]:
        path = f"{self._path}/{kind.collection}"
        records: dict[int, dict[str, Any]] = {}
        page, last, total = 1, 1, 0
        while page <= last:
            answer = await self._service.get(path, {**params, "page": page} if kind in _PAGINATED else params)
            found = _list_of(answer, path)
            fresh = {_id(record): record for record in found}
            if len(fresh) < len(found) or records.keys() & fresh.keys():
                raise Malfunction(f"{path} lists a record twice", "it may have changed while it was read: run again")
            records |= fresh
            heard(kind, len(records))
            if kind in _PAGINATED:
                last, total = _extent(answer, path)
                page += 1
            else:
                total, page = len(records), 2
        if len(records) != total:
            raise Malfunction(
                f"{path} lists {len(records)} of {total} records", "it may have changed while it was read: run again"
            )
        return list(records.values())


def _list_of(answer: Mapping[str, Any], path: str) -> list[dict[str, Any]]:
    found = answer.get("data")
    if not isinstance(found, list) or not all(isinstance(record, dict) for record in found):
        raise Malfunction(f"{path} was answered without a list of records")
    return found


def _extent(answer: Mapping[str, Any], path: str) -> tuple[int, int]:
    meta = answer.get("meta")
    last, total = (meta.get("last_page"), meta.get("total")) if isinstance(meta, dict) else (None, None)
    if type(last) is not int or type(total) is not int:
        raise Malfunction(f"{path} was answered without saying how many pages there are")
    return last, total


def _id(record: Mapping[str, Any]) -> int:
    found = id_of(record)
    if found is None:
        raise Malfunction("the server listed a record without an id")
    return found


def _single(answer: Mapping[str, Any]) -> int:
    record = answer.get("data")
    if not isinstance(record, dict):
        raise Malfunction("the server answered a write without the record")
    return _id(record)


def _matched(answer: Mapping[str, Any], bodies: Sequence[Mapping[str, Any]]) -> list[Created]:
    """Pairs the answer of a bulk create with what was sent; what cannot be paired stays unknown."""
    made, failed = answer.get("data"), answer.get("errors")
    if not isinstance(made, list) or not isinstance(failed, list):
        return [Created() for _ in bodies]
    errors = {error.get("index"): str(error.get("error")) for error in failed if isinstance(error, dict)}
    records: Iterator[Any] = iter(made)
    created: list[Created] = []
    for position, body in enumerate(bodies):
        if position in errors:
            created.append(Created(error=errors[position]))
            continue
        record = next(records, None)
        if isinstance(record, dict) and _same_listing(body, record):
            created.append(Created(id_of(record), organizers=_organizers(record)))
        else:
            created.append(Created())
    return created


def _organizers(record: Mapping[str, Any]) -> tuple[int | None, ...] | None:
    found = record.get("organizers")
    return tuple(map(id_of, found)) if isinstance(found, list) and all(isinstance(one, dict) for one in found) else None


def _same_listing(body: Mapping[str, Any], record: Mapping[str, Any]) -> bool:
    if body.get("url"):
        return key_of(Kind.LISTING, body) == key_of(Kind.LISTING, record)
    return bool(body.get("slug") == record.get("slug"))
