"""For which requests a token is looked up (decision 9)."""

import asyncio
import time

from contentsync.server.auth import TokenCache, TokenLookup
from contentsync.server.store import tokens

from .conftest import Api


def found(identities: TokenCache, api: Api, arrived: float | None) -> TokenLookup:
    """Who the token's user is to a request that came at the moment."""
    return asyncio.run(identities.find(api.token, api.directory_id, arrived))


def revoke(api: Api) -> None:
    """Take the token back."""
    [number] = [each["id"] for each in api.service.run(tokens.list_tokens) if each["user"] == api.user.email]
    api.service.run(tokens.revoke_token, token_id=number)


def test_requests_that_came_together_are_one_look_up(api: Api) -> None:
    identities = TokenCache(api.service.database)
    together = time.monotonic()
    first = found(identities, api, together)
    assert first[0] is not None
    assert first[1] is not None
    assert first[1].id == api.directory_id
    revoke(api)
    assert found(identities, api, together) is first


def test_a_request_that_comes_after_a_token_was_revoked_is_refused(api: Api) -> None:
    """AU-03"""
    identities = TokenCache(api.service.database)
    assert found(identities, api, time.monotonic())[0] is not None
    revoke(api)
    assert found(identities, api, time.monotonic()) == (None, None)


def test_where_nobody_knows_when_a_request_came_the_token_is_looked_up(api: Api) -> None:
    """AU-03"""
    identities = TokenCache(api.service.database)
    assert found(identities, api, None)[0] is not None
    revoke(api)
    assert found(identities, api, None) == (None, None)


def test_another_directory_is_another_look_up(api: Api, other: Api) -> None:
    identities = TokenCache(api.service.database)
    together = time.monotonic()
    mine = found(identities, api, together)
    foreign = found(identities, api.at(other.directory_id), together)
    assert foreign == (mine[0], None)
