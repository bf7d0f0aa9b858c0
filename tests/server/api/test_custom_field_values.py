"""Values of custom fields (resolved.md, Listings, Categories, tags, custom fields)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import refused

# A value of each type, and one that is none.
VALUES: dict[str, tuple[Any, Any]] = {
    "text": ("any", 7),
    "number": (1.5, "1.5"),
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
    "list": (["any"], "any"),
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
def test_a_value_is_of_its_fields_type_and_among_its_options(
    api: Api, collection: str, fieldable: str, body: dict[str, Any]
) -> None:
    """service-api.md 2.3; resolved.md, Categories, tags, custom fields."""
    for type_ in VALUES:
        options = {"options": ["S", "M"]} if type_ in ("select", "multi_select") else {}
        api.make("custom-fields", label=f"My {type_}", type=type_, fieldable_type=fieldable, **options)
    right = {f"my_{type_}": value for type_, (value, _) in VALUES.items()}
    wrong = {f"my_{type_}": value for type_, (_, value) in VALUES.items()}
    record = api.make(collection, **body, **right)
    assert {name: record[name] for name in right} == right
    told = refused(api.put(f"/{collection}/{record['id']}", {**body, **wrong}))
    assert {name.split(".")[0] for name in told} == wrong.keys()
    assert api.show(collection, record["id"]) == record
    cleared = api.change(collection, record["id"], **body, **dict.fromkeys(right))
    assert {name: cleared[name] for name in right} == dict.fromkeys(right)


def test_a_default_value_is_for_forms_and_fills_no_record(api: Api) -> None:
    """resolved.md, Categories, tags, custom fields: what a client leaves out stays without a value."""
    api.make("custom-fields", label="Licence", type="text", default_value="MIT")
    assert api.make("projects", name="Lathe")["licence"] is None
