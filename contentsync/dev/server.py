"""The server for the browser, inside the loop that does everything else."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp

from .board import Board

GRACE = 2  # seconds that running requests get at the end


@asynccontextmanager
async def serving(app: ASGIApp, board: Board, listener: socket.socket) -> AsyncIterator[None]:
    """Answers on the listener; at the end open pages are let go, and come back when there is a server again."""
    server = _Server(
        uvicorn.Config(
            app,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
    )
    task = asyncio.create_task(server.serve([listener]))
    try:
        yield
    finally:
        board.close()
        server.should_exit = True
        await task


class _Server(uvicorn.Server):
    """uvicorn's server, which leaves signals to the command."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
