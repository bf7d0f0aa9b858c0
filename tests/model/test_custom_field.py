"""Custom fields: their definitions, and values by type and options (resolved.md, Categories, tags, custom fields)."""

from typing import Any

import pytest

from contentsync.model import RECORDS, WIRE, Context, Kind, check

from .judge import faults, least, violations

FIELD = Kind.CUSTOM_FIELD

TYPES = [
    "text",
    "number",
    "date",
    "file_upload",
    "url",
    "email",
    "rich_editor",
    "markdown",
    "textarea",
    "checkbox",
    "rating",
    "select",
    "list",
    "multi_select",
    "button",
    "javascript",
    "html",
]


def defined(type_: str, *, authored: bool = False, **more: Any) -> Context:
    """A directory whose listings have one custom field, `extra`."""
    options: dict[str, Any] = {"options": ["S", "M", "L"]} if type_ in ("select", "multi_select") else {}
    definition = check(FIELD, {"label": "Extra", "type": type_, **options, **more}, WIRE)
    return Context(authored=authored, custom_fields={Kind.LISTING: {"extra": definition}})


def value(type_: str, given: Any, *, authored: bool = False, **more: Any) -> Any:
    """The wire form of a value of a custom field."""
    return check(Kind.LISTING, {"name": "Lathe", "extra": given}, defined(type_, authored=authored, **more))["extra"]


def codes(type_: str, given: Any, *, authored: bool = False, **more: Any) -> set[str]:
    """The codes of the rules that a value of a custom field breaks."""
    broken = faults(Kind.LISTING, {"name": "Lathe", "extra": given}, defined(type_, authored=authored, **more))
    assert {field.split(".")[0] for field, _ in broken} <= {"extra"}
    return {code for _, code in broken}


# definitions


def test_a_field_needs_a_label_and_a_type() -> None:
    assert faults(FIELD, {}) == {("label", "required"), ("type", "required")}


@pytest.mark.parametrize("type_", TYPES)
def test_each_type_of_the_contract_is_known(type_: str) -> None:
    assert faults(FIELD, {"label": "Extra", "type": type_, "options": ["a"]}) == set()


@pytest.mark.parametrize("type_", ["string", "Text", "", None, 1, ["text"]])
def test_there_is_no_other_type(type_: Any) -> None:
    assert faults(FIELD, {"label": "Extra", "type": type_}) == {("type", "not-a-choice")}


def test_the_defaults_of_a_field() -> None:
    defaults = {name: rule.default for name, rule in RECORDS[FIELD].rules().items()}
    assert defaults["fieldable_type"] == "listing"
    assert defaults["is_visible"] is True
    for flag in (
        "is_required",
        "show_on_card",
        "show_on_public_submission",
        "show_label",
        "show_label_on_card",
        "show_icon",
        "show_icon_on_card",
        "filterable",
    ):
        assert defaults[flag] is False
    assert defaults["order"] == 0


@pytest.mark.parametrize(
    ("field", "choices"),
    [
        ("fieldable_type", ["listing", "organizer", "article"]),
        ("placement", ["after_tags", "after_categories", "before_content", "after_content"]),
        (
            "placement_on_card",
            ["after_categories", "before_categories", "after_buttons", "before_buttons", "after_title"],
        ),
    ],
)
def test_the_choices_are_the_contracts(field: str, choices: list[str]) -> None:
    for choice in choices:
        assert faults(FIELD, least(FIELD, **{field: choice})) == set()
    assert faults(FIELD, least(FIELD, **{field: "page"})) == {(field, "not-a-choice")}


@pytest.mark.parametrize("name", ["licence", "fee_eur", "x1", "_a"])
def test_a_name_is_snake_case(name: str) -> None:
    assert faults(FIELD, least(FIELD, name=name)) == set()


@pytest.mark.parametrize("name", ["Licence", "fee-eur", "a b", "é", "", "_", "a.b", "a\n"])
def test_a_name_is_nothing_else(name: str) -> None:
    assert faults(FIELD, least(FIELD, name=name)) == {("name", "bad-name")}


@pytest.mark.parametrize(
    "name", ["url", "name", "slug", "categories", "schema", "listing_url", "id", "ends_at", "created_at", "sync"]
)
def test_a_name_may_not_shadow_a_field_of_the_service(name: str) -> None:
    assert faults(FIELD, least(FIELD, name=name)) == {("name", "reserved-name")}


@pytest.mark.parametrize(
    ("fieldable_type", "label", "is_reserved"),
    [
        ("listing", "Phone", False),
        ("organizer", "Phone", True),
        ("article", "Phone", False),
        ("listing", "Thumbnail URL", False),
        ("article", "Thumbnail URL", True),
        ("listing", "URL", True),
        ("organizer", "URL", True),
        ("article", "URL", True),
    ],
)
def test_the_fields_of_a_listing_are_reserved_for_all_and_others_for_their_kind(
    fieldable_type: str, label: str, is_reserved: bool
) -> None:
    told = faults(FIELD, {"label": label, "type": "text", "fieldable_type": fieldable_type})
    assert told == ({("name", "reserved-name")} if is_reserved else set())


def test_a_field_cannot_move_to_a_kind_that_has_its_name() -> None:
    stored = check(FIELD, least(FIELD, name="phone"), WIRE)
    assert faults(FIELD, {"fieldable_type": "organizer"}, stored=stored) == {("name", "reserved-name")}


@pytest.mark.parametrize("label", ["URL", "Ends at", "description"])
def test_nor_may_a_name_that_is_made_of_the_label(label: str) -> None:
    assert faults(FIELD, {"label": label, "type": "text"}) == {("name", "reserved-name")}
    assert faults(FIELD, {"label": label, "type": "text", "name": "extra"}) == set()


