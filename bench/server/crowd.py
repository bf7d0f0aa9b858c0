"""Visitors of a site: one who reads pages, many who search without a pause, and those who leave before the answer."""

import http.client
import multiprocessing
import re
import socket
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle
from multiprocessing.connection import Connection
from typing import Any, Self

from .load import CLIENTS, HOST, request, send

REFUSED = 503  # as the server answers a long read that cannot run now
GIVE_UP = 30  # seconds, after which a visitor stops asking for a page that is refused
_CARD = re.compile(r'class="card-title')
_COUNT = re.compile(r"\([^()<]*\d[^()<]*\)</option>")  # of listings, beside a choice of a filter
_PAUSE = 0.5  # seconds, after which the server has read what was sent
_PATIENCE = 300  # seconds for the start and the last answers of the crowd


@dataclass(frozen=True)
class Page:
    """A page of a list as a visitor gets it."""

    status: int
    seconds: float
    html: str

    @property
    def has_listings(self) -> bool:
        """Return whether the list has an entry."""
        return self.status == 200 and bool(_CARD.search(self.html))

    @property
    def has_counts(self) -> bool:
        """Return whether choices of filters have the number of their listings."""
        return bool(_COUNT.search(self.html))


class Visitor:
    """A visitor on an open connection; paths are below `mount`. A context manager."""

    def __init__(self, port: int, mount: str) -> None:
        self._connection = http.client.HTTPConnection(HOST, port, timeout=_PATIENCE)
        self._mount = mount

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def read(self, path: str) -> Page:
        """Return the page; raise RuntimeError for a status that is neither 200 nor 503."""
        began = time.perf_counter()
        self._connection.request("GET", self._mount + path)
        response = self._connection.getresponse()
        html = response.read().decode()
        if response.status not in (200, REFUSED):
            raise RuntimeError(f"{path}: {response.status}")
        return Page(response.status, time.perf_counter() - began, html)

    def seconds_until_answered(self, path: str) -> float:
        """Return the time until the page is there, with all attempts that are refused; at most about GIVE_UP."""
        began = time.perf_counter()
        while self.read(path).status == REFUSED and time.perf_counter() - began < GIVE_UP:
            pass
        return time.perf_counter() - began


@contextmanager
def crowded(port: int, paths: Sequence[str]) -> Iterator[Counter[int]]:
    """Let CLIENTS visitors read these pages without a pause, in a process of their own.

    After the block, the yielded counter has the number of answers by status.
    """
    context = multiprocessing.get_context("spawn")
    begun, stop, (results, sent) = context.Event(), context.Event(), context.Pipe(duplex=False)
    process = context.Process(target=_crowd, args=(port, paths, begun, stop, sent), daemon=True)
    process.start()
    statuses: Counter[int] = Counter()
    if not begun.wait(_PATIENCE):
        raise RuntimeError("the visitors do not begin")
    time.sleep(_PAUSE)
    try:
        yield statuses
    finally:
        stop.set()
        process.join(_PATIENCE)
        if process.exitcode != 0:
            raise RuntimeError("the visitors have failed")
        statuses.update(results.recv())


def _crowd(port: int, paths: Sequence[str], begun: Any, stop: Any, results: Connection) -> None:
    def requests() -> Iterator[bytes]:
        for path in cycle(paths):
            yield request("GET", path)
            begun.set()
            if stop.is_set():
                return

    results.send(send(port, requests(), CLIENTS, 200, REFUSED).statuses)


def abandon(port: int, paths: Sequence[str]) -> None:
    """Request all pages at once, and close the connections before the answers."""
    with ExitStack() as stack:
        for path in paths:
            connection = stack.enter_context(socket.create_connection((HOST, port)))
            connection.sendall(request("GET", path))
        time.sleep(_PAUSE)
