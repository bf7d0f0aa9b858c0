"""Code for browsers is stored as plain data (docs/faults.md XS-09, XS-10, XS-12; design rule 9)."""

import json
from typing import Any

import pytest

from ..conftest import Api
from .answers import refused_fields

SCRIPT = "</script><!--<script>alert(1)</script>"


def test_json_ld_is_returned_as_a_json_object(api: Api) -> None:
    """XS-09."""
    for sent_schema in ({"@type": "Thing", "name": SCRIPT}, json.dumps({"@type": "Thing", "name": SCRIPT})):
        listing = api.make("projects", name="Lathe", schema=sent_schema)
        response = api.get(f"/projects/{listing['id']}")
        assert response.json()["data"]["schema"] == {"@type": "Thing", "name": SCRIPT}
        assert response.headers["Content-Type"].startswith("application/json")


@pytest.mark.parametrize("schema", [SCRIPT, "[]", "1", f'{{"a": 1}}{SCRIPT}', [1]])
def test_json_ld_that_is_not_an_object_is_refused(api: Api, schema: Any) -> None:
    """XS-09: it would be pasted into a page."""
    assert refused_fields(api.post("/projects", {"name": "Lathe", "schema": schema})) == {"schema"}


@pytest.mark.parametrize("text", ['"><script>alert(1)</script>', "a]]>b", "Tom & Jerry's", "{{7*7}}${7*7}<%= 7 %>"])
def test_texts_are_returned_as_they_were_sent(api: Api, text: str) -> None:
    """XS-10, XS-14: the client that shows a text escapes it."""
    page = api.make("pages", title=text, slug="a", markdown=text, seo={"title": text, "description": text})
    assert api.show("pages", page["id"]) == page
    assert (page["title"], page["markdown"], page["seo"]["title"]) == (text, text, text)


@pytest.mark.parametrize("character", ["\x00", "\x08", "\x1b", "\x7f"])
def test_characters_that_no_feed_can_contain_are_refused(api: Api, character: str) -> None:
    """XS-10."""
    body = {"title": "A", "slug": "a", "markdown": f"a{character}b", "seo": {"description": f"a{character}b"}}
    assert refused_fields(api.post("/pages", body)) == {"markdown", "seo.description"}


def test_html_of_the_operator_is_only_stored(api: Api) -> None:
    """XS-12: whether a site shows it is the site's decision."""
    listing = api.make("projects", name="Lathe", head_html=SCRIPT)
    api.make("custom-fields", label="Widget", type="javascript")
    assert api.change("projects", listing["id"], widget=SCRIPT)["widget"] == SCRIPT
    assert api.show("projects", listing["id"])["head_html"] == SCRIPT
