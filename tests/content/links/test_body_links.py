"""content.links.body_links: which links of a text stay on the site, and when it has to be parsed to know."""

import subprocess
import sys
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.content.links.body_links import (
    BodyLink,
    internal_links,
    markdown_links,
    may_contain_links,
    path_fault,
)
from contentsync.content.links.parsed_body import ParsedBody
from contentsync.model.markdown_budget import TooIntricate

from ...growth import grows_evenly
from ...sampling import sampled


def internal(text: str, *, html: bool = False) -> list[BodyLink]:
    return internal_links(ParsedBody(text), html=html)


def targets(text: str, *, html: bool = False) -> list[str]:
    return [link.target for link in internal(text, html=html)]


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
def test_an_internal_link_is_found(text: str, target: str) -> None:
    assert targets(text.replace("TARGET", target)) == [target]


@pytest.mark.parametrize(
    "text", ["![x](a.png)", "![x][y]\n\n[y]: a.png", '<img alt="x" src="a.png">', "<img src=a.png/>"]
)
def test_an_image_with_a_relative_target_is_found(text: str) -> None:
    (link,) = internal(text)
    assert link.embedded
    assert link.is_relative
    assert internal(text.replace("a.png", "/a.png")) == []


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
def test_external_links_and_similar_texts_are_not_internal_links(text: str) -> None:
    """FI-09"""
    assert internal(text) == []


def test_markdown_syntax_in_html_is_text() -> None:
    assert targets('<p>[x](a.png)</p><a href="/blog/x/">', html=True) == ["/blog/x/"]


def test_a_link_is_located_at_its_target() -> None:
    text = "a.png\nsee [a.png](a.png 'a.png')"
    assert internal(text) == [BodyLink("a.png", 18)]
    text = "<p>a.png <img class=\"a.png\" src=' a.png'></p>"
    assert internal(text, html=True) == [BodyLink("a.png", 34, embedded=True)]


def test_each_of_several_links_to_one_target_has_its_location() -> None:
    assert [link.offset for link in internal("[x](a) [y](<a>)\n\n- ![z]( a 'b')\n\n<a href='a'>")] == [
        4,
        12,
        25,
        42,
    ]


def test_a_reference_link_is_located_at_its_definition() -> None:
    text = "[x][y], [y] and [z](a)\n\n> [y]: a\n"
    assert [link.offset for link in internal(text)] == [31, 31, 20]
    assert [link.offset for link in internal("[y] [y]\n\n[y]: a")] == [14, 14]


def test_a_reference_definition_is_not_located_inside_a_later_link() -> None:
    assert [link.offset for link in internal("[y]: a\n\n![z](a) [y]")] == [13, 5]


@pytest.mark.parametrize("before", ["[^1]: ", "[](", "[Note]: !"])
def test_a_link_after_an_unfinished_link_is_found(before: str) -> None:
    text = f"{before}[x](a.md) for more"
    assert [link.offset for link in internal(text)] == [text.index("a.md")]


@pytest.mark.parametrize("target", ["a&amp;b", r"my\_page.md", r"team\(1\).md", r"\_a\_.md"])
def test_an_escaped_target_is_returned_as_written(target: str) -> None:
    assert [*internal(f"Text\n\n[x]({target})")] == [BodyLink(target, 10)]


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
def test_a_text_without_internal_links_is_not_parsed(text: str) -> None:
    assert not may_contain_links(text)


BRACKETS = ("[", "]", "(", ")", "](", "]:", "![", "!", "\\", "<", ">", '<a href="', "<img src='", "href=", "'", '"')
TARGETS = ("/blog/x/", "a.png", "https://a.example", "mailto:x", "#a", "?a", "//a", "&#47;", "\\/", ":", "[x]", "[y]: ")
AROUND = (" ", "\n", "\n\n", "    ", "`", "```\n", "> ", "- ", "*", "|", "<!--", "-->", "<div>\n", "\xa0", "é")
PIECES = st.sampled_from(BRACKETS) | st.sampled_from(TARGETS) | st.sampled_from(AROUND)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_every_text_with_an_internal_link_is_parsed(text: str) -> None:
    assert internal(text) == [link for link in markdown_links(ParsedBody(text)) if link.is_checkable]


