"""Users, the directories that they own, and the submitters in them."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, insert, or_, select, update

from ...errors import UsageError
from ...model import Part, did_you_mean
from ...model.field_types import Email, Slug, Text255, Title
from ...model.urls import url_fault
from ...model.violation import violations_of
from ..access import Directory, Principal
from . import versions
from .clock import later, now
from .schema import directories, submitters, users

EXPIRED = ("badge", "hide")
NOBODYS = 0  # the id of no directory

_LOCALE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")
_PREFIX = re.compile(r"(/[a-z0-9-]+)+\Z")
# What a host answers under its own names (`server.site.page_paths`, `server.app`, `server.edge`).
_TAKEN = frozenset(
    {"api", "blog", "categories", "healthz", "listings", "pages", "readyz", "sites", "static", "storage"}
)
_DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*\Z")


class _Texts(Part):
    """The texts of users and directories, no longer than their columns."""

    email: Email = ""
    name: Title = ""
    slug: Slug = ""
    locales: Text255 = ""
    organizers_prefix: Text255 = ""
    organizers_label: Title = ""


_COLUMNS = directories.c.keys()


def open_to(user_id: ColumnElement[int]) -> ColumnElement[bool]:
    """The condition that the user may see a directory."""
    return or_(
        directories.c.owner_id == user_id,
        directories.c.id.in_(select(submitters.c.directory_id).where(submitters.c.user_id == user_id)),
    )


# Statements that every request runs are built once.
_OPEN_TO = select(directories).where(open_to(bindparam("user_id")))
_ONE_OPEN_TO = _OPEN_TO.where(directories.c.id == bindparam("directory_id"))


def create_user(connection: Connection, *, email: str, name: str) -> int:
    """The id of a new user; raises UsageError for a taken e-mail address and for values that break a rule."""
    _judge(email=email, name=name)
    if find_user_id(connection, email) is not None:
        raise UsageError(f"there is a user {email} already", "see: contentsync admin user list")
    moment = now()
    row = insert(users).values(email=email.lower(), name=name, created_at=moment, updated_at=moment)
    made: int = connection.execute(row.returning(users.c.id)).scalar_one()
    return made


def find_user(connection: Connection, email: str) -> int:
    """The id of the user with the e-mail address; raises UsageError when there is none."""
    found = find_user_id(connection, email)
    if found is None:
        known = did_you_mean(email, [user["email"] for user in all_users(connection)])
        raise UsageError(f"there is no user {email}", known or "see: contentsync admin user list")
    return found


def find_user_id(connection: Connection, email: str) -> int | None:
    """The id of the user with the e-mail address, if there is one."""
    if not email.isascii():  # no address is, and what a terminal sends need not even be text
        return None
    return connection.execute(select(users.c.id).where(users.c.email == email.lower())).scalar()


def user(connection: Connection, user_id: int) -> Principal:
    """The user with the id, with every right of one."""
    row = connection.execute(select(users).where(users.c.id == user_id)).one()
    return Principal(row.id, row.name, row.email)


def all_users(connection: Connection) -> list[dict[str, Any]]:
    """Every user as id, email, name, created_at."""
    columns = (users.c.id, users.c.email, users.c.name, users.c.created_at)
    return [dict(row._mapping) for row in connection.execute(select(*columns).order_by(users.c.id))]


def create_directory(
    connection: Connection,
    *,
    name: str,
    slug: str,
    owner_id: int,
    domain: str | None = None,
    locales: tuple[str, ...] = ("en",),
    expired: str = "badge",
    organizers_enabled: bool = True,
    organizers_prefix: str = "/organizers",
    organizers_label: str = "Organizer",
) -> int:
    """The id of a new directory; raises UsageError for a taken slug or domain and for values that break a rule."""
    moment = now()
    settings = {
        "name": name,
        "slug": slug,
        "domain": domain,
        "locales": locales,
        "expired": expired,
        "organizers_enabled": organizers_enabled,
        "organizers_prefix": organizers_prefix,
        "organizers_label": organizers_label,
    }
    row = insert(directories).values(
        **_columns(connection, settings), owner_id=owner_id, created_at=moment, updated_at=moment
    )
    directory_id: int = connection.execute(row.returning(directories.c.id)).scalar_one()
    versions.begin(connection, directory_id)
    return directory_id


def set_directory(connection: Connection, directory_id: int, /, **settings: Any) -> bool:
    """Change the given settings (as `create_directory` takes them); whether anything differed."""
    row = connection.execute(select(directories).where(directories.c.id == directory_id).with_for_update()).one()
    before = asdict(directory_of(row))
    changed = {name: value for name, value in settings.items() if before[name] != value}
    if not changed:
        return False
    columns = _columns(connection, changed)
    connection.execute(
        update(directories).where(directories.c.id == directory_id).values(**columns, updated_at=later(row.updated_at))
    )
    return True


def find_directory(connection: Connection, slug: str) -> Directory:
    """The directory with the slug; raises UsageError when there is none."""
    row = connection.execute(select(directories).where(directories.c.slug == slug)).first() if slug.isascii() else None
    if row is None:
        known = did_you_mean(slug, [directory.slug for directory in all_directories(connection)])
        raise UsageError(f"there is no directory '{slug}'", known or "see: contentsync admin directory list")
    return directory_of(row)


def all_directories(connection: Connection) -> list[Directory]:
    """Every directory, in the order in which they were made."""
    return [directory_of(row) for row in connection.execute(select(directories).order_by(directories.c.id))]


def directories_of(connection: Connection, principal: Principal) -> list[Directory]:
    """The directories that the principal may see."""
    rows = connection.execute(_OPEN_TO.order_by(directories.c.id), {"user_id": principal.user_id})
    return [directory_of(row) for row in rows if principal.directory_id in (None, row.id)]


def directory_for(connection: Connection, principal: Principal, directory_id: int) -> Directory | None:
    """The directory, when the principal may see it."""
    if principal.directory_id not in (None, directory_id):
        return None
    row = connection.execute(_ONE_OPEN_TO, {"user_id": principal.user_id, "directory_id": directory_id}).first()
    return None if row is None else directory_of(row)


def add_submitter(connection: Connection, *, directory_id: int, user_id: int) -> None:
    """Let the user submit to the directory; nothing happens when the user may already."""
    if not is_member(connection, directory_id=directory_id, user_id=user_id):
        connection.execute(insert(submitters).values(directory_id=directory_id, user_id=user_id))


def is_member(connection: Connection, *, directory_id: int, user_id: int) -> bool:
    """Whether the user owns the directory or is a submitter in it."""
    return connection.execute(_ONE_OPEN_TO, {"user_id": user_id, "directory_id": directory_id}).first() is not None


def directory_of(row: Row[Any]) -> Directory:
    """The directory whose columns are in the row, maybe among others."""
    columns = {name: getattr(row, name) for name in _COLUMNS}
    columns["locales"] = tuple(row.locales.split(","))
    columns["organizers_enabled"] = bool(row.organizers_enabled)  # which a `Statement` gives as SQLite has it
    return Directory(**columns)


def _columns(connection: Connection, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings as they are stored, or UsageError."""
    columns = dict(settings)
    domain = settings.get("domain")
    if domain is not None and (not _DOMAIN.match(domain) or url_fault(f"https://{domain}")):
        raise UsageError(
            f"'{domain}' is no domain", "write the bare host name in lower case, such as tools.example.com"
        )
    if "locales" in settings:
        columns["locales"] = _locales(settings["locales"])
    if settings.get("expired", "badge") not in EXPIRED:
        raise UsageError(f"'{settings['expired']}' is not known for expired", f"choose one of {', '.join(EXPIRED)}")
    if not _PREFIX.match(settings.get("organizers_prefix", "/organizers")):
        raise UsageError(f"'{settings['organizers_prefix']}' is no path", "write it as /agencies")
    if settings.get("organizers_prefix", "/organizers").split("/")[1] in _TAKEN:
        raise UsageError(f"'{settings['organizers_prefix']}' is taken by other pages", "write another one")
    _judge(**{field: text for field, text in columns.items() if field in _Texts.model_fields})
    for field in ("slug", "domain"):
        taken = select(directories.c.id).where(directories.c[field] == settings.get(field))
        if settings.get(field) is not None and connection.execute(taken).first():
            raise UsageError(f"another directory has the {field} '{settings[field]}'", "give another one")
    return columns


def _locales(locales: tuple[str, ...]) -> str:
    wrong = [locale for locale in locales if not _LOCALE.match(locale)]
    if wrong:
        raise UsageError(f"'{wrong[0]}' is no language code", "write codes such as en, fr or pt-BR")
    if not locales or len(set(locales)) < len(locales):
        raise UsageError("the locales must name at least one language, each once", "write them as en,fr")
    return ",".join(locales)


def _judge(**values: str) -> None:
    try:
        _Texts.model_validate(values)
    except ValueError as error:
        wrong: Any = error  # pydantic's own, whose type is the model's business
        raise UsageError("; ".join(map(str, violations_of(wrong)))) from error
