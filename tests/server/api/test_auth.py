"""When the token of a request is looked up (decision 9), and that its last use is recorded at most once an hour."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contentsync.model.scalar import instant_text
from contentsync.server.access import Principal
from contentsync.server.api.auth import TokenCache, TokenLookup, TokenUses
from contentsync.server.store import Connection, tokens

from ..conftest import Api, locked
from ..statements import watching


def look_up(token_cache: TokenCache, api: Api, received_at: float | None) -> TokenLookup:
    """Look up the token for a request that arrived at the moment."""
    return asyncio.run(token_cache.find(api.token, api.directory_id, received_at))


def revoke(api: Api) -> None:
    """Revoke the token."""
    [number] = [each["id"] for each in api.service.run(tokens.list_tokens) if each["user"] == api.user.email]
    api.service.run(tokens.revoke_token, token_id=number)


def test_concurrent_requests_share_one_token_lookup(api: Api) -> None:
    token_cache = TokenCache(api.service.database)
    together = time.monotonic()
    first = look_up(token_cache, api, together)
    assert first[0] is not None
    assert first[1] is not None
    assert first[1].id == api.directory_id
    revoke(api)
    assert look_up(token_cache, api, together) is first


def test_a_request_after_the_revocation_of_its_token_is_refused(api: Api) -> None:
    """AU-03"""
    token_cache = TokenCache(api.service.database)
    assert look_up(token_cache, api, time.monotonic())[0] is not None
    revoke(api)
    assert look_up(token_cache, api, time.monotonic()) == (None, None)


def test_a_token_is_looked_up_if_the_arrival_time_is_unknown(api: Api) -> None:
    """AU-03"""
    token_cache = TokenCache(api.service.database)
    assert look_up(token_cache, api, None)[0] is not None
    revoke(api)
    assert look_up(token_cache, api, None) == (None, None)


def test_another_directory_needs_another_token_lookup(api: Api, other: Api) -> None:
    token_cache = TokenCache(api.service.database)
    together = time.monotonic()
    result = look_up(token_cache, api, together)
    foreign = look_up(token_cache, api.at(other.directory_id), together)
    assert foreign == (result[0], None)


@contextmanager
def uses() -> Iterator[list[str]]:
    """Collect the statements that write the last use of a token."""
    statements: list[str] = []

    def note(statement: str) -> None:
        if statement.startswith("UPDATE tokens SET used_at"):
            statements.append(statement)

    with watching(note):
        yield statements


def last_use(api: Api) -> str | None:
    """Return the recorded last use of the newest token."""
    used_at: str | None = api.service.run(tokens.list_tokens)[-1]["used_at"]
    return used_at


def set_last_use(api: Api, hours: float) -> str:
    """Set the last use of all tokens to a time this number of hours ago, and return it."""
    moment = instant_text(datetime.now(UTC) - timedelta(hours=hours))

    def change(connection: Connection) -> None:
        connection.run("UPDATE tokens SET used_at = :moment", {"moment": moment})

    api.service.run(change)
    return moment


def test_a_read_records_the_use_once(api: Api) -> None:
    reader = api.limited(scopes=("read",))
    assert last_use(api) is None
    before = instant_text(datetime.now(UTC))
    with uses() as written:
        for _ in range(5):
            assert reader.get("/pages").status_code == 200
    assert len(written) == 1
    assert before <= (last_use(api) or "") <= instant_text(datetime.now(UTC))


def test_a_write_records_the_use_in_its_transaction(api: Api) -> None:
    writer = api.limited()
    with uses() as written:
        assert writer.put("/tags/999999", {"title": "A"}).status_code == 404
        assert last_use(api) is None  # rolled back with the write
        writer.make("tags", title="A")
        writer.make("tags", title="B")
    assert len(written) == 2
    assert last_use(api) is not None


@pytest.mark.parametrize(("hours", "is_due"), [(0.9, False), (1.1, True)])
def test_a_use_is_recorded_again_after_an_hour(api: Api, hours: float, is_due: bool) -> None:
    reader = api.limited()
    recorded = set_last_use(api, hours)
    assert reader.get("/pages").status_code == 200
    assert (last_use(api) != recorded) == is_due


def test_a_request_without_a_directory_records_the_use(api: Api) -> None:
    reader = api.limited()
    assert api.service.request("GET", "/api/user", headers=reader.headers).status_code == 200
    assert last_use(api) is not None


def test_a_refused_token_records_no_use(api: Api) -> None:
    refused = api.limited(expires_at=datetime.now(UTC) - timedelta(seconds=1))
    assert refused.get("/pages").status_code == 401
    assert api.limited(scopes=("read",)).post("/tags", {"title": "A"}).status_code == 403
    assert last_use(api) is None


def test_a_read_does_not_wait_for_a_busy_database(api: Api) -> None:
    if not api.service.url.startswith("sqlite"):
        pytest.skip("PostgreSQL locks rows only")
    reader = api.limited()
    with locked(Path(api.service.url.removeprefix("sqlite:///"))):
        assert reader.get("/pages").status_code == 200
        assert last_use_while_locked(api) is None
    assert reader.get("/pages").status_code == 200


def last_use_while_locked(api: Api) -> str | None:
    used_at: str | None = api.service.database.run_read(tokens.list_tokens)[-1]["used_at"]
    return used_at


def test_a_service_without_tokens_records_nothing() -> None:
    assert TokenUses().due(Principal(1, "Ada", "ada@example.com")) is None
