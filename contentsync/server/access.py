"""The values that authorise a request: the user, the directory and the scopes."""

from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import Any, TypedDict
from zoneinfo import ZoneInfo

READ = "read"
WRITE = "write"
SCOPES = (READ, WRITE)

# Keys of a request: in its state the time of arrival in monotonic seconds, in its scope the ids for logs.
RECEIVED_AT = "contentsync.received_at"
TOKEN_ID = "contentsync.token"  # noqa: S105 - the name of a key
DIRECTORY_ID = "contentsync.directory"


@dataclass(frozen=True, slots=True)
class Principal:
    """The user of a request, with the rights of the token."""

    user_id: int
    name: str
    email: str
    scopes: frozenset[str] = frozenset(SCOPES)
    directory_id: int | None = None  # the only directory of the token; None: all of the user's directories
    token_id: int | None = None  # None: the service requires no token
    used_at: str | None = field(default=None, compare=False)  # the recorded last use of the token


@dataclass(frozen=True, slots=True)
class Directory:
    """A directory (one website) with its settings."""

    id: int
    name: str
    slug: str
    domain: str | None
    owner_id: int
    locales: tuple[str, ...]  # the first is the default
    timezone: str  # in which the site shows dates
    expired: str  # how the site shows expired listings: badge or hide
    organizers_enabled: bool
    organizers_prefix: str
    organizers_label: str
    description: str  # of the site, in the default language; may be empty
    created_at: str
    updated_at: str

    def site_url(self, public_url: str) -> str:
        """Return the URL of the directory's public site, without a trailing slash (docs/contract.md 10)."""
        return f"https://{self.domain}" if self.domain else f"{public_url}/sites/{self.slug}"

    @property
    def zone(self) -> tzinfo:
        """Return the time zone in which the site shows dates."""
        return UTC if self.timezone == "UTC" else ZoneInfo(self.timezone)

    @property
    def organizers(self) -> dict[str, Any]:
        """Return the settings of the public organizer pages in the form of the API's JSON."""
        return {"enabled": self.organizers_enabled, "prefix": self.organizers_prefix, "label": self.organizers_label}


class DirectorySettings(TypedDict, total=False):
    """Settings of a directory, named as the attributes of `Directory`."""

    name: str
    domain: str | None
    locales: tuple[str, ...]
    timezone: str
    expired: str
    organizers_enabled: bool
    organizers_prefix: str
    organizers_label: str
    description: str


@dataclass(frozen=True, slots=True)
class Access:
    """The access of a principal to a directory, as its owner or as a submitter."""

    principal: Principal
    directory: Directory
    site: str  # URL of the directory's public site, without a trailing slash

    @property
    def user_id(self) -> int:
        """Return the id of the user."""
        return self.principal.user_id

    @property
    def is_owner(self) -> bool:
        """Return whether the user owns the directory; a submitter may change only their own records."""
        return self.directory.owner_id == self.principal.user_id
