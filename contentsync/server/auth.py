"""Who asks: bearer tokens, their scopes, and the directories that they open (docs/contract.md 13)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Concatenate, ParamSpec, TypeVar

from fastapi import Depends, Request

from .access import READ, WRITE, Access, Directory, Principal
from .api.answer_cache import AnswerCache
from .edge.client_address import client_key
from .edge.middleware import DIRECTORY, TOKEN
from .edge.quota import QUOTA, Unlimited
from .errors import Forbidden, TooMany, Unauthenticated
from .identities import ARRIVED, Identities
from .request_headers import header_values
from .store import Connection, Database, accounts
from .store.anchors import Anchors
from .store.mentions import Mentions

if TYPE_CHECKING:
    from .edge.rate_limit import RateLimit  # loads much that only a server needs

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Service:
    """What every request shares."""

    database: Database
    public_url: str  # without a slash at its end
    principal: Principal | None  # who everybody is, when no tokens are asked for
    max_body: int  # bytes
    identities: Identities
    rate_limit: "RateLimit | None" = None
    anchors: Anchors = field(default_factory=Anchors)
    mentions: Mentions = field(default_factory=Mentions)
    answers: AnswerCache = field(default_factory=AnswerCache)


@dataclass(frozen=True, slots=True)
class Call:
    """A request that is authorised inside a directory."""

    request: Request
    service: Service
    access: Access

    async def read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, all of it seen at one moment."""
        return await self.service.database.read(fn, *args, **kwargs)

    async def read_long(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`read` of what may take long: the requests of other directories do not wait for it."""
        return await self.service.database.read_long(self.access.directory.id, fn, *args, **kwargs)

    async def write(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, committed; meanwhile nobody else writes in the directory."""
        return await self.service.database.write_in(self.access.directory.id, fn, *args, **kwargs)


def service_of(request: Request) -> Service:
    """The service that the request came to."""
    service: Service = request.app.state.service
    return service


async def authenticated(request: Request) -> Principal:
    """Who asks, outside of any directory; raises Unauthenticated or TooMany."""
    service = service_of(request)
    principal, _ = await _identified(service, request, accounts.NOBODYS)
    await _count(service, request, "token", principal.token_id)
    return principal


async def reading(request: Request, directory_id: int) -> Call:
    """A request that may read in the directory; raises Unauthenticated or Forbidden."""
    return await _call(request, directory_id, READ)


async def writing(request: Request, directory_id: int) -> Call:
    """A request that may write; what exactly, the store decides. Raises Unauthenticated or Forbidden."""
    return await _call(request, directory_id, WRITE)


Authenticated = Annotated[Principal, Depends(authenticated)]
Reading = Annotated[Call, Depends(reading)]
Writing = Annotated[Call, Depends(writing)]


def require_scope(principal: Principal, scope: str) -> None:
    """Raise Forbidden unless the token carries the scope."""
    if scope not in principal.scopes:
        raise Forbidden(f'This token lacks the scope "{scope}"')


async def _call(request: Request, directory_id: int, scope: str) -> Call:
    service = service_of(request)
    principal, directory = await _identified(service, request, directory_id)
    if directory is None:  # whatever its number: a client that tries many is counted once for all of them
        await _count(service, request, "token", principal.token_id)
        require_scope(principal, scope)
        raise Forbidden
    request.scope[DIRECTORY] = directory.id
    await _count(service, request, "token", principal.token_id, "directory", directory.id)
    require_scope(principal, scope)
    return Call(request, service, Access(principal, directory, directory.site(service.public_url)))


async def _identified(service: Service, request: Request, directory_id: int) -> tuple[Principal, Directory | None]:
    """Who asks, and the directory, when the principal may see it; raises Unauthenticated or TooMany."""
    if service.principal is not None:
        return service.principal, await service.database.read(accounts.directory_for, service.principal, directory_id)
    secret = _bearer(request)
    principal, directory = None, None
    if secret is not None:
        arrived = request.scope.get("state", {}).get(ARRIVED)
        principal, directory = await service.identities.find(secret, directory_id, arrived)
    if principal is None:
        # By address, never by what the request says. A good token is not kept waiting by its neighbours' bad ones:
        # with 190 random bits nobody finds one by trying.
        await _count(service, request, "peer", client_key(request.client.host if request.client else ""))
        raise Unauthenticated
    request.scope[TOKEN] = principal.token_id
    return principal, directory


async def _count(service: Service, request: Request, *key: str | int | None) -> None:
    """Count the request; raises TooMany. The key holds ids that were looked up, so no client can make keys up."""
    if service.rate_limit is None:
        request.scope[QUOTA] = Unlimited()
        return
    quota = request.scope[QUOTA] = await service.rate_limit.count(*key)
    if not quota.allowed:
        raise TooMany(quota.retry_after)


def _bearer(request: Request) -> str | None:
    headers = header_values(request.scope, b"authorization")
    if len(headers) != 1:
        return None
    scheme, _, secret = headers[0].partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else None
