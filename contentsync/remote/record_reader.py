"""Read the records of a kind with their translations, from the service or from the cache."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import Rejected, ServerError
from ..model import RECORDS, Kind
from ..model.urls import url_fault
from .http_client import Service
from .list_cache import WriteLog, apply_deltas, read_cached_list, write_cached_list
from .list_reader import CountCallback, RecordList, ignore_count, read_list, search_list
from .wire import id_of, key_of, translation_of

PAGINATED = frozenset({Kind.PAGE, Kind.ARTICLE, Kind.LISTING})  # the other lists have one page (docs/contract.md 10)
PER_PAGE = 100

_WITH_TRANSLATIONS = {"include": "translations"}


class RecordReader:
    """Reads the records of a directory as the service returns them.

    `cache` is a folder for lists. It is used if the service has ETags for whole lists.
    """

    def __init__(self, service: Service, directory: int, cache: Path | None) -> None:
        self._service = service
        self._path = f"/api/directories/{directory}"
        self._source = f"{service.url.rstrip('/')} {directory}"
        self._cache = cache
        self._includes: bool | None = None  # whether the service supports `include=translations`; None until known
        self.site: str | None = None  # the address of the public site, once `languages` was called
        self.refused: set[str] = set()  # locales that the service refused

    @property
    def write_params(self) -> Mapping[str, str]:
        """The parameters of a write, so that the service returns the record as lists show it."""
        return _WITH_TRANSLATIONS if self._includes else {}

    async def read(
        self, kind: Kind, locales: Sequence[str], on_count: CountCallback, cached: RecordList | None = None
    ) -> RecordList:
        """Return all records of a kind with their texts in the locales, or `cached` itself if it is still current.

        Without `cached`, use the list that an earlier command cached if it is current. Raise RemoteError.
        """
        translated = bool(locales and RECORDS[kind].translated)
        stored = None if cached else self._load(kind)
        if stored and translated and not stored.translated:
            stored = None
        listed = await self._read(kind, translated, cached or stored, on_count)
        if listed is stored and stored.translated:
            self._includes = True
        if listed is stored or listed is cached:
            return listed
        if translated and not listed.translated:
            for record in listed.records:
                record["translations"] = {}
            for locale in locales:
                await self._add_locale(kind, locale, listed)
        else:
            self._store(kind, listed)
        return listed

    async def read_plain(
        self, kind: Kind, cached: RecordList | None = None, on_count: CountCallback = ignore_count
    ) -> RecordList:
        """Return all records of a kind in the default language, or `cached` itself if its ETag is current."""
        return await self._list(kind, {}, cached, on_count)

    async def languages(self) -> tuple[str, ...] | None:
        """Return the languages of the directory, the default first; None if the service does not report them."""
        try:
            answer = await self._service.get(self._path, {})
        except Rejected:
            return None
        directory = answer.document.get("data")
        found = directory.get("locales") if isinstance(directory, dict) else None
        self.site = _site(directory) if isinstance(directory, dict) else None
        if not isinstance(found, list) or not all(isinstance(locale, str) for locale in found):
            return None
        return tuple(found) or None

    async def get(self, kind: Kind, identity: int) -> dict[str, Any] | None:
        """Return one record, with its translations if the lists have them; None if it does not exist."""
        params = _WITH_TRANSLATIONS if self._includes and RECORDS[kind].translated else {}
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
        """Return a record with the key, searching from the last page backwards, where new records are.

        None does not prove that there is none: the list may change meanwhile.
        """
        return await search_list(
            self._service, f"{self._path}/{kind.collection}", lambda record: key_of(kind, record) == key
        )

    async def _read(
        self, kind: Kind, translated: bool, cached: RecordList | None, on_count: CountCallback
    ) -> RecordList:
        if translated and self._includes is not False:
            try:
                listed = await self._list(kind, _WITH_TRANSLATIONS, cached, on_count)
            except Rejected as rejected:
                if rejected.status != 422:
                    raise
                self._includes = False
            else:
                self._includes = all("translations" in record for record in listed.records)
                return listed if listed is cached else replace(listed, translated=self._includes)
        return await self._list(kind, {}, cached, on_count)

    async def _add_locale(self, kind: Kind, locale: str, listed: RecordList) -> None:
        """Add a language to the records of a service that does not support `include=translations`."""
        try:
            localised = await self._list(kind, {"locale": locale})
        except Rejected as rejected:
            if rejected.status == 422:  # not a language of the directory: its texts are unknown
                self.refused.add(locale)
                return
            raise
        self.refused.discard(locale)
        texts = {id_of(record): record for record in localised.records}
        for record in listed.records:
            translation = translation_of(kind, record, texts.get(id_of(record), {}))
            if translation:
                record["translations"][locale] = translation

    async def _list(
        self,
        kind: Kind,
        params: Mapping[str, str],
        cached: RecordList | None = None,
        on_count: CountCallback = ignore_count,
    ) -> RecordList:
        path = f"{self._path}/{kind.collection}"
        return await read_list(
            self._service, path, params, paginated=kind in PAGINATED, cached=cached, on_count=on_count
        )

    def apply_writes(self, write_log: WriteLog) -> None:
        """Apply the recorded writes to the cached lists."""
        if self._cache is None:
            return
        for kind in Kind:
            apply_deltas(self._cache / _file(kind), self._source, kind, partial(write_log.since, kind))

    def forget(self, kind: Kind) -> None:
        """Drop the cached list of a kind, so that the next one is read without a condition."""
        if self._cache is not None:
            with suppress(OSError):
                (self._cache / _file(kind)).unlink(missing_ok=True)

    def _load(self, kind: Kind) -> RecordList | None:
        return None if self._cache is None else read_cached_list(self._cache / _file(kind), self._source, kind)

    def _store(self, kind: Kind, listed: RecordList) -> None:
        if self._cache is not None and listed.etag is not None:
            write_cached_list(self._cache / _file(kind), self._source, kind, listed)


def _site(directory: Mapping[str, Any]) -> str | None:
    """Return the address of a directory's site: the one that the service reports, else that of its domain."""
    url, domain = directory.get("url"), directory.get("domain")
    if isinstance(url, str) and url_fault(url) is None:
        return url
    return f"https://{domain}/" if isinstance(domain, str) and domain else None


def _file(kind: Kind) -> str:
    return f"{kind}.jsonl"
