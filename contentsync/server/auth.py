"""Authenticate requests by bearer token, and authorise them in a directory (docs/contract.md 13)."""

import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from starlette.requests import Request

from .access import RECEIVED_AT, Access, Directory, Principal
from .api.http import header_values, read_body
from .api.pagination import PageCache
from .bounded_cache import BoundedCache
from .edge.client_address import client_key
from .edge.middleware import DIRECTORY, TOKEN
from .edge.quota import QUOTA, Unlimited
from .service_errors import Forbidden, RateLimited, Unauthenticated
from .store import Connection, Database, accounts
from .store.listing_links import EmbeddedRecords
from .store.page_cursors import PageCursors
from .store.tokens import authenticate, digest

if TYPE_CHECKING:
    from .edge.rate_limit import RateLimit  # slow to import, and only a server needs it

P = ParamSpec("P")
T = TypeVar("T")

MAX_TOKENS = 1_024  # in a TokenCache

TokenLookup = tuple[Principal | None, Directory | None]


class _CachedLookup(NamedTuple):
    started_at: float  # just before the lookup, in monotonic seconds
    result: TokenLookup


class TokenCache:
    """Principals by token, and the directories that the tokens open.

    A request may use the result of a lookup that began after the request arrived, also one for another request: many
    concurrent requests of a client are one lookup, and a revoked token is refused in every request that is sent
    afterwards (decision 9). If the time of arrival is not known, the token is always looked up. Secrets are not stored.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lookups = BoundedCache[tuple[str, int], _CachedLookup](MAX_TOKENS)

    async def find(self, secret: str, directory_id: int, received_at: float | None) -> TokenLookup:
        """Return what `authenticate` returns for a request that arrived at `received_at`, if that is known."""
        key = digest(secret), directory_id
        cached = self._lookups.get(key)
        if cached is not None and received_at is not None and received_at < cached.started_at:
            return cached.result
        started_at = time.monotonic()
        result = await self._database.read(authenticate, secret, directory_id)
        if result[0] is not None:
            self._lookups.put(key, _CachedLookup(started_at, result))
        return result


@dataclass(frozen=True, slots=True)
class ServiceState:
    """What all requests share."""

    database: Database
    public_url: str  # without a trailing slash
    principal: Principal | None  # the user of every request, if the service asks for no tokens
    max_body: int  # bytes
    tokens: TokenCache
    rate_limit: "RateLimit | None" = None
    cursors: PageCursors = field(default_factory=PageCursors)
    embedded: EmbeddedRecords = field(default_factory=EmbeddedRecords)
    pages: PageCache = field(default_factory=PageCache)


@dataclass(frozen=True, slots=True)
class ApiCall:
    """A request that is authorised in a directory."""

    request: Request
    service: ServiceState
    access: Access

    async def body(self) -> dict[str, Any]:
        """Return the JSON object in the body; raise MalformedBody, BodyTooLarge or Invalid."""
        return await read_body(self.request, self.service.max_body)

    def read(
        self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> Coroutine[Any, Any, T]:
        """Return what `fn(connection, ...)` returns; it sees one moment of the database."""
        return self.service.database.read(fn, *args, **kwargs)

    def read_long(
        self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> Coroutine[Any, Any, T]:
        """`read` for what may take long: requests of other directories do not wait for it."""
        return self.service.database.read_long(self.access.directory.id, fn, *args, **kwargs)

    def write(
        self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> Coroutine[Any, Any, T]:
        """Return what `fn(connection, ...)` returns once it is committed; the directory is locked for other writers."""
        return self.service.database.write_in(self.access.directory.id, fn, *args, **kwargs)


def service_of(request: Request) -> ServiceState:
    """Return the state of the service that received the request."""
    service: ServiceState = request.app.state.service
    return service


async def authenticated_principal(request: Request) -> Principal:
    """Return the principal of a request outside of any directory; raise Unauthenticated or RateLimited."""
    service = service_of(request)
    principal, _ = await _authenticate(service, request, accounts.NO_DIRECTORY)
    await _count(service, request, "token", principal.token_id)
    return principal


def require_scope(principal: Principal, scope: str) -> None:
    """Raise Forbidden unless the token has the scope."""
    if scope not in principal.scopes:
        raise Forbidden(f'This token lacks the scope "{scope}"')


async def authorised_call(request: Request, directory_id: int, scope: str) -> ApiCall:
    """Return the call if its token has the scope; the store decides what it may write.

    Raise Unauthenticated, RateLimited or Forbidden.
    """
    service = service_of(request)
    principal, directory = await _authenticate(service, request, directory_id)
    if directory is None:  # one limit for all such ids, so that a client cannot avoid it by trying many
        await _count(service, request, "token", principal.token_id)
        require_scope(principal, scope)
        raise Forbidden
    request.scope[DIRECTORY] = directory.id
    await _count(service, request, "token", principal.token_id, "directory", directory.id)
    require_scope(principal, scope)
    return ApiCall(request, service, Access(principal, directory, directory.site(service.public_url)))


async def _authenticate(
    service: ServiceState, request: Request, directory_id: int
) -> tuple[Principal, Directory | None]:
    """Return the principal, and the directory if they may see it; raise Unauthenticated or RateLimited."""
    if service.principal is not None:
        return service.principal, await service.database.read(accounts.directory_for, service.principal, directory_id)
    secret = _bearer_token(request)
    principal, directory = None, None
    if secret is not None:
        received_at = request.scope.get("state", {}).get(RECEIVED_AT)
        principal, directory = await service.tokens.find(secret, directory_id, received_at)
    if principal is None:
        # Counted by address. A good token does not share the limit of bad ones from its address: with 190 random bits
        # nobody finds a token by trying.
        await _count(service, request, "peer", client_key(request.client.host if request.client else ""))
        raise Unauthenticated
    request.scope[TOKEN] = principal.token_id
    return principal, directory


async def _count(service: ServiceState, request: Request, *key: str | int | None) -> None:
    """Count the request; raise RateLimited. The key has only ids from the database, so no client can invent keys."""
    if service.rate_limit is None:
        request.scope[QUOTA] = Unlimited()
        return
    quota = request.scope[QUOTA] = await service.rate_limit.count(*key)
    if not quota.allowed:
        raise RateLimited(quota.retry_after)


def _bearer_token(request: Request) -> str | None:
    headers = header_values(request.scope, b"authorization")
    if len(headers) != 1:
        return None
    scheme, _, secret = headers[0].partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else None
