"""Clients at the same time, over several connections (docs/faults.md CO-08, CO-09, CO-16)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from ..conftest import Api, Service

CLIENTS = 4


def at_once(api: Api, work: Callable[[Api], Any]) -> list[Any]:
    """Return the results of the work for several clients at once, each with a connection of its own."""

    with ExitStack() as opened, ThreadPoolExecutor(CLIENTS) as pool:
        # The servers are made one after the other: only their requests meet.
        clients = [replace(api, service=opened.enter_context(Service(api.service.url))) for _ in range(CLIENTS)]
        return list(pool.map(work, clients))


def test_concurrent_creates_of_one_slug_create_one_page(api: Api) -> None:
    """docs/faults.md CO-08."""
    statuses = at_once(
        api, lambda client: [client.post("/pages", {"title": f"Page {n}"}).status_code for n in range(5)]
    )
    assert sorted(status for some in statuses for status in some) == [200] * 15 + [201] * 5
    assert len(api.all("pages")) == 5


def test_concurrent_creates_of_one_url_create_one_listing(api: Api) -> None:
    """docs/faults.md CO-16."""
    body = {"listings": [{"name": f"Tool {n}", "url": f"https://example.org/{n}"} for n in range(20)]}
    answers = at_once(api, lambda client: client.post("/projects/bulk", body).json())
    assert all(answer["errors"] == [] for answer in answers)
    assert len({tuple(listing["id"] for listing in answer["data"]) for answer in answers}) == 1
    assert len(api.all("projects")) == 20


def test_concurrent_writers_wait_for_each_other(api: Api) -> None:
    """docs/faults.md CO-09."""
    made = at_once(api, lambda client: [client.make("projects", name="Lathe")["slug"] for _ in range(5)])
    slugs = {slug for some in made for slug in some}
    assert slugs == {"lathe", *(f"lathe-{number}" for number in range(2, 5 * CLIENTS + 1))}
