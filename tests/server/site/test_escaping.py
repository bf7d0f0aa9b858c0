"""Texts stay texts: in elements, attributes, addresses, scripts and feeds."""

from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from xml.etree.ElementTree import fromstring

import pytest

from ..conftest import Api
from .conftest import ON_ONE_DATABASE, SEEN_OF_A_SITE, Reader
from .html_document import Document

pytestmark = ON_ONE_DATABASE

PAYLOADS = (
    "\"'><svg onload=alert(1)>",
    "</title></textarea></script></style><img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "&quot; onmouseover=alert(1) x=&quot;",
    "{{7*7}}{%x%}{#y#}${7*7}{0.__class__}<%=7*7%>#{7*7}",
    "--><!--<script>",
    "]]><x>",
)


def filled(payload: str) -> dict[str, dict[str, Any]]:
    """Return an entry of each collection with the payload in every text; bodies have tests of their own (markup/)."""
    short = payload[:255]
    seo = dict.fromkeys(("title", "keywords", "og_title", "card_title", "description"), short)
    return {
        "categories": {"title": short, "slug": "c", "description": payload, "icon": short}
        | {"seo_title": short, "seo_description": payload, "head_html": payload},
        "tags": {"title": short, "slug": "t", "icon": short, "show_icon": True},
        "custom-fields": {"label": short, "name": "field", "type": "text", "show_on_card": True, "show_label": True}
        | {"value_prefix": short, "value_suffix": short, "icon": short, "show_icon": True},
        "organizers": {"name": short, "slug": "o", "description": payload, "phone": short, "address": short}
        | {"social_links": {short[:64]: "https://example.org/?a='b"}, "logo": "a'b.png"},
        "projects": {"name": short, "slug": "l", "description": payload, "phone_number": short, "address": short}
        | {"image_url": "https://img.example.org/a", "image_alt_text": short, "logo_alt_text": short}
        | {"logo_url": "https://img.example.org/?'a", "seo_title": short, "seo_description": payload}
        | {"schema": {"@type": "Product", payload: payload}, "field": payload, "is_featured": True},
        "articles": {"title": short, "slug": "a", "markdown": "x", "categories": [short], "seo": seo}
        | {"thumbnail_alt_text": short, "thumbnail_url": "https://img.example.org/?'a"},
        "pages": {"title": short, "slug": "p", "placement": "navbar", "seo": {"title": short, "description": payload}},
    }


