"""Read the records of a kind with their translations, from the service or from the cache."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import Damaged, Rejected, ServerError
from ..model import PAGINATED, RECORDS, Kind
from ..model.urls import url_fault
from .http_client import Service
from .list_cache import (
    UNREADABLE,
    WriteLog,
    apply_deltas,
    read_cached_list,
    write_cached_list,
)
from .list_reader import CountCallback, RecordList, ignore_count, read_list, search_list
from .synced_records import SyncedRecords
from .wire import extract_translation, id_of, key_of, reduce_record

# The fields of the two `exists` checks (docs/contract.md 4.2, 4.3).
EXISTENCE_CHECKS = {Kind.ARTICLE: "slug", Kind.LISTING: "url"}

_WITH_TRANSLATIONS = {"include": "translations"}


class DirectoryVersion(NamedTuple):
    """The versions of all lists that entries were read from: lists of the same versions give the same entries."""

    locales: Sequence[str]  # the languages of the lists, besides the default one
    lists: Mapping[Kind, RecordList]  # without their records

    def without(self, *kinds: Kind) -> "DirectoryVersion":
        """Return the version of the lists of all other kinds."""
        return self._replace(lists={kind: each for kind, each in self.lists.items() if kind not in kinds})


@dataclass(frozen=True, slots=True)
class KnownLists:
    """What is known of a directory's lists before they are read, which saves requests.

    `cache` is the folder of cached lists; it is used only if the service has ETags for whole lists. `loaded` are those
    that were read from it, or written to it. `confirmed` are the ETags and lengths that lists had a moment ago (a
    damaged copy on disk may have the right ETag, but fewer records): `has_version` adds them, and `read` uses each once
    instead of a request. `synced` are the records that `Remote.fetch` leaves out.
    """

    cache: Path | None = None
    loaded: dict[Kind, RecordList] = field(default_factory=dict)
    confirmed: dict[Kind, tuple[str, int]] = field(default_factory=dict)
    synced: Mapping[Kind, SyncedRecords] = field(default_factory=dict)


class RecordReader:
    """Reads the records of a directory as the service returns them."""

    def __init__(self, service: Service, directory: int, known: KnownLists) -> None:
        self._service = service
        self._path = f"/api/directories/{directory}"
        self._source = f"{service.url.rstrip('/')} {directory}"
        self._cache = known.cache
        self._confirmed = known.confirmed
        self._loaded = known.loaded
        self._supports_include: bool | None = None  # of `include=translations`; None until a list was read
        self.site_url: str | None = None  # the address of the public site, once `languages` was called
        self.refused_locales: set[str] = set()  # because the directory does not have them

    @property
    def includes_translations(self) -> bool:
        """Whether the service returns records together with their translations, as far as lists were read."""
        return self._supports_include is True

    @property
    def write_params(self) -> Mapping[str, str]:
        """The query parameters of a write, with which the service returns the record as its lists have it."""
        return _WITH_TRANSLATIONS if self.includes_translations else {}

    async def read(
        self,
        kind: Kind,
        locales: Sequence[str],
        on_count: CountCallback,
        cached: RecordList | None = None,
    ) -> RecordList:
        """Return all records of a kind with their texts in the locales, or `cached` itself if it is still current.

        Without `cached`, use the list on disk if it is still current. Raise RemoteError if a request fails.
        """
        translated = bool(locales and RECORDS[kind].translated)
        on_disk = None if cached else self.cached_list(kind)
        if on_disk and translated and not on_disk.translated:  # it lacks the translations
            on_disk = None
        confirmed = self._confirmed.pop(kind, None)
        if on_disk and (on_disk.etag, on_disk.total) == confirmed:
            on_count(on_disk.total)
            record_list = on_disk
        elif translated:
            record_list = await self._read_with_translations(kind, cached or on_disk, on_count)
        else:
            record_list = await self._request_list(kind, {}, cached or on_disk, on_count)
        if record_list is on_disk and on_disk.translated:  # the service returned it with translations
            self._supports_include = True
        if record_list is on_disk or record_list is cached:
            return record_list
        if translated and not record_list.translated:
            return await self._with_locales(kind, locales, record_list)
        self._store(kind, record_list)
        return record_list

    async def has_version(self, version: DirectoryVersion) -> bool:
        """Return whether all lists still have this version; stop at the first other list. Raise RemoteError.

        The lists that were read are cached, and their versions confirmed.
        """
        for kind, record_list in version.lists.items():
            current = await self.read(kind, version.locales, ignore_count, record_list)
            if current.etag is not None:
                self._confirmed[kind] = current.etag, current.total
            if current is not record_list:
                return False
        return True

    async def digest_records(
        self, kind: Kind, known: RecordList, locales: Sequence[str], on_count: CountCallback = ignore_count
    ) -> set[str] | None:
        """Return the digests of the present records of a kind; None if their list still is the `known` one.

        Confirm its version. Raise RemoteError if a request fails.
        """
        on_disk = self.cached_list(kind, unless=known.etag)  # may be newer than the known one
        if on_disk is None or on_disk.translated != known.translated:
            on_disk = known
        record_list = await self.read(kind, locales, on_count, on_disk)
        if record_list.etag is not None:
            self._confirmed[kind] = record_list.etag, record_list.total
        return None if record_list is known else {*record_list.lines.digests()}

    async def read_default_language(
        self, kind: Kind, cached: RecordList | None = None, on_count: CountCallback = ignore_count
    ) -> RecordList:
        """Return all records of a kind in the default language only, or `cached` itself if its ETag is current."""
        return await self._request_list(kind, params={}, cached=cached, on_count=on_count)

    async def languages(self) -> tuple[str, ...] | None:
        """Return the directory's languages, the default one first; None if the service reports none. Set `site_url`."""
        try:
            answer = await self._service.get(self._path, {})
        except Rejected:
            return None
        directory = answer.document.get("data")
        if not isinstance(directory, dict):
            directory = {}
        self.site_url = _public_url(directory)
        locales = directory.get("locales")
        if not isinstance(locales, list) or not all(isinstance(locale, str) for locale in locales):
            return None
        return tuple(locales) or None

    async def get(self, kind: Kind, identity: int) -> dict[str, Any] | None:
        """Return the record with the id; None if it does not exist.

        It has its translations only if the service is known to include them (`includes_translations`), which the first
        `read` of a translated kind finds out.
        """
        params = _WITH_TRANSLATIONS if self._supports_include and RECORDS[kind].translated else {}
        try:
            answer = await self._service.get(f"{self._path}/{kind.collection}/{identity}", params)
        except Rejected as rejected:
            if rejected.status == 404:
                return None
            raise
        record = answer.document.get("data")
        if not isinstance(record, dict) or id_of(record) != identity:
            raise ServerError(f"the server answered without the requested {kind}")
        return record

    async def search(self, kind: Kind, key: str) -> dict[str, Any] | None:
        """Return a record with the key; search the first page, then backwards from the last page (newest records).

        None does not prove that no record has the key: the list may change during the search.
        """
        return await search_list(
            self._service, f"{self._path}/{kind.collection}", lambda record: key_of(kind, record) == key
        )

    async def is_absent(self, kind: Kind, key: str) -> bool:
        """Return whether the service certainly has no record with the key: only the documented answer counts."""
        field = EXISTENCE_CHECKS.get(kind)
        if field is None or (field == "url" and "://" not in key):
            return False
        try:
            answer = await self._service.post_query(f"{self._path}/{kind.collection}/exists", {field: key})
        except (Rejected, ServerError):
            return False
        return answer.document.get("message") == f"{kind.capitalize()} does not exist in this directory"

    async def _read_with_translations(
        self, kind: Kind, cached: RecordList | None, on_count: CountCallback
    ) -> RecordList:
        """Return the list, or `cached` itself if it is still current.

        Its records have `translations` if the service supports `include=translations`.
        """
        if self._supports_include is not False:
            try:
                record_list = await self._request_list(kind, _WITH_TRANSLATIONS, cached, on_count)
            except Rejected as rejected:
                if rejected.status != 422:
                    raise
                self._supports_include = False
            else:
                self._supports_include = all("translations" in record for record in record_list)
                return record_list if record_list is cached else replace(record_list, translated=self._supports_include)
        return await self.read_default_language(kind, cached, on_count)

    async def _with_locales(self, kind: Kind, locales: Sequence[str], record_list: RecordList) -> RecordList:
        """Return the list with the texts in the locales, for a service that does not support `include=translations`."""
        records: list[dict[str, Any]] = [{**record, "translations": {}} for record in record_list]
        for locale in locales:
            await self._add_locale(kind, locale, records)
        return RecordList.of(record_list.etag, records)

    async def _add_locale(self, kind: Kind, locale: str, records: Sequence[dict[str, Any]]) -> None:
        """Add the texts in a locale to the records."""
        try:
            localised = await self._request_list(kind, {"locale": locale})
        except Rejected as rejected:
            if rejected.status == 422:  # not a language of the directory: its texts are unknown
                self.refused_locales.add(locale)
                return
            raise
        self.refused_locales.discard(locale)
        texts = {id_of(record): record for record in localised}
        for record in records:
            translation = extract_translation(kind, record, texts.get(id_of(record), {}))
            if translation:
                record["translations"][locale] = translation

    async def _request_list(
        self,
        kind: Kind,
        params: Mapping[str, str],
        cached: RecordList | None = None,
        on_count: CountCallback = ignore_count,
    ) -> RecordList:
        """Return the list of a kind, or `cached` itself if its ETag is still current."""
        path = f"{self._path}/{kind.collection}"
        return await read_list(
            self._service,
            path,
            params,
            paginated=kind in PAGINATED,
            cached=cached,
            on_count=on_count,
            reduce=partial(reduce_record, kind),
        )

    def apply_writes(self, write_log: WriteLog) -> None:
        """Apply the logged writes to the cached lists on disk, except those that were damaged since they were read."""
        for kind in Kind:
            cached = self.cached_list(kind)
            if self._cache is not None and cached:
                with suppress(Damaged, *UNREADABLE):
                    apply_deltas(self._cache / _file_name(kind), self._source, kind, cached, write_log)
        self._loaded.clear()

    def discard_list(self, kind: Kind) -> None:
        """Delete the cached list of a kind from disk, so that the next `read` requests the whole list."""
        self._loaded.pop(kind, None)
        if self._cache is not None:
            with suppress(OSError):
                (self._cache / _file_name(kind)).unlink(missing_ok=True)

    def cached_list(self, kind: Kind, *, unless: str | None = None) -> RecordList | None:
        """Return the list of a kind on disk, perhaps an old one; None if there is none, or if its ETag is `unless`."""
        loaded = self._loaded.get(kind)
        if loaded is None and self._cache is not None:
            loaded = read_cached_list(self._cache / _file_name(kind), self._source, kind, unless=unless)
            if loaded:
                self._loaded[kind] = loaded
        return loaded if loaded and loaded.etag != unless else None

    def _store(self, kind: Kind, record_list: RecordList) -> None:
        if self._cache is not None and record_list.etag is not None:
            write_cached_list(self._cache / _file_name(kind), self._source, kind, record_list)
            self._loaded[kind] = record_list


def _public_url(directory: Mapping[str, Any]) -> str | None:
    """Return the address of the directory's public site from its `url`, else its `domain`; None without both."""
    url, domain = directory.get("url"), directory.get("domain")
    if isinstance(url, str) and url_fault(url) is None:
        return url
    return f"https://{domain}/" if isinstance(domain, str) and domain else None


def _file_name(kind: Kind) -> str:
    return f"{kind}.jsonl"
