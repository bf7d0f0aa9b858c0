"""The whole application in process: the service with all layers around it."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import httpx
import pytest
from starlette.types import ASGIApp, Message

from contentsync.server.edge.process import make_application
from contentsync.server.edge.server_settings import ServerSettings
from contentsync.server.store import accounts, connect_database, tokens

PUBLIC_URL = "http://127.0.0.1:8000"


@dataclass(frozen=True)
class Tenant:
    """A user with a directory and a token for it."""

    directory: int
    token: str
    token_id: int

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def path(self, rest: str = "/pages") -> str:
        return f"/api/directories/{self.directory}{rest}"


@dataclass(frozen=True)
class Site:
    """A database with two tenants, and a second token of the first."""

    url: str
    ada: Tenant
    ada_again: Tenant
    bob: Tenant


class Edge:
    """The application, called over ASGI; a context manager."""

    def __init__(self, site: Site, **settings: Any) -> None:
        made = {name: settings.pop(name) for name in ("registry", "body_seconds") if name in settings}
        self.app: ASGIApp = make_application(
            ServerSettings(database=site.url, public_url=PUBLIC_URL, **settings), **made
        )
        self.state: dict[str, Any] = {}  # of its lifespan, which is over when the block has ended
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(_lifespan(self.app, self.state))
        self._runner.close()

    def ask(
        self, method: str, path: str, headers: Any = None, *, peer: str = "192.0.2.1", **options: Any
    ) -> httpx.Response:
        """Send a request with any path and exactly these headers."""

        async def answer() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=(peer, 50000))
            async with httpx.AsyncClient(transport=transport, base_url=PUBLIC_URL) as client:
                return await client.request(method, path, headers=headers, **options)

        return self._runner.run(answer())

    def get(self, path: str, headers: Any = None, **options: Any) -> httpx.Response:
        return self.ask("GET", path, headers, **options)

    def run(self, scope: dict[str, Any], *messages: Message, cancel: bool = False) -> list[Message]:
        """Return what the application sends for a raw request.

        After the messages the client stays silent, or with `cancel` the request is cancelled.
        """
        sent: list[Message] = []
        coming = iter(messages)

        async def receive() -> Message:
            for message in coming:
                return message
            if cancel:
                task = asyncio.current_task()
                assert task is not None
                task.cancel()
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: Message) -> None:
            sent.append(message)

        base = {"type": "http", "http_version": "1.1", "scheme": "http", "query_string": b"", "root_path": ""}
        base |= {"method": "GET", "path": "/", "raw_path": b"/", "headers": [], "client": ("192.0.2.1", 1)}

        async def answered() -> None:
            await self.app({**base, **scope}, receive, send)

        self._runner.run(answered())
        return sent


async def _lifespan(app: ASGIApp, state: dict[str, Any]) -> None:
    coming = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

    async def receive() -> Message:
        return next(coming)

    async def send(message: Message) -> None:
        assert message["type"].endswith(".complete"), message

    await app({"type": "lifespan", "state": state}, receive, send)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Return a database that the tests of a process share; they hardly write to it."""
    url = f"sqlite:///{tmp_path_factory.mktemp('edge') / 'site.db'}"
    database = connect_database(url)
    database.migrate()

    def tenant(name: str, directory: int | None = None) -> Tenant:
        user = database.run_write(accounts.create_user, email=f"{name}@example.org", name=name)
        if directory is None:
            directory = database.run_write(accounts.create_directory, name=name, slug=name, owner_id=user)
        token_id, token = database.run_write(tokens.create_token, user_id=user)
        return Tenant(directory, token, token_id)

    ada = tenant("ada")
    owner = database.run_read(accounts.find_user, "ada@example.org")
    token_id, token = database.run_write(tokens.create_token, user_id=owner)
    yield Site(url, ada, Tenant(ada.directory, token, token_id), tenant("bob"))
    database.close()


@pytest.fixture(scope="session")
def edge(site: Site) -> Iterator[Edge]:
    """Yield the application without a rate limit, shared by the tests of a process."""
    with Edge(site, rate_limit=0) as edge:
        yield edge


@pytest.fixture
def media(tmp_path: Path) -> Path:
    """Return an empty folder of media files."""
    folder = tmp_path / "media"
    folder.mkdir()
    return folder


@contextmanager
def logs_restored() -> Iterator[None]:
    """Restore the loggers at the end."""
    loggers = [logging.getLogger(name) for name in ("contentsync", "uvicorn")]
    before = [(logger.handlers, logger.propagate, logger.level) for logger in loggers]
    try:
        yield
    finally:
        for logger, (handlers, propagate, level) in zip(loggers, before, strict=True):
            logger.handlers, logger.propagate = handlers, propagate
            logger.setLevel(level)
