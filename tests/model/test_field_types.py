"""Text and JSON inside fields, and values as files write them (docs/content.md 3; docs/faults.md YA, SL-12)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.model import RECORDS, WIRE_FORM, Kind, PlainScalar, validate
from contentsync.model.field_types import MAX_DEPTH, Plain

from .judge import FILE, faults, least, violations


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x0b", "\x1b", "\x7f", "\ud800"])
@pytest.mark.parametrize("context", [WIRE_FORM, FILE], ids=["wire", "file"])
def test_a_control_character_is_refused_in_a_text(character: str, context: Any) -> None:
    assert faults(Kind.PAGE, {"title": f"a{character}b"}, context) == {("title", "control-character")}
    assert faults(Kind.PAGE, least(Kind.PAGE, markdown=character), context) == {("markdown", "control-character")}


@given(st.sampled_from(["", "x" * 255]), st.text(st.characters() | st.characters(max_codepoint=0x9F), max_size=20))
def test_a_text_can_contain_anything_but_control_characters_and_surrogates(start: str, end: str) -> None:
    forbidden = {*map(chr, range(0x20)), "\x7f", *map(chr, range(0xD800, 0xE000))} - {*"\t\n\r"}
    expected = {("markdown", "control-character")} if forbidden & {*end} else set()
    assert faults(Kind.PAGE, least(Kind.PAGE, markdown=start + end)) == expected


@pytest.mark.parametrize("text", ["two\nlines", "a\tb", "a\r\nb", "日本語", "🎉", "a\u2028b"])
def test_line_ends_tabs_and_all_scripts_are_accepted_in_a_text(text: str) -> None:
    assert validate(Kind.PAGE, least(Kind.PAGE, markdown=text), WIRE_FORM)["markdown"] == text


@pytest.mark.parametrize("value", [1, 1.5, True, [], {}, b"x"])
def test_a_text_on_the_wire_must_be_a_string(value: Any) -> None:
    assert faults(Kind.PAGE, {"title": value, "slug": "x"}) == {("title", "not-text")}


@pytest.mark.parametrize("written", ["no", "12:30", "01234", "1_000", "2026-01-01", "1.10", "true", "null", "~"])
def test_a_bare_scalar_in_a_text_field_of_a_file_stays_as_written(written: str) -> None:
    """docs/faults.md YA-08 to YA-10."""
    title = validate(Kind.PAGE, {"title": PlainScalar(written), "slug": "x"}, FILE)["title"]
    assert title == written
    assert type(title) is str


@pytest.mark.parametrize(
    ("written", "flag"), [("true", True), ("yes", True), ("On", True), ("no", False), ("0", False)]
)
def test_a_boolean_in_a_file_is_a_word(written: str, flag: bool) -> None:
    assert validate(Kind.PAGE, least(Kind.PAGE, new_tab=PlainScalar(written)), FILE)["new_tab"] is flag


@pytest.mark.parametrize(
    ("field", "written", "code"),
    [
        ("new_tab", "maybe", "not-a-boolean"),
        ("order", "first", "not-an-integer"),
        ("order", "1.5", "not-an-integer"),
        ("order", "9" * 5000, "not-an-integer"),
        ("order", "99999999999", "out-of-range"),
        ("placement", "header", "not-a-choice"),
        ("external_url", "example.org", "bad-url"),
    ],
)
def test_a_wrong_word_in_a_file_is_refused(field: str, written: str, code: str) -> None:
    assert faults(Kind.PAGE, least(Kind.PAGE, **{field: PlainScalar(written)}), FILE) == {(field, code)}


@pytest.mark.parametrize(("written", "hint"), [("Checked", "a box that is not checked"), ("maybe", "yes, no, on, off")])
def test_a_word_that_is_not_a_boolean_is_explained(written: str, hint: str) -> None:
    (violation,) = violations(Kind.PAGE, least(Kind.PAGE, new_tab=PlainScalar(written)), FILE)
    assert hint in violation.hint


def test_a_number_in_a_file_is_read_from_its_digits() -> None:
    values = validate(Kind.LISTING, least(Kind.LISTING, latitude="46.5", longitude="-7"), FILE)
    assert (values["latitude"], values["longitude"]) == (46.5, -7)
    assert faults(Kind.LISTING, least(Kind.LISTING, latitude="40,7128"), FILE) == {("latitude", "not-a-number")}


@pytest.mark.parametrize(
    ("kind", "field", "cleared"),
    [
        (Kind.LISTING, "ends_at", None),
        (Kind.LISTING, "url", None),
        (Kind.LISTING, "categories", []),
        (Kind.LISTING, "is_active", True),
        (Kind.LISTING, "is_featured", False),
        (Kind.PAGE, "placement", "unlisted"),
        (Kind.PAGE, "order", 0),
        (Kind.PAGE, "is_published", True),
        (Kind.PAGE, "markdown", None),
        (Kind.ARTICLE, "categories", []),
        (Kind.CUSTOM_FIELD, "fieldable_type", "listing"),
    ],
)
def test_an_empty_key_in_a_file_clears_the_field(kind: Kind, field: str, cleared: Any) -> None:
    """docs/content.md 3: null if the field can be null, [] for a list, else the default."""
    assert validate(kind, least(kind, **{field: None}), FILE)[field] == cleared


@pytest.mark.parametrize(
    ("kind", "field"), [(Kind.PAGE, "title"), (Kind.LISTING, "name"), (Kind.CUSTOM_FIELD, "label")]
)
def test_a_title_cannot_be_cleared(kind: Kind, field: str) -> None:
    assert {name for name, _ in faults(kind, least(kind, **{field: None}), FILE)} == {field}


def test_cleared_lists_are_separate_objects() -> None:
    first = validate(Kind.LISTING, least(Kind.LISTING, tags=None), FILE)["tags"]
    first.append("x")
    assert validate(Kind.LISTING, least(Kind.LISTING, tags=None), FILE)["tags"] == []


@pytest.mark.parametrize("key", ["id", "page_url", "is_markdown", "directory", "created_at", "updated_at"])
def test_a_key_set_by_the_service_is_an_error_in_a_file(key: str) -> None:
    """docs/faults.md YA-21."""
    assert faults(Kind.PAGE, least(Kind.PAGE, **{key: "1"}), FILE) == {(key, "unknown-key")}
    assert validate(Kind.PAGE, least(Kind.PAGE, **{key: "1"}), WIRE_FORM) == least(Kind.PAGE)


def test_bare_scalars_in_a_json_field_of_a_file_are_typed() -> None:
    settings = {
        "step": PlainScalar("0.5"),
        "on": PlainScalar("true"),
        "note": PlainScalar("no"),
        "quoted": "1",
        "none": PlainScalar(""),
    }
    assert validate(Kind.CUSTOM_FIELD, least(Kind.CUSTOM_FIELD, settings=settings), FILE)["settings"] == {
        "step": 0.5,
        "on": True,
        "note": "no",
        "quoted": "1",
        "none": None,
    }


@pytest.mark.parametrize(
    ("settings", "field", "code"),
    [
        ([], "settings", "not-an-object"),
        ("{}", "settings", "not-an-object"),
        ({"a": float("nan")}, "settings.a", "not-json"),
        ({"a": float("inf")}, "settings.a", "not-json"),
        ({"a": b"x"}, "settings.a", "not-json"),
        ({"a": {1: 2}}, "settings.a", "not-text"),
        ({"a": "\x00"}, "settings.a", "control-character"),
    ],
)
def test_a_json_field_accepts_only_json(settings: Any, field: str, code: str) -> None:
    assert faults(Kind.CUSTOM_FIELD, least(Kind.CUSTOM_FIELD, settings=settings)) == {(field, code)}


def test_every_invalid_value_in_a_json_field_is_reported() -> None:
    settings = {"a": [1, float("inf"), {"b": "\x00"}], "c": float("nan")}
    assert faults(Kind.CUSTOM_FIELD, least(Kind.CUSTOM_FIELD, settings=settings)) == {
        ("settings.a.1", "not-json"),
        ("settings.a.2.b", "control-character"),
        ("settings.c", "not-json"),
    }


@pytest.mark.parametrize(
    ("written", "code"),
    [(".nan", "not-json"), ("-.inf", "not-json"), ("1e999", "out-of-range"), ("9" * 100, "out-of-range")],
)
def test_a_json_field_of_a_file_refuses_numbers_that_json_lacks(written: str, code: str) -> None:
    """YA-13, YA-14"""
    for value, expected in ((PlainScalar(written), {("settings.a.0", code)}), (written, set())):
        assert faults(Kind.CUSTOM_FIELD, least(Kind.CUSTOM_FIELD, settings={"a": [value]}), FILE) == expected


@pytest.mark.parametrize(
    ("slug", "hint"),
    [
        ("p\u0430ypal", "the letter '\u0430' is CYRILLIC SMALL LETTER A; did you mean 'paypal'?"),
        ("caf\u00e9", "the letter '\u00e9' is LATIN SMALL LETTER E WITH ACUTE; did you mean 'cafe'?"),
        ("a\u2013b", "the character '\u2013' is EN DASH; did you mean 'a-b'?"),
        ("a\u200bb", "it contains the invisible character U+200B (zero width space); did you mean 'a-b'?"),
        ("a\u202eb", "it contains the invisible character U+202E (right-to-left override); did you mean 'ab'?"),
        (
            "a\U000e0041b",
            "it contains the invisible character U+E0041 (tag latin capital letter a); did you mean 'ab'?",
        ),
        ("About us", "did you mean 'about-us'?"),
        ("---", "write a word, such as about-us"),
        ("/", "write a word, such as about-us"),
    ],
)
@pytest.mark.parametrize("context", [WIRE_FORM, FILE], ids=["wire", "file"])
def test_the_hint_names_an_unusual_character_in_a_slug(slug: str, hint: str, context: Any) -> None:
    """SL-04, SL-05"""
    (broken,) = violations(Kind.PAGE, {"title": "A", "slug": slug}, context)
    assert (broken.code, broken.hint) == ("bad-slug", hint)


def test_deep_json_in_a_field_is_refused() -> None:
    """docs/faults.md YA-03, YA-04."""
    endless: list[Any] = []
    endless.append(endless)
    entry_values = least(Kind.CUSTOM_FIELD, validation_rules=endless)
    assert faults(Kind.CUSTOM_FIELD, entry_values) == {("validation_rules", "too-deep")}


def test_json_in_a_field_can_be_nested_up_to_the_limit() -> None:
    def nested(levels: int) -> Any:
        return 1 if levels == 0 else {"a": nested(levels - 1)}

    assert faults(Kind.CUSTOM_FIELD, least(Kind.CUSTOM_FIELD, validation_rules=nested(MAX_DEPTH))) == set()
    deeper = least(Kind.CUSTOM_FIELD, validation_rules=nested(MAX_DEPTH + 1))
    assert faults(Kind.CUSTOM_FIELD, deeper) == {("validation_rules", "too-deep")}


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (Kind.PAGE, "external_url"),
        (Kind.LISTING, "url"),
        (Kind.LISTING, "image_url"),
        (Kind.LISTING, "logo_url"),
        (Kind.LISTING, "video_url"),
        (Kind.LISTING, "video_thumbnail_url"),
        (Kind.ORGANIZER, "logo_url"),
        (Kind.ORGANIZER, "cover_image_url"),
        (Kind.ORGANIZER, "website_url"),
        (Kind.CATEGORY, "custom_icon_url"),
    ],
)
@pytest.mark.parametrize(
    "wrong",
    [
        "javascript:alert(1)",
        "data:,x",
        "vbscript:x",
        "file:///x",
        "//evil.example",
        "\\\\evil",
        "https://u:p@h.example",
    ],
)
def test_every_url_field_refuses_a_dangerous_url(kind: Kind, field: str, wrong: str) -> None:
    """docs/faults.md SL-12."""
    assert faults(kind, least(kind, **{field: wrong})) == {(field, "bad-url")}


PLAIN = [(name, rule.plain) for name, rule in RECORDS[Kind.LISTING].rules().items() if rule.plain]
_PIECES = st.sampled_from(
    ("https://", "a", "b.example", "/", "@", ".", "-", "1", "90", "e", "\n", " ", "é", "\x07", "x" * 300)
)


@given(st.sampled_from(PLAIN), st.lists(st.text() | st.lists(_PIECES).map("".join), min_size=1, max_size=3))
def test_texts_accepted_by_the_quick_test_are_valid(field: tuple[str, Plain], texts: list[str]) -> None:
    name, plain = field
    if plain.accepts(texts, "\n".join(texts)):
        valid = least(Kind.LISTING) | {"slug": "a"}  # of the name "{", no slug can be made
        assert not any(faults(Kind.LISTING, valid | {name: text}, FILE) for text in texts)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("name", "Café 1"),
        ("slug", "a-1"),
        ("url", "https://a.example/b?c=d#e"),
        ("email", "a@b.example"),
        ("latitude", "-89.5"),
    ],
)
def test_the_quick_test_accepts_usual_texts(name: str, text: str) -> None:
    assert dict(PLAIN)[name].accepts([text, text], f"{text}\n{text}")
