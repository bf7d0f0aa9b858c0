"""A directory of the service: what it holds, and writes to it."""

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from ..errors import Malfunction, Rejected, Unclear
from ..model import RECORDS, Entry, Kind, Reference
from .answer import Answer
from .bulk import Created, pair
from .carried import Carried
from .listing import Listed
from .records import Records
from .service import Service
from .wire import SocialNames, entry_of, id_of, key_of

# What the two `exists` checks ask about (service-api.md 4.2, 4.3).
_CHECKED = {Kind.ARTICLE: "slug", Kind.LISTING: "url"}

_REFERRED = frozenset(kind for model in RECORDS.values() for kind in model.references.values())  # by any

Heard = Callable[[Kind, int], None]  # told after each answer: the kind, and how many of its records are there


@dataclass(frozen=True, slots=True)
class _Fetched:
    """The entries of a kind as they are by all that is known, and their list's ETag."""

    etag: str | None
    entries: list[Entry]
    translated: bool = False  # whether the service told them with their translations

    @property
    def listed(self) -> Listed:
        """The list without its records, to be asked for."""
        return Listed(self.etag, [], translated=self.translated)


_NOTHING = _Fetched(None, [])


class Remote:
    """One directory, as the owner of the service's token sees it.

    `cache` is a folder for the last seen state; it is used, and written, only where the service has ETags.
    """

    def __init__(
        self, service: Service, directory: int, *, social_names: SocialNames = "card", cache: Path | None = None
    ) -> None:
        self._service = service
        self._path = f"/api/directories/{directory}"
        self._records = Records(service, directory, cache)
        self._keys: dict[Kind, dict[int, Reference]] = {kind: {} for kind in Kind}
        self._fetched: dict[Kind, _Fetched] = {}
        self._locales: frozenset[str] = frozenset()  # in which it was fetched
        self._carried = Carried()
        self.social_names = social_names
        self.conditional = False  # whether the service has shown ETags, so that it honours If-Match

    async def fetch(
        self, kinds: Collection[Kind], locales: Sequence[str] = (), heard: Heard = lambda kind, count: None
    ) -> list[Entry]:
        """Every entry of the kinds and of those they refer to, complete or an error.

        `locales` are the languages, besides the default, whose texts are wanted. A list that is as it was at the last
        call, or as our writes have left it, costs one request.
        """
        if not self._locales.issuperset(locales):
            self._fetched.clear()
        self._locales = frozenset(locales)
        for kind in [*self._fetched]:
            self._held(kind)
        self._carried = Carried()  # what we have written until now is in what is held
        wanted = [kind for kind in Kind if kind in kinds or any(kind in _referred(other) for other in kinds)]
        lists: dict[Kind, Listed] = {}
        for kind in wanted:
            held = self._fetched.get(kind, _NOTHING)
            seen = None if held.etag is None else held.listed
            listed = await self._records.read(kind, locales, partial(heard, kind), seen)
            if listed is not seen:
                lists[kind] = listed
                if kind in _REFERRED:
                    self._keys[kind] = _keys(kind, listed)
        if lists:
            self.conditional = all(listed.etag is not None for listed in lists.values())
        for kind, listed in lists.items():
            translated = listed.translated or any("translations" in record for record in listed.records[:1])
            entries = [self._entry(kind, record) for record in _taken(listed.records)]
            self._fetched[kind] = _Fetched(listed.etag, entries, translated)
        return [entry for kind in wanted for entry in self._fetched[kind].entries]

    async def fetch_again(self, kinds: Collection[Kind]) -> list[Entry]:
        """Every entry of the kinds as it is now; of a list that has changed since `fetch`, without translations."""
        entries: list[Entry] = []
        for kind in Kind:
            if kind not in kinds:
                continue
            held = self._held(kind)
            listed = await self._records.read_plain(kind, seen := held.listed)
            if listed is seen:
                entries += held.entries
            else:
                if kind in _REFERRED:
                    self._keys[kind] |= _keys(kind, listed)
                entries += [self._entry(kind, record) for record in listed.records]
        return entries

    async def get(self, kind: Kind, identity: int) -> Entry | None:
        """The entry with the id; None if there is none. With its translations where the service includes them."""
        record = await self._records.get(kind, identity)
        return None if record is None else self._learned(kind, record)

    async def find(self, kind: Kind, key: str) -> Entry | None:
        """The entry with the key as it is now; None if there certainly is none."""
        if await self._is_absent(kind, key):
            return None
        if kind is Kind.LISTING:
            record = await self._records.search(kind, key)
            if record is not None:
                return self._learned(kind, record)
        return next((entry for entry in await self.fetch_again({kind}) if entry.key == key), None)

    async def create(self, kind: Kind, body: Mapping[str, Any]) -> tuple[Entry, bool]:
        """Makes an entry, or finds it by its key and updates it; whether it was made."""
        answer = await self._service.post(self._all(kind), body, self._shown(kind))
        return self._written(kind, answer), answer.made

    async def update(self, kind: Kind, identity: int, body: Mapping[str, Any], *, etag: str | None = None) -> Entry:
        """Changes the given fields of an entry. Raises Conflicting if it is not in the state of `etag`."""
        path = self._one(kind, identity)
        return self._written(kind, await self._service.put(path, body, self._shown(kind), match=etag))

    async def delete(self, kind: Kind, identity: int, *, etag: str | None = None) -> None:
        """Deletes an entry; 404 says that it is gone. Raises Conflicting if it is not in the state of `etag`."""
        try:
            answer = await self._service.delete(self._one(kind, identity), match=etag)
        except Rejected as rejected:
            if rejected.status != 404:
                raise
        else:
            if not isinstance(answer.document.get("message"), str):
                raise Unclear(f"the server answered the delete of a {kind} without a message")
            self._carried.deleted(kind, answer, identity)

    async def create_listings(self, bodies: Sequence[Mapping[str, Any]]) -> list[Created]:
        """Makes up to BULK_SIZE listings in one request; what became of each, in order."""
        answer = await self._service.post(f"{self._all(Kind.LISTING)}/bulk", {"listings": list(bodies)})
        records = answer.document.get("data")
        if isinstance(records, list) and all(isinstance(record, dict) for record in records):
            self._carried.wrote(Kind.LISTING, answer, records)
        return pair(answer.document, bodies, lambda record: self._learned(Kind.LISTING, record))

    async def _is_absent(self, kind: Kind, key: str) -> bool:
        """Whether the service says that it has no such entry; only the documented answer counts."""
        field = _CHECKED.get(kind)
        if field is None or (field == "url" and "://" not in key):
            return False
        try:
            answer = await self._service.ask(f"{self._all(kind)}/exists", {field: key})
        except (Rejected, Malfunction):
            return False
        return answer.document.get("message") == f"{kind.capitalize()} does not exist in this directory"

    async def turn(self, ending: asyncio.Event) -> None:
        """Waits until the rate limit lets this task's next request through, or until the `ending`."""
        await self._service.turn(ending)

    def carry(self) -> None:
        """Keeps what the lists have become by our writes since `fetch`, so that the next command need not read them."""
        self._records.carry(self._carried)

    def _held(self, kind: Kind) -> _Fetched:
        """What was fetched, as our writes have left it."""
        held = self._fetched.get(kind, _NOTHING)
        if held.etag is None:
            return held
        way = self._carried.since(kind, held.etag, held.translated)
        if way.records:
            new = [self._entry(kind, orjson.loads(line)) for line in way.records.values() if line is not None]
            held = replace(held, entries=[entry for entry in held.entries if entry.id not in way.records] + new)
        held = self._fetched[kind] = replace(held, etag=way.etag)
        return held

    def _shown(self, kind: Kind) -> Mapping[str, str] | None:
        return self._records.written if RECORDS[kind].translated else None

    def _all(self, kind: Kind) -> str:
        return f"{self._path}/{kind.collection}"

    def _one(self, kind: Kind, identity: int) -> str:
        return f"{self._path}/{kind.collection}/{identity}"

    def _written(self, kind: Kind, answer: Answer) -> Entry:
        record = answer.document.get("data")
        if not isinstance(record, dict) or id_of(record) is None:
            raise Unclear("the server answered a write without the record")
        self._carried.wrote(kind, answer, [record])
        return self._learned(kind, record)

    def _learned(self, kind: Kind, record: Mapping[str, Any]) -> Entry:
        entry = self._entry(kind, record)
        if entry.id is not None:
            if self._keys[kind].get(entry.id, entry.key) != entry.key:
                for other in Kind:  # whose entries name this one by its old key
                    if kind in _referred(other):
                        self._fetched.pop(other, None)
            self._keys[kind][entry.id] = Reference(entry.key, entry.id)
        return entry

    def _entry(self, kind: Kind, record: Mapping[str, Any]) -> Entry:
        return entry_of(kind, record, self._keys, conditional=self.conditional)


def _referred(kind: Kind) -> Collection[Kind]:
    return RECORDS[kind].references.values()


def _taken(records: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The records, each let go with the next one: a hundred thousand would take much memory twice."""
    records.reverse()
    while records:
        yield records.pop()


def _keys(kind: Kind, listed: Listed) -> dict[int, Reference]:
    found = ((id_of(record), key_of(kind, record)) for record in listed.records)
    return {identity: Reference(key, identity) for identity, key in found if identity is not None}
