"""Values of custom fields (docs/contract.md 15, 19)."""

from typing import Any

import pytest

from contentsync.model import WIRE_FORM, Context, Kind, validate

from .judge import faults, least, violations
from .test_custom_field import TYPES

FIELD = Kind.CUSTOM_FIELD
FILE_AND_WIRE = pytest.mark.parametrize("authored", [True, False], ids=["file", "wire"])


def defined(type_: str, *, authored: bool = False, **more: Any) -> Context:
    """Return a directory whose listings have one custom field, `extra`."""
    options: dict[str, Any] = {"options": ["S", "M", "L"]} if type_ in ("select", "multi_select") else {}
    definition = validate(FIELD, {"label": "Extra", "type": type_, **options, **more}, WIRE_FORM)
    return Context(authored=authored, custom_fields={Kind.LISTING: {"extra": definition}})


def value(type_: str, value_in: Any, *, authored: bool = False, **more: Any) -> Any:
    """Return the wire form of a value of a custom field."""
    return validate(Kind.LISTING, {"name": "Lathe", "extra": value_in}, defined(type_, authored=authored, **more))[
        "extra"
    ]


def codes(type_: str, value_in: Any, *, authored: bool = False, **more: Any) -> set[str]:
    """Return the codes of the rules that a value of a custom field breaks."""
    broken = faults(Kind.LISTING, {"name": "Lathe", "extra": value_in}, defined(type_, authored=authored, **more))
    assert {field.split(".")[0] for field, _ in broken} <= {"extra"}
    return {code for _, code in broken}


@pytest.mark.parametrize(
    ("type_", "right"),
    [
        ("text", "any text"),
        ("textarea", "two\nlines"),
        ("markdown", "*x*"),
        ("rich_editor", "<p>x</p>"),
        ("html", "<p>x</p>"),
        ("javascript", "alert(1)"),
        ("number", 3),
        ("number", -0.5),
        ("date", "2026-03-01"),
        ("url", "https://example.org/"),
        ("button", "https://example.org/"),
        ("email", "ada@example.org"),
        ("checkbox", True),
        ("checkbox", False),
        ("rating", 0),
        ("rating", 4.5),
        ("rating", 5),
        ("select", "M"),
        ("multi_select", ["S", "L"]),
        ("multi_select", []),
        ("list", ["anything", "else"]),
        ("list", []),
        ("file_upload", "files/a.pdf"),
        ("file_upload", "https://example.org/a.pdf"),
    ],
)
def test_a_value_of_the_defined_type_is_accepted(type_: str, right: Any) -> None:
    assert value(type_, right) == right


@pytest.mark.parametrize(
    ("type_", "wrong", "code"),
    [
        ("text", 3, "not-text"),
        ("text", [], "not-text"),
        ("text", ["x"], "not-text"),
        ("text", {}, "not-text"),
        ("text", "a\x00b", "control-character"),
        ("number", "three", "not-a-number"),
        ("number", "0x10", "not-a-number"),
        ("number", "1,5", "not-a-number"),
        ("number", "9" * 20, "out-of-range"),
        ("number", "9" * 2000 + "x", "not-a-number"),
        ("number", True, "not-a-number"),
        ("number", [], "not-a-number"),
        ("date", "01.03.2026", "bad-date"),
        ("date", "2024-02-30", "bad-date"),
        ("date", "2026-03-01 09:00", "bad-date"),
        ("url", "example.org", "bad-url"),
        ("button", "javascript:alert(1)", "bad-url"),
        ("email", "ada", "bad-email"),
        ("checkbox", "maybe", "not-a-boolean"),
        ("checkbox", "2", "not-a-boolean"),
        ("checkbox", 1, "not-a-boolean"),
        ("rating", 6, "out-of-range"),
        ("rating", -1, "out-of-range"),
        ("rating", "6", "out-of-range"),
        ("rating", "-0.5", "out-of-range"),
        ("rating", "good", "not-a-number"),
        ("select", "XL", "not-a-choice"),
        ("select", ["S"], "not-text"),
        ("multi_select", ["S", "XL"], "not-a-choice"),
        ("multi_select", "S, XL", "not-a-choice"),
        ("multi_select", '["S", "XL"]', "not-a-choice"),
        ("multi_select", 7, "not-a-list"),
        ("multi_select", {}, "not-a-list"),
        ("list", "[a, b]", "not-a-list"),
        ("list", "[" * 100_000 + "]" * 100_000, "not-a-list"),
        ("list", "a," * 200_000, "not-a-list"),
        ("list", "[1]", "not-text"),
        ("list", '["a", null]', "required"),
        ("list", "a," * 1001, "too-many"),
        ("file_upload", "../../.env", "bad-path"),
        ("file_upload", "file:///etc/passwd", "bad-url"),
    ],
)
def test_a_value_of_another_type_is_refused(type_: str, wrong: Any, code: str) -> None:
    assert codes(type_, wrong) == {code}


@FILE_AND_WIRE
@pytest.mark.parametrize(
    ("type_", "text", "wire"),
    [
        ("number", "12", 12),
        ("number", "-4.5", -4.5),
        ("number", "1e3", 1000.0),
        ("rating", "4.5", 4.5),
        ("rating", "0", 0),
        *((("checkbox", text, True)) for text in ("true", "True", "1", "yes", "on")),
        *((("checkbox", text, False)) for text in ("false", "FALSE", "0", "no", "off")),
        ("multi_select", '["S", "L"]', ["S", "L"]),
        ("multi_select", "S, L", ["S", "L"]),
        ("multi_select", "S,L,", ["S", "L"]),
        ("multi_select", "M", ["M"]),
        ("multi_select", " [] ", []),
        ("list", '["anything, else"]', ["anything, else"]),
        ("list", "Italian, Pasta", ["Italian", "Pasta"]),
        ("list", "[beta] tool", ["[beta] tool"]),
    ],
)
def test_a_value_written_as_text_is_stored_in_the_defined_type(
    type_: str, text: str, wire: Any, *, authored: bool
) -> None:
    stored = value(type_, text, authored=authored)
    assert (stored, type(stored)) == (wire, type(wire))


