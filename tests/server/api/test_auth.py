"""When the token of a request is looked up (decision 9)."""

import asyncio
import time

from contentsync.server.api.auth import TokenCache, TokenLookup
from contentsync.server.store import tokens

from ..conftest import Api


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
