"""The blog as RSS and Atom."""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from ..conftest import Api
from .conftest import Clock, Reader

ATOM = "{http://www.w3.org/2005/Atom}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"


def atom(reader: Reader) -> Element:
    answer = reader.ask("/atom.xml")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/atom+xml; charset=utf-8")
    return ElementTree.fromstring(answer.content)


def rss(reader: Reader) -> Element:
    """Return the channel of the RSS feed."""
    answer = reader.ask("/feed.xml")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/rss+xml; charset=utf-8")
    channel = ElementTree.fromstring(answer.content).find("channel")
    assert channel is not None
    return channel


def test_feeds_contain_whole_articles_newest_first(api: Api, reader: Reader) -> None:
    for day in ("01", "03", "02"):
        api.make("articles", title=f"Day {day}", markdown=f"*{day}*", published_at=f"2026-01-{day}T10:00:00Z")
    assert [each.text for each in rss(reader).findall("item/title")] == ["Day 03", "Day 02", "Day 01"]
    assert rss(reader).findtext(f"item/{CONTENT}") == "<p><em>03</em></p>\n"
    assert [each.text for each in atom(reader).findall(f"{ATOM}entry/{ATOM}title")] == ["Day 03", "Day 02", "Day 01"]
    assert atom(reader).findtext(f"{ATOM}entry/{ATOM}content") == "<p><em>03</em></p>\n"


def test_a_feed_entry_has_its_link_date_and_categories(api: Api, reader: Reader) -> None:
    made = api.make(
        "articles", title="A", markdown="B", published_at="2026-01-31T10:00:00Z", categories=["News", "R&D"]
    )
    item = rss(reader).find("item")
    assert item is not None
    assert item.findtext("link") == item.findtext("guid") == made["article_url"] == f"{reader.site}/blog/a/"
    assert item.findtext("pubDate") == "Sat, 31 Jan 2026 10:00:00 GMT"
    assert [each.text for each in item.findall("category")] == ["News", "R&D"]

    feed = atom(reader)
    entry = feed.find(f"{ATOM}entry")
    assert entry is not None
    assert entry.findtext(f"{ATOM}id") == made["article_url"]
    assert entry.findtext(f"{ATOM}published") == "2026-01-31T10:00:00.000000Z"
    assert entry.findtext(f"{ATOM}updated") == feed.findtext(f"{ATOM}updated") == made["updated_at"]


def test_links_and_images_in_feeds_are_absolute(api: Api, reader: Reader) -> None:
    api.make("articles", title="A", markdown="[b](/pages/b/) ![c](/c.png)")
    content = str(rss(reader).findtext(f"item/{CONTENT}"))
    assert f'href="{reader.site}/pages/b/"' in content
    assert f'src="{reader.site}/c.png"' in content


@pytest.mark.parametrize(
    "text", ["a ]]> b <![CDATA[ c", "<script>alert(1)</script>", 'Tom & Jerry\'s "show"', "a\u0085b\u2028c\U0001f600"]
)
def test_feeds_are_well_formed_for_any_article(api: Api, reader: Reader, text: str) -> None:
    """XS-10"""
    api.make("articles", title=text, markdown="A", categories=[text], seo={"description": text})
    item, entry = rss(reader).find("item"), atom(reader).find(f"{ATOM}entry")
    assert item is not None
    assert entry is not None
    assert item.findtext("title") == entry.findtext(f"{ATOM}title") == text
    assert item.findtext("description") == entry.findtext(f"{ATOM}summary") == text
    assert item.findtext("category") == text


def test_feeds_contain_no_scripts(api: Api, reader: Reader) -> None:
    """XS-10"""
    api.make("articles", title="A", content='<img src="/a.png" onerror="alert(1)"><script>alert(1)</script>b')
    content = str(rss(reader).findtext(f"item/{CONTENT}"))
    assert "alert" not in content
    assert content.endswith("b")


def test_an_article_is_in_the_feeds_from_its_publication_on(api: Api, reader: Reader, clock: Clock) -> None:
    """TM-08"""
    api.make("articles", title="Soon", markdown="A", published_at="2030-01-01T10:00:00Z")
    for moment, there in (("2030-01-01T09:59:59.999999Z", False), ("2030-01-01T10:00:00.000000Z", True)):
        clock.moment = moment
        assert bool(rss(reader).findall("item")) is there
        assert bool(atom(reader).findall(f"{ATOM}entry")) is there


def test_a_feed_is_in_the_requested_language(polyglot: Reader) -> None:
    polyglot.api.make("articles", title="A", markdown="B", translations={"fr": {"title": "Un", "markdown": "Deux"}})
    polyglot.api.make("articles", title="C", markdown="D")
    french = polyglot.speaking("fr")
    assert rss(polyglot).findtext("language") == "en"
    assert rss(french).findtext("language") == "fr"
    links = {item.findtext("title"): item.findtext("link") for item in rss(french).findall("item")}
    assert links == {"Un": f"{polyglot.site}/blog/a/?locale=fr", "C": f"{polyglot.site}/blog/c/"}
    own = [each.get("href") for each in atom(french).findall(f"{ATOM}link")]
    assert own == [f"{polyglot.site}/atom.xml?locale=fr", f"{polyglot.site}/blog/?locale=fr"]


def test_a_blog_without_articles_has_empty_feeds(reader: Reader) -> None:
    assert rss(reader).findtext("title") == "Blog of Tools"
    assert atom(reader).findtext(f"{ATOM}updated")


def test_a_feed_has_a_limited_size(api: Api, reader: Reader) -> None:
    """XS-16: articles beyond the limit have a summary."""
    for number, length in ((1, 100_000), (2, 200_000), (3, 10)):
        api.make("articles", title=f"A{number}", markdown="word " * (length // 5), published_at=f"2026-01-0{number}")
    items, entries = rss(reader).findall("item"), atom(reader).findall(f"{ATOM}entry")
    assert [each.findtext("title") for each in items] == ["A3", "A2", "A1"]
    assert [each.find(CONTENT) is not None for each in items] == [True, True, False]
    assert [each.find(f"{ATOM}content") is not None for each in entries] == [True, True, False]
    assert str(items[2].findtext("description")).startswith("word word")
