import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from contentsync.cli import run
from contentsync.server.store import connect_database
from contentsync.server.store.tokens import authenticate, is_well_formed

from ..exit_codes import REFUSED, WRONG_USAGE

Admin = Callable[..., tuple[int, str, str]]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'site.db'}"


@pytest.fixture
def admin(url: str, capsys: pytest.CaptureFixture[str]) -> Admin:
    """Return a function that runs a `contentsync admin` command and returns its exit code, stdout and stderr."""

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(["admin", *arguments, "--db", url])
        return code, *capsys.readouterr()

    return command


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database with Ada and her directory."""
    file = tmp_path_factory.mktemp("template") / "site.db"
    for arguments in (
        ("migrate",),
        ("user", "create", "--email", "ada@example.com", "--name", "Ada"),
        ("directory", "create", "--name", "Tools", "--slug", "tools", "--owner", "ada@example.com"),
    ):
        assert run(["admin", *arguments, "--db", f"sqlite:///{file}"]) == 0
    assert list(file.parent.iterdir()) == [file], "it is not all in the file"
    return file


@pytest.fixture
def filled(admin: Admin, template: Path, tmp_path: Path) -> Admin:
    """Return a copy of the database of the template."""
    shutil.copy(template, tmp_path / "site.db")
    return admin


def document(ran: tuple[int, str, str]) -> Any:
    """Return the JSON document of a command that has succeeded without messages."""
    code, out, err = ran
    assert (code, err) == (0, "")
    loaded = json.loads(out)
    assert loaded.pop("version") == 1
    return loaded


def test_only_migrate_creates_a_database(admin: Admin, tmp_path: Path) -> None:
    code, _, err = admin("user", "list")
    assert code == WRONG_USAGE
    assert "contentsync admin migrate" in err
    assert not (tmp_path / "site.db").exists()
    assert document(admin("migrate", "--format", "json"))["before"] == "empty"
    assert document(admin("migrate", "--format", "json"))["before"] == "current"


def test_every_result_is_one_json_document(filled: Admin) -> None:
    created = filled("user", "create", "--email", "Eve@example.com", "--name", "Eve", "--format", "json")
    assert document(created) == {"user": {"id": 2, "email": "eve@example.com", "name": "Eve"}}
    users = document(filled("user", "list", "--format", "json"))["users"]
    assert [user["name"] for user in users] == ["Ada", "Eve"]
    more = ("directory", "create", "--name", "More", "--slug", "more", "--owner", "eve@example.com")
    settings = ("--domain", "more.example.com", "--locales", "en, fr", "--timezone", "Europe/Paris", "--format", "json")
    directory = document(filled(*more, *settings))["directory"]
    assert (directory["domain"], directory["locales"]) == ("more.example.com", ["en", "fr"])
    assert directory["timezone"] == "Europe/Paris"
    listed = document(filled("directory", "list", "--format", "json"))["directories"]
    assert listed[1] == directory
    added = filled("directory", "add-submitter", "tools", "eve@example.com", "--format", "json")
    assert document(added) == {"submitter": {"directory": "tools", "user": "eve@example.com"}}


def test_directory_set_changes_the_settings(filled: Admin) -> None:
    """docs/reference/commands.md, contentsync admin."""
    options = ("--expired", "hide", "--organizers", "off", "--organizers-prefix", "/agencies")
    ran = filled("directory", "set", "tools", *options, "--organizers-label", "Agency", "--format", "json")
    directory = document(ran)["directory"]
    assert (directory["name"], directory["expired"]) == ("Tools", "hide")
    # The shape is that of the service's own answer.
    assert directory["organizers"] == {"enabled": False, "prefix": "/agencies", "label": "Agency"}
    assert not [name for name in directory if name.startswith("organizers_")]


def test_a_directory_has_a_description_of_at_most_500_characters(filled: Admin) -> None:
    ran = filled("directory", "set", "tools", "--description", "All tools", "--format", "json")
    assert document(ran)["directory"]["description"] == "All tools"
    code, _, err = filled("directory", "set", "tools", "--description", "x" * 501)
    assert code == WRONG_USAGE
    assert "description" in err


def test_a_new_token_is_printed_only_by_its_own_command(filled: Admin, url: str) -> None:
    """docs/contract.md 13; docs/faults.md AU-11, AU-12."""
    code, out, err = filled("token", "create", "--user", "ada@example.com", "--scope", "read", "--expires", "90d")
    secret = out.removesuffix("\n")
    assert (code, err) == (0, "")
    assert is_well_formed(secret)
    database = connect_database(url)
    principal, _ = database.run_read(authenticate, secret, 1)
    database.close()
    assert principal is not None
    assert principal.scopes == {"read"}
    for shown in (filled("token", "list"), filled("token", "list", "--format", "json")):
        assert secret not in shown[1]


@pytest.mark.parametrize(
    ("scope", "stored"), [("read read", ["read"]), ("write read", ["read", "write"]), ("", ["read", "write"])]
)
def test_a_new_token_is_printed_with_the_scopes_that_are_stored(filled: Admin, scope: str, stored: list[str]) -> None:
    scopes = [option for name in scope.split() for option in ("--scope", name)]
    options = ("--user", "Ada@example.com", "--directory", "tools", "--expires", "1d", "--format", "json")
    token = document(filled("token", "create", *options, *scopes))["token"]
    assert is_well_formed(token.pop("token"))
    assert token["scopes"] == stored
    assert document(filled("token", "list", "--format", "json"))["tokens"] == [token]


def test_a_token_is_listed_with_its_name_and_last_use(filled: Admin) -> None:
    filled("token", "create", "--user", "ada@example.com", "--name", " CI, read only ")
    filled("token", "create", "--user", "ada@example.com")
    code, out, _ = filled("token", "list")
    header, first, second = out.splitlines()
    assert code == 0
    assert header.split() == [
        "id",
        "name",
        "user",
        "directory",
        "scopes",
        "created_at",
        "used_at",
        "expires_at",
        "revoked_at",
    ]
    assert "1   CI, read only  ada@example.com" in first
    assert second.split()[1] == "-"
    assert [token["used_at"] for token in document(filled("token", "list", "--format", "json"))["tokens"]] == [None] * 2


@pytest.mark.parametrize("kind", ["user", "directory", "token"])
def test_lists_are_shown_while_the_server_writes(filled: Admin, tmp_path: Path, kind: str) -> None:
    with closing(sqlite3.connect(tmp_path / "site.db", isolation_level=None)) as server:
        server.execute("BEGIN IMMEDIATE")
        assert document(filled(kind, "list", "--format", "json"))


def test_an_admin_command_waits_for_a_write_of_the_server(filled: Admin, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "site.db", isolation_level=None, check_same_thread=False)) as server:
        server.execute("BEGIN IMMEDIATE")
        done = Timer(0.2, server.rollback)
        done.start()
        assert filled("user", "create", "--email", "eve@example.com", "--name", "Eve")[0] == 0
        done.join()


def test_a_revoked_token_is_listed_with_the_time_of_revocation(filled: Admin) -> None:
    """docs/contract.md 13."""
    filled("token", "create", "--user", "ada@example.com", "--directory", "tools")
    assert document(filled("token", "revoke", "1", "--format", "json")) == {"revoked": 1}
    [token] = document(filled("token", "list", "--format", "json"))["tokens"]
    assert token["revoked_at"] is not None
    assert (token["user"], token["directory"], token["scopes"]) == ("ada@example.com", "tools", ["read", "write"])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("user create --email ada@example.com --name Ada", "the user ada@example.com already exists"),
        ("user create --email ada --name Ada", "email must be an e-mail address"),
        ("directory create --name T --slug tools --owner ada@example.com", "another directory has the slug 'tools'"),
        ("directory create --name T --slug more --owner adda@example.com", "did you mean 'ada@example.com'?"),
        ("directory set tols --expired hide", "did you mean 'tools'?"),
        ("directory set tools", "no setting is given"),
        ("directory set tools --expired maybe", "--expired"),
        ("directory set tools --timezone Europe/Pariss", "must be a time zone like Europe/Paris"),
        ("directory add-submitter tools eve@example.com", "there is no user eve@example.com"),
        ("token create --user eve@example.com", "there is no user eve@example.com"),
        ("token create --user ada@example.com --scope admin", "'admin' is not a scope"),
        ("token create --user ada@example.com --expires soon", "'soon' is not a duration"),
        ("token create --user ada@example.com --expires 999999w", "'999999w' ends after the year 9999"),
        ("token revoke 7", "there is no token 7"),
        ("token revoke 99999999999999999999", "ID"),
    ],
)
def test_a_wrong_admin_command_is_refused_with_the_next_step(filled: Admin, arguments: str, expected: str) -> None:
    code, out, err = filled(*arguments.split())
    assert (code, out) == (WRONG_USAGE, "")
    assert expected in err


def test_a_token_for_a_directory_needs_a_user_of_that_directory(filled: Admin) -> None:
    filled("user", "create", "--email", "eve@example.com", "--name", "Eve")
    code, _, err = filled("token", "create", "--user", "eve@example.com", "--directory", "tools")
    assert code == WRONG_USAGE
    assert "contentsync admin directory add-submitter tools eve@example.com" in err


def test_an_older_database_is_refused_until_it_is_migrated(filled: Admin, url: str) -> None:
    database = connect_database(url)
    database.run_write(lambda connection: connection.run("UPDATE alembic_version SET version_num='0000'"))
    database.close()
    code, _, err = filled("user", "list")
    assert code == REFUSED
    assert "contentsync admin migrate" in err


def test_a_list_escapes_control_characters_in_names(filled: Admin, url: str) -> None:
    """FI-06: former versions have accepted them."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
        database.execute("UPDATE users SET name = ?", ("Ada\n2  eve@example.com",))
        database.commit()
    _code, out, _err = filled("user", "list")
    assert len(out.splitlines()) == 2
    assert r"Ada\n2  eve@example.com" in out
