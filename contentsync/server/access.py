"""Who asks, and for which directory: the values that a request is judged by."""

from dataclasses import dataclass
from typing import Any

READ = "read"
WRITE = "write"
SCOPES = (READ, WRITE)


@dataclass(frozen=True, slots=True)
class Principal:
    """A user with the rights that the token gives."""

    user_id: int
    name: str
    email: str
    scopes: frozenset[str] = frozenset(SCOPES)
    directory_id: int | None = None  # of a token that is bound to one directory
    token_id: int | None = None  # None where no token was asked for


@dataclass(frozen=True, slots=True)
class Directory:
    """A directory with its settings."""

    id: int
    name: str
    slug: str
    domain: str | None
    owner_id: int
    locales: tuple[str, ...]  # the first is the default
    expired: str  # what becomes of listings past their end: badge or hide
    organizers_enabled: bool
    organizers_prefix: str
    organizers_label: str
    created_at: str
    updated_at: str

    def site(self, public_url: str) -> str:
        """The address of the public site, without a slash at its end (docs/contract.md 10)."""
        return f"https://{self.domain}" if self.domain else f"{public_url}/sites/{self.slug}"

    @property
    def organizers(self) -> dict[str, Any]:
        """The settings of the organizers' public pages, as they are shown."""
        return {
            "enabled": self.organizers_enabled,
            "prefix": self.organizers_prefix,
            "label": self.organizers_label,
        }


@dataclass(frozen=True, slots=True)
class Access:
    """A principal inside a directory: as its owner, else as a submitter."""

    principal: Principal
    directory: Directory
    site: str  # address of the directory's public site

    @property
    def user_id(self) -> int:
        """The user who acts."""
        return self.principal.user_id

    @property
    def is_owner(self) -> bool:
        """Whether the user may change everything in the directory."""
        return self.directory.owner_id == self.principal.user_id