def test_a_field_keeps_its_name_when_its_label_changes() -> None:
    stored = check(FIELD, least(FIELD, name="licence"), WIRE)
    assert faults(FIELD, {"label": "URL"}, stored=stored) == set()


def test_a_label_that_makes_no_name_asks_for_one() -> None:
    (violation,) = violations(FIELD, {"label": "🎉", "type": "text"})
    assert (violation.code, violation.field, violation.hint) == ("no-name", "name", "give a name")


@pytest.mark.parametrize("type_", ["select", "multi_select"])
def test_a_field_to_choose_from_needs_options(type_: str) -> None:
    assert faults(FIELD, {"label": "Size", "type": type_}) == {("options", "required-with")}
    assert faults(FIELD, {"label": "Size", "type": type_, "options": []}) == {("options", "required-with")}


def test_a_list_may_be_free_of_options() -> None:
    assert faults(FIELD, {"label": "Size", "type": "list"}) == set()


@pytest.mark.parametrize(
    ("options", "field"), [(["S", "S"], "options.1"), ([1], "options.0"), ([""], "options.0"), ("S", "options")]
)
def test_options_are_different_texts(options: Any, field: str) -> None:
    assert {name for name, _ in faults(FIELD, {"label": "Size", "type": "select", "options": options})} == {field}


# values


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
def test_a_value_of_its_type_is_accepted(type_: str, right: Any) -> None:
    assert value(type_, right) == right


@pytest.mark.parametrize(
    ("type_", "wrong", "code"),
    [
        ("text", 3, "not-text"),
        ("text", [], "not-text"),
        ("text", ["x"], "not-text"),
        ("text", {}, "not-text"),
        ("text", "a\x00b", "control-character"),
        ("number", "3", "not-a-number"),
        ("number", True, "not-a-number"),
        ("number", [], "not-a-number"),
        ("date", "01.03.2026", "bad-date"),
        ("date", "2024-02-30", "bad-date"),
        ("date", "2026-03-01 09:00", "bad-date"),
        ("url", "example.org", "bad-url"),
        ("button", "javascript:alert(1)", "bad-url"),
        ("email", "ada", "bad-email"),
        ("checkbox", "true", "not-a-boolean"),
        ("checkbox", 1, "not-a-boolean"),
        ("rating", 6, "out-of-range"),
        ("rating", -1, "out-of-range"),
        ("rating", "5", "not-a-number"),
        ("select", "XL", "not-a-choice"),
        ("select", ["S"], "not-text"),
        ("multi_select", ["S", "XL"], "not-a-choice"),
        ("multi_select", "S", "not-a-list"),
        ("list", "x", "not-a-list"),
        ("file_upload", "../../.env", "bad-path"),
        ("file_upload", "file:///etc/passwd", "bad-url"),
    ],
)
def test_a_value_of_another_type_is_refused(type_: str, wrong: Any, code: str) -> None:
    assert codes(type_, wrong) == {code}


def test_the_options_of_a_list_are_held() -> None:
    assert value("list", ["a"], options=["a", "b"]) == ["a"]
    assert codes("list", ["c"], options=["a", "b"]) == {"not-a-choice"}


def test_a_choice_is_told_the_nearest_option() -> None:
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
def test_a_value_in_a_file_is_text_as_written(type_: str, text: str, wire: Any) -> None:
    assert value(type_, text, authored=True) == wire


@pytest.mark.parametrize("type_", TYPES)
def test_null_clears_a_value(type_: str) -> None:
    assert value(type_, None) is None


@pytest.mark.parametrize(
    ("type_", "empty"),
    [("text", None), ("text", ""), ("text", " \n"), ("markdown", "\t"), ("multi_select", []), ("number", None)],
)
def test_a_required_value_may_not_be_empty(type_: str, empty: Any) -> None:
    assert codes(type_, empty, is_required=True) == {"required"}


def test_a_value_that_is_not_required_may_be_blank() -> None:
    assert value("text", " ") == " "


def test_zero_and_false_are_values() -> None:
    assert value("number", 0, is_required=True) == 0
    assert value("checkbox", False, is_required=True) is False


def test_a_required_value_must_be_given_on_create_only() -> None:
    context = defined("text", is_required=True)
    assert faults(Kind.LISTING, {"name": "Lathe"}, context) == {("extra", "required")}
    assert faults(Kind.LISTING, {"name": "New lathe"}, context, stored={"name": "Lathe", "extra": "x"}) == set()


def test_a_field_that_is_not_defined_is_an_unknown_key() -> None:
    assert faults(Kind.LISTING, {"name": "Lathe", "extra": "x"}) == {("extra", "unknown-key")}


def test_an_unknown_key_is_told_the_nearest_custom_field() -> None:
    (violation,) = violations(Kind.LISTING, {"name": "Lathe", "exra": "x"}, defined("text"))
    assert violation.hint == "did you mean 'extra'?"


@pytest.mark.parametrize("kind", [Kind.ORGANIZER, Kind.ARTICLE])
def test_organizers_and_articles_have_custom_fields_too(kind: Kind) -> None:
    definition = check(FIELD, {"label": "Extra", "type": "number", "fieldable_type": str(kind)}, WIRE)
    context = Context(custom_fields={kind: {"extra": definition}})
    assert check(kind, least(kind, extra=3), context)["extra"] == 3
    assert faults(kind, least(kind, extra="x"), context) == {("extra", "not-a-number")}
    assert faults(Kind.LISTING, least(Kind.LISTING, extra=3), context) == {("extra", "unknown-key")}
