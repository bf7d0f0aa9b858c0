"""Databases of earlier releases: each is stored in `releases/`, by its last migration, with its answers."""

import json
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from contentsync.errors import Refused
from contentsync.model import Kind
from contentsync.server.store import Connection, State, connect_database, tokens, versions
from contentsync.server.store.listing_rules import sort_name
from contentsync.server.store.migration import upgrade
from contentsync.server.store.tables import TABLES

from ...forked import CONTEXT
from ...postgresql import Cluster
from ..conftest import Service

RELEASES = Path(__file__).parent / "releases"
FIRST = "0001"
ANSWERS: dict[str, Any] = json.loads((RELEASES / f"{FIRST}.json").read_text(encoding="utf-8"))
DIRECTORIES = {1: 1, 2: 2}  # with their owners


def restore(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.executescript((RELEASES / f"{FIRST}.sql").read_text(encoding="utf-8"))


def copy(path: Path, connection: Connection) -> None:
    """Make the tables as they were at the first release, and fills them with the rows of the file."""
    upgrade(connection, FIRST)
    with closing(sqlite3.connect(path)) as file:
        file.row_factory = sqlite3.Row
        there = {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table in TABLES:  # in the order of their references
            if table == "alembic_version" or table not in there:
                continue
            columns = {each["name"]: each["type"] for each in file.execute(f"PRAGMA table_info({table})")}
            rows = [dict(row) for row in file.execute(f"SELECT * FROM {table}")]
            flags = [name for name, kind in columns.items() if kind == "BOOLEAN"]
            rows = [{**row, **{flag: bool(row[flag]) for flag in flags}} for row in rows]
            connection.insert_many(table, [*columns], [tuple(row.values()) for row in rows])
            if "id" in columns:
                connection.run(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {rows[-1]['id']})")


@pytest.fixture(scope="module")
def first_release(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the URL of a database of the first release on PostgreSQL, which is copied for each test."""
    path = tmp_path_factory.mktemp("first") / "site.db"
    restore(path)
    url = cluster.database()
    database = connect_database(url)
    database.run_write(lambda connection: copy(path, connection))
    database.close()
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def released(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of a database of the first release."""
    if request.param == "postgresql":
        cluster: Cluster = request.getfixturevalue("cluster")
        return cluster.database(request.getfixturevalue("first_release"))
    restore(tmp_path / "site.db")
    return f"sqlite:///{tmp_path / 'site.db'}"


def migrated(url: str) -> None:
    database = connect_database(url)
    database.migrate()
    database.require_current()
    database.close()


def as_owner(service: Service, directory_id: int) -> dict[str, str]:
    """Return the headers of the directory's owner with a new token; the secrets of old tokens are not stored."""
    _, secret = service.run(tokens.create_token, user_id=DIRECTORIES[directory_id])
    return {"Authorization": f"Bearer {secret}"}


@pytest.mark.parametrize("records", [1, 8])
def test_a_migration_killed_while_building_the_index_changes_nothing(released: str, records: int) -> None:
    """DB-03."""
    process = CONTEXT.Process(target=migrate_and_die, args=(released, records))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    shown: list[tuple[int, int]] = []
    with closing(connect_database(released)) as database:
        states = [database.state]
        database.migrate(lambda done, total: shown.append((done, total)))
        states.append(database.state)
    assert states == [State.OLDER, State.CURRENT]
    assert shown[-1][0] == shown[-1][1] > 8


def migrate_and_die(url: str, records: int) -> None:
    """Migrate, and kill the process when the index has at least this number of records."""

    def die(done: int, total: int) -> None:
        if done >= records:
            os.kill(os.getpid(), signal.SIGKILL)

    connect_database(url).migrate(die)


def test_an_old_database_is_used_only_after_its_migration(released: str) -> None:
    database = connect_database(released)
    states = [database.state]
    with pytest.raises(Refused, match="of an older version"):
        database.require_current()
    database.migrate()
    states.append(database.state)
    assert states == [State.OLDER, State.CURRENT]
    database.close()


def test_a_migrated_database_returns_the_same_responses(released: str) -> None:
    migrated(released)
    with Service(released) as service:
        headers = {directory_id: as_owner(service, directory_id) for directory_id in DIRECTORIES}
        found = {
            path: service.request("GET", path, headers=headers[int(path.split("/")[3])]).json() for path in ANSWERS
        }
    for path, answer in ANSWERS.items():
        assert found[path] == answer, path


def test_a_migrated_database_has_correct_totals(released: str) -> None:
    migrated(released)
    database = connect_database(released)

    def totals(connection: Connection) -> dict[tuple[int, str], int]:
        return {
            (directory_id, kind.value): state.total
            for directory_id in DIRECTORIES
            for kind, state in versions.collection_states(connection, directory_id).items()
        }

    def counted(connection: Connection) -> dict[tuple[int, str], int]:
        kinds = {kind: "categories" if kind is Kind.CATEGORY else f"{kind.value}s" for kind in Kind}
        return {
            (directory_id, kind.value): connection.scalar(
                f"SELECT count(*) FROM {table} WHERE directory_id = {directory_id}"
            )
            for directory_id in DIRECTORIES
            for kind, table in kinds.items()
        }

    assert database.run_read(totals) == database.run_read(counted)
    assert database.run_read(totals)[1, "listing"] == 6
    database.close()


def test_listings_of_a_migrated_database_are_found_by_url_and_changeable(released: str) -> None:
    migrated(released)
    with Service(released) as service:
        headers = as_owner(service, 1)
        before = ANSWERS["/api/directories/1/projects"]["data"]
        for listing in before:
            if listing["url"]:
                body = {"name": "Another", "url": listing["url"]}
                answer = service.request("POST", "/api/directories/1/projects", headers=headers, json=body)
                assert (answer.status_code, answer.json()["data"]["id"]) == (200, listing["id"])
        path = f"/api/directories/1/projects/{before[1]['id']}"
        changed = service.request("PUT", path, headers=headers, json={"tags": []}).json()["data"]
        assert changed["tags"] == []
        assert changed["categories"] == before[1]["categories"] != []


def test_the_columns_for_visitors_are_filled_by_the_migration(released: str) -> None:
    migrated(released)
    database = connect_database(released)
    columns = {
        "listings": ("is_active", "is_featured", "starts_at", "ends_at"),
        "organizers": ("is_active",),
        "pages": ("is_published", "placement"),
        "articles": ("active",),
    }

    def rows(connection: Connection, table: str) -> list[Any]:
        return [*connection.all(TABLES[table].select)]

    for table, names in columns.items():
        found = database.run_read(rows, table)
        assert found
        for row in found:
            data = json.loads(row.data)
            assert {name: row._asdict()[name] for name in names} == {name: data[name] for name in names}
            assert table != "listings" or row.sort_name == sort_name(data["name"]) != ""
    database.close()


def test_custom_fields_and_links_of_a_migrated_database_are_changeable(released: str) -> None:
    migrated(released)
    with Service(released) as service:
        headers, api = as_owner(service, 1), "/api/directories/1"

        def ask(method: str, path: str, body: Any = None) -> Any:
            return service.request(method, f"{api}{path}", headers=headers, json=body).json()

        before = {each["id"]: each for each in ANSWERS[f"{api}/projects"]["data"]}
        with_value = sum(each["founded"] is not None for each in before.values())
        [field] = ANSWERS[f"{api}/custom-fields"]["data"]
        refusal = ask("PUT", f"/custom-fields/{field['id']}", {"fieldable_type": "article"})
        assert f"{with_value} listing" in refusal["errors"]["fieldable_type"][0]
        ask("PUT", f"/custom-fields/{field['id']}", {"name": "since"})
        deleted = before[2]["tags"][0]["id"]
        ask("DELETE", f"/tags/{deleted}")
        for listing in ask("GET", "/projects")["data"]:
            was = before[listing["id"]]
            assert listing["since"] == was["founded"]
            assert listing["tags"] == [tag for tag in was["tags"] if tag["id"] != deleted]
            assert listing["updated_at"] > was["updated_at"]
            assert ask("GET", f"/projects/{listing['id']}")["data"] == listing
