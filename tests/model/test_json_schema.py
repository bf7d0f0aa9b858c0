"""contentsync.model.json_schema: the schemas of requests and answers agree with the rules for each field."""

from typing import Any

import jsonschema_rs
import pytest

from contentsync.model import RECORDS, Kind
from contentsync.model.json_schema import ANSWER_SCHEMAS, NAMED, REQUEST_SCHEMAS

from .test_field_tables import ROWS, Row

FIELDS = [row for row in ROWS if "." not in row.name]
# What a schema accepts and the rules do not: which languages there are is known by the directory.
BEYOND: dict[str, list[Any]] = {"languages": [{"en": {}}]}


def accepts(schema: dict[str, Any], value: Any) -> bool:
    """Return whether a schema accepts a value."""
    return jsonschema_rs.is_valid({**schema, "components": {"schemas": NAMED}}, value)


def each(row: Row) -> str:
    return f"{row.kind}-{row.name}"


@pytest.mark.parametrize("row", FIELDS, ids=each)
def test_a_request_schema_accepts_the_same_values_as_the_rules(row: Row) -> None:
    schema = REQUEST_SCHEMAS.properties_of(RECORDS[row.kind])[row.name]
    assert [value for value in row.right if not accepts(schema, value)] == []
    assert [value for value in row.wrong if accepts(schema, value)] == BEYOND.get(row.type, [])
    assert accepts(schema, None) == row.null


@pytest.mark.parametrize("row", FIELDS, ids=each)
def test_a_response_schema_accepts_every_stored_value(row: Row) -> None:
    schema = ANSWER_SCHEMAS.properties_of(RECORDS[row.kind])[row.name]
    for value in [*row.right, *([None] if row.null else [])]:
        assert accepts(schema, row.checked(value)), value


@pytest.mark.parametrize("kind", Kind)
def test_only_request_schemas_contain_the_keys_set_by_the_service(kind: Kind) -> None:
    model = RECORDS[kind]
    assert model.read_only <= REQUEST_SCHEMAS.properties_of(model).keys()
    assert not model.read_only & ANSWER_SCHEMAS.properties_of(model).keys()


def test_a_field_and_its_alias_exclude_each_other_in_the_schema() -> None:
    schema = REQUEST_SCHEMAS.properties_of(RECORDS[Kind.ARTICLE])["seo"]
    assert accepts(schema, {"twitter_title": "A"})
    assert not accepts(schema, {"twitter_title": "A", "card_title": "A"})


@pytest.mark.parametrize(("kind", "field"), [(Kind.TAG, "slug"), (Kind.TAG, "title"), (Kind.CUSTOM_FIELD, "name")])
def test_the_schema_and_the_rules_have_the_same_text_limit(kind: Kind, field: str) -> None:
    schema = REQUEST_SCHEMAS.properties_of(RECORDS[kind])[field]
    assert accepts(schema, "a" * 255)
    assert not accepts(schema, "a" * 256)
