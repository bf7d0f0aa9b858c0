"""The service inside a command: one directory, one user, no token (docs/content.md 10)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from ..model.slug import make_slug, numbered
from .access import Principal
from .app import create_app
from .store import Connection, Database, accounts

# Nobody gets mail there: the domain is reserved for such use (RFC 2606).
EMAIL = "embedded@contentsync.invalid"


@dataclass(frozen=True, slots=True)
class Embedded:
    """A running service: the application, and the one directory that is its own."""

    app: FastAPI
    directory_id: int
    database: Database

    def settle(self, **settings: Any) -> bool:
        """Give the directory settings, as `open_embedded` takes them; whether anything differed."""
        return self.database.run_write(accounts.set_directory, self.directory_id, **settings)

    @property
    def slug(self) -> str:
        """The directory's, by which its site is found."""
        directories = self.database.run_read(accounts.all_directories)
        return next(each.slug for each in directories if each.id == self.directory_id)

    def close(self) -> None:
        """Give the database back."""
        self.database.close()


def open_embedded(
    path: Path,
    *,
    name: str,
    locales: tuple[str, ...],
    expired: str,
    organizers_enabled: bool,
    organizers_prefix: str,
    organizers_label: str,
    public_url: str = "http://127.0.0.1:8000",
) -> Embedded:
    """The service on the SQLite file, which is made on first use; the directory's settings follow the arguments.

    Raises UsageError for a file that cannot be opened, Refused for one that is not ours.
    """
    settings = {
        "name": name,
        "locales": locales,
        "expired": expired,
        "organizers_enabled": organizers_enabled,
        "organizers_prefix": organizers_prefix,
        "organizers_label": organizers_label,
    }
    database = Database.open(path)
    try:
        database.migrate()
        principal, directory_id = database.run_write(_own, settings)
        return Embedded(create_app(database, public_url=public_url, principal=principal), directory_id, database)
    except BaseException:
        database.close()
        raise


def _own(connection: Connection, settings: dict[str, Any]) -> tuple[Principal, int]:
    """The embedded user and its directory, made where missing."""
    user_id = accounts.find_user_id(connection, EMAIL)
    if user_id is None:
        user_id = accounts.create_user(connection, email=EMAIL, name=settings["name"])
    principal = accounts.user(connection, user_id)
    owned = accounts.directories_of(connection, principal)
    if owned:
        accounts.set_directory(connection, owned[0].id, **settings)
        return principal, owned[0].id
    slug = _free_slug(connection, make_slug(settings["name"]) or "site")
    return principal, accounts.create_directory(connection, slug=slug, owner_id=user_id, **settings)


def _free_slug(connection: Connection, slug: str) -> str:
    taken = {directory.slug for directory in accounts.all_directories(connection)}
    candidate, number = slug, 1
    while candidate in taken:
        number += 1
        candidate = numbered(slug, number)
    return candidate
