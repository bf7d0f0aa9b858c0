"""Listings (docs/contract.md 2.3, 4.3, 14)."""

from typing import Any

import pytest

from contentsync.model import RECORDS, WIRE_FORM, Context, Kind, validate

from .judge import FILE, faults, violations

LISTING = Kind.LISTING


def lathe(**more: Any) -> dict[str, Any]:
    return {"name": "Lathe", **more}


def test_only_a_name_is_required() -> None:
    assert validate(LISTING, lathe(), WIRE_FORM) == lathe()
    assert faults(LISTING, {}) == {("name", "required")}


def test_the_defaults_of_a_listing() -> None:
    defaults = {name: rule.default for name, rule in RECORDS[LISTING].rules().items() if rule.default is not None}
    assert defaults == {
        "slug": "",
        "is_active": True,
        "is_featured": False,
        "is_no_follow": False,
        "additional_image_urls": [],
        "categories": [],
        "tags": [],
        "organizers": [],
    }


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("url", "javascript:alert(1)"),
        ("url", "//evil.example"),
        ("image_url", "data:image/png;base64,x"),
        ("logo_url", "file:///etc/passwd"),
        ("video_url", "https://u:p@h.example"),
        ("video_thumbnail_url", "\\\\evil.example"),
    ],
)
def test_a_url_must_be_http_with_a_host(field: str, wrong: str) -> None:
    assert faults(LISTING, lathe(**{field: wrong})) == {(field, "bad-url")}
    assert faults(LISTING, lathe(**{field: "https://example.org/x"})) == set()


def test_a_url_is_stored_as_written() -> None:
    assert validate(LISTING, lathe(url="HTTPS://Example.org:443/#x"), WIRE_FORM)["url"] == "HTTPS://Example.org:443/#x"


def test_each_of_several_urls_is_checked() -> None:
    urls = ["https://example.org/a", "b", "https://example.org/c", None]
    assert faults(LISTING, lathe(additional_image_urls=urls)) == {
        ("additional_image_urls.1", "bad-url"),
        ("additional_image_urls.3", "not-text"),
    }


@pytest.mark.parametrize("latitude", [-90, 90, 0, 46.5, -90.0])
def test_a_latitude_between_the_poles_is_accepted(latitude: float) -> None:
    assert validate(LISTING, lathe(latitude=latitude), WIRE_FORM) == lathe(latitude=latitude)


@pytest.mark.parametrize("latitude", [-90.1, 91, 400, 10**400, -(10**400)])
def test_a_latitude_beyond_the_poles_is_refused(latitude: float) -> None:
    assert faults(LISTING, lathe(latitude=latitude)) == {("latitude", "out-of-range")}


@pytest.mark.parametrize(("longitude", "right"), [(-180, True), (180, True), (180.1, False), (-181, False)])
def test_a_longitude_must_be_within_180_degrees(longitude: float, right: bool) -> None:
    expected = set() if right else {("longitude", "out-of-range")}
    assert faults(LISTING, lathe(longitude=longitude)) == expected


@pytest.mark.parametrize("number", ["46.5", "40,7128", True, [], float("nan"), float("inf")])
def test_a_coordinate_on_the_wire_must_be_a_number(number: Any) -> None:
    assert faults(LISTING, lathe(latitude=number)) == {("latitude", "not-a-number")}


def test_a_listing_must_not_end_before_it_starts() -> None:
    assert faults(LISTING, lathe(starts_at="2026-03-02", ends_at="2026-03-01")) == {("ends_at", "ends-before-start")}
    assert faults(LISTING, lathe(starts_at="2026-03-01", ends_at="2026-03-01")) == set()
    assert faults(LISTING, lathe(starts_at="2026-03-01T10:00:00+02:00", ends_at="2026-03-01T08:00:00Z")) == set()


def test_the_stored_end_is_compared_on_update() -> None:
    stored = lathe(starts_at=None, ends_at="2026-03-01T23:59:59.000000Z")
    assert faults(LISTING, {"starts_at": "2026-03-02"}, stored=stored) == {("ends_at", "ends-before-start")}
    assert faults(LISTING, {"starts_at": "2026-03-02", "ends_at": None}, stored=stored) == set()


def test_a_bare_end_date_means_the_end_of_the_day() -> None:
    values = validate(LISTING, lathe(starts_at="2026-03-01", ends_at="2026-03-01"), WIRE_FORM)
    assert values["starts_at"] == "2026-03-01T00:00:00.000000Z"
    assert values["ends_at"] == "2026-03-01T23:59:59.000000Z"


def test_null_removes_a_date() -> None:
    assert validate(LISTING, {"ends_at": None}, WIRE_FORM, stored=lathe()) == {"ends_at": None}


