"""Listings, "projects" in paths (docs/contract.md 2.3, 4.3, 14)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import errors, is_timestamp, refused_fields, require_message
from .samples import lathe

LISTING = {
    "id",
    "name",
    "slug",
    "description",
    "content",
    "url",
    "image_url",
    "logo_url",
    "video_url",
    "video_thumbnail_url",
    "image_alt_text",
    "logo_alt_text",
    "additional_image_urls",
    "phone_number",
    "email",
    "address",
    "latitude",
    "longitude",
    "social_links",
    "categories",
    "tags",
    "organizers",
    "starts_at",
    "ends_at",
    "is_active",
    "is_featured",
    "is_no_follow",
    "seo_title",
    "seo_description",
    "schema",
    "head_html",
    "listing_url",
    "created_at",
    "updated_at",
}


# the record


def test_a_listing_has_the_fields_of_the_contract(api: Api) -> None:
    """docs/contract.md 14."""
    listing = lathe(api)
    assert listing.keys() >= LISTING
    assert listing["slug"] == "lathe"
    assert is_timestamp(listing["created_at"])
    assert is_timestamp(listing["updated_at"])


def test_a_new_listing_has_the_defaults(api: Api) -> None:
    """docs/contract.md 14, 2.3: live at once and never expiring."""
    listing = lathe(api)
    defaults: dict[str, Any] = {
        "url": None,
        "description": None,
        "is_active": True,
        "is_featured": False,
        "is_no_follow": False,
        "categories": [],
        "tags": [],
        "organizers": [],
        "additional_image_urls": [],
        "starts_at": None,
        "ends_at": None,
        "latitude": None,
    }
    assert {name: listing[name] for name in defaults} == defaults


def test_a_listing_is_stored_as_it_is_sent(api: Api) -> None:
    values: dict[str, Any] = {
        "name": "Dreh­bank ⚙",
        "slug": "lathe",
        "description": "short",
        "content": "# Long\n<b>x</b>",
        "url": "https://Example.org/x?b=2&a=1#part",
        "image_url": "https://example.org/i.png",
        "logo_url": "https://example.org/l.png",
        "video_url": "https://example.org/v.mp4",
        "video_thumbnail_url": "https://example.org/t.png",
        "image_alt_text": "An image",
        "logo_alt_text": "A logo",
        "additional_image_urls": ["https://example.org/2.png", "https://example.org/1.png"],
        "phone_number": "+44 01234",
        "email": "Ada@example.org",
        "address": "Lane 1",
        "latitude": 46.948,
        "longitude": -7.4474,
        "social_links": {"mastodon": "https://example.org/@x", "github": "https://github.com/x"},
        "starts_at": "2026-01-01T00:00:00.000000Z",
        "ends_at": "2027-01-01T00:00:00.000000Z",
        "is_active": False,
        "is_featured": True,
        "is_no_follow": True,
        "seo_title": "T",
        "seo_description": "D",
        "schema": {"@type": "Product", "offers": [{"price": 1.5}]},
        "head_html": "<meta name='x'>",
    }
    listing = lathe(api, **values)
    assert {name: listing[name] for name in values} == values
    assert api.show("projects", listing["id"]) == listing


def test_the_list_contains_complete_records(api: Api) -> None:
    """docs/contract.md 14: a client can diff without one request a record."""
    first, second = lathe(api), lathe(api, name="Saw", url="https://example.org")
    listed = {listing["id"]: listing for listing in api.all("projects")}
    assert listed == {first["id"]: first, second["id"]: second}


def test_a_schema_can_be_sent_as_text(api: Api) -> None:
    """docs/contract.md 14: a JSON-LD object or its string."""
    assert lathe(api, schema='{"@type": "Product"}')["schema"] == {"@type": "Product"}


def test_the_public_url_of_a_listing_contains_its_slug(api: Api) -> None:
    """docs/contract.md 17."""
    assert lathe(api)["listing_url"] == f"{api.site}/listings/lathe/"


# slugs


def test_a_generated_slug_that_is_taken_gets_a_number(api: Api) -> None:
    """docs/contract.md 14."""
    assert [lathe(api)["slug"] for _ in range(3)] == ["lathe", "lathe-2", "lathe-3"]


def test_a_taken_number_is_skipped_in_generated_slugs(api: Api) -> None:
    """docs/contract.md 14."""
    lathe(api, name="Other", slug="lathe-2")
    assert [lathe(api)["slug"] for _ in range(2)] == ["lathe", "lathe-3"]


def test_a_sent_slug_that_is_taken_is_refused(api: Api) -> None:
    """docs/contract.md 14."""
    first = lathe(api)
    assert refused_fields(api.post("/projects", {"name": "Other", "slug": "lathe"})) == {"slug"}
    second = lathe(api, name="Saw")
    assert refused_fields(api.put(f"/projects/{second['id']}", {"slug": "lathe"})) == {"slug"}
    assert api.change("projects", first["id"], slug="lathe")["slug"] == "lathe"


def test_a_slug_does_not_follow_the_name(api: Api) -> None:
    """docs/contract.md 14."""
    listing = lathe(api)
    changed = api.change("projects", listing["id"], name="Saw")
    assert (changed["name"], changed["slug"]) == ("Saw", "lathe")


def test_a_new_name_requires_no_slug(api: Api) -> None:
    listing = lathe(api)
    assert api.change("projects", listing["id"], name="🎉")["slug"] == "lathe"
    assert refused_fields(api.post("/projects", {"name": "🎉"})) == {"slug"}


def test_two_listings_with_the_same_long_name_have_different_slugs(api: Api) -> None:
    first, second = lathe(api, name="a" * 255), lathe(api, name="a" * 255)
    assert first["slug"] == "a" * 255
    assert second["slug"] == "a" * 253 + "-2"


# dates


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("2026-03-01 09:00:00", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01T09:00:00Z", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01T09:00:00.123456Z", "2026-03-01T09:00:00.123456Z"),
        ("2026-03-01T09:00:00+02:00", "2026-03-01T07:00:00.000000Z"),
    ],
)
def test_the_common_forms_of_a_date_and_time_are_accepted(api: Api, written: str, stored: str) -> None:
    """docs/contract.md 2.3, 14: date-times without an offset are UTC."""
    assert lathe(api, starts_at=written)["starts_at"] == stored


def test_a_bare_date_means_the_start_or_the_end_of_the_day(api: Api) -> None:
    """docs/contract.md 10."""
    listing = lathe(api, starts_at="2026-03-01", ends_at="2026-03-01")
    assert listing["starts_at"] == "2026-03-01T00:00:00.000000Z"
    assert listing["ends_at"] == "2026-03-01T23:59:59.000000Z"


def test_a_listing_must_not_end_before_it_starts(api: Api) -> None:
    """docs/contract.md 14."""
    body = {"name": "Fair", "starts_at": "2026-03-02", "ends_at": "2026-03-01"}
    assert refused_fields(api.post("/projects", body)) <= {"starts_at", "ends_at"}
    listing = lathe(api, ends_at="2026-03-01")
    assert refused_fields(api.put(f"/projects/{listing['id']}", {"starts_at": "2026-04-01"})) <= {
        "starts_at",
        "ends_at",
    }
    assert api.show("projects", listing["id"]) == listing


def test_a_null_end_removes_the_expiry_date(api: Api) -> None:
    """docs/contract.md 3, 4.3.6."""
    listing = lathe(api, starts_at="2026-01-01", ends_at="2026-03-01")
    changed = api.change("projects", listing["id"], ends_at=None)
    assert (changed["starts_at"], changed["ends_at"]) == (listing["starts_at"], None)


def test_expired_and_hidden_listings_can_be_managed(api: Api) -> None:
    """docs/contract.md 3.4 and 4: visibility is the site's."""
    lathe(api, ends_at="2001-01-01")
    lathe(api, name="Saw", starts_at="2099-01-01")
    assert len(api.all("projects")) == 2


