"""The rules of all kinds (docs/contract.md 7, 11)."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contentsync.model import RECORDS, WIRE_FORM, Context, Invalid, Kind, make_key, validate

from ..sampling import sampled
from .judge import BILINGUAL, FILE, faults, least
from .strategies import JSON, RECORDS_ON_THE_WIRE, SLUGS

KINDS = pytest.mark.parametrize("kind", Kind, ids=str)
# Half of the random examples of each kind; `make test-whole` draws both.
RANDOM = pytest.mark.parametrize(("kind", "part"), sampled(product(Kind, range(2)), every=2))
HALF = settings(max_examples=10)


@KINDS
def test_every_kind_has_its_rules(kind: Kind) -> None:
    assert RECORDS[kind].kind is kind


@KINDS
def test_a_create_returns_the_sent_fields_without_defaults(kind: Kind) -> None:
    assert validate(kind, least(kind), WIRE_FORM) == least(kind)


@KINDS
def test_an_update_requires_no_title(kind: Kind) -> None:
    assert {name for name, code in faults(kind, {}, stored=least(kind))} <= {"markdown"}


@KINDS
def test_a_title_without_letters_requires_a_key(kind: Kind) -> None:
    model = RECORDS[kind]
    assert faults(kind, least(kind, **{model.title_field: "🎉"})) == {(model.key_field, f"no-{model.key_field}")}
    assert faults(kind, least(kind, **{model.title_field: "🎉", model.key_field: "party"})) == set()


@KINDS
def test_the_key_is_explicit_or_made_from_the_title(kind: Kind) -> None:
    model = RECORDS[kind]
    made = "a_new_one" if kind is Kind.CUSTOM_FIELD else "a-new-one"
    assert make_key(kind, {model.title_field: "A new one"}) == made
    assert make_key(kind, {model.title_field: "A new one", model.key_field: "other"}) == "other"


@KINDS
def test_the_service_sets_ids_and_dates(kind: Kind) -> None:
    for key in ("id", "created_at", "updated_at"):
        assert validate(kind, least(kind, **{key: 7}), WIRE_FORM) == least(kind)
        assert faults(kind, least(kind, **{key: "7"}), FILE) == {(key, "unknown-key")}


@KINDS
def test_an_unknown_key_is_refused(kind: Kind) -> None:
    for key in ("tilte", "", "directory_id", "__class__", "model_config", "kind", "seo.title"):
        assert faults(kind, least(kind, **{key: "x"})) == {(key, "unknown-key")}


def test_all_problems_are_reported_at_once() -> None:
    entry_values = {
        "name": "",
        "slug": "A B",
        "url": "x",
        "latitude": 91,
        "starts_at": "2026-03-02",
        "ends_at": "2026-03-01",
        "tilte": 1,
        "extra": "x",
    }
    number = validate(Kind.CUSTOM_FIELD, {"label": "Extra", "type": "number"}, WIRE_FORM)
    assert faults(Kind.LISTING, entry_values, Context(custom_fields={Kind.LISTING: {"extra": number}})) == {
        ("name", "required"),
        ("slug", "bad-slug"),
        ("url", "bad-url"),
        ("latitude", "out-of-range"),
        ("ends_at", "ends-before-start"),
        ("tilte", "unknown-key"),
        ("extra", "not-a-number"),
    }


def test_the_errors_of_a_422_response_are_keyed_by_dotted_field() -> None:
    with pytest.raises(Invalid) as caught:
        validate(Kind.PAGE, {"seo": {"title": "x" * 256}, "plcement": "x"}, WIRE_FORM)
    assert caught.value.errors() == {
        "title": ["title is required"],
        "seo.title": ["seo.title must be at most 255 characters, but has 256"],
        "plcement": ["plcement is not a known key (did you mean 'placement'?)"],
    }


def test_the_sent_values_are_not_modified() -> None:
    article = {
        "title": "News",
        "markdown": "x",
        "id": 7,
        "seo": {"twitter_title": "a"},
        "published_at": "2026-03-01",
    }
    before = {**article, "seo": {"twitter_title": "a"}}
    validate(Kind.ARTICLE, article, WIRE_FORM)
    assert article == before


@RANDOM
@HALF
@given(data=st.data())
def test_a_record_in_wire_form_is_validated_unchanged(kind: Kind, part: int, data: st.DataObject) -> None:
    values = validate(kind, data.draw(RECORDS_ON_THE_WIRE[kind]), BILINGUAL)
    assert validate(kind, values, BILINGUAL) == values


@RANDOM
@HALF
@given(data=st.data())
def test_a_whole_record_can_be_sent_as_an_update(kind: Kind, part: int, data: st.DataObject) -> None:
    entry_values = data.draw(RECORDS_ON_THE_WIRE[kind])
    values = validate(kind, entry_values, BILINGUAL)
    assert validate(kind, entry_values, BILINGUAL, stored=values) == values


@RANDOM
@HALF
@given(data=st.data())
def test_validating_any_json_returns_values_or_raises_invalid(kind: Kind, part: int, data: st.DataObject) -> None:
    names = st.sampled_from([*RECORDS[kind].rules(), *RECORDS[kind].read_only]) | st.text()
    entry_values = data.draw(st.dictionaries(names, JSON, max_size=6))
    for context in (BILINGUAL, FILE):
        for stored in (None, least(kind)):
            try:
                validate(kind, entry_values, context, stored=stored)
            except Invalid as invalid:
                assert invalid.violations
                assert all(violation.code and violation.message for violation in invalid.violations)


@RANDOM
@HALF
@given(data=st.data())
def test_one_wrong_value_in_a_record_is_reported_at_its_field(kind: Kind, part: int, data: st.DataObject) -> None:
    entry_values: dict[str, Any] = data.draw(RECORDS_ON_THE_WIRE[kind])
    entry_values[RECORDS[kind].title_field] = 7
    assert (RECORDS[kind].title_field, "not-text") in faults(kind, entry_values, BILINGUAL)


@RANDOM
@HALF
@given(data=st.data())
def test_a_derived_key_can_be_sent_explicitly(kind: Kind, part: int, data: st.DataObject) -> None:
    entry_values = data.draw(RECORDS_ON_THE_WIRE[kind])
    key = make_key(kind, entry_values)
    assert make_key(kind, {RECORDS[kind].key_field: key}) == key
    assert faults(kind, {**entry_values, RECORDS[kind].key_field: key}, BILINGUAL) == set()


@given(SLUGS)
def test_a_slug_as_a_title_makes_the_same_slug(slug: str) -> None:
    assert make_key(Kind.PAGE, {"title": slug}) == slug
