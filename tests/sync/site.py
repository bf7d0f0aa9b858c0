"""A real server in process, with a transport in front of it that does to requests what a test says."""

import asyncio
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import orjson

from contentsync.content.config.config_tables import Target
from contentsync.errors import ContentsyncError
from contentsync.model import Entry, EntryKey, Kind
from contentsync.remote.http_client import Service
from contentsync.remote.network_client import SENT
from contentsync.remote.remote import Remote
from contentsync.sync.applying.apply import apply
from contentsync.sync.comparing.base import Base
from contentsync.sync.comparing.change import Result, Status
from contentsync.sync.planning.plan import EVERYTHING, Plan, Policy, Selection
from contentsync.sync.planning.plan_builder import PlanFacts, make_plan
from contentsync.sync.planning.prepare import read_server
from contentsync.sync.state.journal import Journal
from contentsync.sync.state.recovery import UnfinishedRuns, save_base_updates
from contentsync.sync.state.run_history import Run, list_journals, read_run
from contentsync.sync.state.state_dir import StateDir
from contentsync.sync.state.state_file import read_state

from ..embedded import open_server

TARGET = Target(name="local", url="embedded:site.db")

PRUNING = Policy(prune=True, on_drift="overwrite")

Sent = Callable[[httpx.Request], Awaitable[httpx.Response]]
Script = Callable[[httpx.Request, Sent], Awaitable[httpx.Response]]


def unheard(kind: Kind, count: int) -> None:
    """No one looks at the progress of a test."""


async def untouched(request: httpx.Request, send: Sent) -> httpx.Response:
    return await send(request)


class Scripted(httpx.AsyncBaseTransport):
    """Lets a script decide over each request, and notes it."""

    def __init__(self, inner: httpx.AsyncBaseTransport, script: Script) -> None:
        self._inner = inner
        self._script = script
        self.requests: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        for _ in range(4):  # a connection gives way to other tasks too before it has sent the request
            await asyncio.sleep(0)
        if trace := request.extensions.get("trace"):
            await trace(SENT, {})
        return await self._script(request, self._inner.handle_async_request)


# What closes the servers of sites that are gone. The garbage collector must not close them: it may run in a thread that
# is being started, which would then wait for itself when it joins the threads of a server.
_TO_CLOSE: list[Callable[[], None]] = []


