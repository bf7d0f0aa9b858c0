"""Users, the directories that they own, and the submitters in them."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal, Unpack

from ...errors import UsageError
from ...lazy_pattern import lazy_pattern
from ...model import Part, did_you_mean
from ...model.directory_settings import Expired, Locales, PathPrefix, TimeZone
from ...model.field_types import Email, Slug, Text500, Title
from ...model.urls import url_fault
from ...model.violation import violations_from
from ..access import Directory, DirectorySettings, Principal
from .caching import cached_until_commit
from .sql import Connection, Row
from .tables import directories, users
from .versions import create_collections, later_timestamp, now

NO_DIRECTORY = 0  # no directory has this id

# Path prefixes that the service uses itself.
_RESERVED = frozenset(
    {"api", "blog", "categories", "healthz", "listings", "pages", "readyz", "sites", "static", "storage"}
)
_DOMAIN = lazy_pattern(r"[a-z0-9-]+(\.[a-z0-9-]+)*\Z")
# Characters with which a name could forge a line of a table or a log: controls, ends of lines, directions of text.
_CONTROLS = lazy_pattern("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class _AccountValues(Part):
    """The rules for the values of users and directories."""

    email: Email = ""
    name: Title = ""
    slug: Slug = ""
    locales: Locales = ("en",)
    timezone: TimeZone = "UTC"
    expired: Expired = "badge"
    organizers_prefix: PathPrefix = "/organizers"
    organizers_label: Title = ""
    description: Text500 = ""


_ALL = directories.select
_DEFAULT_SETTINGS: DirectorySettings = {
    "domain": None,
    "locales": ("en",),
    "timezone": "UTC",
    "expired": "badge",
    "organizers_enabled": True,
    "organizers_prefix": "/organizers",
    "organizers_label": "Organizer",
    "description": "",
}


def visible_to(user_id: str) -> str:
    """Return the SQL condition that a user owns a directory or is a submitter in it; `user_id` is SQL too."""
    of_submitter = f"SELECT directory_id FROM submitters WHERE submitters.user_id = {user_id}"
    return f"(directories.owner_id = {user_id} OR directories.id IN ({of_submitter}))"


_OF_USER = f"{_ALL} WHERE {visible_to(':user')}"


def create_user(connection: Connection, *, email: str, name: str) -> int:
    """Create a user and return its id; raise UsageError if the address is taken or a value is invalid."""
    _validate(email=email, name=name)
    if find_user_id(connection, email) is not None:
        raise UsageError(f"the user {email} already exists", "see: contentsync admin user list")
    created_at = now()
    row = {"email": email.lower(), "name": name, "created_at": created_at, "updated_at": created_at}
    return connection.insert_returning_id("users", row)


def find_user(connection: Connection, email: str) -> int:
    """Return the id of the user with the e-mail address; raise UsageError if no user has it."""
    user_id = find_user_id(connection, email)
    if user_id is None:
        suggestion = did_you_mean(email, [user["email"] for user in all_users(connection)])
        raise UsageError(f"there is no user {email}", suggestion or "see: contentsync admin user list")
    return user_id


def find_user_id(connection: Connection, email: str) -> int | None:
    """Return the id of the user with the e-mail address, ignoring case; None if no user has it."""
    if not email.isascii():  # stored addresses are ASCII; terminal input may contain bytes that are not UTF-8
        return None
    user_id: int | None = connection.scalar("SELECT id FROM users WHERE email = :email", {"email": email.lower()})
    return user_id


def principal_of(connection: Connection, user_id: int) -> Principal:
    """Return the user, who must exist, as a principal with every scope."""
    row = connection.one(f"{users.select} WHERE id = :user", {"user": user_id})
    return Principal(row.id, row.name, row.email)


def all_users(connection: Connection) -> list[dict[str, Any]]:
    """Return id, email, name and created_at of every user, in the order of ids."""
    return [row._asdict() for row in connection.all("SELECT id, email, name, created_at FROM users ORDER BY id")]


def create_directory(connection: Connection, *, slug: str, owner_id: int, **settings: Unpack[DirectorySettings]) -> int:
    """Create a directory and return its id; raise UsageError if the slug or domain is taken or a value invalid.

    Of the settings, `name` is required.
    """
    created_at = now()
    columns = _columns(connection, {"slug": slug, **_DEFAULT_SETTINGS, **settings})
    row = {**columns, "owner_id": owner_id, "created_at": created_at, "updated_at": created_at}
    directory_id = connection.insert_returning_id("directories", row)
    create_collections(connection, directory_id)
    return directory_id


def update_directory(connection: Connection, directory_id: int, /, **settings: Unpack[DirectorySettings]) -> bool:
    """Change settings, with the errors of `create_directory`; return False if no value differs."""
    lock = "" if connection.is_sqlite else " FOR UPDATE"  # SQLite's writers have locked the whole file
    row = connection.one(f"{_ALL} WHERE id = :directory{lock}", {"directory": directory_id})
    stored = asdict(directory_from(row))
    changed = {name: value for name, value in settings.items() if stored[name] != value}
    if not changed:
        return False
    columns = _columns(connection, changed)
    connection.update("directories", directory_id, {**columns, "updated_at": later_timestamp(row.updated_at)})
    return True


def find_directory(connection: Connection, slug: str) -> Directory:
    """Return the directory with the slug; raise UsageError if no directory has it."""
    row = None
    if slug.isascii():  # stored slugs are ASCII; terminal input may contain bytes that are not UTF-8
        row = connection.first(f"{_ALL} WHERE slug = :slug", {"slug": slug})
    if row is None:
        suggestion = did_you_mean(slug, [directory.slug for directory in all_directories(connection)])
        raise UsageError(f"there is no directory '{slug}'", suggestion or "see: contentsync admin directory list")
    return directory_from(row)


def all_directories(connection: Connection) -> list[Directory]:
    """Return every directory, the oldest first."""
    return [directory_from(row) for row in connection.all(f"{_ALL} ORDER BY id")]


@cached_until_commit
def only_directory(connection: Connection) -> Directory | None:
    """Return the directory if there is exactly one, else None."""
    rows = connection.all(f"{_ALL} LIMIT 2")
    return directory_from(rows[0]) if len(rows) == 1 else None


def directories_of(connection: Connection, principal: Principal) -> list[Directory]:
    """Return the directories that the principal may see, the oldest first."""
    rows = connection.all(f"{_OF_USER} ORDER BY id", {"user": principal.user_id})
    return [directory_from(row) for row in rows if principal.directory_id in (None, row.id)]


def directory_for(connection: Connection, principal: Principal, directory_id: int) -> Directory | None:
    """Return the directory, or None if it does not exist or the principal may not see it."""
    if principal.directory_id not in (None, directory_id):
        return None
    row = _directory_of_user(connection, directory_id, principal.user_id)
    return None if row is None else directory_from(row)


@cached_until_commit
def directory_by(connection: Connection, name: Literal["domain", "slug"], value: str) -> Directory | None:
    """Return the directory with the domain or slug, or None. A domain is in lower case, without port and last dot."""
    row = connection.first(f"{_ALL} WHERE {name} = :value", {"value": value})
    return None if row is None else directory_from(row)


def add_submitter(connection: Connection, *, directory_id: int, user_id: int) -> None:
    """Make the user a submitter of the directory; do nothing if the user is its owner or a submitter already."""
    if not is_member(connection, directory_id=directory_id, user_id=user_id):
        connection.insert("submitters", {"directory_id": directory_id, "user_id": user_id})


def is_member(connection: Connection, *, directory_id: int, user_id: int) -> bool:
    """Return whether the user is the owner or a submitter of the directory."""
    return _directory_of_user(connection, directory_id, user_id) is not None


def _directory_of_user(connection: Connection, directory_id: int, user_id: int) -> Row | None:
    return connection.first(f"{_OF_USER} AND id = :directory", {"user": user_id, "directory": directory_id})


def directory_from(row: Row) -> Directory:
    """Build the directory from a row with the columns of `directories`; other columns are ignored."""
    columns = {name: getattr(row, name) for name in directories.columns}
    columns["locales"] = tuple(row.locales.split(","))
    columns["organizers_enabled"] = bool(row.organizers_enabled)  # SQLite returns 0 or 1
    return Directory(**columns)


def require_one_line(field: str, value: str) -> None:
    """Raise UsageError if a name has a control character, which tables and logs would show."""
    if control := _CONTROLS.search(value):
        label = field.replace("_", " ")
        raise UsageError(f"the {label} contains the control character U+{ord(control[0]):04X}", "write it on one line")


def _columns(connection: Connection, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings as columns; raise UsageError if a value breaks a rule, or a slug or domain is taken."""
    columns = dict(settings)
    domain = settings.get("domain")
    is_domain = domain is None or (_DOMAIN.match(domain) and not url_fault(f"https://{domain}"))
    if not is_domain:
        raise UsageError(
            f"'{domain}' is not a domain", "write the bare host name in lower case, such as tools.example.com"
        )
    _validate(**{field: value for field, value in settings.items() if field in _AccountValues.model_fields})
    prefix = settings.get("organizers_prefix")
    if prefix is not None and prefix.split("/")[1] in _RESERVED:  # the first segment of the path
        raise UsageError(f"'{prefix}' is used by other pages", "choose another prefix")
    if "locales" in settings:
        columns["locales"] = ",".join(settings["locales"])
    for field in ("slug", "domain"):
        value = settings.get(field)
        same_value = f"SELECT id FROM directories WHERE {field} = :value"
        if value is not None and connection.first(same_value, {"value": value}):
            raise UsageError(f"another directory has the {field} '{settings[field]}'", "choose another one")
    return columns


def _validate(**values: Any) -> None:
    """Raise UsageError if one of the values, by column, breaks a rule of the accounts."""
    for field in ("name", "organizers_label"):
        require_one_line(field, values.get(field, ""))
    try:
        _AccountValues.from_values(values)
    except ValueError as error:
        validation_error: Any = error  # pydantic's, which only the package `model` imports
        raise UsageError("; ".join(map(str, violations_from(validation_error, model=_AccountValues)))) from error
