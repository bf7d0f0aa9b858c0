"""A simulated service in process, with time of its own."""

from pathlib import Path

import httpx

from contentsync.remote import Pacer, Service
from contentsync.server.app import create_app
from contentsync.server.store import Database

from ..simulator import LIKE_OURS, Manners, Simulator

URL = "http://127.0.0.1:1"  # where nobody listens: requests do not leave the process


class Clock:
    """Time that passes when somebody waits."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        self.now += seconds


class Simulated:
    """Stands where a Stage does: databases are put in and taken out."""

    def __init__(self, manners: Manners = LIKE_OURS) -> None:
        self._manners = manners
        self._database: Database | None = None
        self.clock = Clock()

    def open(self, database: Path) -> None:
        """Serve a migrated database from now on."""
        self.close()
        self._database = Database.open(database)
        self.simulator = Simulator(create_app(self._database), self._manners, self.clock)

    def close(self) -> None:
        """Give the database back."""
        if self._database:
            self._database.close()
            self._database = None

    def service(self, token: str, per_minute: int = 1_000_000) -> Service:
        """A client of it, which keeps to a number of requests a minute."""
        return Service(
            URL,
            token,
            transport=httpx.ASGITransport(self.simulator),
            pacer=Pacer(per_minute, clock=self.clock),
            sleep=self.clock.sleep,
        )
