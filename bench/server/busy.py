"""The owner of a large directory, who keeps the server busy: a process of its own, with several connections."""

import http.client
import itertools
import json
import multiprocessing
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.sharedctypes import Synchronized
from typing import Any

from .bodies import BULK, listings
from .load import HOST

_API = "/api/directories/1"
_SITE = "/sites/busy"
_WORDS = ("alpha bench", "steel", "no such word")
_UNLINKED: dict[str, list[int]] = {"categories": [], "tags": [], "organizers": []}
_numbers = itertools.count(1_000_001, BULK)  # of new listings


class _Client:
    """A kept connection of the owner's."""

    def __init__(self, port: int, token: str, done: "Synchronized[int]") -> None:
        self._connection = http.client.HTTPConnection(HOST, port, timeout=60)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._done = done

    def ask(self, method: str, path: str, body: Any = None) -> bytes:
        """The body of an answer; raises RuntimeError for a failure of the server."""
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        self._connection.request(method, path, sent, self._headers)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status >= 500:
            raise RuntimeError(f"{method} {path}: {response.status} {answer[:200]!r}")
        with self._done.get_lock():
            self._done.value += 1
        return answer


def _fields(client: _Client) -> Iterator[None]:
    """Adds a custom field to all listings, renames and deletes it."""
    for number in itertools.count():
        body = {"label": f"Extra {number}", "type": "text"}
        field = json.loads(client.ask("POST", f"{_API}/custom-fields", body))["data"]["id"]
        yield
        client.ask("PUT", f"{_API}/custom-fields/{field}", {"name": f"other_{number}"})
        yield
        client.ask("DELETE", f"{_API}/custom-fields/{field}")
        yield


def _tags(client: _Client) -> Iterator[None]:
    """Renames tags that all listings have, and deletes one of them now and then until few are left."""
    left = [tag["id"] for tag in json.loads(client.ask("GET", f"{_API}/tags"))["data"]]
    for number in itertools.count():
        client.ask("PUT", f"{_API}/tags/{left[0]}", {"title": f"Tag {number}"})
        yield
        if number % 20 == 0 and len(left) > 2:
            client.ask("DELETE", f"{_API}/tags/{left.pop()}")
            yield


def _organizers(client: _Client) -> Iterator[None]:
    """Changes an organizer that all listings have, and reads all, each with the names of its listings."""
    first = json.loads(client.ask("GET", f"{_API}/organizers"))["data"][0]["id"]
    for number in itertools.count():
        client.ask("PUT", f"{_API}/organizers/{first}", {"name": f"Organizer {number}"})
        yield
        client.ask("GET", f"{_API}/organizers")
        yield


def _bulks(client: _Client) -> Iterator[None]:
    """Creates a hundred listings in each request."""
    for first in _numbers:
        made = [{**each, **_UNLINKED} for each in listings(range(first, first + BULK))]
        client.ask("POST", f"{_API}/projects/bulk", {"listings": made})
        yield


def _searches(client: _Client) -> Iterator[None]:
    """Looks for words, for a category and for a tag on the site."""
    for words in itertools.cycle(_WORDS):
        client.ask("GET", f"{_SITE}/?q={words.replace(' ', '+')}")
        yield
        client.ask("GET", f"{_SITE}/categories/categories-1/")
        yield


def _sitemaps(client: _Client) -> Iterator[None]:
    """Reads the sitemap and its parts."""
    for number in itertools.cycle(range(1, 20)):
        client.ask("GET", f"{_SITE}/sitemap.xml")
        yield
        client.ask("GET", f"{_SITE}/sitemap-{number}.xml")
        yield


_HABITS: dict[str, tuple[Callable[[_Client], Iterator[None]], ...]] = {
    "custom fields are added, renamed and deleted": (_fields,) * 2,
    "tags are renamed and deleted": (_tags,),
    "organizers are changed and read": (_organizers,) * 2,
    "100 listings in each of 4 bulk creates at once": (_bulks,) * 4,
    "4 searches at once": (_searches,) * 4,
    "4 sitemaps at once": (_sitemaps,) * 4,
}
EVERYTHING = "all of this at once"
HABITS = tuple(_HABITS)


@contextmanager
def busy(port: int, token: str, habit: str) -> Iterator[Callable[[], int]]:
    """Keep the server busy; what is yielded says how many requests were answered so far."""
    context = multiprocessing.get_context("spawn")
    done, stop = context.Value("i", 0), context.Event()
    process = context.Process(target=_run, args=(port, token, habit, done, stop), daemon=True)
    process.start()
    while not done.value:
        if not process.is_alive():
            raise RuntimeError("what keeps the server busy has ended")
        stop.wait(0.05)
    try:
        yield lambda: int(done.value)
    finally:
        failed = not process.is_alive()
        stop.set()
        process.join(60)
        if failed or process.exitcode:
            raise RuntimeError("what keeps the server busy has failed")


def _run(port: int, token: str, habit: str, done: "Synchronized[int]", stop: Any) -> None:
    works = [each for works in _HABITS.values() for each in works] if habit == EVERYTHING else _HABITS[habit]
    failures: list[BaseException] = []

    def run(work: Callable[[_Client], Iterator[None]]) -> None:
        try:
            for _ in work(_Client(port, token, done)):
                if stop.is_set() or failures:
                    return
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise SystemExit(1)
