"""Many clients at once, over HTTP, and commands beside them."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import httpx
import pytest

from contentsync.server.store import connect_database

from ...postgresql import Cluster
from ...serving import serving
from ..processes import start
from .conftest import Site, make_site

CLIENTS = 50


@dataclass(frozen=True)
class Served:
    """A database, and where it is served: by several processes if it can be shared, else by one."""

    url: str
    addresses: Sequence[str]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Running servers, for all tests of a database."""
    url = f"sqlite:///{tmp_path_factory.mktemp('served') / 'site.db'}"
    if request.param == "postgresql":
        cluster: Cluster = request.getfixturevalue("cluster")
        url = cluster.database()
    with ExitStack() as stack:
        count = 3 if request.param == "postgresql" else 1
        started = [stack.enter_context(serving(url, "--rate-limit", "0")) for _ in range(count)]
        yield Served(url, [server.address for server in started])


@pytest.fixture
def site(served: Served, request: pytest.FixtureRequest) -> Site:
    """Return a directory for one test."""
    return make_site(served.url, f"site-{hash(request.node.name) % 10**9}")


@pytest.fixture
def addresses(served: Served) -> Sequence[str]:
    """Return the addresses at which the site is served."""
    return served.addresses


def at_once(site: Site, addresses: Sequence[str], work: Callable[[httpx.Client, int], Any]) -> list[Any]:
    """Return the results of the work for fifty clients that begin together."""
    begin = threading.Barrier(CLIENTS)

    def run(client: httpx.Client, number: int) -> Any:
        begin.wait(30)
        return work(client, number)

    with ExitStack() as opened, ThreadPoolExecutor(CLIENTS) as pool:
        clients = [opened.enter_context(site.client(address)) for address, _ in zip(cycle(addresses), range(CLIENTS))]
        return list(pool.map(run, clients, range(CLIENTS)))


def rows(site: Site, table: str) -> int:
    """Return the number of records of the site in a table."""
    with closing(connect_database(site.url)) as database:
        query = f"SELECT count(*) FROM {table} WHERE directory_id = {site.directory_id}"
        count: int = database.run_read(lambda connection: connection.scalar(query))
        return count


def test_fifty_creates_of_one_slug_create_one_record(site: Site, addresses: Sequence[str]) -> None:
    """CO-08."""
    answers = at_once(site, addresses, lambda client, _: client.post("/pages", json={"title": "About"}))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 200: CLIENTS - 1}
    assert len({answer.json()["data"]["id"] for answer in answers}) == 1
    assert rows(site, "pages") == 1


def test_fifty_creates_of_one_name_create_fifty_listings(site: Site, addresses: Sequence[str]) -> None:
    """CO-08: a generated slug that is in use gets a number, and all slugs differ."""
    answers = at_once(site, addresses, lambda client, _: client.post("/projects", json={"name": "Lathe"}))
    assert {answer.status_code for answer in answers} == {201}
    slugs = {answer.json()["data"]["slug"] for answer in answers}
    assert slugs == {"lathe", *(f"lathe-{number}" for number in range(2, CLIENTS + 1))}


def test_a_create_delivered_many_times_creates_one_listing(site: Site, addresses: Sequence[str]) -> None:
    """CO-16."""
    body = {"name": "Lathe", "url": "https://example.org/lathe"}
    answers = at_once(site, addresses, lambda client, _: client.post("/projects", json=body))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 200: CLIENTS - 1}
    assert len({answer.json()["data"]["id"] for answer in answers}) == 1
    assert rows(site, "listings") == 1


def test_a_list_read_during_writes_is_consistent(site: Site, addresses: Sequence[str]) -> None:
    """CO-10: during bulk creates and deletes, every page has as many records as it reports."""
    writing = threading.Event()
    seen: set[int] = set()

    def write(client: httpx.Client) -> None:
        for turn in range(6):
            listings = [{"name": f"Tool {turn}-{at}"} for at in range(30)]
            made = client.post("/projects/bulk", json={"listings": listings}).json()["data"]
            assert len(made) == 30
            for listing in made[:2]:
                assert client.delete(f"/projects/{listing['id']}").status_code == 200
        writing.set()

    def read(client: httpx.Client) -> None:
        while not writing.is_set():
            for page in (1, 2):
                answer = client.get("/projects", params={"page": page}).json()
                meta, ids = answer["meta"], [listing["id"] for listing in answer["data"]]
                assert len(ids) == max(0, min(100, meta["total"] - (page - 1) * 100)), meta
                assert (meta["from"], meta["to"]) == ((page - 1) * 100 + 1, (page - 1) * 100 + len(ids)) or not ids
                assert ids == sorted(ids)
                seen.add(meta["total"])

    with ExitStack() as opened, ThreadPoolExecutor() as pool:
        clients = [opened.enter_context(site.client(address)) for address, _ in zip(cycle(addresses), range(4))]
        done = [pool.submit(write, clients[0]), *(pool.submit(read, client) for client in clients[1:])]
        for each in done:
            each.result(60)
    assert {total % 30 for total in seen} <= {
        (30 - turn * 2 - deleted) % 30 for turn in range(6) for deleted in range(3)
    }
    assert len(seen) > 3


def test_thirty_two_writers_of_one_file_wait_for_each_other(file_site: Site) -> None:
    """CO-09: clients of two servers, and commands that write at the same time."""
    unlimited = ("--rate-limit", "0")
    with (
        serving(file_site.url, *unlimited) as first,
        serving(file_site.url, *unlimited) as second,
        ThreadPoolExecutor(24) as pool,
    ):
        commands = [
            start(
                "admin",
                "user",
                "create",
                "--email",
                f"user{n}@example.org",
                "--name",
                f"User {n}",
                "--db",
                file_site.url,
            )
            for n in range(8)
        ]

        def write(number: int) -> list[int]:
            with file_site.client((first, second)[number % 2].address) as client:
                return [client.post("/projects", json={"name": f"Tool {number}"}).status_code for _ in range(10)]

        statuses = Counter(status for some in pool.map(write, range(24)) for status in some)
        ends = [command.end() for command in commands]
    output = f"{first.log} {second.log} {ends}"
    assert statuses == {201: 240}, output[output.find("Traceback") :]
    assert [code for code, _out, _err in ends] == [0] * 8, ends
    assert rows(file_site, "listings") == 240
    assert "locked" not in output
