"""`contentsync admin`: the built-in server's own data (docs/reference/commands.md, contentsync admin)."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from ..errors import UsageError
from ..value_text import printable
from .option_groups import with_options
from .options import Format, FormatOption, end_of_duration
from .serve_command import DATABASE, DatabaseOption, open_database

if TYPE_CHECKING:
    from ..server.access import Directory
    from ..server.store import Connection, Database


T = TypeVar("T")

VERSION = 1  # of the JSON documents


class Switch(StrEnum):
    """On or off."""

    ON = "on"
    OFF = "off"


class Expired(StrEnum):
    """What the site does with listings whose end has passed."""

    BADGE = "badge"
    HIDE = "hide"


# The options that a new directory has, and a change of one.
_NAME = typer.Option("--name", help="The name of the directory.")
_DOMAIN = typer.Option("--domain", help="The host name of its public site.")
_LOCALES = typer.Option("--locales", help="Language codes, such as en,fr; the first is the default.")
_TIMEZONE = typer.Option("--timezone", help="The time zone of the dates on its site, such as Europe/Paris.")
DirectoryArgument = Annotated[str, typer.Argument(metavar="DIRECTORY", help="The directory's slug.")]

app = typer.Typer(help="The built-in server's own data: users, directories, tokens.", no_args_is_help=True)
users = typer.Typer(help="The users of the server.", no_args_is_help=True)
directories = typer.Typer(help="The directories of the server.", no_args_is_help=True)
tokens = typer.Typer(help="The tokens with which users and programs sign in.", no_args_is_help=True)
app.add_typer(users, name="user")
app.add_typer(directories, name="directory")
app.add_typer(tokens, name="token")


@app.command()
def migrate(db: DatabaseOption = DATABASE, format_: FormatOption = Format.TEXT) -> None:
    """Create the database, or migrate an older one."""
    from .terminal import migration_progress, stderr

    with closing(open_database(db)) as database, migration_progress(stderr()) as progress:
        before = database.state
        database.migrate(progress)
    _print(format_, {"database": database.url, "before": before.value}, f"{database.url} is up to date")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy, which must not exist yet.")],
    db: DatabaseOption = DATABASE,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Copy a SQLite database while it is in use. It need not be migrated."""
    from ..server.store import connect_database

    with closing(connect_database(db, create=False)) as database:
        database.backup(file)
    _print(format_, {"database": database.url, "copy": str(file)}, f"{file} is a copy of {database.url}")


