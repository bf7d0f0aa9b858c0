import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from contentsync.errors import UsageError
from contentsync.server.asgi import create_app
from contentsync.server.store import Connection, Database, accounts, connect_database

from .api.samples import READS
from .conftest import Api, locked


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Yield an empty database for one test, because the shared one must not be damaged."""
    database = connect_database(f"sqlite:///{tmp_path / 'site.db'}")
    database.migrate()
    yield database
    database.close()


def ask(app: Starlette, method: str, *paths: str, json: Any = None) -> list[httpx.Response]:
    async def answers() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            return [await client.request(method, path, json=json) for path in paths]

    return asyncio.run(answers())


def get(app: Starlette, *paths: str) -> list[httpx.Response]:
    return ask(app, "GET", *paths)


def test_a_500_response_reveals_nothing_about_the_failure(database: Database) -> None:
    def damage(connection: Connection) -> None:
        connection.run("DROP TABLE collections")

    owner = database.run_write(accounts.create_user, email="ada@example.com", name="Ada")
    number = database.run_write(accounts.create_directory, name="Tools", slug="tools", owner_id=owner)
    app = create_app(database, principal=database.run_read(accounts.principal_of, owner))
    database.run_write(damage)
    [response] = get(app, f"/api/directories/{number}/pages")
    assert (response.status_code, response.json()) == (500, {"message": "Server Error"})
    assert response.headers["Connection"] == "close"


def test_a_busy_database_is_a_503_with_retry_after(database: Database, tmp_path: Path) -> None:
    owner = database.run_write(accounts.create_user, email="ada@example.com", name="Ada")
    number = database.run_write(accounts.create_directory, name="Tools", slug="tools", owner_id=owner)
    impatient = connect_database(database.url, max_wait=0.1)
    app = create_app(impatient, principal=database.run_read(accounts.principal_of, owner))
    with locked(tmp_path / "site.db"):
        [refused] = ask(app, "POST", f"/api/directories/{number}/tags", json={"title": "Free"})
        [shown] = get(app, f"/api/directories/{number}/tags")
    impatient.close()
    assert (refused.status_code, refused.json()) == (503, {"message": "the database is busy"})
    assert refused.headers["Retry-After"] == "1"
    assert (shown.status_code, shown.json()) == (200, {"data": []})


def test_a_405_names_every_method_of_the_path(api: Api) -> None:
    assert api.delete("/pages").headers["Allow"] == "GET, HEAD, POST"
    assert api.post("/pages/1").headers["Allow"] == "DELETE, GET, HEAD, PUT"


def test_a_405_of_a_media_file_names_its_methods(database: Database, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a logo")
    [response] = ask(create_app(database, media=tmp_path), "POST", "/storage/a.txt")
    assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("path", READS)
def test_head_has_the_same_headers_as_get_without_a_body(api: Api, path: str) -> None:
    shown, head = api.get(path), api.request("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Length"] == str(len(shown.content))


def test_media_are_served_under_every_site(database: Database, tmp_path: Path) -> None:
    """docs/contract.md 16."""
    media = tmp_path / "media"
    (media / "logos").mkdir(parents=True)
    (media / "logos" / "a.txt").write_text("a logo")
    (tmp_path / "secret.txt").write_text("not shown")
    (media / "link.txt").symlink_to(tmp_path / "secret.txt")
    app = create_app(database, media=media)
    shown = get(app, "/storage/logos/a.txt", "/sites/tools/storage/logos/a.txt")
    assert [response.text for response in shown] == ["a logo", "a logo"]
    hidden = get(app, "/storage/", "/storage/logos", "/storage/..%2fsecret.txt", "/storage/link.txt", "/storage/%00")
    assert {response.status_code for response in hidden} == {404}


@pytest.mark.parametrize(
    "wrong",
    ["tools.example.com", 'https://x/"', "javascript:alert(1)", "https://x?a=b", "https://x/y?", "https://x/#top"],
)
def test_a_public_url_must_be_valid(database: Database, wrong: str) -> None:
    with pytest.raises(UsageError, match="public URL"):
        create_app(database, public_url=wrong)
