"""A simulated service in process, with time of its own."""

from pathlib import Path

import httpx
from starlette.types import ASGIApp

from contentsync.remote.http_client import Service
from contentsync.remote.pacing import Pacer
from contentsync.server.asgi import create_app
from contentsync.server.store import Database, connect_database

from ..simulator import LIKE_OURS, Manners, Simulator

URL = "http://127.0.0.1:1"  # where nobody listens: requests do not leave the process


class Clock:
    """Time that passes when someone waits."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        self.now += seconds


class Simulated:
    """Stands where a Stage does: a database is put in and taken out."""

    def __init__(self, manners: Manners = LIKE_OURS) -> None:
        self._manners = manners
        self._known: tuple[Database, ASGIApp] | None = None
        self.clock = Clock()

    def open(self, database: Path) -> None:
        """Serve a migrated database from now on; it is always the same file, whatever may be in it."""
        if self._known is None:
            opened = connect_database(database)
            self._known = opened, create_app(opened)
        assert self._known[0].url == f"sqlite:///{database}"
        self.simulator = Simulator(self._known[1], self._manners, self.clock)

    def close(self) -> None:
        """Give the database back."""
        if self._known:
            self._known[0].close()

    def service(self, token: str, per_minute: int = 1_000_000) -> Service:
        """A client of it, which keeps to a number of requests a minute."""
        return Service(
            URL,
            token,
            transport=httpx.ASGITransport(self.simulator),
            pacer=Pacer(per_minute, clock=self.clock),
            sleep=self.clock.sleep,
        )
