"""A directory of the service: read its entries, and write to it."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any

import orjson

from ..errors import AmbiguousOutcome, Rejected, ServerError
from ..model import FIELDABLE, PER_PAGE, RECORDS, REFERRED_KINDS, Entry, Kind, with_referred_kinds
from .connection_pool import SendingTurn
from .entry_converter import EntryConverter
from .fetched_list import NOTHING, FetchedList
from .http_client import Service
from .list_cache import WriteLog
from .list_reader import RecordList
from .record_reader import EXISTENCE_CHECKS, DirectoryVersion, KnownLists, RecordReader
from .response import Answer
from .synced_records import NotSynced
from .wire import BulkResult, SocialNames, id_of, key_of, pair_results, references_of

ProgressCallback = Callable[[Kind, int], None]  # called after each answer with the kind and its number of records
_MAX_REQUESTED = 100  # records that are requested one by one; then a page with all of them is as fast


class Remote:
    """One directory, as the owner of the token sees it; `records` reads its records as the service returns them.

    Without `known`, every list is requested.
    """

    def __init__(
        self,
        service: Service,
        directory: int,
        known: KnownLists | None = None,
        *,
        social_names: SocialNames = "card",
    ) -> None:
        known = known or KnownLists()
        self._service = service
        self._path = f"/api/directories/{directory}"
        self.records = RecordReader(service, directory, known)
        self.converter = EntryConverter()
        self._fetched: dict[Kind, FetchedList] = {}
        self._locales: frozenset[str] = frozenset()  # of the last fetch
        self._write_log = WriteLog()
        self._fetched_keys: dict[Kind, dict[int | None, str]] = {}  # by id; filled when they are needed
        self._omitted_from_lists: dict[Kind, list[Entry]] = {}  # such as inactive ones
        self._known = known
        self._left_out: dict[Kind, Set[int]] = {kind: each.ids for kind, each in known.synced.items()}  # their ids
        self._has_requested_languages = False  # since the last `fetch`
        self._languages: tuple[str, ...] | None = None  # None also if the service does not report them
        self.social_names = social_names
        self.conditional = False  # whether every list had an ETag, so that the service honours If-Match

    async def fetch(
        self,
        kinds: Collection[Kind],
        locales: Sequence[str] = (),
        on_progress: ProgressCallback = lambda kind, count: None,
        alike: Collection[Entry] = (),
    ) -> list[Entry]:
        """Return all entries of the kinds and of the kinds that they refer to. Raise RemoteError, never omit an entry.

        `locales` are the languages to read besides the default. A list that only this client has changed since the
        last call costs one request. Equal texts of `alike` entries are kept in memory once.
        """
        if not self._locales.issuperset(locales):
            self._fetched = {kind: each for kind, each in self._fetched.items() if not RECORDS[kind].translated}
        self._locales = frozenset(locales)
        self._languages, self._has_requested_languages = None, False
        for kind in [*self._fetched]:
            self._add_own_writes(kind)
        self._write_log = WriteLog()  # the writes of the old one are in `_fetched` now
        self._omitted_from_lists, self._fetched_keys = {}, {}
        wanted = [kind for kind in Kind if kind in with_referred_kinds(kinds)]
        kinds_to_read = [*wanted]
        if not self.converter.has_definitions and Kind.CUSTOM_FIELD not in wanted and FIELDABLE.keys() & wanted:
            kinds_to_read.insert(0, Kind.CUSTOM_FIELD)  # its records define the types of values in other records
        new_lists: dict[Kind, RecordList] = {}
        for kind in kinds_to_read:
            fetched = self._fetched.get(kind, NOTHING)
            cached = None if fetched.etag is None else fetched.record_list
            record_list = await self.records.read(kind, locales, partial(on_progress, kind), cached)
            if record_list is not cached:
                new_lists[kind] = record_list
                if kind in REFERRED_KINDS:
                    self.converter.keys[kind] = references_of(kind, record_list)
                if kind is Kind.CUSTOM_FIELD:
                    self._add_definitions([self._entry(kind, record) for record in record_list])
        if new_lists:  # each of the others is `cached`, which has an ETag
            self.conditional = all(record_list.etag is not None for record_list in new_lists.values())
        if any(self._left_out.get(kind) and kind not in self._known.synced for kind in new_lists):
            raise NotSynced  # the records of these ids may be other ones now
        while new_lists:  # each list is dropped when its entries are made, to save memory
            kind, record_list = new_lists.popitem()
            self._fetched[kind] = self._make_entries(kind, record_list, alike)
        for kind in self._left_out.keys() & wanted:
            await self._request_returned(kind)
        await self._mark_missing_locales([kind for kind in wanted if RECORDS[kind].translated], locales)
        return [entry for kind in wanted for entry in self._fetched[kind].entries]

    def _make_entries(self, kind: Kind, record_list: RecordList, alike: Collection[Entry]) -> FetchedList:
        """Return the entries of a list's records, without those that are left out. Raise NotSynced."""
        synced = self._known.synced.get(kind)
        if record_list.total:
            self.converter.set_unknown(kind, record_list)
        # `RecordReader.read` adds translations to all records or to none.
        translated = record_list.translated or "translations" in next(iter(record_list), {})
        lines = synced.others(record_list.lines) if synced else record_list.lines
        by_key = {entry.key: entry for entry in alike if entry.kind is kind}
        make = partial(self.converter.entry, kind, conditional=self.conditional, alike=by_key)
        entries = [make(orjson.loads(line)) for line in lines]
        if synced:
            synced.check(entries)
        return FetchedList(record_list.etag, entries, translated, synced.ids if synced else frozenset())

    def fetched_version(self) -> DirectoryVersion | None:
        """Return the version of what `fetch` returned; None if the lists' ETags do not prove that it is current."""
        has_all_texts = self.records.includes_translations or not self._locales
        if self._omitted_from_lists or self._has_requested_languages or not (self.conditional and has_all_texts):
            return None
        return self.fetched_lists()

    def fetched_lists(self) -> DirectoryVersion:
        """Return the lists that `fetch` read last, without their records; it need not have read all that exists."""
        return DirectoryVersion(sorted(self._locales), {kind: each.record_list for kind, each in self._fetched.items()})

    def forget_synced(self) -> None:
        """Read also the records that were left out, from the next `fetch` on."""
        for kind in self._left_out:
            self._fetched.pop(kind, None)
        self._known, self._left_out = replace(self._known, synced={}), {}

    def leave_out(self, ids: Set[int], version: RecordList | None = None) -> FetchedList:
        """Leave the listings with these ids out from the next `fetch` on, and return the list of the others.

        Those that are not left out any more are requested one by one. If the list has changed, except by own writes,
        `fetch` raises NotSynced. `version` is that of a list that an earlier client read, with these listings alone.
        """
        if version:
            self._fetched[Kind.LISTING] = FetchedList(version.etag, [], left_out=ids)
        self._left_out[Kind.LISTING] = ids
        fetched = self._add_own_writes(Kind.LISTING).without(ids)
        self._fetched[Kind.LISTING] = NOTHING if len(fetched.left_out - ids) > _MAX_REQUESTED else fetched
        return fetched

    async def _request_returned(self, kind: Kind) -> None:
        """Add the entries that are not left out any more. Raise NotSynced if the service lacks one."""
        fetched = self._fetched[kind]
        entries = [await self.get(kind, id_) for id_ in fetched.left_out - self._left_out[kind]]
        self._fetched[kind] = fetched.including(entries)

    async def fetch_again(self, kinds: Collection[Kind]) -> list[Entry]:
        """Return all current entries of the kinds; read a list that changed since `fetch` without translations."""
        entries: list[Entry] = []
        for kind in Kind:
            if kind not in kinds:
                continue
            fetched = self._add_own_writes(kind)
            cached = fetched.record_list
            record_list = await self.records.read_default_language(kind, cached)
            if record_list is cached:
                entries += fetched.entries
            else:
                if kind in REFERRED_KINDS:
                    self.converter.add_keys(kind, record_list)
                entries += [self._entry(kind, record) for record in record_list]
            for omitted in self._omitted_from_lists.get(kind, ()):
                if omitted.id is not None and (entry := await self.get(kind, omitted.id)):
                    entries.append(entry)
        return entries

    def register_hidden(self, kind: Kind, entries: Sequence[Entry]) -> None:
        """Register entries that the service omits from its lists, such as inactive ones, until the next `fetch`.

        They replace the registered entries of the kind. `fetch_again` requests them by id.
        """
        self._omitted_from_lists[kind] = [*entries]
        for entry in entries:
            self.converter.add_key(entry)

    def discard_list(self, kind: Kind) -> None:
        """Discard a cached list that the service has contradicted, so that the next `fetch` reads the whole list."""
        self.records.discard_list(kind)
        self._fetched.pop(kind, None)
        self._discard_entries_that_refer_to(kind)

    async def existing_keys(self, kind: Kind, keys: Collection[str]) -> set[str]:
        """Return the keys that the service has now; check few keys one by one before reading the whole list."""
        page_count = -(-len(self._fetched.get(kind, NOTHING).entries) // PER_PAGE)  # rounded up
        if kind in EXISTENCE_CHECKS and len(keys) < page_count:
            keys = {key for key in keys if not await self.records.is_absent(kind, key)}
            if not keys:
                return set()
        record_list = await self.records.read_default_language(kind)
        return {key_of(kind, record) for record in record_list}.intersection(keys)

    async def user_id(self) -> int | None:
        """Return the id of the token's user; None if the service does not report it."""
        try:
            answer = await self._service.get("/api/user")
        except (Rejected, ServerError):
            return None
        return id_of(answer.document)

    async def languages(self) -> tuple[str, ...] | None:
        """Return the directory's languages, the default one first; None if the service does not report them."""
        if not self._has_requested_languages:
            self._languages, self._has_requested_languages = await self.records.languages(), True
        return self._languages

    @property
    def site_url(self) -> str | None:
        """The address of the public site, once `languages` was called; None if the service does not report it."""
        return self.records.site_url

    async def _mark_missing_locales(self, kinds: Sequence[Kind], locales: Sequence[str]) -> None:
        """Mark the texts in languages that the directory does not have as unknown in all entries.

        A language in which an entry has a text certainly exists, and one that the service has refused does not.
        """
        entries = [entry for kind in kinds for entry in self._fetched[kind].entries]
        left_out = [synced for kind in kinds if (synced := self._known.synced.get(kind))]
        used = {locale for entry in entries for locale in entry.fields.get("translations") or ()}
        used.update(locale for synced in left_out for locale in synced.locales)
        missing = set(locales) - used if entries or left_out else set()
        certainly_missing = missing & self.records.refused_locales
        if missing != certainly_missing:
            languages = await self.languages()
            missing = certainly_missing if languages is None else missing - set(languages[1:])
        for kind in self.converter.set_missing_locales(missing) if kinds else ():
            fetched = self._fetched.get(kind, NOTHING)
            if fetched.entries:
                entries = [replace(entry, unknown=self.converter.unknown[kind]) for entry in fetched.entries]
                self._fetched[kind] = replace(fetched, entries=entries)

    async def get(self, kind: Kind, identity: int) -> Entry | None:
        """Return the current entry with the id, with translations if the service includes them; None if it is gone."""
        record = await self.records.get(kind, identity)
        return None if record is None else self._add_entry(kind, record)

    async def find(self, kind: Kind, key: str) -> Entry | None:
        """Return the current entry with the key; None if it certainly does not exist."""
        if await self.records.is_absent(kind, key):
            return None
        if kind is Kind.LISTING:
            record = await self.records.search(kind, key)
            if record is not None:
                return self._add_entry(kind, record)
        return next((entry for entry in await self.fetch_again({kind}) if entry.key == key), None)

    async def create(self, kind: Kind, body: Mapping[str, Any]) -> tuple[Entry, bool]:
        """Create an entry; return it, and whether it was created. Raise Conflicting if its key exists.

        A service without ETags updates the existing entry instead, or returns an existing listing: return it and False.
        """
        params = self._write_params(kind)
        answer = await self._service.post(self._list_path(kind), body, params, new_only=self.conditional)
        key_field = RECORDS[kind].key_field
        key = body.get(key_field)  # if it is None, the service makes a key

        def is_expected(entry: Entry) -> bool:
            return key in (None, entry.fields.get(key_field)) and self._has_fitting_id(entry)

        return self._finish_write(kind, answer, is_expected), answer.created

    async def update(self, kind: Kind, identity: int, body: Mapping[str, Any], *, etag: str | None = None) -> Entry:
        """Update the fields in `body`, and return the entry. Raise Conflicting if its ETag is not `etag`."""
        path = f"{self._list_path(kind)}/{identity}"
        answer = await self._service.put(path, body, self._write_params(kind), match=etag)
        return self._finish_write(kind, answer, lambda entry: entry.id == identity)

    async def delete(self, kind: Kind, identity: int, *, etag: str | None = None) -> None:
        """Delete an entry. Raise Conflicting if its ETag is not `etag`.

        A 404 counts as success only if a read is answered with 404 too; else raise ServerError. Raise AmbiguousOutcome
        if the answer has no message, as that of each delete has.
        """
        try:
            answer = await self._service.delete(f"{self._list_path(kind)}/{identity}", match=etag)
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

    async def create_listings(
        self, bodies: Sequence[Mapping[str, Any]], turn: SendingTurn | None = None
    ) -> list[BulkResult]:
        """Create up to BULK_SIZE listings in one request; return a result for each body, in the same order.

        The `turn` is passed on before the results are read, which takes a while.
        """
        path, on_sent = f"{self._list_path(Kind.LISTING)}/bulk", turn.note_sent if turn else None
        answer = await self._service.post(path, {"listings": list(bodies)}, on_sent=on_sent)
        if turn is not None:
            await turn.pass_on()
        paired = pair_results(answer.document, bodies, partial(self._entry, Kind.LISTING))
        results = [self._checked_result(result) for result in paired]
        if all(result.is_known for result in results):  # else the list may have records that the answer does not show
            self._write_log.record_write(Kind.LISTING, answer, answer.document["data"])
        return results

    async def acquire_slot(self, ending: asyncio.Event) -> None:
        """Wait until the rate limit allows this task to send its next request, or until `ending` is set."""
        await self._service.acquire_slot(ending)

    @property
    def is_overdue(self) -> bool:
        """Whether requests have waited for an answer for at least `retry.OVERDUE` seconds."""
        return self._service.is_overdue

    def save_lists(self) -> None:
        """Apply this client's writes since `fetch` to the lists on disk, so that the next command can use them."""
        self.records.apply_writes(self._write_log)

    def _add_own_writes(self, kind: Kind) -> FetchedList:
        """Apply this client's later writes to the fetched entries of a kind, and return the result."""
        fetched = self._fetched.get(kind, NOTHING)
        if fetched.etag is None:
            return fetched
        delta = self._write_log.changes_since(kind, fetched.etag, translated=fetched.translated)
        left_out = self._left_out.get(kind, frozenset())
        fetched = self._fetched[kind] = fetched.with_writes(delta, left_out, partial(self._entry, kind))
        return fetched

    def _write_params(self, kind: Kind) -> Mapping[str, str] | None:
        return self.records.write_params if RECORDS[kind].translated else None

    def _list_path(self, kind: Kind) -> str:
        return f"{self._path}/{kind.collection}"

    def _finish_write(self, kind: Kind, answer: Answer, is_expected: Callable[[Entry], bool]) -> Entry:
        """Check the answer to a write (raise AmbiguousOutcome), log the write, and return the written entry."""
        record = answer.document.get("data")
        if not isinstance(record, dict) or id_of(record) is None:
            raise AmbiguousOutcome("the server answered a write without the record")
        entry = self._entry(kind, record)
        if not is_expected(entry):
            raise AmbiguousOutcome(f"the server answered a write with a {kind} other than the written one")
        self._write_log.record_write(kind, answer, [record])
        self._register(entry)
        return entry

    def _discard_entries_that_refer_to(self, kind: Kind) -> None:
        for other in Kind:
            if kind in RECORDS[other].references.values():
                self._fetched.pop(other, None)

    def _checked_result(self, result: BulkResult) -> BulkResult:
        """Return the result of a listing, and register its entry; an unknown result if its id is implausible."""
        if result.entry is None:
            return result
        if not self._has_fitting_id(result.entry):
            return BulkResult()
        self._register(result.entry)
        return result

    def _has_fitting_id(self, entry: Entry) -> bool:
        """Return whether the entry's id is not the id of an entry with another key, also of one left out."""
        kind, id_ = entry.kind, entry.id
        if id_ in self._left_out.get(kind, ()):
            return False
        if kind not in self._fetched_keys:
            self._fetched_keys[kind] = {each.id: each.key for each in self._fetched.get(kind, NOTHING).entries}
        latest_keys: Mapping[Any, str] = self.converter.keys[kind]
        return latest_keys.get(id_, self._fetched_keys[kind].get(id_)) in (None, entry.key)

    def _add_entry(self, kind: Kind, record: Mapping[str, Any]) -> Entry:
        """Return the entry of a record, and register it."""
        entry = self._entry(kind, record)
        self._register(entry)
        return entry

    def _register(self, entry: Entry) -> None:
        """Store the key of an entry, for references to it, and the definition of a custom field."""
        if self.converter.add_key(entry):
            self._discard_entries_that_refer_to(entry.kind)  # by the old key: a Reference is the key as a str
        if entry.kind is Kind.CUSTOM_FIELD:
            self._add_definitions([entry])

    def _add_definitions(self, definitions: Sequence[Entry]) -> None:
        """Add definitions of custom fields, and discard fetched entries whose values may have other types now."""
        for kind in self.converter.add_definitions(definitions):
            self._fetched.pop(kind, None)

    def _entry(self, kind: Kind, record: Mapping[str, Any]) -> Entry:
        return self.converter.entry(kind, record, conditional=self.conditional)
