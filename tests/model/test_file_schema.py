import re
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest

from contentsync.model import Kind, PlainScalar
from contentsync.model.file_schema import file_schema

from .judge import FILE, faults, least, violations

FIELDS: Mapping[str, Mapping[str, Any]] = {
    "level": {"label": "Level", "type": "select", "options": ["easy", "hard"]},
    "version": {"label": "Version", "type": "select", "options": ["1.10", "true", "two"], "description": "Of the API"},
    "platforms": {"label": "Platforms", "type": "multi_select", "options": ["Linux", "Web"]},
    "checked": {"label": "Checked", "type": "date", "is_required": True},
    "since": {"label": "Since", "type": "number"},
}


def accepts(schema: Mapping[str, Any], value: Any) -> bool:
    return jsonschema.Draft202012Validator(schema).is_valid(value)


def as_written(value: Any) -> Any:
    """Return the value as contentsync reads it, if an editor's YAML parser read `value`."""
    if isinstance(value, dict):
        return {key: as_written(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_written(inner) for inner in value]
    if isinstance(value, bool):
        return PlainScalar(str(value).lower())
    return PlainScalar(value) if isinstance(value, int | float) else value


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("fields", [None, {}, FIELDS])
def test_the_file_schema_is_a_valid_json_schema(kind: Kind, fields: Mapping[str, Mapping[str, Any]] | None) -> None:
    schema = file_schema(kind, fields, rename={"date": "published_at", "off": "!active"}, ignore=["layout"])
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("kind", Kind)
def test_the_schema_accepts_an_entry_with_only_required_fields(kind: Kind) -> None:
    assert accepts(file_schema(kind), least(kind))


@pytest.mark.parametrize("kind", [Kind.CATEGORY, Kind.TAG, Kind.CUSTOM_FIELD, Kind.LISTING])
def test_the_schema_accepts_lists_only_for_kinds_with_list_files(kind: Kind) -> None:
    assert accepts(file_schema(kind), [least(kind), least(kind)])
    assert not accepts(file_schema(kind), [least(kind), "text"])
    assert not accepts(file_schema(Kind.PAGE), [least(Kind.PAGE)])


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        (Kind.PAGE, "titel", "About"),
        (Kind.PAGE, "id", 7),
        (Kind.PAGE, "title", None),
        (Kind.PAGE, "title", "  "),
        (Kind.PAGE, "title", "x" * 256),
        (Kind.PAGE, "title", ["a"]),
        (Kind.PAGE, "slug", "Not A Slug"),
        (Kind.PAGE, "placement", "navbr"),
        (Kind.PAGE, "placement", 1),
        (Kind.PAGE, "order", "first"),
        (Kind.PAGE, "order", 1.5),
        (Kind.PAGE, "order", 2**31),
        (Kind.PAGE, "new_tab", "maybe"),
        (Kind.PAGE, "new_tab", 2),
        (Kind.PAGE, "external_url", "example.org"),
        (Kind.PAGE, "external_url", "javascript:alert(1)"),
        (Kind.PAGE, "external_url", "https://example.org/" + "x" * 2048),
        (Kind.PAGE, "seo", "text"),
        (Kind.PAGE, "seo", {"title": "x" * 256}),
        (Kind.PAGE, "seo", {"og_title": "x"}),
        (Kind.ARTICLE, "published_at", "01/03/2026"),
        (Kind.ARTICLE, "published_at", 2026),
        (Kind.ARTICLE, "categories", "news"),
        (Kind.ARTICLE, "categories", ["news", None]),
        (Kind.ARTICLE, "seo", {"canonical": "here"}),
        (Kind.ARTICLE, "translations", {"fr": {"slug": "x"}}),
        (Kind.ORGANIZER, "email", "ada at example.org"),
        (Kind.ORGANIZER, "social_links", {"github": "ada"}),
        (Kind.ORGANIZER, "user_id", "ada"),
        (Kind.LISTING, "latitude", 95),
        (Kind.LISTING, "latitude", "north"),
        (Kind.LISTING, "additional_image_urls", ["a.png"]),
        (Kind.LISTING, "schema", 5),
        (Kind.TAG, "color", "red"),
        (Kind.CATEGORY, "order", -1),
        (Kind.CATEGORY, "head_html", "x" * 10_001),
        (Kind.CUSTOM_FIELD, "type", "string"),
        (Kind.CUSTOM_FIELD, "options", "a"),
    ],
)
def test_the_rules_refuse_every_value_that_the_schema_refuses(kind: Kind, key: str, value: Any) -> None:
    entry = least(kind, **{key: value})
    assert not accepts(file_schema(kind, {}), entry)
    assert faults(kind, as_written(entry), FILE)


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        (Kind.PAGE, "external_url", ""),
        (Kind.PAGE, "seo", ""),
        (Kind.ARTICLE, "published_at", ""),
        (Kind.ARTICLE, "thumbnail_url", "images/a.png"),
        (Kind.ARTICLE, "seo", {"og_image": "", "canonical": ""}),
        (Kind.ORGANIZER, "social_links", {"github": ""}),
        (Kind.ORGANIZER, "user_id", ""),
        (Kind.LISTING, "latitude", ""),
        (Kind.LISTING, "schema", ""),
        (Kind.TAG, "color", ""),
        (Kind.CUSTOM_FIELD, "placement", ""),
        (Kind.CUSTOM_FIELD, "settings", ""),
    ],
)
def test_the_schema_accepts_values_that_clear_a_field(kind: Kind, key: str, value: Any) -> None:
    entry = least(kind, **{key: value})
    assert accepts(file_schema(kind, {}), entry)
    assert not faults(kind, as_written(entry), FILE)


