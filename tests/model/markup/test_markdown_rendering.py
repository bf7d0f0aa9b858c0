"""Markdown bodies as HTML, and the syntax beyond CommonMark."""

from collections.abc import Callable
from cProfile import Profile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.model.markup import LinkBase, clean_html, markdown_html
from contentsync.model.markup.markdown_rendering import MAX_CHARACTERS, MAX_STEPS
from contentsync.server.site.body_text import markdown_excerpt
from tests.browser.xss.payloads import PAYLOADS
from tests.sampling import sampled

from .html_reader import offences, read

OTHERS = "]( ![ ``` [a]: javascript: https://a.example/ <b &colon; > - 1. |-|-| ~~ onerror= mailto:a@b.c &#58;"
OTHERS += " [^1] [^1]: [!NOTE] [x] {#a} ```py <!-- --> <div> </div> <details> <a </a> <svg> <style> title= {.b}"
PIECES = st.sampled_from([*"[]()<>!`*_~#|\\\"' \n:&\t", "\n\n", "    ", *OTHERS.split()])
MARKDOWN = st.lists(PIECES | st.text(max_size=3), max_size=30).map("".join)


@pytest.mark.parametrize("payloads", PAYLOADS.values(), ids=PAYLOADS)
def test_hostile_markdown_leaves_no_forbidden_markup(payloads: list[str]) -> None:
    """XS-01 to XS-10"""
    assert [payload for payload in payloads if offences(markdown_html(payload))] == []


@given(MARKDOWN)
def test_rendered_markdown_is_clean(text: str) -> None:
    """XS-04, XS-17: cleaning is the last step, so that a second cleaning changes nothing."""
    html = markdown_html(text, base=LinkBase("/sites/tools", "fr"))
    assert offences(html) == []
    assert clean_html(html, base=LinkBase("/sites/tools", "fr")) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a *b* **c** `d` ~~e~~", "<p>a <em>b</em> <strong>c</strong> <code>d</code> <s>e</s></p>\n"),
        (
            "see https://example.com/a_b_c.",
            "<p>see " + '<a href="https://example.com/a_b_c" rel="noopener">https://example.com/a_b_c</a>.</p>\n',
        ),
        ("run setup.py at example.com", "<p>run setup.py at example.com</p>\n"),
        ("[a](/b)", '<p><a href="/b" rel="noopener">a</a></p>\n'),
        ("```\nx < 1\n```", '<pre tabindex="0"><code>x &lt; 1\n</code></pre>\n'),
        ("1 < 2 <3 & <b", "<p>1 &lt; 2 &lt;3 &amp; &lt;b</p>\n"),
    ],
)
def test_markdown_is_commonmark_with_tables(text: str, html: str) -> None:
    assert markdown_html(text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a <kbd>b</kbd> *c*", "<p>a <kbd>b</kbd> <em>c</em></p>\n"),
        ("a <span style='color:red' onclick=x>b</span>", "<p>a <span>b</span></p>\n"),
        ("A\n\n<details>\n<summary>B</summary>\n\n**c**\n\n</details>", "<p><strong>c</strong></p>\n</details>"),
        ("a <script>alert(1)</script> b", "<p>a  b</p>\n"),
        ("a <!-- note --> b", "<p>a  b</p>\n"),
    ],
)
def test_html_in_markdown_is_rendered_and_cleaned(text: str, html: str) -> None:
    """XS-01"""
    assert html in markdown_html(text)


def test_too_complex_html_is_shown_as_text_inside_rendered_markdown() -> None:
    """XS-16"""
    html = markdown_html("# *Title*\n\na " + "<b>" * 13_000)
    assert html.startswith('<h2 id="title">')
    assert "<em>Title</em>" in html
    assert html.count("&lt;b&gt;") == 13_000


def test_an_unclosed_tag_is_not_repeated_without_limit() -> None:
    """XS-16"""
    text = "".join(f"<b title={number}>\n\nx\n\n" for number in range(1_000))
    assert len(markdown_html(text)) < 20 * len(text)


def test_a_table_keeps_its_alignment_without_a_style() -> None:
    tags, _ = read(markdown_html("|a|b|\n|-:|:-:|\n|1|2|"))
    assert [tag.attributes.get("align") for tag in tags if tag.name in ("th", "td")] == ["right", "center"] * 2


def test_headings_can_be_linked_to_and_start_below_the_page_heading() -> None:
    html = markdown_html("# A b\n\n## A b 2\n\n## A b\n\n## Café\n\n[x](#a-b)")
    ids = [(tag.name, tag.attributes["id"]) for tag in read(html)[0] if tag.name in ("h2", "h3")]
    assert ids == [("h2", "a-b"), ("h3", "a-b-2"), ("h3", "a-b-1"), ("h3", "café")]
    assert '<a class="anchor" href="#a-b" rel="noopener">A b</a></h2>' in html
    assert html.endswith('<p><a href="#a-b" rel="noopener">x</a></p>\n')


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "[x](<JAVASCRIPT:alert(1)>)",
        "[x](javascript&colon;alert(1))",
        "![x](data:image/svg+xml,x)",
        "<javascript:alert(1)>",
        "[x]\n\n[x]: javascript:alert(1)",
    ],
)
def test_a_script_link_is_not_a_link(text: str) -> None:
    """XS-03, XS-04"""
    tags, _ = read(markdown_html(text))
    assert not [tag for tag in tags if tag.attributes.keys() & {"href", "src"}]


