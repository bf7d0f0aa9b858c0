"""A directory of the service: read its entries, and write to it."""

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from ..errors import AmbiguousOutcome, Rejected, ServerError
from ..model import FIELDABLE, NO_READERS, RECORDS, Entry, Kind, Readers, Reference, custom_readers
from .http_client import Service
from .list_cache import WriteLog
from .list_reader import RecordList
from .record_reader import PER_PAGE, RecordReader
from .response import Answer
from .wire import Created, SocialNames, entry_of, id_of, key_of, missing_fields, pair_results

# The fields of the two `exists` checks (docs/contract.md 4.2, 4.3).
_CHECKED = {Kind.ARTICLE: "slug", Kind.LISTING: "url"}

_REFERRED = frozenset(kind for model in RECORDS.values() for kind in model.references.values())

ProgressCallback = Callable[[Kind, int], None]  # called after each answer with the kind and its number of records


@dataclass(frozen=True, slots=True)
class _Fetched:
    """The entries of a kind as far as they are known, and the ETag of their list."""

    etag: str | None
    entries: list[Entry]
    translated: bool = False  # whether the service returned them with their translations

    @property
    def listed(self) -> RecordList:
        """The list without its records, for a conditional request."""
        return RecordList(self.etag, [], self.translated, len(self.entries))


_NOTHING = _Fetched(None, [])