class Site:
    """A folder with what a sync keeps, and a directory of its own on a real server."""

    def __init__(self, folder: Path, locales: tuple[str, ...] = ("en",)) -> None:
        while _TO_CLOSE:
            _TO_CLOSE.pop()()
        self.state_dir = StateDir.for_target(folder, TARGET.name)
        self._embedded = open_server(folder / "site.db", locales)
        weakref.finalize(self, _TO_CLOSE.append, self._embedded.close)
        self._locales = locales
        self._requests: list[httpx.Request] = []
        self.sent: list[httpx.Request] = []  # of the last sync

    @property
    def base(self) -> Base:
        return read_state(self.state_dir.state, TARGET)

    @property
    def runs(self) -> list[Run]:
        """Return the runs in the journals, the oldest first."""
        return [read_run(file, TARGET) for file in list_journals(self.state_dir)]

    @property
    def writes(self) -> list[tuple[str, str]]:
        """Return the writes of the last sync: method, and path within the directory."""
        return [
            (request.method, request.url.path.partition("directories/")[2].partition("/")[2])
            for request in self.sent
            if request.method != "GET"
        ]

    @asynccontextmanager
    async def remote(self, script: Script = untouched, **options: Any) -> AsyncIterator[Remote]:
        transport = Scripted(httpx.ASGITransport(app=self._embedded.app, raise_app_exceptions=False), script)
        async with Service("http://embedded", transport=transport, **{"sleep": _at_once, **options}) as service:
            yield Remote(service, self._embedded.directory_id)
        self._requests = transport.requests

    async def plan(
        self, remote: Remote, desired: Sequence[Entry], policy: Policy, selection: Selection = EVERYTHING
    ) -> Plan:
        """The plan, after what was cut off is settled; as a command makes it."""
        state, unfinished = read_state(self.state_dir.state, TARGET), UnfinishedRuns.read(self.state_dir, TARGET)
        actual, base = await read_server(
            remote, set(Kind), self._locales[1:], unheard, lambda actual: unfinished.recover_base(state, actual)
        )
        return make_plan(
            desired, actual, selection, base=base, policy=policy, facts=PlanFacts(conditional=remote.conditional)
        )

    async def plan_again(self, remote: Remote, desired: Sequence[Entry], policy: Policy) -> Plan | None:
        """The plan to go on with where the server has contradicted its lists; None if it is refused."""
        plan = await self.plan(remote, desired, policy)
        return None if plan.refusals else plan

    def sync(
        self,
        desired: Sequence[Entry],
        script: Script = untouched,
        *,
        policy: Policy = PRUNING,
        check_lock: Callable[[], None] = lambda: None,
        selection: Selection = EVERYTHING,
        **options: Any,
    ) -> tuple[list[Result], ContentsyncError | None]:
        """One sync to its end: the results, and the error that stopped it."""

        async def synced() -> tuple[list[Result], ContentsyncError | None]:
            results: list[Result] = []
            async with self.remote(script) as remote:
                plan = await self.plan(remote, desired, policy, selection)
                save_base_updates(self.state_dir, TARGET, plan)
                journal = Journal(self.state_dir, TARGET, self.next_run(), plan, check_lock=check_lock)
                stopped = await apply(
                    plan,
                    remote,
                    results.append,
                    replan=lambda: self.plan_again(remote, desired, policy),
                    journal=journal,
                    **options,
                )
                try:
                    journal.close()
                except ContentsyncError as error:
                    stopped = stopped or error
            self.sent = self._requests
            return results, stopped

        return asyncio.run(synced())

    def synced(self, desired: Sequence[Entry]) -> None:
        """A sync in which all goes well."""
        results, stopped = self.sync(desired, policy=Policy(prune=True, on_drift="overwrite", adopt=True))
        assert stopped is None
        assert {result.status for result in results} <= {Status.DONE}, results

    def planned(self, desired: Sequence[Entry], policy: Policy = PRUNING, selection: Selection = EVERYTHING) -> Plan:
        """The next plan."""

        async def planned() -> Plan:
            async with self.remote() as remote:
                return await self.plan(remote, desired, policy, selection)

        return asyncio.run(planned())

    def everything(self) -> dict[EntryKey, Entry]:
        """Return the entries of the server by key, and fail if a key occurs twice."""

        async def fetched() -> list[Entry]:
            async with self.remote() as remote:
                return await remote.fetch(set(Kind), self._locales[1:])

        entries = asyncio.run(fetched())
        there = {(entry.kind, entry.key): entry for entry in entries}
        assert len(there) == len(entries)
        return there

    def there(self, kind: Kind) -> dict[str, Entry]:
        """Return the entries of a kind on the server, by key."""
        return {key: entry for (of, key), entry in self.everything().items() if of is kind}

    def edit(self, kind: Kind, key: str, **fields: Any) -> None:
        """Change an entry as another user."""

        async def edited() -> None:
            async with self.remote() as remote:
                entry = next(entry for entry in await remote.fetch({kind}) if (entry.kind, entry.key) == (kind, key))
                assert entry.id is not None
                await remote.update(kind, entry.id, fields)

        asyncio.run(edited())

    def remove(self, kind: Kind, key: str) -> None:
        """Another user deletes an entry."""

        async def removed() -> None:
            async with self.remote() as remote:
                entry = next(entry for entry in await remote.fetch({kind}) if (entry.kind, entry.key) == (kind, key))
                assert entry.id is not None
                await remote.delete(kind, entry.id)

        asyncio.run(removed())

    def foreign(self, kind: Kind, **fields: Any) -> None:
        """Another user makes an entry."""

        async def made() -> None:
            async with self.remote() as remote:
                await remote.create(kind, fields)

        asyncio.run(made())

    def next_run(self) -> str:
        return f"run-{len(list(self.state_dir.journals.glob('*'))):03}"


def statuses(results: Iterable[Result]) -> dict[str, Status]:
    return {result.change.key: result.status for result in results}


def body(request: httpx.Request) -> Any:
    return orjson.loads(request.content)


def is_write(request: httpx.Request) -> bool:
    return request.method != "GET" and not request.url.path.endswith("/exists")


async def _at_once(seconds: float) -> None:
    """No one waits in a test."""
