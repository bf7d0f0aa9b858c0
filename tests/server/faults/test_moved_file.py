"""A SQLite file that is deleted or replaced under a running server (DB-02): no write to it is acknowledged."""

import asyncio
import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from contentsync.errors import Unavailable
from contentsync.server.store import Connection, Database, accounts, connect_database
from contentsync.server.store.sqlite import SQLite

from ...serving import serving
from .conftest import Site, make_site

PAGE = {"title": "About"}


def delete(path: Path) -> None:
    """Run `rm site.db*`."""
    for file in list(path.parent.glob(f"{path.name}*")):
        file.unlink()


def replace(path: Path) -> None:
    """Run `mv other.db site.db`."""
    other = path.with_name("other.db")
    make_site(f"sqlite:///{other}")
    other.rename(path)


@pytest.mark.parametrize(("change", "expected"), [(delete, "was deleted"), (replace, "was replaced by another file")])
def test_a_server_with_a_deleted_or_replaced_file_refuses_writes(
    file_site: Site, tmp_path: Path, change: Callable[[Path], None], expected: str
) -> None:
    with serving(file_site.url, "--rate-limit", "0") as server, file_site.client(server.address) as client:
        assert client.post("/pages", json=PAGE).status_code == 201
        change(tmp_path / "site.db")
        for _ in range(3):
            refused = client.post("/pages", json={"title": "Lost"})
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
            assert refused.json() == {"message": f"the database {expected}"}
        assert server.ask("GET", "/readyz") == (503, {"message": f"the database {expected}"})
        assert server.ask("GET", "/healthz")[0] == 200
    reported = [line for line in server.said if "ERROR" in line and expected in line]
    assert len(reported) == 1
    assert str(tmp_path / "site.db") in reported[0]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "site.db"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with closing(connect_database(path)) as database:
        database.migrate()
        yield database


def create(connection: Connection, number: int) -> int:
    return accounts.create_user(connection, email=f"ada{number}@example.com", name="Ada")


def test_a_file_deleted_during_a_group_commit_rolls_back_the_group(database: Database, path: Path) -> None:
    away = path.with_name("away.db")
    assert isinstance(database, SQLite)
    database.group_seconds = 60  # however slow the machine is

    def create_and_move(connection: Connection) -> None:
        create(connection, 3)
        path.rename(away)

    async def meet() -> tuple[Any, ...]:
        writes = (
            database.write_in_directory(1, create, 1),
            database.write_in_directory(1, create, 2),
            database.write_in_directory(1, create_and_move),
        )
        return await asyncio.gather(*writes, return_exceptions=True)

    assert {type(outcome) for outcome in asyncio.run(meet())} == {Unavailable}
    database.close()  # the next read opens the file again
    with pytest.raises(Unavailable, match="cannot be opened"):
        database.run_read(accounts.all_users)
    assert not path.exists()  # an empty file in its place would look like a database without anything in it
    away.rename(path)
    assert database.run_read(accounts.all_users) == []


def test_a_file_that_returns_is_written_to_again(
    database: Database, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Also by a command, which uses its own transactions."""
    away = path.with_name("away.db")
    with caplog.at_level(logging.ERROR):
        for number in range(2):
            path.rename(away)
            with pytest.raises(Unavailable, match="was deleted") as error:
                database.run_write(create, number)
            assert "put the file back" in error.value.hint
            away.rename(path)
            database.run_write(create, number)
    assert len(database.run_read(accounts.all_users)) == 2
    assert len(caplog.records) == 2


def test_a_copy_in_place_of_the_file_is_another_file(database: Database, path: Path) -> None:
    """A restored backup needs a restart: the server has the previous file open."""
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    copy.rename(path)
    with pytest.raises(Unavailable, match="replaced"):
        database.run_write(create, 1)
