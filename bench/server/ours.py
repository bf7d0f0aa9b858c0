"""`contentsync serve` on a database with one directory."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from contentsync.server.access import Access
from contentsync.server.store import accounts, connect_database, tokens
from contentsync.server.store.listing_store import LISTINGS
from contentsync.server.store.record_kinds import CATEGORIES, ORGANIZERS, TAGS

from ..measurement import CONTENTSYNC
from .bodies import REFERRED, bulk, encoded, listing
from .load import request
from .processes import free_port, running

PAGES = 4  # that are asked for in turn
_numbers = count()
_RECORDS = {"categories": (CATEGORIES, "title"), "tags": (TAGS, "title"), "organizers": (ORGANIZERS, "name")}


@dataclass(frozen=True)
class Ours:
    """The running server; requests are for its only directory's listings."""

    port: int
    token: str

    def create(self, number: int) -> bytes:
        """The request that makes the listing of a number."""
        return self._request("POST", "", encoded(listing(number)))

    def create_many(self, first: int) -> bytes:
        """The request that makes a hundred, from a number on."""
        return self._request("POST", "/bulk", bulk("listings", first))

    def change(self, listing_id: int, number: int) -> bytes:
        """The request that gives a listing the text of a number."""
        return self._request("PUT", f"/{listing_id}", encoded({"content": listing(number)["content"]}))

    def page(self, number: int) -> bytes:
        """The request for one of the first pages, in turn."""
        return self._request("GET", f"?page={number % PAGES + 1}")

    def new_page(self, number: int) -> bytes:
        """The same, at an address that nobody has asked for, so that the answer is not known yet."""
        return self.at(number % PAGES + 1)

    def at(self, page: int) -> bytes:
        """The request for a page, at an address that nobody has asked for."""
        return self._request("GET", f"?page={page}&number={next(_numbers)}")

    def unchanged(self, number: int) -> bytes:
        """The request for a page that the client has."""
        return self._request("GET", f"?page={number % PAGES + 1}", b"", "If-None-Match: *")

    def _request(self, method: str, path: str, body: bytes = b"", *headers: str) -> bytes:
        return request(method, f"/api/directories/1/projects{path}", f"Bearer {self.token}", body, *headers)


def prepare(url: str, listings: int = 0) -> str:
    """Make the tables, a directory, what listings refer to, and some listings; the secret of the owner's token."""
    database = connect_database(url)
    try:
        database.migrate()
        owner = database.run_write(accounts.create_user, email="bench@example.org", name="Bench")
        database.run_write(accounts.create_directory, name="Bench", slug="bench", owner_id=owner)
        user = database.run_read(accounts.principal_of, owner)
        directory = database.run_read(accounts.find_directory, "bench")
        access = Access(user, directory, "https://bench.example.org")
        for name, most in REFERRED.items():
            records, title = _RECORDS[name]
            for number in range(most):
                database.run_write(records.create, access, {title: f"{name.title()} {number}"})
        for number in range(1, listings + 1):
            database.run_write(LISTINGS.create, access, listing(number))
        return database.run_write(tokens.create_token, user_id=owner)[1]
    finally:
        database.close()


@contextmanager
def serving(
    url: str,
    token: str,
    log: Path,
    *,
    static: Path | None = None,
    profile: Path | None = None,
    checkout: Path | None = None,
) -> Iterator[Ours]:
    """The server on a database; with the file `static` it also answers its bytes to everybody (`with_static`), with
    `profile` it writes one into that (`profiled`). `checkout` has the code of another version.
    """
    port = free_port()
    start, environment = [CONTENTSYNC], {"PYTHONPATH": str(checkout)} if checkout else {}
    for module, variable, file in (("with_static", "BENCH_STATIC", static), ("profiled", "BENCH_PROFILE", profile)):
        if file is not None:
            start, environment = [sys.executable, "-m", f"bench.server.{module}"], {variable: str(file)}
    command = [*start, "serve", "--db", url, "--port", str(port), "--rate-limit", "0", "--page-rate-limit", "0"]
    with running(command, port, log, **environment):
        yield Ours(port, token)
