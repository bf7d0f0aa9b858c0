"""Authenticate requests by bearer token, and authorise them in a directory (docs/contract.md 13)."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from starlette.requests import Request

from ...errors import Unavailable, Unconfirmed
from ...model.scalar import instant_text
from ..access import DIRECTORY_ID, READ, RECEIVED_AT, TOKEN_ID, Access, Directory, Principal
from ..bounded_cache import BoundedCache
from ..client_disconnect import client_left
from ..quota import QUOTA, RequestLimits, Unlimited, client_key
from ..service_errors import Forbidden, RateLimited, Unauthenticated
from ..store import Database, accounts
from ..store.listing_links import EmbeddedRecords
from ..store.page_cursors import PageCursors
from ..store.read_pool import QueuedRead, ReadQueue
from ..store.tokens import USE_INTERVAL, authenticate, digest, record_use
from .http import PageCache, header_values, read_body

MAX_TOKENS = 1_024  # in a cache

TokenLookup = tuple[Principal | None, Directory | None]

_PATIENCE = 0.1  # seconds for which a request waits for the record of a use


class _CachedLookup(NamedTuple):
    started_at: float  # just before the lookup, in monotonic seconds
    result: TokenLookup


class TokenCache:
    """Caches the results of `authenticate` by token and directory.

    The result of a lookup is used only for requests that had arrived before the lookup started. So requests that wait
    together share one lookup, and a request that is sent after a token was revoked is refused (decision 9). Without a
    time of arrival, the token is always looked up. The cache contains no secrets.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lookups = BoundedCache[tuple[str, int], _CachedLookup](MAX_TOKENS)

    async def find(self, secret: str, directory_id: int, received_at: float | None) -> TokenLookup:
        """Return the token's principal and the directory, each None without access, as `authenticate` does.

        `received_at` is the request's arrival in monotonic seconds, or None if it is unknown.
        """
        key = digest(secret), directory_id
        cached = self._lookups.get(key)
        if cached is not None and received_at is not None and received_at < cached.started_at:
            return cached.result
        started_at = time.monotonic()
        result = await self._database.read(authenticate, secret, directory_id)
        principal = result[0]
        if principal is not None:  # unknown tokens must not fill the cache
            self._lookups.put(key, _CachedLookup(started_at, result))
        return result


class TokenUses:
    """The tokens whose use this process has recorded, or has tried to record, within the last hour.

    A use is recorded with few writes, because a commit empties caches (decision 9): at most once an hour. A request
    that writes records it in its own transaction. A request that only reads needs a write of its own, which SQLite
    groups with other writes.
    """

    def __init__(self) -> None:
        self._recorded = BoundedCache[int, float](MAX_TOKENS)  # by token: the time in monotonic seconds
        self._running: set[asyncio.Task[None]] = set()

    def due(self, principal: Principal) -> int | None:
        """Return the id of the principal's token if its use must be recorded; else None."""
        token_id = principal.token_id
        if token_id is None:
            return None
        recorded = self._recorded.get(token_id)
        if recorded is not None and time.monotonic() - recorded < USE_INTERVAL.total_seconds():
            return None
        is_old = principal.used_at is None or principal.used_at <= instant_text(datetime.now(UTC) - USE_INTERVAL)
        return token_id if is_old else None

    def mark(self, token_id: int | None) -> None:
        """Note that the use of a token, if there is one, has been recorded now."""
        if token_id is not None:
            self._recorded.put(token_id, time.monotonic())

    async def record(self, database: Database, principal: Principal, directory_id: int) -> None:
        """Record a use by a request that only reads.

        If the database is busy, the request goes on without waiting for the write. It does not fail with the write.
        """
        token_id = self.due(principal)
        if token_id is None:
            return
        self.mark(token_id)  # first, so that other requests do not record it too
        task = asyncio.create_task(_record(database, directory_id, token_id))
        self._running.add(task)  # the event loop itself does not keep tasks alive
        task.add_done_callback(self._running.discard)
        await asyncio.wait({task}, timeout=_PATIENCE)


async def _record(database: Database, directory_id: int, token_id: int) -> None:
    with suppress(Unavailable, Unconfirmed):
        await database.write_in_directory(directory_id, record_use, token_id)


