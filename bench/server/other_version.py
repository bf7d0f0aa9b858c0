"""Lists and writes beside another version of the server; without one, their times alone."""

import itertools
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..measurement import compare
from ..results import Result
from .bodies import BULK
from .directories import MOUNT, read, write
from .load import BULK_CLIENTS, CLIENTS, Sender, request
from .ours import Ours
from .raw_search import PER_PAGE
from .realistic import listing

LIST_AIM = 1.1  # times the other version
WRITE_AIM = 1.15
_RUNS = 5  # of each pair
_READS = 20  # of a list in a run
_BULKS = 10
_WRITES = 400
_FAR = 100  # the number of a page that is not one of the first


def measure(what: str, ours: Ours, theirs: Ours | None, listings: int, sender: Sender) -> Iterator[Result]:
    """Yield a row for each list and each kind of write; writes only beside another version."""
    for name, path in _lists(ours, listings).items():
        page = [request("GET", MOUNT + path)] * _READS

        def seconds(server: Ours, page: Sequence[bytes] = page) -> float:
            return statistics.median(sender.send(server.port, page).times)

        if theirs is None:
            yield Result(f"{what}: {name}", "", seconds(ours) * 1000, "ms")
        else:
            yield _row(f"{what}: {name}", seconds, ours, theirs, LIST_AIM)
    if theirs is not None:
        for name, work in _writes(ours, theirs, listings, sender).items():
            yield _row(f"{what}: {name}", work, ours, theirs, WRITE_AIM)


def _row(what: str, work: Callable[[Ours], float], ours: Ours, theirs: Ours, aim: float) -> Result:
    found = compare(lambda: work(ours), lambda: work(theirs), _RUNS)
    times = f"{found.ours * 1000:.2f} to {found.yardstick * 1000:.2f} ms"
    return Result(what, "the version before", found.ratio, "times", aim, times)


def _lists(ours: Ours, listings: int) -> dict[str, str]:
    """Return the paths of lists; a small directory has no page 100, and its sitemap has no parts."""
    category = read(ours, "categories")["data"][-1]["slug"]
    far = max(1, min(_FAR, listings // PER_PAGE))
    return {
        "the home page": "/",
        f"page {far} of the home page": f"/?page={far}",
        "the page of a category": f"/categories/{category}/",
        "a part of the sitemap": "/sitemap-2.xml" if listings > 2_000 else "/sitemap.xml",
        "the feed": "/feed.xml",
    }


def _writes(ours: Ours, theirs: Ours, listings: int, sender: Sender) -> dict[str, Callable[[Ours], float]]:
    """Return works that write listings, and take the seconds for each of them."""
    chance = random.Random(5)  # noqa: S311  # not for secrets
    free = max(read(server, "projects")["meta"]["total"] for server in (ours, theirs)) + 1
    numbers = {server.port: itertools.count(free) for server in (ours, theirs)}

    def new(server: Ours, count: int) -> list[dict[str, Any]]:
        return [listing(next(numbers[server.port])) for _ in range(count)]

    def bulks(server: Ours) -> float:
        requests = [write(server, "POST", "projects/bulk", {"listings": new(server, BULK)}) for _ in range(_BULKS)]
        return sender.send(server.port, requests, BULK_CLIENTS).each / BULK

    def creates(server: Ours) -> float:
        requests = [write(server, "POST", "projects", body) for body in new(server, _WRITES)]
        return sender.send(server.port, requests, CLIENTS, 201).each

    def updates(server: Ours) -> float:
        other = listing(chance.randint(1, listings))
        changed = {name: other[name] for name in ("name", "description", "content", "size")}
        requests = [write(server, "PUT", f"projects/{chance.randint(1, listings)}", changed) for _ in range(_WRITES)]
        return sender.send(server.port, requests, CLIENTS).each

    return {
        f"bulk create, {BULK} listings a request": bulks,
        f"create a listing, {CLIENTS} clients at once": creates,
        f"update a listing, {CLIENTS} clients at once": updates,
    }
