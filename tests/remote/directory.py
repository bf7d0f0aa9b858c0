"""A directory of the real server, in process, whose answers a script can replace."""

import asyncio
import atexit
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import httpx
from starlette.types import ASGIApp

from contentsync.model import Entry, Kind
from contentsync.remote.http_client import Service
from contentsync.remote.record_reader import KnownLists
from contentsync.remote.remote import Remote
from contentsync.server.embedded import EmbeddedService

from ..embedded import open_server
from ..simulator import LIKE_OURS, Manners, Simulator
from .script import at_once

LOCALES = ("en", "fr")

Result = TypeVar("Result")


class Directory:
    """Asks the server as a new command would; `requests` are those of the last one."""

    def __init__(self, embedded: EmbeddedService, cache: Path | None, manners: Manners) -> None:
        self._embedded = embedded
        self._cache = cache
        self._manners = manners
        self.requests: list[tuple[str, str]] = []

    def ask(self, question: Callable[[Remote], Coroutine[Any, Any, Result]]) -> Result:
        """Send a request and return its result."""
        simulator = Simulator(self._embedded.app, self._manners)
        self.requests = simulator.requests

        async def asked() -> Result:
            async with _client(simulator) as service:
                return await question(Remote(service, self._embedded.directory_id, KnownLists(self._cache)))

        return asyncio.run(asked())

    @asynccontextmanager
    async def another(self) -> AsyncIterator[Remote]:
        """Yield a client of another user during the block."""
        async with _client(self._embedded.app) as service:
            yield Remote(service, self._embedded.directory_id)

    def fetch(self, *locales: str) -> dict[tuple[Kind, str], Entry]:
        """Return all records."""
        entries = self.ask(lambda remote: remote.fetch(set(Kind), locales))
        return {(entry.kind, entry.key): entry for entry in entries}

    def fill(self, listings: int) -> None:
        """Create one entry of each kind, and this number of listings."""

        async def filled(remote: Remote) -> None:
            tools, _ = await remote.create(Kind.CATEGORY, {"title": "Tools"})
            await remote.create(Kind.CATEGORY, {"title": "Saws", "parent_id": tools.id})
            await remote.create(Kind.TAG, {"title": "Open"})
            await remote.create(Kind.CUSTOM_FIELD, {"label": "Price", "type": "text"})
            maker, _ = await remote.create(
                Kind.ORGANIZER, {"name": "Atelier", "translations": {"fr": {"description": "Un"}}}
            )
            await remote.create(Kind.PAGE, {"title": "About"})
            await remote.create(
                Kind.ARTICLE, {"title": "News", "markdown": "Text", "translations": {"fr": {"title": "Nouvelles"}}}
            )
            links = {"categories": [tools.id], "organizers": [maker.id]}
            for start in range(0, listings, 100):
                numbers = range(start, min(start + 100, listings))
                await remote.create_listings(
                    [{"name": f"L{n}", "url": f"https://l{n}.example", **links} for n in numbers]
                )

        self.ask(filled)


def _client(app: ASGIApp) -> Service:
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    return Service("http://embedded", transport=transport, sleep=at_once)


@contextmanager
def directory(
    tmp_path: Path, *, manners: Manners = LIKE_OURS, cache: bool = True, listings: int = 150
) -> Iterator[Directory]:
    """Yield a directory in English and French with something of each kind."""
    shutil.copy(_filled(listings), tmp_path / "site.db")
    embedded = open_server(tmp_path / "site.db", LOCALES)
    try:
        yield Directory(embedded, tmp_path / "cache" if cache else None, manners)
    finally:
        embedded.close()


@cache
def _filled(listings: int) -> Path:
    """Return a database with a record of each kind; a copy of it is quicker than a new one."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    embedded = open_server(folder / "site.db", LOCALES)
    Directory(embedded, None, LIKE_OURS).fill(listings)
    embedded.close()
    return folder / "site.db"