def test_the_schema_refuses_an_entry_with_missing_fields() -> None:
    assert not accepts(file_schema(Kind.PAGE), {"slug": "about"})
    assert not accepts(file_schema(Kind.CUSTOM_FIELD), {"label": "Level"})


@pytest.mark.parametrize(
    ("notes", "accepted"),
    [
        (None, True),
        ({"skip": True, "protect": "no", "previous": ["old", 2024], "merged": ["other"]}, True),
        ({"skip": None, "previous": None}, True),
        ({"skipp": True}, False),
        ({"previous": "old"}, False),
    ],
)
def test_the_schema_knows_the_sync_settings(notes: Any, accepted: bool) -> None:
    assert accepts(file_schema(Kind.PAGE), least(Kind.PAGE, sync=notes)) is accepted


@pytest.mark.parametrize("kind", [Kind.LISTING, Kind.TAG])
def test_the_schema_knows_the_note_of_distinct_listings_only_in_listings(kind: Kind) -> None:
    entry = least(kind, sync={"distinct": ["https://example.org", 2024]})
    assert accepts(file_schema(kind), entry) is (kind is Kind.LISTING)


def test_the_schema_accepts_any_key_until_the_custom_fields_are_known() -> None:
    more = least(Kind.LISTING, anything=[1])
    assert accepts(file_schema(Kind.LISTING), more)
    assert not accepts(file_schema(Kind.LISTING, {}), more)
    assert not accepts(file_schema(Kind.PAGE), least(Kind.PAGE, anything=[1]))


@pytest.mark.parametrize(
    ("values", "accepted"),
    [
        ({"level": "easy"}, True),
        ({"level": "eazy"}, False),
        ({"level": None}, True),
        ({"version": "two"}, True),
        ({"version": 1.1}, True),  # 1.10, as an editor reads it
        ({"version": True}, True),
        ({"version": "three"}, False),
        ({"platforms": ["Linux", "Web"]}, True),
        ({"platforms": ["BeOS"]}, False),
        ({"platforms": "Linux, Web"}, True),
        ({"platforms": '["Linux", "Web"]'}, True),
        ({"level": "", "version": "", "platforms": "", "since": ""}, True),
        ({"checked": ""}, False),
        ({"checked": None}, False),
        ({"checked": "yesterday"}, False),
        ({"since": "1999"}, True),
        ({"since": "long ago"}, False),
    ],
)
def test_the_schema_checks_the_types_of_custom_field_values(values: Mapping[str, Any], accepted: bool) -> None:
    schema = file_schema(Kind.LISTING, FIELDS)
    assert accepts(schema, {**least(Kind.LISTING), "checked": "2026-03-01", **values}) is accepted
    assert not accepts(schema, least(Kind.LISTING))  # checked is required


def test_a_custom_field_is_described_by_its_description_or_label() -> None:
    properties = file_schema(Kind.LISTING, FIELDS)["$defs"]["entry"]["properties"]
    assert (properties["level"]["description"], properties["version"]["description"]) == ("Level", "Of the API")


def test_the_schema_uses_the_renamed_keys_of_the_config() -> None:
    rename = {"headline": "title", "date": "published_at", "draft": "!active"}
    schema = file_schema(Kind.ARTICLE, {}, rename=rename, ignore=["layout"])
    entry = {"headline": "News", "date": "2026-03-01", "draft": "no", "layout": {"any": "thing"}}
    assert accepts(schema, entry)
    assert not accepts(schema, {**entry, "date": "yesterday"})
    assert not accepts(schema, {**entry, "draft": "perhaps"})


def test_every_pattern_is_valid_in_javascript() -> None:
    patterns = set(re.findall(r"'pattern': (?:'(.*?)'|\"(.*?)\")[,}]", str([file_schema(kind) for kind in Kind])))
    assert len(patterns) > 5
    assert not [pattern for pattern in patterns if re.search(r"\\[AZz]|\(\?P|\(\?[a-z]|\+\+", "".join(pattern))]


def schemas_with_pattern(schema: Any) -> list[Mapping[str, Any]]:
    """Return every schema in a schema that has a pattern."""
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    own = [schema] if isinstance(schema, dict) and isinstance(schema.get("pattern"), str) else []
    return own + [found for part in inner for found in schemas_with_pattern(part)]


@pytest.mark.parametrize("kind", Kind)
def test_every_pattern_has_an_error_message(kind: Kind) -> None:
    found = schemas_with_pattern(file_schema(kind, FIELDS))
    assert found
    assert [schema for schema in found if not schema.get("patternErrorMessage")] == []


def test_the_message_of_a_pattern_equals_that_of_validate() -> None:
    entry = file_schema(Kind.TAG)["$defs"]["entry"]["properties"]["color"]
    assert entry["patternErrorMessage"] == "Must be a hex colour such as #0a7 or #00aa77"
    (violation,) = violations(Kind.TAG, least(Kind.TAG, color="red"), FILE, None)
    assert violation.message.endswith("must be a hex colour such as #0a7 or #00aa77")
