"""Listings, "projects" in paths (docs/contract.md 2.3, 14)."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pydantic import Field

from .fields import (
    Email,
    End,
    Flag,
    HeadHtml,
    Instant,
    Latitude,
    Links,
    ListOf,
    Longitude,
    Reference,
    Slug,
    Text,
    Text255,
    Text500,
    Title,
    Url,
)
from .json_value import JsonLd
from .kind import Kind
from .record import Clash, Record


class Listing(Record):
    """An item of the directory: a tool, a service, a product."""

    kind: ClassVar[Kind] = Kind.LISTING
    read_only: ClassVar[frozenset[str]] = Record.read_only | {
        "listing_url",
        "visibility_now",
        "additional_images_urls",  # of the hosted service: where it serves the images of additional_image_urls
    }
    title_field: ClassVar[str] = "name"
    references: ClassVar[Mapping[str, Kind]] = {
        "category_id": Kind.CATEGORY,
        "categories": Kind.CATEGORY,
        "tags": Kind.TAG,
        "organizers": Kind.ORGANIZER,
    }

    name: Title
    slug: Slug = ""
    description: Text | None = None
    content: Text | None = None
    url: Url | None = None
    image_url: Url | None = None
    image_alt_text: Text255 | None = None
    logo_url: Url | None = None
    logo_alt_text: Text255 | None = None
    video_url: Url | None = None
    video_thumbnail_url: Url | None = None
    additional_image_urls: ListOf[Url] = []
    phone_number: Text255 | None = None
    email: Email | None = None
    address: Text255 | None = None
    latitude: Latitude | None = None
    longitude: Longitude | None = None
    social_links: Links | None = None
    category_id: Reference | None = None
    categories: ListOf[Reference] = []
    tags: ListOf[Reference] = []
    organizers: ListOf[Reference] = []
    starts_at: Instant | None = None
    ends_at: End | None = None
    is_active: Flag = True
    is_featured: Flag = False
    is_no_follow: Flag = False
    seo_title: Text255 | None = None
    seo_description: Text500 | None = None
    json_ld: JsonLd | None = Field(default=None, alias="schema")
    head_html: HeadHtml | None = None

    @classmethod
    def clashes(cls, values: Mapping[str, Any]) -> Iterator[Clash]:
        starts, ends = values.get("starts_at"), values.get("ends_at")
        if starts and ends and ends < starts:
            yield Clash(
                "ends-before-start",
                ("ends_at", "starts_at"),
                "ends_at must not be before starts_at",
                "correct one of them",
            )
