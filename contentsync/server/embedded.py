"""The embedded service in a command's process: one directory, one user, no token (docs/content.md 10)."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from starlette.applications import Starlette

from ..model import Kind
from ..model.slug import make_slug
from .access import DirectorySettings, Principal
from .asgi import create_app
from .store import Connection, Database, accounts, connect_database
from .store.record_keys import free_key, record_merges

# The domain is reserved and receives no mail (RFC 2606).
EMAIL = "embedded@contentsync.invalid"


@dataclass(frozen=True, slots=True)
class EmbeddedService:
    """The service in this process, with one directory. `close` it after use."""

    app: Starlette
    directory_id: int
    database: Database

    def update_settings(self, **settings: Unpack[DirectorySettings]) -> bool:
        """Change settings of the directory, and return whether a value changed."""
        return self.database.run_write(accounts.update_directory, self.directory_id, **settings)

    def redirect_merged(self, merges: Collection[tuple[Kind, str, str]]) -> None:
        """Redirect from deleted records to those that they were merged into (`record_merges`).

        The contract has no request for it: a server redirects only from slugs that a record had.
        """
        if merges:
            self.database.run_write(record_merges, self.directory_id, merges)

    @property
    def slug(self) -> str:
        """Return the directory's slug, which is part of its site's URL."""
        directories = self.database.run_read(accounts.all_directories)
        return next(directory.slug for directory in directories if directory.id == self.directory_id)

    def close(self) -> None:
        """Close the database."""
        self.database.close()


def open_embedded(
    path: Path,
    *,
    public_url: str = "http://127.0.0.1:8000",
    disposable: bool = False,
    **settings: Unpack[DirectorySettings],
) -> EmbeddedService:
    """Open the service on a SQLite file, which the first use creates, and store the settings in its directory.

    Of the settings, `name` is required. Raise UsageError if the file cannot be opened, and Refused if it is another
    program's database. A `disposable` file is written faster, but a power failure may lose the last writes. If such a
    file is deleted while it is open, writes to it raise no error.
    """
    database = connect_database(path, disposable=disposable)
    try:
        database.migrate()
        principal, directory_id = database.run_write(_ensure_directory, settings)
        return EmbeddedService(create_app(database, public_url=public_url, principal=principal), directory_id, database)
    except BaseException:
        database.close()
        raise


def _ensure_directory(connection: Connection, settings: DirectorySettings) -> tuple[Principal, int]:
    """Return the embedded user and the id of the user's directory; create what is missing, and store the settings."""
    user_id = accounts.find_user_id(connection, EMAIL)
    if user_id is None:
        user_id = accounts.create_user(connection, email=EMAIL, name=settings["name"])
    principal = accounts.principal_of(connection, user_id)
    directories = accounts.directories_of(connection, principal)
    if directories:
        accounts.update_directory(connection, directories[0].id, **settings)
        return principal, directories[0].id
    taken = [directory.slug for directory in accounts.all_directories(connection)]
    slug = free_key(make_slug(settings["name"]) or "site", taken)
    return principal, accounts.create_directory(connection, slug=slug, owner_id=user_id, **settings)
