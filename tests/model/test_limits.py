"""Every length limit of the contract and of contentsync, at the limit and one over.

docs/contract.md 2.1, 2.2, 2.4, 7, 8, 14, 15.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from contentsync.model import RECORDS, WIRE_FORM, Context, Kind, PlainScalar, validate
from contentsync.model.file_schema import AUTHORED

from ..growth import grows_evenly
from ..memory import memory_for
from .judge import BILINGUAL, FILE, faults, least, violations


def text(length: int) -> str:
    """Return a text of exactly this length."""
    return "x" * length


def url(length: int) -> str:
    return "https://example.org/".ljust(length, "x")


def email(length: int) -> str:
    ending = "." + "d" * 62 + "." + "d" * 62 + ".example"
    return "a" * 60 + "@" + ("b" * (length - 61 - len(ending))) + ending


LIMITS: list[tuple[Kind, str, int, Callable[[int], str]]] = [
    # docs/contract.md 2.1
    (Kind.PAGE, "title", 255, text),
    (Kind.PAGE, "slug", 255, text),
    (Kind.PAGE, "seo.title", 255, text),
    (Kind.PAGE, "seo.description", 500, text),
    # docs/contract.md 2.2
    (Kind.ARTICLE, "title", 255, text),
    (Kind.ARTICLE, "slug", 255, text),
    (Kind.ARTICLE, "thumbnail_url", 255, text),
    (Kind.ARTICLE, "thumbnail_alt_text", 255, text),
    (Kind.ARTICLE, "seo.title", 255, text),
    (Kind.ARTICLE, "seo.description", 500, text),
    (Kind.ARTICLE, "seo.keywords", 255, text),
    (Kind.ARTICLE, "seo.og_title", 255, text),
    (Kind.ARTICLE, "seo.og_description", 500, text),
    (Kind.ARTICLE, "seo.og_image", 255, url),
    (Kind.ARTICLE, "seo.card_title", 255, text),
    (Kind.ARTICLE, "seo.card_description", 500, text),
    (Kind.ARTICLE, "seo.card_image", 255, url),
    (Kind.ARTICLE, "seo.canonical", 255, url),
    (Kind.ARTICLE, "translations.fr.title", 255, text),
    (Kind.ARTICLE, "translations.fr.thumbnail_alt_text", 255, text),
    (Kind.ARTICLE, "translations.fr.seo.title", 255, text),
    (Kind.ARTICLE, "translations.fr.seo.description", 500, text),
    # docs/contract.md 2.4
    (Kind.ORGANIZER, "name", 255, text),
    (Kind.ORGANIZER, "slug", 255, text),
    (Kind.ORGANIZER, "logo", 255, text),
    (Kind.ORGANIZER, "logo_url", 255, url),
    (Kind.ORGANIZER, "cover_image", 255, text),
    (Kind.ORGANIZER, "cover_image_url", 255, url),
    (Kind.ORGANIZER, "phone", 255, text),
    (Kind.ORGANIZER, "address", 255, text),
    (Kind.ORGANIZER, "translations.fr.name", 255, text),
    (Kind.ORGANIZER, "translations.fr.address", 255, text),
    # docs/contract.md 14
    (Kind.LISTING, "name", 255, text),
    (Kind.LISTING, "slug", 255, text),
    (Kind.LISTING, "url", 2048, url),
    (Kind.LISTING, "image_alt_text", 255, text),
    (Kind.LISTING, "logo_alt_text", 255, text),
    (Kind.LISTING, "phone_number", 255, text),
    (Kind.LISTING, "email", 255, email),
    (Kind.LISTING, "address", 255, text),
    (Kind.LISTING, "seo_title", 255, text),
    (Kind.LISTING, "seo_description", 500, text),
    (Kind.LISTING, "head_html", 10_000, text),
    # docs/contract.md 15
    (Kind.CATEGORY, "title", 255, text),
    (Kind.CATEGORY, "slug", 255, text),
    (Kind.CATEGORY, "head_html", 10_000, text),
    (Kind.TAG, "title", 255, text),
    (Kind.TAG, "slug", 255, text),
]

EACH = pytest.mark.parametrize(
    ("kind", "field", "limit", "make"), LIMITS, ids=[f"{kind}-{field}" for kind, field, *_ in LIMITS]
)


def with_field(kind: Kind, field: str, value: str) -> dict[str, Any]:
    """Return the least of a kind with a value at a dotted name."""
    entry_values = inner = least(kind)
    *path, last = field.split(".")
    for part in path:
        inner = inner.setdefault(part, {})
    inner[last] = value
    return entry_values


@EACH
def test_a_value_of_maximum_length_is_accepted(kind: Kind, field: str, limit: int, make: Callable[[int], str]) -> None:
    assert faults(kind, with_field(kind, field, make(limit)), BILINGUAL) == set()


@EACH
def test_a_value_over_the_maximum_length_is_refused_at_its_field(
    kind: Kind, field: str, limit: int, make: Callable[[int], str]
) -> None:
    code = "bad-slug" if field == "slug" else "too-long"
    assert faults(kind, with_field(kind, field, make(limit + 1)), BILINGUAL) == {(field, code)}


FAR_TOO_LONG = 3_000_000
MUCH = 500_000  # bytes


@EACH
def test_a_far_too_long_value_is_refused_without_copying_it(
    kind: Kind, field: str, limit: int, make: Callable[[int], str]
) -> None:
    """AU-17: not one copy of it is made."""
    for letter in ("a", "A", "é", "-a", "\0"):
        entry_values = with_field(kind, field, letter * FAR_TOO_LONG)
        assert memory_for(partial(violations, kind, entry_values, BILINGUAL)) < MUCH, letter


@pytest.mark.parametrize("field", ["latitude", "starts_at", "email", "is_active", "rating"])
def test_a_far_too_long_number_date_or_boolean_is_refused_without_copying_it(field: str) -> None:
    entry_values = least(Kind.LISTING, **{field: "a" * FAR_TOO_LONG})
    assert memory_for(lambda: violations(Kind.LISTING, entry_values)) < MUCH


def test_a_far_too_long_key_is_shortened_in_the_message() -> None:
    entry_values = least(Kind.PAGE, **{"x" * FAR_TOO_LONG: 1})
    [violation] = violations(Kind.PAGE, entry_values)
    assert len(violation.field) == 256


def test_a_far_too_long_choice_is_shortened_in_the_message() -> None:
    definition = validate(Kind.CUSTOM_FIELD, {"label": "Extra", "type": "select", "options": ["a"]}, WIRE_FORM)
    context = replace(WIRE_FORM, custom_fields={Kind.LISTING: {"extra": definition}})
    [violation] = violations(Kind.LISTING, least(Kind.LISTING, extra="x" * FAR_TOO_LONG), context)
    assert len(violation.message) < 400


@pytest.mark.parametrize("context", [BILINGUAL, FILE], ids=["wire", "file"])
def test_a_length_is_counted_in_characters(context: Context) -> None:
    assert faults(Kind.PAGE, {"title": "日" * 255, "slug": "x"}, context) == set()
    assert faults(Kind.PAGE, {"title": "🎉" * 256, "slug": "x"}, context) == {("title", "too-long")}


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (Kind.PAGE, "markdown"),
        (Kind.ARTICLE, "markdown"),
        (Kind.ARTICLE, "content"),
        (Kind.ORGANIZER, "description"),
        (Kind.ORGANIZER, "content"),
        (Kind.LISTING, "description"),
        (Kind.LISTING, "content"),
        (Kind.CATEGORY, "content"),
    ],
)
def test_a_body_has_no_length_limit_of_its_own(kind: Kind, field: str) -> None:
    assert faults(kind, least(kind, **{field: "x" * 100_000})) == set()


LINKS = [f"https://example.org/{number}" for number in range(1001)]
TEXTS = [f"text {number}" for number in range(1001)]


@pytest.mark.parametrize(
    ("kind", "field", "items"),
    [
        (Kind.LISTING, "additional_image_urls", LINKS),
        (Kind.LISTING, "categories", list(range(1, 1002))),
        (Kind.LISTING, "tags", list(range(1, 1002))),
        (Kind.LISTING, "organizers", list(range(1, 1002))),
        (Kind.ARTICLE, "categories", TEXTS),
        (Kind.CUSTOM_FIELD, "options", TEXTS),
        (Kind.LISTING, "social_links", dict(zip(TEXTS, LINKS, strict=True))),
    ],
)
def test_a_list_or_an_object_has_at_most_1000_entries(kind: Kind, field: str, items: Any) -> None:
    fewer = items[1:] if isinstance(items, list) else dict(list(items.items())[1:])
    assert faults(kind, least(kind, **{field: fewer})) == set()
    assert faults(kind, least(kind, **{field: items})) == {(field, "too-many")}


@pytest.mark.parametrize("type_", ["list", "multi_select"])
@pytest.mark.parametrize("context", [WIRE_FORM, FILE], ids=["wire", "file"])
def test_a_custom_field_has_at_most_1000_values(type_: str, context: Context) -> None:
    options = TEXTS[:1000]
    definition = validate(Kind.CUSTOM_FIELD, {"label": "Extra", "type": type_, "options": options}, WIRE_FORM)
    context = replace(context, custom_fields={Kind.LISTING: {"extra": definition}})
    one_too_many = [options[0]] * 1001
    assert faults(Kind.LISTING, least(Kind.LISTING, extra=one_too_many[1:]), context) == set()
    assert faults(Kind.LISTING, least(Kind.LISTING, extra=one_too_many), context) == {("extra", "too-many")}


JSON_FIELDS = pytest.mark.parametrize(
    ("kind", "field"),
    [(Kind.LISTING, "schema"), (Kind.CUSTOM_FIELD, "settings"), (Kind.CUSTOM_FIELD, "validation_rules")],
)


@JSON_FIELDS
def test_an_object_in_json_has_at_most_1000_keys(kind: Kind, field: str) -> None:
    items = dict.fromkeys(TEXTS, 1)
    fewer = dict.fromkeys(TEXTS[1:], 1)
    for wrap in (lambda value: value, lambda value: {"a": [value]}):
        assert faults(kind, least(kind, **{field: wrap(fewer)})) == set()
        assert faults(kind, least(kind, **{field: wrap(items)})) == {(field, "too-many")}


@JSON_FIELDS
def test_json_has_at_most_10000_values_in_total(kind: Kind, field: str) -> None:
    rows = {str(row): [0] * 99 for row in range(99)}  # 1 + 99 + 99 * 99
    most = {**rows, "last": [0] * 98}
    assert faults(kind, least(kind, **{field: most})) == set()
    assert faults(kind, least(kind, **{field: {**most, "more": 0}})) == {(field, "too-many")}


@JSON_FIELDS
def test_only_the_first_wrong_values_of_json_are_reported(kind: Kind, field: str) -> None:
    """AU-17."""
    broken = violations(kind, least(kind, **{field: {"rows": ["\0"] * 999}}))
    assert [violation.code for violation in broken] == ["control-character"] * 100 + ["too-many"]
    assert [violation.field for violation in broken][99:] == [f"{field}.rows.99", field]


MANY = 20_000


@pytest.mark.parametrize("context", [BILINGUAL, replace(BILINGUAL, authored=True)], ids=["wire", "file"])
@pytest.mark.parametrize(
    ("kind", "entry_values", "field"),
    [
        (Kind.LISTING, lambda many: {"categories": [False] * many}, "categories"),
        (Kind.LISTING, lambda many: {"additional_image_urls": ["nowhere"] * many}, "additional_image_urls"),
        (
            Kind.LISTING,
            lambda many: {"social_links": {str(number): "nowhere" for number in range(many)}},
            "social_links",
        ),
        (Kind.ARTICLE, lambda many: {"translations": {str(number): {} for number in range(many)}}, "translations"),
        (Kind.ARTICLE, lambda many: {"seo": {str(number): "x" for number in range(many)}}, "seo"),
        (Kind.ARTICLE, lambda many: {str(number): "x" for number in range(many)}, ""),
        (Kind.CUSTOM_FIELD, lambda many: {"settings": {str(number): "x" for number in range(many)}}, "settings"),
        (Kind.CUSTOM_FIELD, lambda many: {"validation_rules": [[0] * 100] * many}, "validation_rules"),
    ],
    ids=["references", "urls", "links", "languages", "seo", "entry", "object", "json"],
)
def test_an_entry_with_far_too_many_values_is_reported_once(
    kind: Kind, entry_values: Callable[[int], dict[str, Any]], field: str, context: Context
) -> None:
    def check_size(size: int) -> None:
        broken = violations(kind, least(kind, **entry_values(size)), context)
        assert [(violation.field, violation.code) for violation in broken] == [(field, "too-many")]

    assert grows_evenly(check_size, MANY // 4)


LONG = [10**18, -(10**18), 10**30, 1e18, 1e30]


@pytest.mark.parametrize("number", LONG)
def test_a_number_on_the_wire_has_at_most_18_digits(number: float) -> None:
    assert number_faults(number, number, WIRE_FORM) == {"out-of-range"}


@pytest.mark.parametrize("number", LONG)
def test_a_number_in_a_file_has_at_most_18_digits(number: float) -> None:
    assert number_faults(str(number), PlainScalar(number), FILE) == {"out-of-range"}


@pytest.mark.parametrize("number", [10**18 - 1, 1 - 10**18, 1e17, 0.1])
def test_a_number_of_18_digits_is_stored_exactly(number: float) -> None:
    assert number_faults(number, number, WIRE_FORM) == number_faults(str(number), PlainScalar(number), FILE) == set()
    for written, context in ((number, WIRE_FORM), (PlainScalar(number), FILE)):
        settings = validate(Kind.CUSTOM_FIELD, least(Kind.CUSTOM_FIELD, settings={"a": written}), context)["settings"]
        assert settings == {"a": number}


def number_faults(in_number: Any, in_json: Any, context: Context) -> set[str]:
    """Return the faults of a number as a custom field's value, in JSON, and in JSON that is text."""
    definition = validate(Kind.CUSTOM_FIELD, {"label": "Extra", "type": "number"}, WIRE_FORM)
    context = replace(context, custom_fields={Kind.LISTING: {"extra": definition}})
    reported = [
        faults(Kind.LISTING, least(Kind.LISTING, extra=in_number), context),
        faults(Kind.LISTING, least(Kind.LISTING, schema={"a": [in_json]}), context),
        faults(Kind.LISTING, least(Kind.LISTING, schema=f'{{"a": {in_json}}}'), context),
        faults(Kind.CUSTOM_FIELD, least(Kind.CUSTOM_FIELD, settings={"a": in_json}), context),
        faults(Kind.CUSTOM_FIELD, least(Kind.CUSTOM_FIELD, validation_rules=in_json), context),
    ]
    assert len({frozenset(code for _, code in broken) for broken in reported}) == 1
    return {code for _, code in reported[0]}


@pytest.mark.parametrize("kind", Kind)
def test_editors_show_the_same_limits_as_the_rules(kind: Kind) -> None:
    """The schema for editors and the rules write the same numbers twice."""
    limits = {
        field: schema["maxLength"]
        for field, schema in AUTHORED.properties_of(RECORDS[kind]).items()
        if "maxLength" in schema
    }
    assert len(limits) > 2
    for field, limit in limits.items():
        for length, is_wrong in ((limit, False), (limit + 1, True)):
            made = (make(length) for make in (text, url, email) if limit > 200 or make is text)
            found = [{name for name, _ in faults(kind, least(kind, **{field: value}))} for value in made]
            assert all(field in one for one in found) == is_wrong, (field, length)
