"""A folder that was synced once and has changed since, with the service's database: put back before each run."""

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

from contentsync.server.access import Access
from contentsync.server.store import Connection, accounts, connect_database
from contentsync.server.store.listing_store import LISTINGS
from contentsync.server.store.record_kinds import ARTICLES, PAGES

from ..serving import make_tenant
from .judge import Judge
from .records import Records, read_records
from .scenario import FOREIGN, Entries, put

TARGET = "tested"
_TARGET = """
[targets.{name}]
url = "{url}"
directory = {directory}
requests_per_minute = 1000000
prune = true
max_deletes = {{ percent = 100, count = 1000 }}
"""


Others = Callable[[Connection, Access], None]  # what other people do on the server


def no_others(connection: Connection, access: Access) -> None:
    """Change nothing."""


class Serving(Protocol):
    """A server of a database: a Stage, or a Simulated service."""

    def open(self, database: Path) -> None: ...

    def close(self) -> None: ...


class Checkout:
    """A folder that was synced once and has changed since, and the service's database; `sync` is one whole run."""

    def __init__(
        self,
        serving: Serving,
        url: str,
        home: Path,
        entries: tuple[Entries, Entries],
        sync: Callable[["Checkout"], object],
        others: Others = no_others,
    ) -> None:
        self._serving = serving
        self._now = home / "now"
        self._now.mkdir()
        before, after = entries
        self.directory, self.token = make_tenant(f"sqlite:///{self.database}", locales=("en", "fr", "de"))
        self._config = _TARGET.format(name=TARGET, url=url, directory=self.directory)
        serving.open(self.database)
        self.put(before)
        sync(self)
        serving.close()
        self._meanwhile(others)
        self.put(after)
        serving.open(self.database)

    @property
    def folder(self) -> Path:
        return self._now / "folder"

    @property
    def database(self) -> Path:
        return self._now / "site.db"

    @property
    def environ(self) -> dict[str, str]:
        """Return the environment of a command; a temporary folder of its own lets it share no pace with others."""
        return {"CONTENTSYNC_TOKEN": self.token, "TMPDIR": str(self._now)}

    def put(self, entries: Entries, folder: Path | None = None) -> None:
        """Replace the content of the folder, or of another one with the same target."""
        folder = folder or self.folder
        folder.mkdir(exist_ok=True)
        put(entries, folder, self._config)

    def records(self) -> Records:
        """Return the records of the service."""
        return read_records(self.database)

    def _meanwhile(self, others: Others) -> None:
        """Let others do something there, and make what no folder knows."""
        with closing(connect_database(self.database, create=False)) as database:
            database.run_write(_make_foreign, others)


class Workspace(Checkout):
    """The place of many runs, each of which begins in the same state, with a judge of them."""

    def __init__(
        self,
        serving: Serving,
        url: str,
        home: Path,
        entries: tuple[Entries, Entries],
        sync: Callable[[Checkout], object],
        others: Others = no_others,
    ) -> None:
        super().__init__(serving, url, home, entries, sync, others)
        self._first = home / "first"
        serving.close()
        shutil.copytree(self._now, self._first)
        serving.open(self.database)
        records = self.records()
        sync(self)
        self.judge = Judge(records, self.records())
        self.reset()

    def reset(self) -> None:
        """Everything as it was before the first of the runs."""
        self._serving.close()
        shutil.rmtree(self._now)
        shutil.copytree(self._first, self._now)
        self._serving.open(self.database)


def _make_foreign(connection: Connection, others: Others) -> None:
    directory = accounts.all_directories(connection)[0]
    access = Access(accounts.principal_of(connection, directory.owner_id), directory, "https://tools.example.org")
    PAGES.create(connection, access, FOREIGN["pages"])
    ARTICLES.create(connection, access, FOREIGN["articles"])
    LISTINGS.create(connection, access, FOREIGN["projects"])
    others(connection, access)
