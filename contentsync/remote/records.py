"""The records of a kind with their translations, from the service or from the last seen state of it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import Rejected, ServerError
from ..model import RECORDS, Kind
from ..model.url import url_fault
from .carried import Carried
from .listing import Counted, Listed, read_list, search_list, unheard
from .service import Service
from .snapshot import carry_snapshot, read_snapshot, write_snapshot
from .wire import id_of, key_of, translation_of

PAGINATED = frozenset({Kind.PAGE, Kind.ARTICLE, Kind.LISTING})  # the other lists come whole (docs/contract.md 10)
PER_PAGE = 100

_WITH_TRANSLATIONS = {"include": "translations"}


class Records:
    """What a directory of the service holds, in the service's words.

    `cache` is a folder for the last seen state. It is used where the service has ETags that stand for whole lists.
    """

    def __init__(self, service: Service, directory: int, cache: Path | None) -> None:
        self._service = service
        self._path = f"/api/directories/{directory}"
        self._source = f"{service.url.rstrip('/')} {directory}"
        self._cache = cache
        self._includes: bool | None = None  # whether the service knows `include=translations`, once that is known
        self.site: str | None = None  # the address of the public site, once the languages were asked for
        self.refused: set[str] = set()  # locales that the service did not take

    @property
    def written(self) -> Mapping[str, str]:
        """What to ask for with a write, so that the record is answered as lists show it."""
        return _WITH_TRANSLATIONS if self._includes else {}

    async def read(self, kind: Kind, locales: Sequence[str], counted: Counted, seen: Listed | None = None) -> Listed:
        """All records of a kind, with their texts in the languages besides the default; `seen` itself, if it is true.

        Without `seen`, what was seen by an earlier command is taken, where that is still true. Raises RemoteError.
        """
        translated = bool(locales and RECORDS[kind].translated)
        kept = None if seen else self._seen(kind)
        if kept and translated and not kept.translated:
            kept = None
        listed = await self._read(kind, translated, seen or kept, counted)
        if listed is kept and kept.translated:
            self._includes = True
        if listed is kept or listed is seen:
            return listed
        if translated and not listed.translated:
            for record in listed.records:
                record["translations"] = {}
            for locale in locales:
                await self._localise(kind, locale, listed)
        else:
            self._keep(kind, listed)
        return listed

    async def read_plain(self, kind: Kind, seen: Listed | None = None, counted: Counted = unheard) -> Listed:
        """All records of a kind in the default language, or `seen` itself where its ETag still holds."""
        return await self._list(kind, {}, seen, counted)

    async def languages(self) -> tuple[str, ...] | None:
        """The languages of the directory, the default first; None where the service does not return them."""
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
        """One record, with its translations if the lists have them; None if there is none. Raises RemoteError."""
        params = _WITH_TRANSLATIONS if self._includes and RECORDS[kind].translated else {}
        try:
            answer = await self._service.get(f"{self._path}/{kind.collection}/{identity}", params)
        except Rejected as rejected:
            if rejected.status == 404:
                return None
            raise
        record = answer.document.get("data")
        if not isinstance(record, dict) or id_of(record) != identity:
            raise ServerError(f"the server answered without the {kind} that was asked for")
        return record

    async def search(self, kind: Kind, key: str) -> dict[str, Any] | None:
        """A record with the key, from the last page of the list backwards, where new ones are.

        None says only that none was met: the list may have moved meanwhile.
        """
        return await search_list(
            self._service, f"{self._path}/{kind.collection}", lambda record: key_of(kind, record) == key
        )

    async def _read(self, kind: Kind, translated: bool, seen: Listed | None, counted: Counted) -> Listed:
        if translated and self._includes is not False:
            try:
                listed = await self._list(kind, _WITH_TRANSLATIONS, seen, counted)
            except Rejected as rejected:
                if rejected.status != 422:
                    raise
                self._includes = False
            else:
                self._includes = all("translations" in record for record in listed.records)
                return listed if listed is seen else replace(listed, translated=self._includes)
        return await self._list(kind, {}, seen, counted)

    async def _localise(self, kind: Kind, locale: str, listed: Listed) -> None:
        """Adds a language to the records of a service that does not know `include=translations`."""
        try:
            localised = await self._list(kind, {"locale": locale})
        except Rejected as rejected:
            if rejected.status == 422:  # not a language of the directory, so nothing is known of texts in it
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
        self, kind: Kind, params: Mapping[str, str], seen: Listed | None = None, counted: Counted = unheard
    ) -> Listed:
        path = f"{self._path}/{kind.collection}"
        return await read_list(self._service, path, params, paginated=kind in PAGINATED, seen=seen, counted=counted)

    def carry(self, carried: Carried) -> None:
        """Brings what was seen to what the noted writes have made of it."""
        if self._cache is None:
            return
        for kind in Kind:
            carry_snapshot(self._cache / _file(kind), self._source, kind, partial(carried.since, kind))

    def forget(self, kind: Kind) -> None:
        """Drop the cached list of a kind, so that the next one is read without a condition."""
        if self._cache is not None:
            with suppress(OSError):
                (self._cache / _file(kind)).unlink(missing_ok=True)

    def _seen(self, kind: Kind) -> Listed | None:
        return None if self._cache is None else read_snapshot(self._cache / _file(kind), self._source, kind)

    def _keep(self, kind: Kind, listed: Listed) -> None:
        if self._cache is not None and listed.etag is not None:
            write_snapshot(self._cache / _file(kind), self._source, kind, listed)


def _site(directory: Mapping[str, Any]) -> str | None:
    """Return the address of a directory's site: what the service says, else that of its domain."""
    url, domain = directory.get("url"), directory.get("domain")
    if isinstance(url, str) and url_fault(url) is None:
        return url
    return f"https://{domain}/" if isinstance(domain, str) and domain else None


def _file(kind: Kind) -> str:
    return f"{kind}.jsonl"
