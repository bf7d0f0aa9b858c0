"""The metrics of the queues, while visitors wait, are refused, and close their connections."""

from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial

import pytest
from prometheus_client import CollectorRegistry
from starlette.types import Receive, Scope, Send

from contentsync.server.asgi import create_app
from contentsync.server.client_disconnect import client_left
from contentsync.server.edge.queue_metrics import QueueMetrics
from contentsync.server.store import Database, connect_database
from contentsync.server.store.read_pool import MAX_WAITING, ClientLeft, QueuedRead, ReadQueue

from ..blocked_reads import blocked
from .conftest import Site
from .tcp_server import TcpServer, run, until

SEARCH = b"GET /sites/ada/?q=saw HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n"
ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n"


class Counted:
    """The metrics of a database's queue of lists."""

    def __init__(self, database: Database) -> None:
        self._registry = CollectorRegistry()
        database.observe_queues(QueueMetrics(self._registry))

    def __getattr__(self, name: str) -> float | None:
        return self._registry.get_sample_value(f"contentsync_{name}", {"queue": "lists"})


@pytest.fixture
def database(site: Site) -> Iterator[Database]:
    with closing(connect_database(site.url)) as database:
        yield database


def test_searches_of_closed_connections_leave_the_queue(site: Site, database: Database) -> None:
    counted = Counted(database)

    async def meet(server: TcpServer) -> None:
        async with blocked(database, QueuedRead(ReadQueue.LISTS, site.ada.directory)):
            writers = []
            for _ in range(MAX_WAITING):
                _reader, writer = await server.connect()
                writer.write(SEARCH)
                writers.append(writer)
            await until(lambda: counted.reads_waiting == MAX_WAITING)
            assert b" 503 " in await server.ask(SEARCH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            assert counted.reads_refused_total == 1
            for writer in writers:
                writer.close()
            await until(lambda: counted.reads_waiting == 0)
        assert counted.reads_cancelled_total == MAX_WAITING
        assert counted.read_wait_seconds_count == 1  # only the first read has run

    run(meet, create_app(database))


def test_the_statement_of_a_closed_connection_is_cancelled(database: Database) -> None:
    counted = Counted(database)
    ended = []

    async def search(scope: Scope, receive: Receive, send: Send) -> None:
        place = QueuedRead(ReadQueue.LISTS, 1, partial(client_left, receive))
        with suppress(ClientLeft):
            await database.read_queued(place, lambda connection: connection.scalar(ENDLESS))
        ended.append(scope["path"])

    async def meet(server: TcpServer) -> None:
        _reader, writer = await server.connect()
        writer.write(SEARCH)
        await until(lambda: counted.read_wait_seconds_count == 1)
        writer.close()
        await until(lambda: bool(ended))
        assert counted.reads_cancelled_total == 1

    run(meet, search)