@pytest.mark.parametrize("field", ["categories", "tags", "organizers", "additional_image_urls"])
def test_a_list_field_accepts_an_empty_list_but_not_null(field: str) -> None:
    assert validate(LISTING, {field: []}, WIRE_FORM, stored=lathe()) == {field: []}
    assert faults(LISTING, {field: None}, stored=lathe()) == {(field, "not-a-list")}


@pytest.mark.parametrize("field", ["name", "slug", "is_active", "is_featured", "is_no_follow"])
def test_null_is_refused_if_the_contract_does_not_allow_it(field: str) -> None:
    assert {name for name, _ in faults(LISTING, lathe(**{field: None}))} == {field}


@pytest.mark.parametrize(
    "field",
    [
        "description",
        "content",
        "url",
        "image_url",
        "phone_number",
        "email",
        "address",
        "latitude",
        "longitude",
        "social_links",
        "starts_at",
        "seo_title",
        "schema",
        "head_html",
    ],
)
def test_null_clears_an_optional_field(field: str) -> None:
    assert validate(LISTING, {field: None}, WIRE_FORM, stored=lathe()) == {field: None}


@pytest.mark.parametrize("field", ["categories", "tags", "organizers"])
@pytest.mark.parametrize("wrong", ["1", 1.0, True, None, "tools", {"id": 1}])
def test_references_on_the_wire_are_ids(field: str, wrong: Any) -> None:
    assert faults(LISTING, lathe(**{field: [3, wrong]})) == {(f"{field}.1", "not-an-integer")}


def test_references_in_files_are_names() -> None:
    assert validate(LISTING, lathe(categories=["wood", "Metal work"]), FILE)["categories"] == ["wood", "Metal work"]
    assert faults(LISTING, lathe(categories=["wood", ""]), FILE) == {("categories.1", "required")}


def test_a_schema_can_be_an_object_or_json_text() -> None:
    schema = {"@type": "Product", "offers": [{"price": 1.5}]}
    assert validate(LISTING, lathe(schema=schema), WIRE_FORM)["schema"] == schema
    assert validate(LISTING, lathe(schema='{"@type": "Product"}'), WIRE_FORM)["schema"] == {"@type": "Product"}


@pytest.mark.parametrize("schema", ["{", "[1]", "null", '{"a": NaN}', "[" * 100_000, "9" * 5000, [], 1, True])
def test_a_schema_of_another_type_is_refused(schema: Any) -> None:
    assert {name.partition(".")[0] for name, _ in faults(LISTING, lathe(schema=schema))} == {"schema"}


def test_a_schema_has_no_alias() -> None:
    assert faults(LISTING, lathe(json_ld={})) == {("json_ld", "unknown-key")}


def test_social_links_are_urls_by_platform() -> None:
    links = {"github": "https://github.com/x", "mastodon": "https://example.org/@x"}
    assert validate(LISTING, lathe(social_links=links), WIRE_FORM)["social_links"] == links
    assert faults(LISTING, lathe(social_links={"github": "@x"})) == {("social_links.github", "bad-url")}
    assert faults(LISTING, lathe(social_links=["https://github.com/x"])) == {("social_links", "not-an-object")}


@pytest.mark.parametrize("email", ["ada", "ada@", "@example.org", "ada@example", "a b@example.org", "a@b@c.de"])
def test_an_email_must_be_an_email_address(email: str) -> None:
    assert faults(LISTING, lathe(email=email)) == {("email", "bad-email")}
    assert faults(LISTING, lathe(email="ada.lovelace+x@sub.example.org")) == set()


def test_a_time_without_a_zone_is_in_the_zone_of_the_site() -> None:
    from zoneinfo import ZoneInfo

    brussels = Context(authored=True, timezone=ZoneInfo("Europe/Brussels"))
    assert validate(LISTING, lathe(ends_at="2026-07-01"), brussels)["ends_at"] == "2026-07-01T21:59:59.000000Z"


@pytest.mark.parametrize(
    "key", ["id", "listing_url", "additional_images_urls", "directory", "created_at", "updated_at"]
)
def test_keys_set_by_the_service_can_be_sent_back(key: str) -> None:
    assert validate(LISTING, lathe(**{key: 1}), WIRE_FORM) == lathe()


@pytest.mark.parametrize("key", ["directory_id", "owner", "tenant_id", "role", "is_verified", "user_id", "title"])
def test_keys_of_other_records_are_refused(key: str) -> None:
    """docs/faults.md AU-05."""
    assert faults(LISTING, lathe(**{key: 1})) == {(key, "unknown-key")}


def test_an_unknown_key_suggests_the_nearest_one() -> None:
    (violation,) = violations(LISTING, lathe(descripton="x"))
    assert str(violation) == "descripton is not a known key (did you mean 'description'?)"