class Remote:
    """One directory, as the owner of the token sees it.

    `cache` is a folder for lists; it is used only if the service has ETags.
    """

    def __init__(
        self, service: Service, directory: int, *, social_names: SocialNames = "card", cache: Path | None = None
    ) -> None:
        self._service = service
        self._path = f"/api/directories/{directory}"
        self._records = RecordReader(service, directory, cache)
        self._keys: dict[Kind, dict[int, Reference]] = {kind: {} for kind in Kind}
        self._fetched: dict[Kind, _Fetched] = {}
        self._locales: frozenset[str] = frozenset()  # of the last fetch
        self._write_log = WriteLog()
        self._by_id: dict[Kind, dict[int | None, str]] = {}  # the keys of the fetched entries, once they are needed
        self._hidden: dict[Kind, list[Entry]] = {}  # entries that the service leaves out of its lists
        self._custom: Readers | None = None  # None until the definitions of custom fields are read
        self._unknown: dict[Kind, frozenset[str]] = {}  # fields that the service does not return
        self._off: frozenset[str] = frozenset()  # languages (`translations.fr`) that the directory does not have
        self._languages: tuple[tuple[str, ...] | None] | None = None  # None until requested
        self.social_names = social_names
        self.conditional = False  # whether the service has shown ETags, so that it honours If-Match

    async def fetch(
        self,
        kinds: Collection[Kind],
        locales: Sequence[str] = (),
        on_progress: ProgressCallback = lambda kind, count: None,
    ) -> list[Entry]:
        """Return every entry of the kinds and of those they refer to; the lists are complete, or it raises an error.

        `locales` are the languages whose texts are wanted, besides the default. A list that is unchanged since the
        last call, or changed by our own writes only, costs one request.
        """
        if not self._locales.issuperset(locales):
            self._fetched.clear()
        self._locales = frozenset(locales)
        self._languages = None
        for kind in [*self._fetched]:
            self._current(kind)
        self._write_log = WriteLog()  # the writes until now are applied
        self._hidden, self._by_id = {}, {}
        wanted = [kind for kind in Kind if kind in with_referred_kinds(kinds)]
        read = [*wanted]
        if self._custom is None and Kind.CUSTOM_FIELD not in wanted and not FIELDABLE.keys().isdisjoint(wanted):
            read.insert(0, Kind.CUSTOM_FIELD)  # they define the types of values in other records
        lists: dict[Kind, RecordList] = {}
        for kind in read:
            known = self._fetched.get(kind, _NOTHING)
            cached = None if known.etag is None else known.listed
            listed = await self._records.read(kind, locales, partial(on_progress, kind), cached)
            if listed is not cached:
                lists[kind] = listed
                if kind in _REFERRED:
                    self._keys[kind] = _keys(kind, listed)
                if kind is Kind.CUSTOM_FIELD:
                    self._define([self._entry(kind, record) for record in listed.records])
        if lists:
            self.conditional = all(listed.etag is not None for listed in lists.values())
        for kind, listed in lists.items():
            if listed.records:
                self._unknown[kind] = self._off | missing_fields(
                    kind, listed.records, (self._custom or {}).get(kind, ())
                )
            translated = listed.translated or any("translations" in record for record in listed.records[:1])
            entries = [self._entry(kind, record) for record in _drain(listed.records)]
            self._fetched[kind] = _Fetched(listed.etag, entries, translated)
        await self._find_off([kind for kind in wanted if RECORDS[kind].translated], locales)
        return [entry for kind in wanted for entry in self._fetched[kind].entries]

    async def fetch_again(self, kinds: Collection[Kind]) -> list[Entry]:
        """Return every current entry of the kinds; those of a list that changed since `fetch` have no translations."""
        entries: list[Entry] = []
        for kind in Kind:
            if kind not in kinds:
                continue
            known = self._current(kind)
            listed = await self._records.read_plain(kind, cached := known.listed)
            if listed is cached:
                entries += known.entries
            else:
                if kind in _REFERRED:
                    self._keys[kind] |= _keys(kind, listed)
                entries += [self._entry(kind, record) for record in listed.records]
            for hidden in self._hidden.get(kind, ()):
                entry = None if hidden.id is None else await self.get(kind, hidden.id)
                entries += [] if entry is None else [entry]
        return entries

    def reveal(self, kind: Kind, entries: Sequence[Entry]) -> None:
        """Add entries that the service leaves out of its lists, such as inactive ones, until the next `fetch`.

        `fetch_again` requests them by id.
        """
        self._hidden[kind] = [*entries]
        self._keys[kind] |= {entry.id: Reference(entry.key, entry.id) for entry in entries if entry.id is not None}

    def distrust(self, kind: Kind) -> None:
        """Drop a cached list that the service has contradicted, so that the next `fetch` reads it whole."""
        self._records.forget(kind)
        for each in (kind, *(other for other in Kind if kind in _referred(other))):  # they refer to its entries
            self._fetched.pop(each, None)

    async def taken(self, kind: Kind, keys: Collection[str]) -> set[str]:
        """Return which of the keys the service has now; check each, or read the whole list if that is cheaper."""
        pages = -(-len(self._fetched.get(kind, _NOTHING).entries) // PER_PAGE)
        if kind in _CHECKED and len(keys) < pages:
            keys = {key for key in keys if not await self._is_absent(kind, key)}
            if not keys:
                return set()
        listed = await self._records.read_plain(kind)
        return {key_of(kind, record) for record in listed.records}.intersection(keys)

    async def user(self) -> int | None:
        """Return the id of the token's user; None if the service does not report it."""
        try:
            answer = await self._service.get("/api/user")
        except (Rejected, ServerError):
            return None
        return id_of(answer.document)

    async def languages(self) -> tuple[str, ...] | None:
        """Return the languages of the directory, the default first; None if the service does not report them."""
        if self._languages is None:
            self._languages = (await self._records.languages(),)
        return self._languages[0]

    @property
    def site(self) -> str | None:
        """The address of the public site, once `languages` was called; None if the service does not report it."""
        return self._records.site

    async def _find_off(self, kinds: Sequence[Kind], locales: Sequence[str]) -> None:
        """Find out which of the languages the directory does not have: their texts are unknown.

        A language with any text certainly exists, so only the others cost a request.
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
            known = self._fetched.get(kind, _NOTHING)
            if known.entries:
                entries = [replace(entry, unknown=self._unknown[kind]) for entry in known.entries]
                self._fetched[kind] = replace(known, entries=entries)

    async def get(self, kind: Kind, identity: int) -> Entry | None:
        """Return the entry with the id, or None. It has its translations if the service includes them."""
        record = await self._records.get(kind, identity)
        return None if record is None else self._add_entry(kind, record)

    async def find(self, kind: Kind, key: str) -> Entry | None:
        """Return the current entry with the key; None if it certainly does not exist."""
        if await self._is_absent(kind, key):
            return None
        if kind is Kind.LISTING:
            record = await self._records.search(kind, key)
            if record is not None:
                return self._add_entry(kind, record)
        return next((entry for entry in await self.fetch_again({kind}) if entry.key == key), None)

    async def create(self, kind: Kind, body: Mapping[str, Any]) -> tuple[Entry, bool]:
        """Create an entry, or update the one with its key; return it, and whether it was created.

        Raise Conflicting if the service honours conditions and has the key: then it has changed nothing.
        """
        answer = await self._service.post(self._all(kind), body, self._write_params(kind), new_only=self.conditional)
        key_field = RECORDS[kind].key_field
        key = body.get(key_field)

        def is_it(record: Mapping[str, Any]) -> bool:
            return key in (None, record.get(key_field)) and self._is_own_id(kind, record)

        return self._written(kind, answer, is_it), answer.created

    async def update(self, kind: Kind, identity: int, body: Mapping[str, Any], *, etag: str | None = None) -> Entry:
        """Update the fields of the body. Raise Conflicting if the entry is not in the state of `etag`."""
        path = self._one(kind, identity)
        answer = await self._service.put(path, body, self._write_params(kind), match=etag)
        return self._written(kind, answer, lambda record: id_of(record) == identity)

    async def delete(self, kind: Kind, identity: int, *, etag: str | None = None) -> None:
        """Delete an entry. Raise Conflicting if it is not in the state of `etag`.

        A 404 counts as success only if the entry cannot be read either; else raise ServerError.
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
            self._write_log.record_delete(kind, answer, identity)

    async def create_listings(self, bodies: Sequence[Mapping[str, Any]]) -> list[Created]:
        """Create up to BULK_SIZE listings in one request; return the result of each, in order."""
        answer = await self._service.post(f"{self._all(Kind.LISTING)}/bulk", {"listings": list(bodies)})
        created = pair_results(
            answer.document,
            bodies,
            lambda record: self._add_entry(Kind.LISTING, record) if self._is_own_id(Kind.LISTING, record) else None,
        )
        if all(one.is_known for one in created):  # else the list may have records that the answer does not show
            self._write_log.record_write(Kind.LISTING, answer, answer.document["data"])
        return created

    async def _is_absent(self, kind: Kind, key: str) -> bool:
        """Return whether the service reports that it has no such entry; only the documented answer counts."""
        field = _CHECKED.get(kind)
        if field is None or (field == "url" and "://" not in key):
            return False
        try:
            answer = await self._service.ask(f"{self._all(kind)}/exists", {field: key})
        except (Rejected, ServerError):
            return False
        return answer.document.get("message") == f"{kind.capitalize()} does not exist in this directory"

    async def acquire_slot(self, ending: asyncio.Event) -> None:
        """Wait until the rate limit allows this task's next request, or until `ending` is set."""
        await self._service.acquire_slot(ending)

    @property
    def is_overdue(self) -> bool:
        """Whether requests have waited for an answer so long that it was reported."""
        return self._service.is_overdue

    def save_lists(self) -> None:
        """Apply our writes since `fetch` to the cached lists, so that the next command need not read them."""
        self._records.apply_writes(self._write_log)

    def _current(self, kind: Kind) -> _Fetched:
        """Return what was fetched, with our own writes applied."""
        known = self._fetched.get(kind, _NOTHING)
        if known.etag is None:
            return known
        delta = self._write_log.since(kind, known.etag, known.translated)
        if delta.records:
            new = [self._entry(kind, orjson.loads(line)) for line in delta.records.values() if line is not None]
            known = replace(known, entries=[entry for entry in known.entries if entry.id not in delta.records] + new)
        known = self._fetched[kind] = replace(known, etag=delta.etag)
        return known

    def _write_params(self, kind: Kind) -> Mapping[str, str] | None:
        return self._records.write_params if RECORDS[kind].translated else None

    def _all(self, kind: Kind) -> str:
        return f"{self._path}/{kind.collection}"

    def _one(self, kind: Kind, identity: int) -> str:
        return f"{self._path}/{kind.collection}/{identity}"

    def _written(self, kind: Kind, answer: Answer, is_it: Callable[[Mapping[str, Any]], bool]) -> Entry:
        """Return the entry as written. Raise AmbiguousOutcome unless the answer shows it and no other."""
        record = answer.document.get("data")
        if not isinstance(record, dict) or id_of(record) is None:
            raise AmbiguousOutcome("the server answered a write without the record")
        if not is_it(record):
            raise AmbiguousOutcome(f"the server answered a write with a {kind} other than the written one")
        self._write_log.record_write(kind, answer, [record])
        return self._add_entry(kind, record)

    def _is_own_id(self, kind: Kind, record: Mapping[str, Any]) -> bool:
        """Return whether the id of a record is not known as that of another entry."""
        if kind not in self._by_id:
            self._by_id[kind] = {entry.id: entry.key for entry in self._fetched.get(kind, _NOTHING).entries}
        identity = id_of(record)
        known = self._by_id[kind].get(identity) if identity not in self._keys[kind] else self._keys[kind][identity]
        return known in (None, key_of(kind, record))

    def _add_entry(self, kind: Kind, record: Mapping[str, Any]) -> Entry:
        entry = self._entry(kind, record)
        if entry.id is not None:
            if self._keys[kind].get(entry.id, entry.key) != entry.key:
                for other in Kind:  # their entries refer to this one by its old key
                    if kind in _referred(other):
                        self._fetched.pop(other, None)
            self._keys[kind][entry.id] = Reference(entry.key, entry.id)
        if kind is Kind.CUSTOM_FIELD:
            self._define([entry])
        return entry

    def _define(self, definitions: Sequence[Entry]) -> None:
        """Store the types of custom fields, and drop entries that were read with another type."""
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


def with_referred_kinds(kinds: Collection[Kind]) -> frozenset[Kind]:
    """Return the kinds, and those that their entries refer to."""
    return frozenset(kinds).union(*map(_referred, kinds))


def _referred(kind: Kind) -> Collection[Kind]:
    return RECORDS[kind].references.values()


def _drain(records: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the records and drop each one, because a hundred thousand would take much memory twice."""
    records.reverse()
    while records:
        yield records.pop()


def _keys(kind: Kind, listed: RecordList) -> dict[int, Reference]:
    found = ((id_of(record), key_of(kind, record)) for record in listed.records)
    return {identity: Reference(key, identity) for identity, key in found if identity is not None}