@users.command("create")
def create_user(
    email: Annotated[str, typer.Option("--email", help="The e-mail address of the user.")],
    name: Annotated[str, typer.Option("--name", help="The name of the user.")],
    db: DatabaseOption = DATABASE,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Add a user."""
    from ..server.store import accounts

    id_ = _write(db, lambda connection: accounts.create_user(connection, email=email, name=name))
    _print(format_, {"user": {"id": id_, "email": email.lower(), "name": name}}, f"user {id_}: {name} <{email}>")


@users.command("list")
def list_users(db: DatabaseOption = DATABASE, format_: FormatOption = Format.TEXT) -> None:
    """Show every user."""
    from ..server.store import accounts

    _table(format_, "users", _read(db, accounts.all_users), ("id", "email", "name"))


@directories.command("create")
def create_directory(
    name: Annotated[str, _NAME],
    slug: Annotated[str, typer.Option("--slug", help="The name in addresses, such as tools.")],
    owner: Annotated[str, typer.Option("--owner", metavar="EMAIL", help="The e-mail address of the owner.")],
    domain: Annotated[str | None, _DOMAIN] = None,
    locales: Annotated[str, _LOCALES] = "en",
    timezone: Annotated[str, _TIMEZONE] = "UTC",
    db: DatabaseOption = DATABASE,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Add a directory."""
    from ..server.store import accounts

    def create(connection: "Connection") -> "Directory":
        accounts.create_directory(
            connection,
            name=name,
            slug=slug,
            owner_id=accounts.find_user(connection, owner),
            domain=domain,
            locales=_split_locales(locales),
            timezone=timezone,
        )
        return accounts.find_directory(connection, slug)

    directory = _write(db, create)
    _print(
        format_, {"directory": _directory_document(directory)}, f"directory {directory.id}: {directory.name} ({slug})"
    )


@directories.command("list")
def list_directories(db: DatabaseOption = DATABASE, format_: FormatOption = Format.TEXT) -> None:
    """Show every directory."""
    from ..server.store import accounts

    rows = [_directory_document(directory) for directory in _read(db, accounts.all_directories)]
    _table(format_, "directories", rows, ("id", "slug", "name", "domain", "locales"))


@dataclass(frozen=True, slots=True)
class SettingOptions:
    """The settings of a directory; None means that the option was not used. Their names are those of `Directory`."""

    name: Annotated[str | None, _NAME] = None
    description: Annotated[
        str | None, typer.Option("--description", help="The introduction of its home page, also for search engines.")
    ] = None
    domain: Annotated[str | None, _DOMAIN] = None
    locales: Annotated[str | None, _LOCALES] = None
    timezone: Annotated[str | None, _TIMEZONE] = None
    expired: Annotated[Expired | None, typer.Option("--expired", help="How the site shows expired listings.")] = None
    organizers_enabled: Annotated[
        Switch | None, typer.Option("--organizers", help="Whether organizers have public pages.")
    ] = None
    organizers_prefix: Annotated[
        str | None, typer.Option("--organizers-prefix", metavar="PATH", help="The path of these pages.")
    ] = None
    organizers_label: Annotated[
        str | None, typer.Option("--organizers-label", help="The site's word for an organizer.")
    ] = None

    def settings(self) -> dict[str, Any]:
        """Return the settings that were used, as `accounts.update_directory` takes them."""
        values = {name: value for name, value in asdict(self).items() if value is not None}
        if self.locales is not None:
            values["locales"] = _split_locales(self.locales)
        if self.expired is not None:
            values["expired"] = self.expired.value
        if self.organizers_enabled is not None:
            values["organizers_enabled"] = self.organizers_enabled is Switch.ON
        return values


@directories.command("set")
@with_options(*(field.name for field in fields(SettingOptions)), "db", "format_")
def set_directory(
    directory: DirectoryArgument,
    *,
    options: SettingOptions,
    db: DatabaseOption = DATABASE,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Change settings of a directory; the others stay."""
    from ..server.store import accounts

    settings = options.settings()
    if not settings:
        raise UsageError("no setting is given", "contentsync admin directory set --help shows them")

    def change(connection: "Connection") -> "Directory":
        accounts.update_directory(connection, accounts.find_directory(connection, directory).id, **settings)
        return accounts.find_directory(connection, directory)

    _print(format_, {"directory": _directory_document(_write(db, change))}, f"{directory}: {', '.join(settings)} set")


@directories.command("add-submitter")
def add_submitter(
    directory: DirectoryArgument,
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="The e-mail address of the user.")],
    db: DatabaseOption = DATABASE,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Let a user submit listings to a directory."""
    from ..server.store import accounts

    def add(connection: "Connection") -> None:
        found = accounts.find_directory(connection, directory)
        accounts.add_submitter(connection, directory_id=found.id, user_id=accounts.find_user(connection, email))

    _write(db, add)
    _print(format_, {"submitter": {"directory": directory, "user": email.lower()}}, f"{email} submits to {directory}")


@tokens.command("create")
def create_token(
    user: Annotated[str, typer.Option("--user", metavar="EMAIL", help="The e-mail address of the user.")],
    directory: Annotated[
        str | None, typer.Option("--directory", metavar="SLUG", help="The only directory for which the token is valid.")
    ] = None,
    scope: Annotated[
        list[str] | None, typer.Option("--scope", help="read or write; may be repeated; default: both.")
    ] = None,
    expires: Annotated[
        str | None, typer.Option("--expires", metavar="TIME", help="The time until it expires, such as 12h, 90d or 4w.")
    ] = None,
    name: Annotated[
        str, typer.Option("--name", help='What it is for, such as "CI, read only"; token list shows it.')
    ] = "",
    db: DatabaseOption = DATABASE,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Create a token, and show it this once."""
    from ..server.access import SCOPES
    from ..server.store import accounts
    from ..server.store import tokens as token_store

    expires_at = None if expires is None else end_of_duration(expires, datetime.now(UTC))

    def create(connection: "Connection") -> dict[str, Any]:
        directory_id = None if directory is None else accounts.find_directory(connection, directory).id
        user_id = accounts.find_user(connection, user)
        if directory_id is not None and not accounts.is_member(connection, directory_id=directory_id, user_id=user_id):
            hint = f"contentsync admin directory add-submitter {directory} {user}"
            raise UsageError(f"{user} may not see the directory '{directory}'", hint)
        token_id, secret = token_store.create_token(
            connection,
            user_id=user_id,
            directory_id=directory_id,
            scopes=tuple(scope or SCOPES),
            expires_at=expires_at,
            name=name.strip(),
        )
        [stored] = [token for token in token_store.list_tokens(connection) if token["id"] == token_id]
        return {**stored, "token": secret}

    token = _write(db, create)
    _print(format_, {"token": token}, token["token"])


@tokens.command("list")
def list_tokens(db: DatabaseOption = DATABASE, format_: FormatOption = Format.TEXT) -> None:
    """Show every token, without its secret.

    The last use may be up to an hour later than shown.
    """
    from ..server.store import tokens as token_store

    columns = ("id", "name", "user", "directory", "scopes", "created_at", "used_at", "expires_at", "revoked_at")
    _table(format_, "tokens", _read(db, token_store.list_tokens), columns)


@tokens.command("revoke")
def revoke_token(
    number: Annotated[int, typer.Argument(metavar="ID", min=1, max=2**31 - 1, help="As `token list` shows it.")],
    db: DatabaseOption = DATABASE,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Revoke a token now."""
    from ..server.store import tokens as token_store

    _write(db, lambda connection: token_store.revoke_token(connection, number))
    _print(format_, {"revoked": number}, f"token {number} is revoked")


def _split_locales(text: str) -> tuple[str, ...]:
    return tuple(locale.strip() for locale in text.split(","))


def _read(db: str, query: "Callable[[Connection], T]") -> T:
    """Return the result of a function that reads the database."""
    with _open_current(db) as database:
        return database.run_read(query)


def _write(db: str, change: "Callable[[Connection], T]") -> T:
    """Return the result of a function that writes to the database, and commit."""
    with _open_current(db) as database:
        return database.run_write(change)


@contextmanager
def _open_current(db: str) -> "Iterator[Database]":
    """Open an existing database. Raise Refused unless its schema is current."""
    from ..server.store import connect_database

    with closing(connect_database(db, create=False)) as database:
        database.require_current()
        yield database


def _directory_document(directory: "Directory") -> dict[str, Any]:
    settings = {name: value for name, value in asdict(directory).items() if not name.startswith("organizers_")}
    return {**settings, "locales": list(directory.locales), "organizers": directory.organizers}


def _print(format_: Format, document: dict[str, Any], text: str) -> None:
    typer.echo(json.dumps({"version": VERSION, **document}, ensure_ascii=False) if format_ is Format.JSON else text)


def _table(format_: Format, name: str, rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> None:
    """Print columns of the rows as a table; as JSON, print whole rows under the key `name`."""
    cells = [list(columns), *([_cell(row[column]) for column in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(map(str.ljust, line, widths)).rstrip() for line in cells)
    _print(format_, {name: list(rows)}, "\n".join(lines))


def _cell(value: Any) -> str:
    if value in (None, ""):
        return "-"
    return printable(",".join(value) if isinstance(value, list) else str(value))
