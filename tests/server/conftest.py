"""A server in process, and clients of it."""

import asyncio
import os
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Coroutine, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Self, TypeVar
from zlib import crc32

import httpx
import pytest

from contentsync.server.asgi import create_app
from contentsync.server.store import Connection, accounts, connect_database, tokens

from ..contract.conformance import conformance
from ..postgresql import Cluster, running

T = TypeVar("T")

PUBLIC_URL = "http://127.0.0.1:8000"


@pytest.hookimpl(tryfirst=True)  # before marks are looked at
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark nine tenths of the tests of the API and the site on PostgreSQL, whose code runs on SQLite as well.

    All tests of the store run on both, and so does the comparison in `differential`.
    """
    for item in items:
        is_above = item.nodeid.startswith(("tests/server/api/", "tests/server/site/"))
        if is_above and "[postgresql" in item.nodeid and crc32(item.nodeid.encode()) % 10:
            item.add_marker(pytest.mark.whole)


@contextmanager
def locked(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a write transaction of another program in a database file until the end of the block."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


# Of users and directories, by database: one may be opened again by a later Service.
_NUMBERS: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(1))


@dataclass(frozen=True)
class User:
    """A user of the service."""

    id: int
    name: str
    email: str


class Service:
    """The server, called over ASGI; a context manager. Users and directories get names of their own."""

    def __init__(self, url: str, **settings: Any) -> None:
        self.url = url
        self.database = connect_database(url)
        self._transport = httpx.ASGITransport(self.application(**{"public_url": PUBLIC_URL, **settings}))
        self._http = httpx.AsyncClient(transport=self._transport, base_url=PUBLIC_URL)
        self._runner = asyncio.Runner()
        self._loop = self._runner.get_loop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._http.aclose())
        self._runner.close()
        self.database.close()

    def application(self, **settings: Any) -> Any:
        """Return the application: the service without the layers that a server has around it."""
        return create_app(self.database, **settings)

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request for any path without extra headers; the OpenAPI document must contain the answer."""
        response = self.visit(method, path, **options)
        conformance().hold(response)
        return response

    def visit(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Request a page of a site, which is not in the OpenAPI document."""
        return self.meet(self.ask(method, path, **options))

    def meet(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Return the result of a coroutine, which may send several requests at once."""
        return self._loop.run_until_complete(coroutine)  # without the SIGINT handler of a runner, which takes long

    async def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Ask for any path, in a coroutine that `meet` runs."""
        request = self._http.build_request(method, path, **options)
        response = await self._transport.handle_async_request(request)  # the client would look for cookies
        response.request = request
        await response.aread()
        return response

    def run(self, fn: Any, **arguments: Any) -> Any:
        """Return the result of a function of the store, in one transaction."""
        return self.meet(self.database.write_in_directory(accounts.NO_DIRECTORY, partial(fn, **arguments)))

    def user(self, name: str) -> User:
        """Return a new user."""
        email = f"{name.lower()}-{next(_NUMBERS[self.url])}@example.org"
        return User(self.run(accounts.create_user, email=email, name=name), name, email)

    def directory(self, name: str, owner: User, **settings: Any) -> "Api":
        """Return the client of the owner of a new directory."""
        slug = f"{name.lower()}-{next(_NUMBERS[self.url])}"
        directory_id, secret = self.run(_found, name=name, slug=slug, owner_id=owner.id, **settings)
        return Api(self, directory_id, slug, owner, secret)

    def token(self, user: User, **limits: Any) -> tuple[int, str]:
        """Return the id and the secret of a new token."""
        token_id, secret = self.run(tokens.create_token, user_id=user.id, **limits)
        return int(token_id), str(secret)


def _found(connection: Connection, *, owner_id: int, **settings: Any) -> tuple[int, str]:
    """Return the id of a new directory, and the secret of a token of its owner."""
    directory_id = accounts.create_directory(connection, owner_id=owner_id, **settings)
    return directory_id, tokens.create_token(connection, user_id=owner_id)[1]


@dataclass(frozen=True)
class Api:
    """A user's client of one directory: paths are relative to it."""

    service: Service
    directory_id: int
    slug: str
    user: User
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """The headers that every request carries."""
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def site(self) -> str:
        """The address of the directory's site, which has no domain."""
        return f"{PUBLIC_URL}/sites/{self.slug}"

    def limited(self, **limits: Any) -> "Api":
        """Return a client of the same user and directory whose new token has fewer rights."""
        return replace(self, token=self.service.token(self.user, **limits)[1])

    def at(self, directory_id: int) -> "Api":
        """Return a client with the same token for another directory."""
        return replace(self, directory_id=directory_id)

    def submitter(self, name: str) -> "Api":
        """Return the client of a new submitter in the directory."""
        user = self.service.user(name)
        self.service.run(accounts.add_submitter, directory_id=self.directory_id, user_id=user.id)
        return replace(self, user=user, token=self.service.token(user)[1])

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        options["headers"] = {**self.headers, **options.get("headers", {})}
        return self.service.request(method, f"/api/directories/{self.directory_id}{path}", **options)

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.request("GET", path, params=query)

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.request("POST", path, json=body)

    def put(self, path: str, body: Any = None) -> httpx.Response:
        return self.request("PUT", path, json=body)

    def patch(self, path: str) -> httpx.Response:
        return self.request("PATCH", path)

    def delete(self, path: str) -> httpx.Response:
        return self.request("DELETE", path)

    def make(self, collection: str, **fields: Any) -> dict[str, Any]:
        """Return the created record; fail if the create was refused."""
        response = self.post(f"/{collection}", fields)
        assert response.status_code == 201, response.text
        record: dict[str, Any] = response.json()["data"]
        return record

    def change(self, collection: str, record_id: int, **fields: Any) -> dict[str, Any]:
        """Return the record after an update; fail if it was refused."""
        response = self.put(f"/{collection}/{record_id}", fields)
        assert response.status_code == 200, response.text
        record: dict[str, Any] = response.json()["data"]
        return record

    def show(self, collection: str, record_id: int, **query: Any) -> dict[str, Any]:
        """Return one record as the service shows it."""
        response = self.get(f"/{collection}/{record_id}", **query)
        assert response.status_code == 200, response.text
        record: dict[str, Any] = response.json()["data"]
        return record

    def all(self, collection: str, **query: Any) -> list[dict[str, Any]]:
        """Return the records of a list; the first page of a paginated list."""
        response = self.get(f"/{collection}", **query)
        assert response.status_code == 200, response.text
        records: list[dict[str, Any]] = response.json()["data"]
        return records


@pytest.fixture(scope="session")
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    """Yield a PostgreSQL, shared by the processes of a run."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    with running(run) as cluster:
        yield cluster


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Yield a migrated database of each engine."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/site.db"
        if request.param == "postgresql":
            cluster: Cluster = request.getfixturevalue("cluster")
            url = cluster.database()
        database = connect_database(url)
        database.migrate()
        database.close()
        yield url


@pytest.fixture(scope="session")
def service(url: str) -> Iterator[Service]:
    """Yield the server, shared by all tests of a process: each has users and directories of its own."""
    with Service(url) as service:
        yield service


@pytest.fixture
def api(service: Service) -> Api:
    """Return the client of Ada, who owns the directory "Tools" in English."""
    return service.directory("Tools", service.user("Ada"))


@pytest.fixture
def other(service: Service) -> Api:
    """Return the client of Bob, who owns the directory "Cafes" and no other."""
    return service.directory("Cafes", service.user("Bob"))


@pytest.fixture
def bilingual(api: Api) -> Api:
    """Return the client of Ada in her directory in English and French."""
    return api.service.directory("Ateliers", api.user, locales=("en", "fr"))


@pytest.fixture
def submitter(api: Api) -> Api:
    """Return the client of Eve, who is a submitter in Ada's directory."""
    return api.submitter("Eve")