class ParsedPage(HTMLParser):
    """The elements, texts and handlers that a browser sees in a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.handlers: list[str] = []
        self.elements: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name == "style" or name == "x"]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_text_is_shown_as_it_is_written(api: Api, payload: str) -> None:
    """XS-10, XS-14: in every text field, on every page."""
    directory = api.service.directory("Odd", api.user, organizers_label=payload[:255])
    plain, odd = (Reader(each) for each in (api, directory))
    for reader, text in ((plain, "Plain"), (odd, payload)):
        made: dict[str, int] = {}
        for collection, fields in filled(text).items():
            if collection == "projects":
                fields |= {name: [made[name]] for name in ("categories", "tags", "organizers")}
            made[collection] = reader.api.make(collection, **fields)["id"]
    for path in (*SEEN_OF_A_SITE[:4], "/categories/c/", "/organizers/o/", "/listings/l/", "/blog/a/", "/pages/p/"):
        found = ParsedPage(odd.ask(path).text)
        assert found.handlers == []
        assert found.elements == ParsedPage(plain.ask(path).text).elements, path  # those that a plain text makes
    shown = " ".join(payload.split())
    for path in ("/categories/c/", "/organizers/o/", "/listings/l/", "/blog/a/", "/pages/p/"):
        assert shown in odd.read(path).one("h1").text
        assert shown in odd.read(path).title


@pytest.mark.parametrize("payload", PAYLOADS)
def test_feeds_and_structured_data_stay_well_formed(api: Api, reader: Reader, payload: str) -> None:
    """XS-09, XS-10"""
    api.make("articles", **filled(payload)["articles"])
    for feed in ("/feed.xml", "/atom.xml", "/sitemap.xml"):
        fromstring(reader.ask(feed).text)
    titles = [each.text for each in fromstring(reader.ask("/atom.xml").text).iter() if each.tag.endswith("}title")]
    assert payload[:255] in titles
    posting = reader.read("/blog/a/").json_ld("BlogPosting")
    assert posting["headline"] == payload[:255]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_search_text_is_escaped(api: Api, reader: Reader, payload: str) -> None:
    """XS-10, XS-14: no part of the address becomes markup."""
    api.make("projects", name="Adze")
    plain = ParsedPage(reader.ask("/", q="plain").text)
    page = reader.ask("/", q=payload)
    found = ParsedPage(page.text)
    assert (sorted(found.elements), found.handlers) == (sorted(plain.elements), [])
    assert Document(page.text).one("form", class_="filters").one("input", name="q")["value"] == " ".join(
        payload.split()
    )
    for name in ("page", "category", "tag", "locale", "utm", payload):
        assert not ({"svg", "x"} & set(ParsedPage(reader.ask("/", **{name: payload}).text).elements))
    answer = api.service.visit("GET", f"{reader.mount}/{payload.replace('/', '').replace('?', '').replace('#', '')}")
    assert answer.status_code == 404
    assert ParsedPage(answer.text).handlers == []


@pytest.mark.parametrize("payload", PAYLOADS)
def test_the_words_of_a_search_and_its_filters_are_escaped(api: Api, payload: str) -> None:
    """XS-10, XS-14: in the title, in the links that remove a filter, and around the words that are highlighted."""
    pages = []
    for text in ("Plain", payload):
        reader = Reader(api.service.directory("Odd", api.user))
        query = make_searchable(reader.api, text)
        pages.append(reader.ask("/", **query).text)
        chips = Document(pages[-1]).all("a", class_="chip")
        label, typed = " ".join(text.split()), " ".join(query["q"].split())
        assert [chip.one("bdi").text for chip in chips] == [label, label, label, "Yes", "≥ 1", f"“{typed}”"]
        assert [each.text for chip in chips for each in chip.all(class_="meta")] == [label, label, label]
        for name, chip in zip(query, chips, strict=True):
            link = urlsplit(chip["href"])
            assert (link.scheme, link.netloc, link.path) == ("", "", f"{reader.mount}/")
            assert dict(parse_qsl(link.query)) == {other: query[other] for other in query if other != name}
        card = Document(pages[-1]).one("li", class_="card")
        assert [card.one("h2").text, card.one(class_="summary").text] == [label, label]
        assert all(part.all("mark") for part in (card.one("h2"), card.one(class_="summary")))
    plain, found = map(ParsedPage, pages)
    assert found.handlers == []
    assert [each for each in found.elements if each != "mark"] == [each for each in plain.elements if each != "mark"]


def make_searchable(api: Api, text: str) -> dict[str, str]:
    """Create a listing with the text in every searchable field; return the query with every filter."""
    fields = {"filterable": True, "label": text, "show_on_card": True}
    api.make("custom-fields", name="choice", type="select", options=[text], **fields)
    api.make("custom-fields", name="flag", type="checkbox", **fields)
    api.make("custom-fields", name="size", type="number", **fields)
    links = {
        "categories": [api.make("categories", title=text, slug="c")["id"]],
        "tags": [api.make("tags", title=text, slug="t")["id"]],
    }
    api.make("projects", name=text, description=text, choice=text, flag=True, size=1, **links)
    return {"category": "c", "tag": "t", "field.choice": text, "field.flag": "yes", "field.size.min": "1", "q": text}


@pytest.mark.parametrize("payload", PAYLOADS)
def test_other_kinds_in_search_results_are_escaped(api: Api, payload: str) -> None:
    """XS-10, XS-14"""
    pages = []
    for text in ("Plain", payload):
        reader = Reader(api.service.directory("Odd", api.user))
        reader.api.make("articles", title=text, markdown="x")
        reader.api.make("pages", title=text, placement="navbar", markdown="x")
        reader.api.make("organizers", name=text)
        pages.append(reader.ask("/", q=text).text)
        titles = [each.text for each in Document(pages[-1]).all("h3", class_="card-title")]
        assert titles == [" ".join(text.split())] * 3
    plain, found = map(ParsedPage, pages)
    assert (found.elements, found.handlers) == (plain.elements, [])