@FILE_AND_WIRE
def test_an_option_with_a_comma_is_one_choice(*, authored: bool) -> None:
    options = ["Nuts, bolts", "Screws"]
    assert value("multi_select", "Nuts, bolts", authored=authored, options=options) == ["Nuts, bolts"]
    assert codes("multi_select", "Nuts, bolts, Screws", authored=authored, options=options) == {"not-a-choice"}
    text = '["Nuts, bolts", "Screws"]'
    assert value("multi_select", text, authored=authored, options=options) == options


@FILE_AND_WIRE
@pytest.mark.parametrize(
    ("type_", "wrong", "expected"),
    [
        ("number", "three", 'extra must be a number, such as 4.5 or "4.5"'),
        ("rating", [], 'extra must be a number, such as 4.5 or "4.5"'),
        ("checkbox", "maybe", 'extra must be true or false, or "true", "yes", "on", "1", "false", "no", "off" or "0"'),
        ("list", {}, 'extra must be a list, or a list as text, such as ["a", "b"] or "a, b"'),
    ],
)
def test_the_message_for_an_unreadable_value_lists_the_accepted_forms(
    type_: str, wrong: Any, expected: str, *, authored: bool
) -> None:
    (violation,) = violations(Kind.LISTING, {"name": "Lathe", "extra": wrong}, defined(type_, authored=authored))
    assert violation.message == expected


TEXT_TYPES = {"text", "textarea", "markdown", "rich_editor", "html", "javascript"}


@FILE_AND_WIRE
@pytest.mark.parametrize("type_", TYPES)
def test_an_empty_text_clears_a_value_of_another_type(type_: str, *, authored: bool) -> None:
    assert value(type_, "", authored=authored) == ("" if type_ in TEXT_TYPES else None)


@pytest.mark.parametrize("type_", TYPES)
def test_an_empty_text_is_refused_for_a_required_custom_field(type_: str) -> None:
    assert codes(type_, "", is_required=True) == {"required"}


def test_a_list_value_must_be_one_of_its_options() -> None:
    assert value("list", ["a"], options=["a", "b"]) == ["a"]
    assert codes("list", ["c"], options=["a", "b"]) == {"not-a-choice"}


def test_a_wrong_choice_suggests_the_nearest_option() -> None:
    context = defined("select", options=["Linux", "Windows"])
    (violation,) = violations(Kind.LISTING, {"name": "Lathe", "extra": "linux"}, context)
    assert violation.hint == "did you mean 'Linux'?"


@pytest.mark.parametrize(
    ("type_", "text", "wire"),
    [
        ("number", "3", 3),
        ("number", "1.5", 1.5),
        ("checkbox", "yes", True),
        ("checkbox", "0", False),
        ("rating", "4", 4),
        ("text", "01234", "01234"),
        ("date", "2026-03-01", "2026-03-01"),
    ],
)
def test_a_text_value_in_a_file_is_read_as_written(type_: str, text: str, wire: Any) -> None:
    assert value(type_, text, authored=True) == wire


@pytest.mark.parametrize("type_", TYPES)
def test_null_clears_a_value(type_: str) -> None:
    assert value(type_, None) is None


@pytest.mark.parametrize(
    ("type_", "empty"),
    [
        ("text", None),
        ("text", ""),
        ("text", " \n"),
        ("markdown", "\t"),
        ("multi_select", []),
        ("multi_select", "[]"),
        ("list", " , "),
        ("number", None),
    ],
)
def test_a_required_value_must_not_be_empty(type_: str, empty: Any) -> None:
    assert codes(type_, empty, is_required=True) == {"required"}


def test_an_optional_value_can_be_blank() -> None:
    assert value("text", " ") == " "


def test_zero_and_false_count_as_values() -> None:
    assert value("number", 0, is_required=True) == 0
    assert value("checkbox", False, is_required=True) is False


def test_a_required_value_is_required_only_on_create() -> None:
    context = defined("text", is_required=True)
    assert faults(Kind.LISTING, {"name": "Lathe"}, context) == {("extra", "required")}
    assert faults(Kind.LISTING, {"name": "New lathe"}, context, stored={"name": "Lathe", "extra": "x"}) == set()


def test_an_undefined_custom_field_is_an_unknown_key() -> None:
    assert faults(Kind.LISTING, {"name": "Lathe", "extra": "x"}) == {("extra", "unknown-key")}


def test_an_unknown_key_suggests_the_nearest_custom_field() -> None:
    (violation,) = violations(Kind.LISTING, {"name": "Lathe", "exra": "x"}, defined("text"))
    assert violation.hint == "did you mean 'extra'?"


@pytest.mark.parametrize("kind", [Kind.ORGANIZER, Kind.ARTICLE])
def test_organizers_and_articles_have_custom_fields_too(kind: Kind) -> None:
    definition = validate(FIELD, {"label": "Extra", "type": "number", "fieldable_type": str(kind)}, WIRE_FORM)
    context = Context(custom_fields={kind: {"extra": definition}})
    assert validate(kind, least(kind, extra=3), context)["extra"] == 3
    assert faults(kind, least(kind, extra="x"), context) == {("extra", "not-a-number")}
    assert faults(Kind.LISTING, least(Kind.LISTING, extra=3), context) == {("extra", "unknown-key")}