# custom field values


def test_custom_field_values_are_top_level_keys(api: Api) -> None:
    """docs/contract.md 1, 4.3.4, 14."""
    api.make("custom-fields", label="Licence", type="select", options=["MIT", "GPL"])
    api.make("custom-fields", label="Fee", type="number")
    listing = lathe(api, licence="MIT", fee=1.5)
    assert (listing["licence"], listing["fee"]) == ("MIT", 1.5)
    changed = api.change("projects", listing["id"], fee=None)
    assert (changed["licence"], changed["fee"]) == ("MIT", None)
    assert api.all("projects") == [changed]


def test_a_custom_field_value_must_be_an_option(api: Api) -> None:
    """docs/contract.md 15."""
    api.make("custom-fields", label="Licence", type="select", options=["MIT", "GPL"])
    (reported,) = errors(api.post("/projects", {"name": "Lathe", "licence": "mit"}))["licence"]
    assert "did you mean 'MIT'?" in reported
    assert refused_fields(api.post("/projects", {"name": "Lathe", "licenc": "MIT"})) == {"licenc"}


# update, delete


def test_an_update_changes_only_the_fields_sent(api: Api) -> None:
    """docs/contract.md 4.3.5."""
    listing = lathe(api, url="https://example.org", description="x", is_featured=True, social_links={})
    changed = api.change("projects", listing["id"], description="y")
    assert changed == {**listing, "description": "y", "updated_at": changed["updated_at"]}
    assert changed["updated_at"] > listing["updated_at"]


def test_a_refused_update_changes_nothing(api: Api, related: dict[str, list[int]]) -> None:
    listing = lathe(api, **related)
    body = {"name": "Saw", "organizers": [], "tags": [999_999_999]}
    assert {name.split(".")[0] for name in refused_fields(api.put(f"/projects/{listing['id']}", body))} == {"tags"}
    assert api.show("projects", listing["id"]) == listing


def test_delete_returns_a_message_and_the_listing_no_longer_exists(api: Api, related: dict[str, list[int]]) -> None:
    """docs/contract.md 10."""
    listing = lathe(api, url="https://example.org", **related)
    assert require_message(api.delete(f"/projects/{listing['id']}"), 200) == "Listing deleted successfully"
    require_message(api.get(f"/projects/{listing['id']}"), 404)
    assert api.all("projects") == []
    assert api.post("/projects/exists", {"url": "https://example.org"}).status_code == 200
    assert api.show("organizers", related["organizers"][0])["projects"] == []
    assert lathe(api, url="https://example.org")["slug"] == "lathe"


@pytest.mark.parametrize("record_id", ["999999999", "0", "99999999999999999999"])
def test_a_missing_listing_is_a_404(api: Api, record_id: str) -> None:
    """docs/contract.md 11."""
    require_message(api.get(f"/projects/{record_id}"), 404)
    require_message(api.put(f"/projects/{record_id}", {"name": "x"}), 404)
    require_message(api.delete(f"/projects/{record_id}"), 404)
