"""contentsync.content.text.links: which links of a text stay on the site, and when it has to be parsed to know."""

import subprocess
import sys
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.content.text.links import Link, links_in, markdown_links, may_hold_links
from contentsync.model.markdown_budget import TooIntricate

from ...growth import grows_evenly


def targets(text: str, *, html: bool = False) -> list[str]:
    return [link.target for link in links_in(text, html=html)]


@pytest.mark.parametrize("target", ["a.png", "/blog/x/", "../b.md#part", "x"])
@pytest.mark.parametrize(
    "text",
    [
        "[x](TARGET)",
        "[x](TARGET 'title')",
        "[x](<TARGET>)",
        "[x](\n  TARGET\n)",
        "[x][y]\n\n[y]: TARGET",
        "[x][y]\n\n[y]:\n  <TARGET>",
        "> [x][y]\n>\n> [y]:\n> TARGET",
        "[![x](https://a.example/a.png)](TARGET)",
        "![x](/a.png) [x](TARGET)",
        r"\![x](TARGET)",
        "[write `![` here](TARGET)",
        "[write <b title='!['> here](TARGET)",
        "> - [x](TARGET)",
        "**bold [x](TARGET)**",
        "| a |\n|---|\n| [x](TARGET) |",
        'text <a title="x" href="TARGET">x</a> text',
        "<div>\n<A HREF = 'TARGET'>x</a>\n</div>",
        "<a href=TARGET>x</a>",
        "<a href=' TARGET '>x</a>",
    ],
)
def test_a_link_that_stays_is_found(text: str, target: str) -> None:
    assert targets(text.replace("TARGET", target)) == [target]


@pytest.mark.parametrize(
    "text", ["![x](a.png)", "![x][y]\n\n[y]: a.png", '<img alt="x" src="a.png">', "<img src=a.png/>"]
)
def test_an_image_is_found_where_its_target_is_relative(text: str) -> None:
    (link,) = links_in(text)
    assert link.embedded
    assert link.is_relative
    assert links_in(text.replace("a.png", "/a.png")) == []


@pytest.mark.parametrize(
    "text",
    [
        "[x](#a)",
        "[x](?page=2)",
        "[x](https://a.example/b)",
        "[x](HTTPS://a.example/b)",
        "[x](mailto:a@example.com)",
        "[x](//a.example)",
        "[x]()",
        "<https://a.example/b>",
        "`[x](a.png)`",
        "```\n[x](a.png)\n```",
        "    [x](a.png)",
        r"\[x](a.png)",
        "[x]\n\n    [x]: a.png",
        "[unused]: a.png",
        "a.png",
        "<!-- <img src='a.png'> -->",
        "<img alt='src=a.png'>",
        '<a href="https://a.example">x</a>',
        "<p src=a.png>",
    ],
)
def test_what_leads_away_or_is_no_link_is_left_alone(text: str) -> None:
    """FI-09"""
    assert links_in(text) == []


def test_markdown_in_html_is_text() -> None:
    assert targets('<p>[x](a.png)</p><a href="/blog/x/">', html=True) == ["/blog/x/"]


def test_the_place_of_a_link_is_that_of_its_target() -> None:
    text = "a.png\nsee [a.png](a.png 'a.png')"
    assert links_in(text) == [Link("a.png", 18)]
    text = "<p>a.png <img class=\"a.png\" src=' a.png'></p>"
    assert links_in(text, html=True) == [Link("a.png", 34, embedded=True)]


def test_each_of_several_links_to_one_target_has_its_place() -> None:
    assert [link.offset for link in links_in("[x](a) [y](<a>)\n\n- ![z]( a 'b')\n\n<a href='a'>")] == [4, 12, 25, 42]


def test_a_link_by_reference_stands_where_that_is_defined() -> None:
    text = "[x][y], [y] and [z](a)\n\n> [y]: a\n"
    assert [link.offset for link in links_in(text)] == [31, 31, 20]
    assert [link.offset for link in links_in("[y] [y]\n\n[y]: a")] == [14, 14]


def test_a_definition_has_its_place_where_the_target_stands_in_a_link_behind_it() -> None:
    assert [link.offset for link in links_in("[y]: a\n\n![z](a) [y]")] == [13, 5]


@pytest.mark.parametrize("before", ["[^1]: ", "[](", "[Note]: !"])
def test_what_looks_like_the_start_of_a_target_does_not_hide_the_link_in_it(before: str) -> None:
    text = f"{before}[x](a.md) for more"
    assert [link.offset for link in links_in(text)] == [text.index("a.md")]


def test_a_target_that_is_written_otherwise_has_the_place_of_its_block() -> None:
    assert links_in("Text\n\n[x](a&amp;b)") == [Link("a&b", 6)]


@pytest.mark.parametrize(
    "text",
    [
        "No link at all.",
        "- [ ] to do\n- [x] done [1]",
        "[x](https://a.example) ![x](https://a.example/a.png) [x]( <mailto:a@example.com> )",
        "![x](/uploads/a.png) and ![](/b.png 'title')",
        "[x][y]\n\n[y]: https://a.example",
        '<a href="https://a.example">x</a> <img src="/a.png">',
        "<https://a.example> a < b, <b>c</b>",
    ],
)
def test_a_text_that_surely_holds_no_such_link_is_not_parsed(text: str) -> None:
    assert not may_hold_links(text)


BRACKETS = ("[", "]", "(", ")", "](", "]:", "![", "!", "\\", "<", ">", '<a href="', "<img src='", "href=", "'", '"')
TARGETS = ("/blog/x/", "a.png", "https://a.example", "mailto:x", "#a", "?a", "//a", "&#47;", "\\/", ":", "[x]", "[y]: ")
AROUND = (" ", "\n", "\n\n", "    ", "`", "```\n", "> ", "- ", "*", "|", "<!--", "-->", "<div>\n", "\xa0", "é")
PIECES = st.sampled_from(BRACKETS) | st.sampled_from(TARGETS) | st.sampled_from(AROUND)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_no_text_with_such_a_link_is_passed_over(text: str) -> None:
    assert links_in(text) == [link for link in markdown_links(text) if link.stays]


@pytest.mark.parametrize("html", [False, True])
@pytest.mark.parametrize("part", ["<a ", '<a x="', "<a x=", "<!--", "[", "![", "[x](", "](/", "`", ">", "<div>"])
def test_no_text_takes_long_to_look_at(part: str, html: bool) -> None:
    """XS-16"""

    def look(size: int) -> None:
        with suppress(TooIntricate):
            links_in(part * size + "](x)<a ", html=html)

    assert grows_evenly(look, 2_500)


def test_the_markdown_parser_is_imported_only_for_a_text_that_needs_it() -> None:
    script = (
        "import sys; from contentsync.content.text.links import links_in\n"
        "links_in('[x](https://a.example)'); assert 'markdown_it' not in sys.modules\n"
        "links_in('[x](/blog/x/)'); assert 'markdown_it' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
