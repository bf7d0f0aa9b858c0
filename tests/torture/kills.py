"""Kills the server while it writes, and looks at what it left (DB-01, CO-15)."""

import random
import signal
import time
from collections.abc import Callable
from contextlib import closing
from threading import Thread
from typing import Any

from contentsync.model import Kind
from contentsync.server.access import Access
from contentsync.server.store import Connection, Database, accounts, connect_database
from contentsync.server.store.record_kinds import CATEGORIES, ORGANIZERS, TAGS
from contentsync.server.store.tokens import create_token

from ..search_index import index_faults
from ..serving import serving
from .evidence import find
from .ledger import Ledger
from .writer import Writer

WRITERS = 6


class Victim:
    """A database with a directory, and the accounts of its writers."""

    def __init__(self, url: str, seed: int) -> None:
        self._url = url
        self._random = random.Random(seed)
        self._ledgers = {f"w{number}": Ledger(page_name=f"Page {number}") for number in range(WRITERS)}
        self._versions: dict[Kind, int] = dict.fromkeys(Kind, 0)
        with closing(connect_database(url)) as database:
            database.migrate()
            self._directory_id, self._secret, self._links = database.run_write(_prepare)

    @property
    def acknowledged(self) -> int:
        """Return how many writes the server has confirmed."""
        return sum(ledger.acknowledged for ledger in self._ledgers.values())

    def round(self, how: signal.Signals = signal.SIGKILL) -> list[str]:
        """Start a server, write, kill it after a moment; what is wrong with what it left."""
        before = self.acknowledged
        with serving(self._url, "--rate-limit", "0") as server:
            base, headers = f"/api/directories/{self._directory_id}", {"Authorization": f"Bearer {self._secret}"}
            writers = [
                Writer(name, server.address, headers, base, self._links, ledger)
                for name, ledger in self._ledgers.items()
            ]
            threads = [Thread(target=writer.run) for writer in writers]
            for thread in threads:
                thread.start()
            until = time.monotonic() + 30
            while self.acknowledged < before + WRITERS and time.monotonic() < until:
                time.sleep(0.01)
            time.sleep(self._random.uniform(0, 0.4))
            code = server.stop(how)
            for thread in threads:
                thread.join()
        wrong = [refused for writer in writers for refused in writer.refused]
        if how is not signal.SIGKILL and code != 0:
            wrong.append(f"the server ended with {code}: {server.log}")
        if self.acknowledged < before + WRITERS:
            wrong.append(f"only {self.acknowledged - before} writes were done: {server.log}")
        return wrong + self._verify()

    def _verify(self) -> list[str]:
        with closing(connect_database(self._url)) as database:
            _wait_for_the_dead(database)
            found = database.run_read(find, self._directory_id)
            faults = database.run_write(index_faults, self._directory_id)
        wrong = [*found.damages, *faults]
        wrong += [error for ledger in self._ledgers.values() for error in ledger.settle(found)]
        known = {name for ledger in self._ledgers.values() for name in ledger.listings}
        wrong += [f"listing {name} was never asked for" for name in found.listings.keys() - known]
        for kind, state in found.states.items():
            if state.total != found.counted[kind]:
                wrong.append(f"{found.counted[kind]} records of {kind}, but {state.total} in all")
            if state.version < self._versions[kind]:
                wrong.append(f"the version of {kind} went back from {self._versions[kind]} to {state.version}")
            self._versions[kind] = state.version
        return wrong


def torture(url: str, kills: int, seed: int, say: Callable[[str], None] = lambda text: None) -> dict[str, Any]:
    """The report of some kills; `wrong` is empty when the server kept its promises."""
    victim, wrong, started = Victim(url, seed), [], time.monotonic()
    for number in range(1, kills + 1):
        found = victim.round()
        wrong += [f"after kill {number}: {error}" for error in found]
        say(f"{number} of {kills} kills, {victim.acknowledged} writes acknowledged, {len(wrong)} wrong")
    seconds = round(time.monotonic() - started, 1)
    return {"kills": kills, "acknowledged": victim.acknowledged, "seconds": seconds, "seed": seed, "wrong": wrong}


def _prepare(connection: Connection) -> tuple[int, str, dict[str, list[int]]]:
    ada = accounts.create_user(connection, email="ada@example.org", name="Ada")
    directory_id = accounts.create_directory(connection, name="Tools", slug="tools", owner_id=ada)
    directory = accounts.find_directory(connection, "tools")
    access = Access(accounts.principal_of(connection, ada), directory, "https://tools.example.org")
    links = {
        field: [records.create(connection, access, {title: f"Number {number}"})[0].id for number in range(3)]
        for field, records, title in (
            ("categories", CATEGORIES, "title"),
            ("tags", TAGS, "title"),
            ("organizers", ORGANIZERS, "name"),
        )
    }
    return directory_id, create_token(connection, user_id=ada)[1], links


def _wait_for_the_dead(database: Database) -> None:
    """PostgreSQL may go on for a moment with what a client asked for that is no more."""
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )
    until = time.monotonic() + 30
    while database.url.startswith("postgresql") and database.run_read(lambda c: c.scalar(others)):
        assert time.monotonic() < until, "sessions of the killed server stay"
        time.sleep(0.02)
