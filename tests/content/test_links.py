"""contentsync.content.links and bodies: relative links, told or rewritten."""

import time

import pytest

from contentsync.content.links import rebased, relative_links
from contentsync.errors import Severity

from .conftest import CONFIG, Load, only, spots

BASE = "https://cdn.example.com/site/"
WITH_BASE = CONFIG + f'asset_base_url = "{BASE}"\n'


@pytest.mark.parametrize(
    "body",
    [
        "![x](a.png)",
        "[x](a.png 'title')",
        "[x](<a.png>)",
        "[x][y]\n\n[y]: a.png",
        "> - ![x](a.png)",
        "| a |\n|---|\n| ![x](a.png) |",
        'text <img alt="x" src="a.png"> text',
        "<div>\n<a href='a.png'>x</a>\n</div>",
    ],
)
def test_a_relative_link_is_found_and_rewritten(body: str) -> None:
    links = relative_links(body)
    assert [link.target for link in links] == ["a.png"]
    changed, left = rebased(body, links, "pages/x.md", BASE)
    assert (changed, left) == (body.replace("a.png", f"{BASE}pages/a.png"), [])


@pytest.mark.parametrize(
    "body",
    [
        "[x](/a.png)",
        "[x](#a)",
        "[x](https://a.example/b)",
        "[x](mailto:a@example.com)",
        "[x](//a.example)",
        "[x]()",
        "`[x](a.png)`",
        "```\n[x](a.png)\n```",
        "    [x](a.png)",
        r"\[x](a.png)",
        "a.png",
        '<img src="/a.png">',
        "<!-- <img src='a.png'> -->",
        "<img alt='src=a.png'>",
    ],
)
def test_what_is_no_relative_link_is_left_alone(body: str) -> None:
    """FI-09"""
    assert relative_links(body) == []


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("a.png", "pages/help/a.png"),
        ("./a.png", "pages/help/a.png"),
        ("../img/a.png?v=1#x", "pages/img/a.png?v=1#x"),
        ("../../img/a%20b.png", "img/a%20b.png"),
        (r"a.png?q=\q", r"pages/help/a.png?q=\q"),
    ],
)
def test_a_link_is_followed_from_its_file(target: str, address: str) -> None:
    body = f"![x]({target})"
    assert rebased(body, relative_links(body), "pages/help/x.md", BASE) == (f"![x]({BASE}{address})", [])


def test_a_link_out_of_the_folder_is_not_rewritten() -> None:
    """FI-31"""
    body = "![x](../../.env) ![y](a.png)"
    changed, left = rebased(body, relative_links(body), "pages/x.md", BASE)
    assert changed == f"![x](../../.env) ![y]({BASE}pages/a.png)"
    assert [link.target for link in left] == ["../../.env"]


@pytest.mark.parametrize(
    "example",
    ["`[x](a.png)`", "```\n<img src='a.png'>\n```", "```\n[x](a.png)\n```", '<img alt="a.png" title=" src=\'a.png\'">'],
)
def test_a_text_that_would_change_elsewhere_is_left_as_it_is(example: str) -> None:
    body = f"{example}\n\n![x](a.png)"
    links = relative_links(body)
    assert rebased(body, links, "pages/x.md", BASE) == (body, links)


def test_a_word_like_a_target_is_not_rewritten() -> None:
    body = "see a.png: ![a.png](a.png 'a.png')"
    changed, _ = rebased(body, relative_links(body), "x.md", BASE)
    assert changed == f"see a.png: ![a.png]({BASE}a.png 'a.png')"


def test_links_in_html_are_rewritten_exactly() -> None:
    body = "<p>a.png <img class=\"a.png\" src='a.png'></p>"
    links = relative_links(body, html=True)
    changed, left = rebased(body, links, "articles/x.html", BASE, html=True)
    assert (changed, left) == (f"<p>a.png <img class=\"a.png\" src='{BASE}articles/a.png'></p>", [])


@pytest.mark.parametrize("html", [False, True])
@pytest.mark.parametrize("part", ["<a ", '<a x="', "<a x=", "<!--", "[", "![", "[x](", "`", ">", "<div>"])
def test_no_text_takes_long_to_look_at(part: str, html: bool) -> None:
    """XS-16"""
    started = time.perf_counter()
    relative_links(part * 5_000 + "](x)<a ", html=html)
    assert time.perf_counter() - started < 1


def test_a_relative_link_is_a_warning_at_its_place(read: Load) -> None:
    text = "---\ntitle: A\n---\n\nFirst\nsecond ![x](a.png) and [y](b.md)\n\n    [no](c.png)\n"
    content = read({"pages/a.md": text})
    assert spots(content) == [("pages/a.md", 6, 13, "relative-link"), ("pages/a.md", 6, 28, "relative-link")]
    assert {problem.severity for problem in content.problems} == {Severity.WARNING}
    assert "asset_base_url" in content.problems[0].hint
    assert len(content.entries) == 1


def test_a_relative_link_in_a_translation_is_told_in_its_file(read: Load) -> None:
    content = read(
        {"articles/a.md": "---\ntitle: A\n---\nText\n", "articles/a.fr.md": "---\ntitle: B\n---\n\n![x](a.png)\n"}
    )
    assert spots(content) == [("articles/a.fr.md", 5, 6, "relative-link")]


def test_a_relative_link_in_a_cell_is_told_at_the_cell(read: Load) -> None:
    content = read({"listings/a.csv": 'name,content\nA,"x\n![x](a.png)"\n'})
    assert spots(content) == [("listings/a.csv", 2, 3, "relative-link")]


def test_an_asset_address_rewrites_bodies_and_leaves_places(read: Load) -> None:
    text = "---\ntitle: A\n---\n![x](../img/a.png)\n"
    entry = only(read({"contentsync.toml": WITH_BASE, "pages/a.md": text}))
    assert entry.fields["markdown"] == f"![x]({BASE}img/a.png)"
    assert entry.source is not None
    assert entry.source.where("markdown").line == 4


def test_html_articles_are_looked_at_as_html(read: Load) -> None:
    text = "---\ntitle: A\n---\n<p>[no](a.png)</p>\n<img src=b.png>\n<img src='c.png'>\n"
    content = read({"articles/a.html": text})
    assert spots(content) == [("articles/a.html", 5, 10, "relative-link"), ("articles/a.html", 6, 11, "relative-link")]
