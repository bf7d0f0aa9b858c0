"""Values of custom fields (docs/contract.md 14, 15)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import errors, refused_fields

# A value of each type, and one that is none.
VALUES: dict[str, tuple[Any, Any]] = {
    "text": ("any", 7),
    "number": (1.5, "much"),
    "date": ("2026-03-01", "2026-02-30"),
    "file_upload": ("files/a.pdf", "../a.pdf"),
    "url": ("https://example.org", "example.org"),
    "email": ("ada@example.org", "ada"),
    "rich_editor": ("<p>x</p>", []),
    "markdown": ("*x*", {}),
    "textarea": ("two\nlines", True),
    "checkbox": (False, 0),
    "rating": (4.5, 6),
    "select": ("S", "XL"),
    "list": (["any"], "[any]"),
    "multi_select": (["S", "M"], ["S", "XL"]),
    "button": ("https://example.org", "javascript:alert(1)"),
    "javascript": ("alert(1)", 7),
    "html": ("<p>x</p>", 7),
}


@pytest.mark.parametrize(
    ("collection", "fieldable", "body"),
    [
        ("projects", "listing", {"name": "Lathe"}),
        ("organizers", "organizer", {"name": "Atelier"}),
        ("articles", "article", {"title": "News", "markdown": "x"}),
    ],
)
def test_a_custom_field_value_must_have_its_type_and_be_an_option(
    api: Api, collection: str, fieldable: str, body: dict[str, Any]
) -> None:
    """docs/contract.md 2.3, 15."""
    for type_ in VALUES:
        options = {"options": ["S", "M"]} if type_ in ("select", "multi_select") else {}
        api.make("custom-fields", label=f"My {type_}", type=type_, fieldable_type=fieldable, **options)
    right = {f"my_{type_}": value for type_, (value, _) in VALUES.items()}
    wrong = {f"my_{type_}": value for type_, (_, value) in VALUES.items()}
    record = api.make(collection, **body, **right)
    assert {name: record[name] for name in right} == right
    reported = refused_fields(api.put(f"/{collection}/{record['id']}", {**body, **wrong}))
    assert {name.split(".")[0] for name in reported} == wrong.keys()
    assert api.show(collection, record["id"]) == record
    cleared = api.change(collection, record["id"], **body, **dict.fromkeys(right))
    assert {name: cleared[name] for name in right} == dict.fromkeys(right)


# Texts that stand for a value, which clients of the hosted service send.
TEXTS: dict[str, dict[str, Any]] = {
    "number": {"12": 12, "-4.5": -4.5},
    "rating": {"4.5": 4.5},
    "checkbox": {"true": True, "1": True, "false": False, "0": False},
    "list": {"Italian, Pasta": ["Italian", "Pasta"], '["a, b"]': ["a, b"]},
    "multi_select": {"S, M": ["S", "M"], '["S","M"]': ["S", "M"], "S": ["S"]},
}


@pytest.mark.parametrize("type_", TEXTS)
def test_a_value_sent_as_text_is_returned_in_its_type(api: Api, type_: str) -> None:
    """docs/contract.md 19."""
    options = {"options": ["S", "M"]} if type_ == "multi_select" else {}
    api.make("custom-fields", label="Extra", type=type_, **options)
    for text, value in TEXTS[type_].items():
        listing = api.make("projects", name="Lathe", extra=text)
        assert (listing["extra"], type(listing["extra"])) == (value, type(value))
        assert api.show("projects", listing["id"])["extra"] == value
        bulk = api.post("/projects/bulk", {"listings": [{"name": "Saw", "extra": text}]}).json()
        assert bulk["data"][0]["extra"] == value
        same = api.change("projects", listing["id"], extra=value)
        assert same["updated_at"] == listing["updated_at"]
        assert api.change("projects", listing["id"], extra="")["extra"] is None


@pytest.mark.parametrize(
    ("type_", "wrong", "expected"),
    [
        ("number", "much", 'extra must be a number, such as 4.5 or "4.5" (write it in digits, such as 48.5)'),
        ("rating", "9", "extra must be at most 5"),
        (
            "checkbox",
            "maybe",
            'extra must be true or false, or "true", "yes", "on", "1", "false", "no", "off" or "0"',
        ),
        ("list", "[a]", 'extra must be a list, or a list as text, such as ["a", "b"] or "a, b"'),
    ],
)
def test_an_unreadable_text_is_refused_with_the_accepted_form(api: Api, type_: str, wrong: str, expected: str) -> None:
    """docs/contract.md 19."""
    api.make("custom-fields", label="Extra", type=type_)
    assert errors(api.post("/projects", {"name": "Lathe", "extra": wrong})) == {"extra": [expected]}


def test_a_default_value_does_not_fill_any_record(api: Api) -> None:
    """docs/contract.md 15: a field that a client omits stays without a value."""
    api.make("custom-fields", label="Licence", type="text", default_value="MIT")
    assert api.make("projects", name="Lathe")["licence"] is None
