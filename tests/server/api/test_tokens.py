"""Tokens and their scopes (docs/contract.md 5, 11, 13; docs/faults.md AU-01, AU-02, AU-10, AU-11)."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from contentsync.server.asgi import create_app
from contentsync.server.store import accounts
from contentsync.server.store.tables import TABLES

from ..conftest import Api
from .answers import require_message
from .samples import READS, SECRETS

# AU-01: no valid token


@pytest.mark.parametrize(
    "value",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Bearer x y",
        "Basic YTpi",
        "Token x",
        "Bearer " + "x" * 1_000_000,
        "Bearer \xe9\xff".encode("latin-1"),
        b"Bearer \x00",
        b"\xff\xfe",
    ],
    ids=range(11),
)
def test_a_malformed_token_is_a_401(api: Api, value: Any) -> None:
    """docs/faults.md AU-01."""
    for path in ("/api/user", "/api/directories", f"/api/directories/{api.directory_id}/pages"):
        response = api.service.request("GET", path, headers={"Authorization": value})
        assert require_message(response, 401) == "Unauthenticated."


def test_a_missing_token_is_a_401(api: Api) -> None:
    """docs/contract.md 11, 10."""
    assert require_message(api.service.request("GET", "/api/user"), 401) == "Unauthenticated."
    assert require_message(api.service.request("GET", "/api/directories/999999999"), 401) == "Unauthenticated."


def test_a_token_with_one_changed_letter_is_a_401(api: Api) -> None:
    """docs/faults.md AU-01."""
    last = "a" if api.token[-1] != "a" else "b"
    for secret in (api.token[:-1] + last, api.token + "a", api.token[:-1], api.token.swapcase(), f" {api.token}x"):
        require_message(api.service.request("GET", "/api/user", headers={"Authorization": f"Bearer {secret}"}), 401)


def test_two_authorization_headers_are_a_401(api: Api) -> None:
    """docs/faults.md AU-01."""
    good, bad = ("Authorization", f"Bearer {api.token}"), ("Authorization", "Bearer x")
    for headers in ([good, bad], [bad, good]):
        assert api.service.request("GET", "/api/user", headers=headers).status_code == 401


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer"])
def test_the_authorization_scheme_is_case_insensitive(api: Api, scheme: str) -> None:
    """docs/contract.md 10, 5.1; RFC 9110 11.1."""
    response = api.service.request("GET", "/api/user", headers={"Authorization": f"{scheme} {api.token}"})
    assert response.status_code == 200


def test_a_token_is_read_only_from_the_header(api: Api) -> None:
    """docs/contract.md 5.1; docs/faults.md AU-20: browsers send cookies on their own, which must give no access."""
    for query in ("token", "api_token", "access_token", "authorization"):
        require_message(api.service.request("GET", "/api/user", params={query: api.token}), 401)
    require_message(api.service.request("GET", "/api/user", headers={"Cookie": f"token={api.token}"}), 401)


def test_an_expired_token_is_a_401(api: Api) -> None:
    """docs/contract.md 13; docs/faults.md AU-02, TM-09."""
    now = datetime.now(UTC)
    require_message(api.limited(expires_at=now - timedelta(seconds=1)).get("/pages"), 401)
    assert api.limited(expires_at=now + timedelta(hours=1)).get("/pages").status_code == 200


def test_only_a_hash_of_a_token_is_stored(api: Api) -> None:
    """docs/contract.md 13; docs/faults.md AU-11."""
    stored = api.service.run(lambda connection: str([connection.all(table.select) for table in TABLES.values()]))
    assert api.user.email in stored
    assert api.token not in stored
    assert api.token.split("_")[-1] not in stored


def test_a_token_has_at_least_128_random_bits(api: Api) -> None:
    """docs/faults.md AU-11."""
    secrets = {api.service.token(api.user)[1] for _ in range(20)}
    assert len(secrets) == 20
    assert all(len(secret) >= 32 for secret in secrets)


# AU-10: scopes


WRITES = [
    ("POST", "/pages", {"title": "x"}),
    ("PUT", "/pages/1", {"title": "x"}),
    ("PATCH", "/pages/1/toggle", None),
    ("DELETE", "/pages/1", None),
    ("POST", "/articles", {"title": "x", "markdown": "x"}),
    ("PATCH", "/articles/1/toggle", None),
    ("POST", "/projects", {"name": "x"}),
    ("POST", "/projects/bulk", {"listings": [{"name": "x"}]}),
    ("PUT", "/projects/1", {"name": "x"}),
    ("DELETE", "/projects/1", None),
    ("POST", "/organizers", {"name": "x"}),
    ("DELETE", "/organizers/1", None),
    ("POST", "/categories", {"title": "x"}),
    ("PUT", "/tags/1", {"title": "x"}),
    ("POST", "/custom-fields", {"label": "x", "type": "text"}),
]


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_a_read_token_cannot_write(api: Api, method: str, path: str, body: Any) -> None:
    """docs/contract.md 11: a message that names the scope; docs/faults.md AU-10."""
    reader = api.limited(scopes=("read",))
    for headers in ({}, {"X-HTTP-Method-Override": "GET"}):
        assert "write" in require_message(reader.request(method, path, json=body, headers=headers), 403)
    assert all(api.all(collection) == [] for collection in SECRETS)


@pytest.mark.parametrize("path", READS)
def test_a_write_token_cannot_read(api: Api, path: str) -> None:
    """docs/contract.md 11."""
    assert "read" in require_message(api.limited(scopes=("write",)).get(path), 403)


def test_a_read_token_can_read(api: Api) -> None:
    api.make("pages", title="About")
    reader = api.limited(scopes=("read",))
    assert [page["title"] for page in reader.all("pages")] == ["About"]
    assert all(reader.get(path).status_code == 200 for path in READS)


def test_a_read_token_can_use_the_exists_checks(api: Api) -> None:
    """The checks write nothing, although they are POST requests."""
    reader = api.limited(scopes=("read",))
    assert reader.post("/articles/exists", {"slug": "x"}).status_code == 200
    assert reader.post("/projects/exists", {"url": "https://example.org"}).status_code == 200


def test_a_header_or_field_cannot_override_the_method(api: Api) -> None:
    """docs/faults.md AU-10."""
    page = api.make("pages", title="About")
    headers = {"X-HTTP-Method-Override": "DELETE", "X-HTTP-Method": "DELETE", "X-Method-Override": "DELETE"}
    assert api.request("GET", f"/pages/{page['id']}?_method=DELETE", headers=headers).status_code == 200
    assert api.show("pages", page["id"]) == page


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS"])
def test_head_and_options_require_a_token(api: Api, other: Api, method: str) -> None:
    """docs/faults.md AU-10."""
    for path in (f"/api/directories/{api.directory_id}/pages", "/api/user"):
        response = api.service.request(method, path)
        assert response.status_code in (401, 405)
    assert api.at(other.directory_id).request(method, "/pages").status_code in (403, 405)


@pytest.mark.parametrize("path", ["/pages/", "//pages", "/pages//", "/./pages", "/pages;x", "/Pages", "/%70ages/"])
def test_no_spelling_of_a_path_bypasses_the_owner_check(api: Api, other: Api, path: str) -> None:
    """docs/faults.md AU-10, SL-08."""
    other.make("pages", title="Secret")
    inside = api.at(other.directory_id)
    for method in ("GET", "POST", "DELETE"):
        response = inside.request(method, path, **({"json": {"title": "x"}} if method == "POST" else {}))
        assert 300 <= response.status_code < 500
        assert "Secret" not in response.text
    assert [page["title"] for page in other.all("pages")] == ["Secret"]


@pytest.mark.parametrize("directory_id", ["abc", "0", "-1", "99999999999999999999", "1.0", "%31%20", "*"])
def test_a_directory_that_is_not_an_id_is_refused(api: Api, directory_id: str) -> None:
    """docs/contract.md 4."""
    response = api.service.request("GET", f"/api/directories/{directory_id}/pages", headers=api.headers)
    assert response.status_code in (403, 404, 422)
    assert response.json()["message"]


def test_a_principal_can_be_injected(api: Api) -> None:
    """docs/architecture.md: the embedded target is the same server, with the principal injected."""
    principal = api.service.run(lambda connection: accounts.principal_of(connection, api.user.id))

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(create_app(api.service.database, principal=principal))
        async with httpx.AsyncClient(transport=transport, base_url="http://embedded") as client:
            return await client.post(f"/api/directories/{api.directory_id}/pages", json={"title": "About"})

    assert asyncio.run(ask()).status_code == 201
    assert api.service.request("GET", "/api/user").status_code == 401
