"""Organizers: agencies, studios, event hosts (docs/contract.md 2.4)."""

from typing import ClassVar

from .fields import Email, Flag, Integer, Links, Slug, StoredPath, Text, Text255, Title, Url, Url255, User
from .kind import Kind
from .record import EntryPart, Record
from .translation import Translations


class OrganizerTranslation(EntryPart):
    """The texts of an organizer in another language; null removes one (docs/contract.md 17)."""

    name: Title | None = None
    description: Text | None = None
    content: Text | None = None
    address: Text255 | None = None


class Organizer(Record):
    """An entity with its own profile page, linked to any number of listings."""

    kind: ClassVar[Kind] = Kind.ORGANIZER
    read_only: ClassVar[frozenset[str]] = Record.read_only | {"projects"}
    title_field: ClassVar[str] = "name"
    translated: ClassVar[tuple[str, ...]] = tuple(OrganizerTranslation.model_fields)

    name: Title
    slug: Slug = ""
    description: Text | None = None
    content: Text | None = None
    logo: StoredPath | None = None
    logo_url: Url255 | None = None
    cover_image: StoredPath | None = None
    cover_image_url: Url255 | None = None
    email: Email | None = None
    phone: Text255 | None = None
    address: Text255 | None = None
    website_url: Url | None = None
    social_links: Links | None = None
    user_id: User | None = None
    is_active: Flag = True
    order: Integer = 0
    translations: Translations[OrganizerTranslation] = {}
