"""The service inside a command: one directory, one user, no token (docs/content.md 10)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette

from ..model.slug import make_slug, numbered
from .access import Principal
from .asgi import create_app
from .store import Connection, Database, accounts, connect_database

# The domain is reserved and receives no mail (RFC 2606).
EMAIL = "embedded@contentsync.invalid"


@dataclass(frozen=True, slots=True)
class EmbeddedService:
    """A running service with one directory."""

    app: Starlette
    directory_id: int
    database: Database

    def update_settings(self, **settings: Any) -> bool:
        """Change settings of the directory, named as in `open_embedded`; return whether anything differed."""
        return self.database.run_write(accounts.set_directory, self.directory_id, **settings)

    @property
    def slug(self) -> str:
        """Return the slug of the directory, which is in the address of its site."""
        directories = self.database.run_read(accounts.all_directories)
        return next(each.slug for each in directories if each.id == self.directory_id)

    def close(self) -> None:
        """Close the database."""
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
) -> EmbeddedService:
    """Open the service on a SQLite file, which is created on first use, and apply the settings to its directory.

    Raise UsageError for a file that cannot be opened, Refused for another program's database.
    """
    settings = {
        "name": name,
        "locales": locales,
        "expired": expired,
        "organizers_enabled": organizers_enabled,
        "organizers_prefix": organizers_prefix,
        "organizers_label": organizers_label,
    }
    database = connect_database(path)
    try:
        database.migrate()
        principal, directory_id = database.run_write(_user_and_directory, settings)
        return EmbeddedService(create_app(database, public_url=public_url, principal=principal), directory_id, database)
    except BaseException:
        database.close()
        raise


def _user_and_directory(connection: Connection, settings: dict[str, Any]) -> tuple[Principal, int]:
    """Return the embedded user and its directory; create them on first use."""
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
