"""A directory of the service: what it holds, and writes to it."""

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from ..errors import AmbiguousOutcome, Rejected, ServerError
from ..model import FIELDABLE, NO_READERS, RECORDS, Entry, Kind, Readers, Reference, custom_readers
from .answer import Answer
from .bulk import Created, pair
from .carried import Carried
from .listing import Listed
from .records import PER_PAGE, Records
from .service import Service
from .unreturned import unreturned
from .wire import SocialNames, entry_of, id_of, key_of

# What the two `exists` checks ask about (docs/contract.md 4.2, 4.3).
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
        return Listed(self.etag, [], self.translated, len(self.entries))


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
        self._by_id: dict[Kind, dict[int | None, str]] = {}  # the keys of what was fetched, once they are asked for
        self._hidden: dict[Kind, list[Entry]] = {}  # entries that the service has and leaves out of its lists
        self._custom: Readers | None = None  # None until the definitions of custom fields are read
        self._unknown: dict[Kind, frozenset[str]] = {}  # fields that the service does not return
        self._off: frozenset[str] = frozenset()  # languages (`translations.fr`) that the directory does not have now
        self._languages: tuple[tuple[str, ...] | None] | None = None  # None until asked for
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
        self._languages = None
        for kind in [*self._fetched]:
            self._held(kind)
        self._carried = Carried()  # what we have written until now is in what is held
        self._hidden, self._by_id = {}, {}
        wanted = [kind for kind in Kind if kind in with_referred(kinds)]
        read = [*wanted]
        if self._custom is None and Kind.CUSTOM_FIELD not in wanted and not FIELDABLE.keys().isdisjoint(wanted):
            read.insert(0, Kind.CUSTOM_FIELD)  # it gives the types of values in other records
        lists: dict[Kind, Listed] = {}
        for kind in read:
            held = self._fetched.get(kind, _NOTHING)
            seen = None if held.etag is None else held.listed
            listed = await self._records.read(kind, locales, partial(heard, kind), seen)
            if listed is not seen:
                lists[kind] = listed
                if kind in _REFERRED:
                    self._keys[kind] = _keys(kind, listed)
                if kind is Kind.CUSTOM_FIELD:
                    self._define([self._entry(kind, record) for record in listed.records])
        if lists:
            self.conditional = all(listed.etag is not None for listed in lists.values())
        for kind, listed in lists.items():
            if listed.records:
                self._unknown[kind] = self._off | unreturned(kind, listed.records, (self._custom or {}).get(kind, ()))
            translated = listed.translated or any("translations" in record for record in listed.records[:1])
            entries = [self._entry(kind, record) for record in _taken(listed.records)]
            self._fetched[kind] = _Fetched(listed.etag, entries, translated)
        await self._find_off([kind for kind in wanted if RECORDS[kind].translated], locales)
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
            for hidden in self._hidden.get(kind, ()):
                entry = None if hidden.id is None else await self.get(kind, hidden.id)
                entries += [] if entry is None else [entry]
        return entries

    def reveal(self, kind: Kind, entries: Sequence[Entry]) -> None:
        """Take entries that the service has and leaves out of its lists, such as inactive ones, until the next `fetch`.

        `fetch_again` asks for them by id.
        """
        self._hidden[kind] = [*entries]
        self._keys[kind] |= {entry.id: Reference(entry.key, entry.id) for entry in entries if entry.id is not None}

    def distrust(self, kind: Kind) -> None:
        """Drop what is cached of a list that the service has contradicted: the next `fetch` reads it whole."""
        self._records.forget(kind)
        for each in (kind, *(other for other in Kind if kind in _referred(other))):  # which name its entries
            self._fetched.pop(each, None)

    async def taken(self, kind: Kind, keys: Collection[str]) -> set[str]:
        """Return the keys that the service has by now, each asked about or the whole list read, whichever is less."""
        pages = -(-len(self._fetched.get(kind, _NOTHING).entries) // PER_PAGE)
        if kind in _CHECKED and len(keys) < pages:
            keys = {key for key in keys if not await self._is_absent(kind, key)}
            if not keys:
                return set()
        listed = await self._records.read_plain(kind)
        return {key_of(kind, record) for record in listed.records}.intersection(keys)

    async def user(self) -> int | None:
        """Return the id of the user whose token it is; None where the service does not say."""
        try:
            answer = await self._service.get("/api/user")
        except (Rejected, ServerError):
            return None
        return id_of(answer.document)

    async def languages(self) -> tuple[str, ...] | None:
        """The languages of the directory, the default first; None where the service does not return them."""
        if self._languages is None:
            self._languages = (await self._records.languages(),)
        return self._languages[0]

    @property
    def site(self) -> str | None:
        """The address of the public site, once the languages were asked for; None where the service does not say it."""
        return self._records.site

    async def _find_off(self, kinds: Sequence[Kind], locales: Sequence[str]) -> None:
        """Find out which of the languages the directory does not have: of their texts nothing is known.

        Only a language without any text is asked about, as the texts of others show that it is there.
        """
        entries = [entry for kind in kinds for entry in self._fetched[kind].entries]
        shown = {locale for entry in entries for locale in entry.fields.get("translations") or ()}
        off = set(locales) - shown if entries else set()
        if not off <= self._records.refused:
            languages = await self.languages()
            off = off & self._records.refused if languages is None else off - set(languages[1:])
        names = frozenset(f"translations.{locale}" for locale in off)
        if not kinds or names == self._off:
            return
        self._off = names
        for kind in (kind for kind in Kind if RECORDS[kind].translated):
            before = self._unknown.get(kind, frozenset())
            self._unknown[kind] = names | {name for name in before if not name.startswith("translations.")}
            held = self._fetched.get(kind, _NOTHING)
            if held.entries:
                read = [replace(entry, unknown=self._unknown[kind]) for entry in held.entries]
                self._fetched[kind] = replace(held, entries=read)

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
        """Makes an entry, or finds it by its key and updates it; whether it was made.

        Raise Conflicting where the service honours conditions and has the key: it has changed nothing then.
        """
        answer = await self._service.post(self._all(kind), body, self._shown(kind), new_only=self.conditional)
        key_field = RECORDS[kind].key_field
        key = body.get(key_field)

        def is_it(record: Mapping[str, Any]) -> bool:
            return key in (None, record.get(key_field)) and self._is_its_id(kind, record)

        return self._written(kind, answer, is_it), answer.made

    async def update(self, kind: Kind, identity: int, body: Mapping[str, Any], *, etag: str | None = None) -> Entry:
        """Changes the given fields of an entry. Raises Conflicting if it is not in the state of `etag`."""
        path = self._one(kind, identity)
        answer = await self._service.put(path, body, self._shown(kind), match=etag)
        return self._written(kind, answer, lambda record: id_of(record) == identity)

    async def delete(self, kind: Kind, identity: int, *, etag: str | None = None) -> None:
        """Deletes an entry. Raises Conflicting if it is not in the state of `etag`.

        A 404 is believed once the entry cannot be read either; raise ServerError where it can.
        """
        try:
            answer = await self._service.delete(self._one(kind, identity), match=etag)
        except Rejected as rejected:
            if rejected.status != 404:
                raise
            if await self.get(kind, identity) is not None:
                message = f"the server answered the delete of {kind} {identity} with a 404, and still has it"
                raise ServerError(message, "run again later") from rejected
        else:
            if not isinstance(answer.document.get("message"), str):
                raise AmbiguousOutcome(f"the server answered the delete of a {kind} without a message")
            self._carried.deleted(kind, answer, identity)

    async def create_listings(self, bodies: Sequence[Mapping[str, Any]]) -> list[Created]:
        """Makes up to BULK_SIZE listings in one request; what became of each, in order."""
        answer = await self._service.post(f"{self._all(Kind.LISTING)}/bulk", {"listings": list(bodies)})
        created = pair(
            answer.document,
            bodies,
            lambda record: self._learned(Kind.LISTING, record) if self._is_its_id(Kind.LISTING, record) else None,
        )
        if all(one.is_known for one in created):  # else the list has records that the answer does not show
            self._carried.wrote(Kind.LISTING, answer, answer.document["data"])
        return created

    async def _is_absent(self, kind: Kind, key: str) -> bool:
        """Whether the service says that it has no such entry; only the documented answer counts."""
        field = _CHECKED.get(kind)
        if field is None or (field == "url" and "://" not in key):
            return False
        try:
            answer = await self._service.ask(f"{self._all(kind)}/exists", {field: key})
        except (Rejected, ServerError):
            return False
        return answer.document.get("message") == f"{kind.capitalize()} does not exist in this directory"

    async def turn(self, ending: asyncio.Event) -> None:
        """Waits until the rate limit lets this task's next request through, or until the `ending`."""
        await self._service.turn(ending)

    @property
    def is_overdue(self) -> bool:
        """Whether the server has let requests wait for an answer for so long that it was reported."""
        return self._service.is_overdue

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

    def _written(self, kind: Kind, answer: Answer, is_it: Callable[[Mapping[str, Any]], bool]) -> Entry:
        """Return the entry that a write has left. Raise AmbiguousOutcome unless the answer shows it and no other."""
        record = answer.document.get("data")
        if not isinstance(record, dict) or id_of(record) is None:
            raise AmbiguousOutcome("the server answered a write without the record")
        if not is_it(record):
            raise AmbiguousOutcome(f"the server answered a write with another {kind} than the one that was written")
        self._carried.wrote(kind, answer, [record])
        return self._learned(kind, record)

    def _is_its_id(self, kind: Kind, record: Mapping[str, Any]) -> bool:
        """Return whether the id of a record is its own, and not known to be that of another entry."""
        if kind not in self._by_id:
            self._by_id[kind] = {entry.id: entry.key for entry in self._fetched.get(kind, _NOTHING).entries}
        identity = id_of(record)
        known = self._by_id[kind].get(identity) if identity not in self._keys[kind] else self._keys[kind][identity]
        return known in (None, key_of(kind, record))

    def _learned(self, kind: Kind, record: Mapping[str, Any]) -> Entry:
        entry = self._entry(kind, record)
        if entry.id is not None:
            if self._keys[kind].get(entry.id, entry.key) != entry.key:
                for other in Kind:  # whose entries name this one by its old key
                    if kind in _referred(other):
                        self._fetched.pop(other, None)
            self._keys[kind][entry.id] = Reference(entry.key, entry.id)
        if kind is Kind.CUSTOM_FIELD:
            self._define([entry])
        return entry

    def _define(self, definitions: Sequence[Entry]) -> None:
        """Note the types of custom fields, and read again what was read as another type."""
        found, known = custom_readers(definitions), self._custom or {}
        for kind, readers in found.items():
            before = known.get(kind, {})
            if any(before.get(name, read) is not read for name, read in readers.items()):
                self._fetched.pop(kind, None)
        self._custom = {kind: {**known.get(kind, {}), **readers} for kind, readers in found.items()}

    def _entry(self, kind: Kind, record: Mapping[str, Any]) -> Entry:
        return entry_of(
            kind,
            record,
            self._keys,
            conditional=self.conditional,
            custom=self._custom or NO_READERS,
            unknown=self._unknown.get(kind, frozenset()),
        )


def with_referred(kinds: Collection[Kind]) -> frozenset[Kind]:
    """Return the kinds, and those whose entries theirs refer to."""
    return frozenset(kinds).union(*map(_referred, kinds))


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
