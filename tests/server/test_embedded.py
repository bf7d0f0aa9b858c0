import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from contentsync.errors import Refused
from contentsync.server.embedded import EMAIL, EmbeddedService, open_embedded
from contentsync.server.store import accounts, connect_database

SETTINGS: dict[str, Any] = {
    "name": "Open Tools",
    "locales": ("en", "fr"),
    "expired": "badge",
    "organizers_enabled": True,
    "organizers_prefix": "/organizers",
    "organizers_label": "Organizer",
}


def ask(embedded: EmbeddedService, method: str, path: str, body: Any = None) -> httpx.Response:
    """Return the answer of the embedded service to a request."""

    async def answer() -> httpx.Response:
        transport = httpx.ASGITransport(embedded.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://embedded") as client:
            return await client.request(method, path, json=body)

    return asyncio.run(answer())


def test_the_first_use_creates_the_file_the_user_and_the_directory(tmp_path: Path) -> None:
    embedded = open_embedded(tmp_path / "deep" / "site.db", **SETTINGS)
    assert ask(embedded, "GET", "/api/user").json()["email"] == EMAIL
    shown = ask(embedded, "GET", f"/api/directories/{embedded.directory_id}").json()["data"]
    assert (shown["name"], shown["slug"], shown["locales"]) == ("Open Tools", "open-tools", ["en", "fr"])
    assert ask(embedded, "POST", f"/api/directories/{embedded.directory_id}/pages", {"title": "About"}).is_success
    embedded.close()


def test_a_database_file_can_have_any_name(tmp_path: Path) -> None:
    path = tmp_path / "a?b #1 %20" / "site?mode=memory.db"
    open_embedded(path, **SETTINGS).close()
    assert path.is_file()


def test_a_later_use_finds_the_directory_and_updates_its_settings(tmp_path: Path) -> None:
    path = tmp_path / "site.db"
    first = open_embedded(path, **SETTINGS)
    ask(first, "POST", f"/api/directories/{first.directory_id}/pages", {"title": "About"})
    first.close()
    again = open_embedded(path, **{**SETTINGS, "name": "Closed Tools", "locales": ("de",), "expired": "hide"})
    assert again.directory_id == first.directory_id
    shown = ask(again, "GET", f"/api/directories/{again.directory_id}").json()["data"]
    assert (shown["name"], shown["slug"], shown["locales"]) == ("Closed Tools", "open-tools", ["de"])
    assert shown["expired"] == "hide"
    assert len(ask(again, "GET", f"/api/directories/{again.directory_id}/pages").json()["data"]) == 1
    again.close()


def test_a_directory_of_another_user_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "site.db"
    database = connect_database(f"sqlite:///{path}")
    database.migrate()
    ada = database.run_write(accounts.create_user, email="ada@example.com", name="Ada")
    taken = database.run_write(accounts.create_directory, name="Mine", slug="open-tools", owner_id=ada)
    database.close()
    embedded = open_embedded(path, **SETTINGS)
    assert embedded.directory_id != taken
    shown = ask(embedded, "GET", "/api/directories").json()["data"]
    assert [directory["slug"] for directory in shown] == ["open-tools-2"]
    assert ask(embedded, "GET", f"/api/directories/{taken}").status_code == 403
    embedded.close()


def test_a_name_without_letters_still_gets_a_slug(tmp_path: Path) -> None:
    embedded = open_embedded(tmp_path / "site.db", **{**SETTINGS, "name": "***"})
    assert ask(embedded, "GET", "/api/directories").json()["data"][0]["slug"] == "site"
    embedded.close()


def test_a_database_of_another_version_is_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "site.db"
    open_embedded(path, **SETTINGS).close()
    database = connect_database(f"sqlite:///{path}")
    database.run_write(lambda connection: connection.run("UPDATE alembic_version SET version_num='9999'"))
    database.close()
    with pytest.raises(Refused, match="newer version"):
        open_embedded(path, **SETTINGS)


def test_the_embedded_server_has_no_rate_limit(tmp_path: Path) -> None:
    """docs/contract.md 12."""
    embedded = open_embedded(tmp_path / "site.db", **SETTINGS)
    answers = [ask(embedded, "GET", "/api/user") for _ in range(121)]
    embedded.close()
    assert {answer.status_code for answer in answers} == {200}
    assert not any("X-RateLimit-Limit" in answer.headers for answer in answers)