@dataclass(frozen=True, slots=True)
class ServiceState:
    """The state that all requests of a service share."""

    database: Database
    public_url: str  # without a trailing slash
    principal: Principal | None  # the user of every request; None: each request needs a token
    limits: RequestLimits
    tokens: TokenCache
    token_uses: TokenUses = field(default_factory=TokenUses)
    cursors: PageCursors = field(default_factory=PageCursors)
    embedded: EmbeddedRecords = field(default_factory=EmbeddedRecords)
    pages: PageCache = field(default_factory=PageCache)


@dataclass(frozen=True, slots=True)
class ApiCall:
    """A request that is authenticated, rate-limited and authorised in a directory."""

    request: Request
    service: ServiceState
    access: Access

    @property
    def database(self) -> Database:
        """Return the service's database."""
        return self.service.database

    def export(self, *, is_refusable: bool = True) -> QueuedRead:
        """Return the place in the queue for a long read of the directory."""
        left = partial(client_left, self.request.receive)
        return QueuedRead(ReadQueue.EXPORTS, self.access.directory.id, left, is_refusable)

    async def body(self) -> dict[str, Any]:
        """Return the JSON object in the request's body; raise MalformedBody, BodyTooLarge or Invalid."""
        return await read_body(self.request, self.service.limits.max_body)


def service_of(request: Request) -> ServiceState:
    """Return the state of the service that received the request."""
    service: ServiceState = request.app.state.service
    return service


async def authenticate_request(request: Request) -> Principal:
    """Count a request that names no directory, and return its principal; raise Unauthenticated or RateLimited."""
    service = service_of(request)
    principal, _directory = await _authenticate(service, request, accounts.NO_DIRECTORY)
    await _count(service, request, "token", principal.token_id)
    await service.token_uses.record(service.database, principal, accounts.NO_DIRECTORY)
    return principal


def require_scope(principal: Principal, scope: str) -> None:
    """Raise Forbidden unless the principal's token has the scope (READ or WRITE)."""
    if scope not in principal.scopes:
        raise Forbidden(f'This token lacks the scope "{scope}"')


async def authorise_request(request: Request, directory_id: int, scope: str) -> ApiCall:
    """Authenticate and count a request in a directory, and return its call.

    Raise Unauthenticated, RateLimited, or Forbidden without the scope or access to the directory. Whether the user may
    change a record is not checked here, but by the store.
    """
    service = service_of(request)
    principal, directory = await _authenticate(service, request, directory_id)
    if directory is None:  # all such ids share a limit, so that trying many ids does not avoid it
        await _count(service, request, "token", principal.token_id)
        require_scope(principal, scope)
        raise Forbidden
    request.scope[DIRECTORY_ID] = directory.id
    await _count(service, request, "token", principal.token_id, "directory", directory.id)
    require_scope(principal, scope)
    if scope == READ:  # a write records the use itself
        await service.token_uses.record(service.database, principal, directory.id)
    return ApiCall(request, service, Access(principal, directory, directory.site_url(service.public_url)))


async def _authenticate(
    service: ServiceState, request: Request, directory_id: int
) -> tuple[Principal, Directory | None]:
    """Return the principal, and the directory if the principal may see it; raise Unauthenticated or RateLimited."""
    if service.principal is not None:
        return service.principal, await service.database.read(accounts.directory_for, service.principal, directory_id)
    secret = _bearer_token(request)
    principal, directory = None, None
    if secret is not None:
        received_at = request.scope.get("state", {}).get(RECEIVED_AT)
        principal, directory = await service.tokens.find(secret, directory_id, received_at)
    if principal is None:
        # Requests without a valid token share a limit per client address. It does not count the requests of valid
        # tokens from there, and need not be strict: a token has 190 random bits, so it cannot be guessed.
        await _count(service, request, "peer", client_key(request.client.host if request.client else ""))
        raise Unauthenticated
    request.scope[TOKEN_ID] = principal.token_id
    return principal, directory


async def _count(service: ServiceState, request: Request, *key: str | int | None) -> None:
    """Count the request under `key`; raise RateLimited over the limit. No key contains text that a client chose."""
    if service.limits.api is None:
        request.scope[QUOTA] = Unlimited()
        return
    quota = request.scope[QUOTA] = await service.limits.api.count(*key)
    if not quota.allowed:
        raise RateLimited(quota.retry_after)


def _bearer_token(request: Request) -> str | None:
    """Return the bearer token of the Authorization header; None for another scheme, or without exactly one header."""
    headers = header_values(request.scope, b"authorization")
    if len(headers) != 1:
        return None
    scheme, _space, secret = headers[0].partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else None
