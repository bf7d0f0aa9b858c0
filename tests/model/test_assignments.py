"""New values of fields, as a user writes them for many entries."""

from datetime import UTC

import pytest

from contentsync.errors import UsageError
from contentsync.model import Kind
from contentsync.model.assignments import Assignment, is_assignment, parse_assignments
from contentsync.model.named_fields import FieldNames

NAMES = FieldNames(Kind.LISTING, {"price": {"type": "number"}, "sizes": {"type": "list"}}, ["fr"], UTC)
PAGES = FieldNames(Kind.PAGE)


def parsed(*words: str, unset: tuple[str, ...] = (), names: FieldNames = NAMES) -> list[tuple[str, str, str]]:
    return [(each.field.name, each.operator.value, each.text) for each in parse_assignments(words, unset, names)]


def refusal(*words: str, unset: tuple[str, ...] = (), names: FieldNames = NAMES) -> tuple[str, str]:
    with pytest.raises(UsageError) as caught:
        parse_assignments(words, unset, names)
    return caught.value.message, caught.value.hint


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("price=20", ("price", "=", "20")),
        ("price=-20", ("price", "=", "-20")),
        (" price = 20 ", ("price", "=", "20")),
        ("email=", ("email", "=", "")),
        ("description=a=b += c", ("description", "=", "a=b += c")),
        ("description='a' and \"b\"", ("description", "=", "'a' and \"b\"")),
        ("description=one\ntwo", ("description", "=", "one\ntwo")),
        ("tags+=bike|car", ("tags", "+=", "bike|car")),
        ("tags -= bike", ("tags", "-=", "bike")),
        ("social_links.github=https://example.org/?a=b", ("social_links.github", "=", "https://example.org/?a=b")),
    ],
)
def test_a_word_is_a_field_an_operator_and_a_text(word: str, expected: tuple[str, str, str]) -> None:
    assert parsed(word) == [expected]


def test_fields_to_unset_come_last() -> None:
    assert parsed("price=1", unset=("email", "seo_title")) == [
        ("price", "=", "1"),
        ("email", "--unset", ""),
        ("seo_title", "--unset", ""),
    ]


def test_items_can_be_added_and_removed_at_once() -> None:
    assert parsed("tags+=a", "tags-=b", "tags+=c") == [("tags", "+=", "a"), ("tags", "-=", "b"), ("tags", "+=", "c")]


def test_a_word_without_an_equals_sign_is_not_an_assignment() -> None:
    assert [is_assignment(word) for word in ("price=1", "tags-=a", "site", "./site/")] == [True, True, False, False]
    assert refusal("site", "price=1")[0] == "'site' is not FIELD=VALUE"


def test_an_unknown_field_is_refused_with_the_nearest() -> None:
    assert refusal("prise=5") == ("'prise=5': listings have no field 'prise'", "did you mean 'price'?")
    assert refusal(unset=("prise",))[0] == "--unset prise: listings have no field 'prise'"


@pytest.mark.parametrize("name", ["url", "slug"])
def test_the_identity_of_a_listing_is_refused(name: str) -> None:
    message, hint = refusal(f"{name}=https://example.org/")
    assert message.endswith(f"listings are found by their {name}, which set does not change")
    assert hint.startswith("contentsync mv listing/KEY NEW")
    assert refusal(unset=(name,))[0].startswith(f"--unset {name}: ")


def test_the_key_of_another_kind_is_refused() -> None:
    assert "slug" in refusal("slug=about", names=PAGES)[0]
    assert "name" in refusal("name=price", names=FieldNames(Kind.CUSTOM_FIELD))[0]


def test_a_name_that_no_file_has_is_refused() -> None:
    assert refusal("_file=a.md")[0] == "'_file=a.md': _file is not a field of the files"
    assert "first of its categories" in refusal("category_id=tools")[0]


@pytest.mark.parametrize(
    ("words", "unset"),
    [(["price=1", "price=2"], ()), (["price=1"], ("price",)), (["tags=a", "tags+=b"], ()), ([], ("email", "email"))],
)
def test_a_field_has_one_value(words: list[str], unset: tuple[str, ...]) -> None:
    assert refusal(*words, unset=unset)[0].endswith(" is assigned twice")


def test_an_object_and_a_key_in_it_are_not_assigned_together() -> None:
    message, _ = refusal("social_links.github=https://a.example.org/", unset=("social_links",))
    assert message == "social_links.github and social_links are assigned, and one is a part of the other"
    assert parsed("seo_title=a", "seo_description=b")  # names with the same beginning


def test_a_field_of_another_language_has_a_dotted_name() -> None:
    names = FieldNames(Kind.ARTICLE, locales=["fr"])
    (assignment,) = parse_assignments(["translations.fr.title=Bonjour"], (), names)
    assert assignment == Assignment(names.find("translations.fr.title"), assignment.operator, "Bonjour")
