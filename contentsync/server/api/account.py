"""The user and the directories that the token opens (docs/contract.md 13)."""

from typing import Any

from fastapi import APIRouter, Request, Response

from ..access import READ, Directory
from ..auth import Authenticated, Reading, require_scope, service_of
from ..store import accounts
from .answers import answer
from .documents import brief


def add_account_routes(router: APIRouter, directory_path: str) -> None:
    """All operations on the account."""
    router.get("/api/user")(user)
    router.get("/api/directories")(directories)
    router.get(directory_path)(directory)


async def user(principal: Authenticated) -> Response:
    """Who asks; without the envelope of other answers."""
    require_scope(principal, READ)
    return answer({"id": principal.user_id, "name": principal.name, "email": principal.email})


async def directories(request: Request, principal: Authenticated) -> Response:
    """The directories that the token opens."""
    require_scope(principal, READ)
    found = await service_of(request).database.read(accounts.directories_of, principal)
    return answer({"data": [brief(directory) for directory in found]})


async def directory(call: Reading) -> Response:
    """One directory with its settings."""
    return answer({"data": {**_settings(call.access.directory), "url": f"{call.access.site}/"}})


def _settings(directory: Directory) -> dict[str, Any]:
    return brief(directory) | {
        "locales": directory.locales,
        "expired": directory.expired,
        "organizers": directory.organizers,
        "created_at": directory.created_at,
        "updated_at": directory.updated_at,
    }