@pytest.mark.parametrize("html", [False, True])
@pytest.mark.parametrize(
    "part", sampled(["<a ", '<a x="', "<a x=", "<!--", "[", "![", "[x](", "](/", "`", ">", "<div>"], every=3)
)
def test_the_search_for_links_takes_linear_time(part: str, html: bool) -> None:
    """XS-16"""

    def look(size: int) -> None:
        with suppress(TooIntricate):
            internal(part * size + "](x)<a ", html=html)

    assert grows_evenly(look, 2_500)


def test_the_markdown_parser_is_imported_only_for_texts_that_need_it() -> None:
    script = (
        "import sys; from contentsync.content.links.body_links import ParsedBody, internal_links\n"
        "internal_links(ParsedBody('[x](https://a.example)')); assert 'markdown_it' not in sys.modules\n"
        "internal_links(ParsedBody('[x](/blog/x/)')); assert 'markdown_it' not in sys.modules\n"
        "internal_links(ParsedBody('`a` [x](/blog/x/)')); assert 'markdown_it' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("{{ site.baseurl }}/img/a.png", "template"),
        ("img/{{page.image}}", "template"),
        ("{%link a.md%}", "template"),
        ('{{<ref"a.md">}}', "template"),
        ("me@example.com", "e-mail"),
        ("info@example.co.uk?subject=Hello", "e-mail"),
        ("www.example.com", "https"),
        ("www.example.museum/a.pdf", "https"),
        ("example.com", "https"),
        ("Example.ORG/docs/?a=b#c", "https"),
        ("en.wikipedia.org/wiki/Lathe", "https"),
        ("heise.de", "https"),
        ("youtu.be/abc", "https"),
        ("example.lu/news", "https"),
    ],
)
def test_a_target_that_is_not_a_path_is_recognised(target: str, reason: str) -> None:
    found = path_fault(target)
    assert found is not None
    assert reason in found.reason


@pytest.mark.parametrize(
    "target",
    [
        "a.png",
        "../img/a.png",
        "./www.example.com/",
        "img/logo@2x.png",
        "logo@2x.png",
        "photo@home.jpg",
        "downloads/",
        "guide",
        "README.md",
        "main.rs",
        "chart.js/dist/chart.js",
        "v1.2/manual.pdf",
        "archive.tar.gz",
        "my.folder/a.png",
        "site-com/a.png",
        "100%/a.png",
        "{a}.png",
    ],
)
def test_a_path_to_a_file_has_no_fault(target: str) -> None:
    assert path_fault(target) is None


@pytest.mark.parametrize(
    "text",
    [
        "[a](/x/) ![b](c.png) wow![d](e.png)",
        "# [a](/x/)\n\n> - [b](/y/)\n> lazy [c](z.md)\n\n1. [d](/w/#x?y)",
        "[a [b](/x/) c](/y/)",
        "[![a](b.png)](/x/)",
        "[a](/x/ 'title') [b](/y(z)/) [c]()",
        "[a\nb](/x/)",
        "[x] [a](/x/) ] [ [b](y.md)",
        "[a](javascript:x) [b](y.md)",
        "[a](/x&amp;y/) [b](/\u00e9/) [c](/\u00a0/)",
        "[[name]] [a]({{ site.baseurl }}/x/) [[other|text]](/y/)",
        "][](/x/)](y.md)",
    ],
)
def test_the_quick_link_search_equals_the_markdown_parser(text: str) -> None:
    plain, parsed = internal(text), internal(f"{text}\n\n`code`")
    assert plain == parsed