@pytest.mark.parametrize(
    "text",
    [
        "[x](/ \"' onmouseover='alert(1)\")",
        '![" onerror="alert(1)](/a.png)',
        '```"><script>\nx\n```',
        '<https://a.example/"onmouseover="alert(1)>',
    ],
)
def test_a_quote_cannot_end_an_attribute(text: str) -> None:
    """XS-04"""
    assert offences(markdown_html(text)) == []


@pytest.mark.parametrize("text", ["{{7*7}}", "{% raw %}", "${7*7}", "{0.name}", "&lt;% x %&gt;"])
def test_template_syntax_is_rendered_as_text(text: str) -> None:
    """XS-14"""
    assert markdown_html(text) == f"<p>{text}</p>\n"


LONG = {"backticks": "`", "[": "[", "![": "![", ">": ">"}
SHAPES = {
    "code": "`x",
    "> lines": "> a\n",
    "emphasis": "*a _b ",
    "strong": "**",
    "strikes": "~~a ",
    "links": "[a](/b 'c')",
    "open links": "[a](<",
    "schemes": "http://",
    "schemes and brackets": "http://[",
    "open URLs": "http://a.b/(",
    "URLs": "http://a.b *x* ",
    "addresses": "mailto:a@b.c ",
    "angles": "<http://a.b>",
    "headings": "# a\n",
    "cells": "|a|b|\n",
    "rules": "a|b\n-|-\n",
    "lists": "- - a\n",
    "entities": "&amp;",
    "backslashes": "\\",
    "references": "[a]: /x\n",
    "footnotes": "[^a]: x[^a]\n\n",
    "open footnotes": "[^a]: x\n\n" + "[^" * 15_000,
    "tasks": "- [ ] a\n",
    "definitions": "a\n: b\n",
    "alerts": "> [!TIP]\n> a\n\n",
    "ids": "# a {#b}\n",
    "code blocks": "```py\nf(1)\n```\n",
    "tags": "<b title=1>\n\nx\n\n",
    "blocks": "<div>\n\n",
    "comments": "a " + "<!-- " * 3_000 + "--->",
}
TEXTS = {name: shape * (25_000 // len(shape)) for name, shape in LONG.items()} | {
    name: shape * (15_000 // len(shape)) for name, shape in SHAPES.items()
}

CALLS_A_STEP = 16  # of functions, at most


@pytest.mark.parametrize("text", sampled(TEXTS.values(), every=16), ids=TEXTS)
def test_rendering_takes_bounded_work(text: str) -> None:
    """XS-16"""
    for longer in (text, text + "]" * (len(text) // 2)):
        assert calls_of(lambda: markdown_html(longer)) <= CALLS_A_STEP * MAX_STEPS  # noqa: B023 - it is called at once


def calls_of(work: Callable[[], object]) -> int:
    """Return the number of calls of Python functions that the work takes."""
    profile = Profile(builtins=False)
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())


FULL_OF_LINKS = {
    "URLs in angles": "<http://a.bc> ",
    "other schemes": "<ab:c> ",
    "addresses": "<a@b.cd> ",
    "bare URLs": "http://a.bc\n\n",
}


@pytest.mark.parametrize("link", FULL_OF_LINKS.values(), ids=FULL_OF_LINKS)
def test_a_text_with_too_many_links_is_shown_as_source(link: str) -> None:
    """XS-16"""
    text = link * (MAX_CHARACTERS // len(link))
    found: list[str] = []
    assert calls_of(lambda: found.append(markdown_html(text))) < 200
    assert found[0].startswith('<pre tabindex="0">')


@pytest.mark.parametrize("link", FULL_OF_LINKS.values(), ids=FULL_OF_LINKS)
def test_a_page_of_many_links_is_rendered(link: str) -> None:
    html = markdown_html("\n\n".join(f"- {link.strip()}" for _ in range(1_000)))
    assert html.count("<a href") == (1_000 if "ab:" not in link else 0)
    assert html.startswith("<ul>")


def test_a_text_that_repeats_a_long_definition_is_shown_as_source() -> None:
    """XS-16"""
    text = f"[a]: /{'x' * 10_000}\n\n" + "[a]" * 10_000
    assert markdown_html(text) == f'<pre tabindex="0">{text}</pre>'


def test_a_text_over_the_limit_is_shown_as_source() -> None:
    """XS-16"""
    text = "*a*\n" * 200_000
    assert markdown_html(text) == f'<pre tabindex="0">{text}</pre>'


def test_a_book_is_not_too_complex() -> None:
    page = "Some *words* of a book with `code`, and a [link](https://example.com/a), and more. " * 20
    assert markdown_html(f"{page}\n\n" * 200).count("<p>") == 200


def ids(text: str) -> list[str]:
    """Return the ids, without those of former releases."""
    tags = [tag.attributes for tag in read(markdown_html(text))[0] if tag.name != "span"]
    return [attributes["id"] for attributes in tags if "id" in attributes]


def test_a_footnote_and_its_marks_link_to_each_other() -> None:
    html = markdown_html("One[^n], two[^n].\n\n[^n]: A *note*.")
    assert '<sup><a href="#fn:1" id="fnref:1" rel="noopener"><span id="section-fnref:1"></span>1</a></sup>' in html
    assert '<li id="fn:1"><span id="section-fn:1"></span><p>A <em>note</em>. <a href="#fnref:1" rel="noopener">' in html
    links = [tag.attributes["href"].removeprefix("#") for tag in read(html)[0] if tag.name == "a"]
    assert sorted(links) == sorted([*ids("One[^n], two[^n].\n\n[^n]: A *note*."), "fn:1"])


def test_a_heading_cannot_take_the_id_of_a_footnote() -> None:
    found = ids("# fn:1\n\n# a {#fn-1}\n\n# b {#fn:1}\n\nx[^1]\n\n[^1]: y")
    assert len(found) == len({*found}) == 5


def test_a_second_body_of_a_page_has_no_ids_or_links_to_them() -> None:
    tags, text = read(markdown_html("# A\n\nx[^1]\n\n[^1]: y", anchors=False))
    assert not [tag for tag in tags if tag.name == "a" or "id" in tag.attributes]
    assert "x1" in text


def test_a_task_shows_whether_it_is_done() -> None:
    html = markdown_html("- [ ] a\n- [x] b\n- c [x]")
    assert '<li class="task-list-item">☐ a</li>\n<li class="task-list-item">☑ b</li>\n<li>c [x]</li>' in html


def test_a_definition_list_has_terms_and_definitions() -> None:
    html = markdown_html("Term\n: *One*\n: Two")
    assert html == "<dl>\n<dt>Term</dt>\n<dd><em>One</em></dd>\n<dd>Two</dd>\n</dl>\n"


@pytest.mark.parametrize("kind", ["note", "tip", "important", "warning", "caution"])
def test_a_quote_can_be_an_alert(kind: str) -> None:
    html = markdown_html(f"> [!{kind.upper()}]\n> *Text*")
    assert html.startswith(f'<div class="markdown-alert markdown-alert-{kind}">\n<p class="markdown-alert-title">')
    assert "<p><em>Text</em></p>" in html


def test_a_quote_of_an_unknown_type_stays_a_quote() -> None:
    assert markdown_html("> [!OTHER]\n> a").startswith("<blockquote>")


@pytest.mark.parametrize(
    ("heading", "expected", "title"),
    [
        ("# A {#my-id}", "my-id", "A"),
        ("# A *b* {#my-id .wide}", "my-id", "A b"),
        ("# A {.wide #x_1}", "x_1", "A"),
        ("# A {.wide}", "a", "A"),
        ("# A {#x y}", "a-x-y", "A {#x y}"),
        ("# A {b}", "a-b", "A {b}"),
        ("# Über {#über}", "über", "Über"),
    ],
)
def test_an_author_can_set_the_id_of_a_heading(heading: str, expected: str, title: str) -> None:
    tags, text = read(markdown_html(heading))
    assert (tags[0].attributes["id"], text.strip()) == (expected, title)


def test_a_repeated_id_gets_a_number() -> None:
    assert ids("# A {#x}\n\n# X\n\n# B {#x}") == ["x", "x-1", "x-2"]


@pytest.mark.parametrize(
    ("text", "former"),
    [
        ("# What's new?", ["section-whats-new", "what-s-new", "section-what-s-new"]),
        ("# Über", ["section-über", "uber", "section-uber"]),
        ("# What's\n\n# What s", ["section-whats", "section-what-s", "what-s-1", "section-what-s-1"]),
        ("# A\n\n# Section A", []),
        ("# A {#X_y}", ["section-X_y"]),
    ],
)
def test_a_heading_also_has_its_ids_of_former_releases(text: str, former: list[str]) -> None:
    spans = [tag for tag in read(markdown_html(text))[0] if tag.name == "span"]
    assert [tag.attributes["id"] for tag in spans] == former


def test_a_heading_with_a_link_is_not_a_link_itself() -> None:
    html = markdown_html("# See [this](/a)\n\n# And <a href=/b>that</a>")
    assert [tag.attributes["href"] for tag in read(html)[0] if tag.name == "a"] == ["/a", "/b"]


def test_an_excerpt_has_no_marks_of_footnotes() -> None:
    assert markdown_excerpt("# Title\n\nOne[^1], two.\n\n[^1]: x\n").startswith("Title One, two.")
