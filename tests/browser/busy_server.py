"""A server that refuses the long reads of a directory."""

import asyncio
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import uvicorn

from contentsync.server.asgi import create_app
from contentsync.server.store import connect_database
from contentsync.server.store.read_pool import MAX_WAITING, QueuedRead, ReadQueue

from ..server.blocked_reads import blocked


@contextmanager
def busy_server(database_url: str, directory_id: int) -> Iterator[str]:
    """Yield the address of a server in a thread of its own, on which too many visitors of the directory search."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        closing(connect_database(database_url)) as database,
        ThreadPoolExecutor(1) as thread,
    ):
        server = uvicorn.Server(uvicorn.Config(create_app(database), log_level="warning", lifespan="off"))

        async def serve() -> None:
            async with blocked(database, QueuedRead(ReadQueue.LISTS, directory_id), MAX_WAITING):
                await server.serve([listener])

        served = thread.submit(asyncio.run, serve())
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            served.result()
