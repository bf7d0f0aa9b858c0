"""The values by which a request is authorised: the user, the directory and the scopes."""

from dataclasses import dataclass
from typing import Any

READ = "read"
WRITE = "write"
SCOPES = (READ, WRITE)

RECEIVED_AT = "contentsync.received_at"  # in a request's state: when it arrived, in monotonic seconds


@dataclass(frozen=True, slots=True)
class Principal:
    """A user with the rights of the token."""

    user_id: int
    name: str
    email: str
    scopes: frozenset[str] = frozenset(SCOPES)
    directory_id: int | None = None  # of a token for one directory
    token_id: int | None = None  # None: the service asks for no tokens


@dataclass(frozen=True, slots=True)
class Directory:
    """A directory with its settings."""

    id: int
    name: str
    slug: str
    domain: str | None
    owner_id: int
    locales: tuple[str, ...]  # the first is the default
    expired: str  # how the site shows expired listings: badge or hide
    organizers_enabled: bool
    organizers_prefix: str
    organizers_label: str
    created_at: str
    updated_at: str

    def site(self, public_url: str) -> str:
        """Return the address of the public site, without a trailing slash (docs/contract.md 10)."""
        return f"https://{self.domain}" if self.domain else f"{public_url}/sites/{self.slug}"

    @property
    def organizers(self) -> dict[str, Any]:
        """Return the settings of the organizers' public pages as the API shows them."""
        return {
            "enabled": self.organizers_enabled,
            "prefix": self.organizers_prefix,
            "label": self.organizers_label,
        }


@dataclass(frozen=True, slots=True)
class Access:
    """A principal in a directory: its owner or a submitter."""

    principal: Principal
    directory: Directory
    site: str  # address of the directory's public site

    @property
    def user_id(self) -> int:
        """Return the id of the user."""
        return self.principal.user_id

    @property
    def is_owner(self) -> bool:
        """Return whether the user may change everything in the directory."""
        return self.directory.owner_id == self.principal.user_id
