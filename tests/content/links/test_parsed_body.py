"""content.links.parsed_body: each section of a text is parsed when it is needed, and has the blocks of the whole."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.content.links.body_links import internal_links
from contentsync.content.links.parsed_body import BodySection, ParsedBody, section_starts
from contentsync.model.markdown_budget import MAX_STEPS, StepBudget, TooIntricate

from ...growth import grows_evenly
from ...sampling import sampled

LINES = (
    *("", "", "", "", "", " ", "\t", "text", "more words", "# A", "- item", "* item", "+", "1. item", "2) item"),
    *("  more", "   ```", "    code", "```", "```js", "~~~", "````", "  ~~~", "> quote", "> ```", "> - a", "- ```"),
    *("***", "---", "===", "<div>", "</div>", "<pre>", "</pre>", "<script>", "</script>", "<!-- a -->", "<!--"),
    *("-->", "<?php", "?>", "<!DOCTYPE x>", "<![CDATA[", "]]>", "<b>x</b>", "<Foo>", "| a | b |", "|---|---|"),
    *("**bold**", "`a` ```b``` c", "text <!-- a", "x --> y", "``` a `b` ", "[a](/b/)", "[a]", "[a]: /b/", "\x0bfoo"),
)


def blocks(text: str, first_line: int = 0) -> list[tuple[object, ...]]:
    """Return what the checks read of the tokens of a text: the kind, the first line and the content of each block."""
    tokens = BodySection(text, 0, first_line, StepBudget()).tokens
    return [
        (token.type, token.map and token.map[0] + first_line, token.level, token.content.rstrip("\n"), token.children)
        for token in tokens
    ]


@given(st.lists(st.sampled_from(LINES), max_size=30).map("\n".join))
def test_the_sections_of_a_text_have_its_blocks(text: str) -> None:
    starts = [*section_starts(text), len(text)]
    parts = [(text[start:end], text.count("\n", 0, start)) for start, end in pairwise(starts)]
    assert "".join(part for part, _ in parts) == text
    assert [block for part in parts for block in blocks(*part)] == blocks(text)


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("a\n\nb\n \n# c", ["a\n\n", "b\n \n", "# c"]),
        ("- a\n\n- b\n\n  c\n\nd", ["- a\n\n- b\n\n  c\n\n", "d"]),
        ("a\n\n**b**\n\n3. c\n\n* d", ["a\n\n", "**b**\n\n3. c\n\n* d"]),
        ("```\na\n\nb\n```\n\nc", ["```\na\n\nb\n```", "\n\n", "c"]),
        ("a\n~~~~\n\nb\n~~~\n\nc\n~~~~~ \nd", ["a\n~~~~\n\nb\n~~~\n\nc\n~~~~~ ", "\nd"]),
        ("```\na\n\nb", ["```\na\n\nb"]),
        ("<!-- a -->\n\nb <!--\n\nc", ["<!-- a -->\n\n", "b <!--\n\nc"]),
        ("<pre>\n\na\n\n</pre>\n\nb", ["<pre>\n\na\n\n</pre>\n\nb"]),
        ("<div>\n```\n\na\n```\n\nb", ["<div>\n```\n\na\n```\n\nb"]),
        ("[a]\n\n[a]: /b/", ["[a]\n\n[a]: /b/"]),
    ],
)
def test_a_text_is_cut_where_no_block_is_open(text: str, sections: list[str]) -> None:
    assert [section.text for section in ParsedBody(text).sections] == sections


@pytest.mark.parametrize(
    "part", ["a\n\n", "```\n\n", "```\n```\n\n", "<!--\n\na", "<!-- -->\n\n", "\n \n", "~~~\n\na\n"]
)
def test_cutting_a_text_takes_linear_time(part: str) -> None:
    assert grows_evenly(lambda times: list(section_starts(part * times)), 2_500)


def test_only_the_section_with_a_link_is_parsed() -> None:
    alone, among_others = StepBudget(10_000), StepBudget(10_000)
    link, other = "A `name` and [a link](a.md).\n\n", "A [link](https://a.example), `code` and <b>HTML</b>.\n\n"
    assert len(internal_links(ParsedBody(link, alone))) == 1
    (found,) = internal_links(ParsedBody(other * 50 + link + other * 50, among_others))
    assert found.offset == len(other * 50) + link.index("a.md")
    assert alone.remaining == among_others.remaining < 10_000


def test_a_section_is_parsed_once() -> None:
    budget = StepBudget(10_000)
    body = ParsedBody("A [link](a.md) in `code` and <b>HTML</b>.\n\n- Item\n", budget)
    links = internal_links(body)
    remaining = budget.remaining
    assert internal_links(body) == links
    assert budget.remaining == remaining < 10_000


def test_a_section_that_is_too_intricate_is_not_parsed_by_any_check() -> None:
    body = ParsedBody("[x](<a b>) `code` " * 50, StepBudget(10))
    for _ in range(2):
        with pytest.raises(TooIntricate):
            internal_links(body)


def test_lines_do_not_end_at_a_carriage_return() -> None:
    (link,) = internal_links(ParsedBody("`a`\r\r\r\n[x][y] b\r\n\r\n[y]: a.md"))
    assert (link.target, link.offset) == ("a.md", 24)


def test_a_private_character_of_the_text_is_not_a_mark() -> None:
    (link,) = internal_links(ParsedBody("`a`\n\n[x](\U000f0001.md)"))
    assert (link.target, link.has_certain_offset) == ("\U000f0001.md", False)


def test_a_section_shows_its_texts_as_written() -> None:
    """The marks before targets, and the stand-ins for templates, are not part of the text."""
    (section,) = ParsedBody("Not a link: ](/x, but [one]({{ site.url }}/a).").sections
    (_, inline, _) = section.tokens
    texts = [section.written(part.content) for part in inline.children or () if part.type == "text"]
    assert texts == ["Not a link: ](/x, but ", "one", "."]


PARAGRAPH = (
    "Some words of an ordinary text, *some of them* in italics -- and **bold**. And more of the same, with words "
    "of every kind, & a link now and then: [the name of the link](/blog/x/).\n" + "And words, and words.\n" * 5 + "\n"
)
QUARTER = MAX_STEPS // 4  # of the steps, for a quarter of a book
TENTH = MAX_STEPS // 10  # of the steps: of many texts the first part tells enough


def fits(text: str, steps: int = MAX_STEPS) -> bool:
    """Return whether the text is parsed in at most this number of steps."""
    allowance = StepBudget()
    allowance.spend(MAX_STEPS - steps)
    try:
        BodySection(text, 0, 0, allowance).tokens  # noqa: B018  # it is parsed when it is read
    except TooIntricate:
        return False
    return True


@pytest.mark.parametrize(
    "text",
    sampled(
        [
            PARAGRAPH * 1_000,
            (PARAGRAPH.replace("\n", " ") + "\n") * 1_000,  # in one paragraph
            "".join(f"> {line}" for line in PARAGRAPH.splitlines(keepends=True)) * 500,
            "- [the name of the link](/blog/x/)\n" * 5_000,
            "| [the name of the link](/blog/x/) | a text | 1 |\n|---|---|---|\n"
            + "| [a link](b.md) | a text | 1 |\n" * 2_500,
            'Some <em>HTML</em> and <a href="/blog/x/">a link</a> and more text.\n\n' * 2_500,
            "".join(f"[link {number}][{number}] of many\n\n[{number}]: /blog/x/\n\n" for number in range(2_500)),
        ],
        every=3,
    ),
    ids=["book", "paragraph", "quote", "list", "table", "html", "references"],
)
def test_a_long_ordinary_text_is_parsed(text: str) -> None:
    assert fits(text, QUARTER)


@pytest.mark.parametrize(
    "text",
    sampled(
        [
            "![" * 50_000,
            "![a" * 30_000,
            "[![a](" * 16_000,
            "[a](" * 25_000,
            ("[a](" * 30 + "()" * 500 + " ") * 100,
            "> ```\na\n" * 14_000,
            "> # a\nb\n" * 100 + ">\n" * 40_000,
            ">" * 18 + "a\n" + "b\n" * 50_000,
            '[a]: b "\n' + "x\n" * 50_000,
            ("|a" * 256 + "|\n" + "|-" * 256 + "|\n" + "a\n" * 256 + "\n") * 60,
            "a\n=\n" * 25_000,
            "[a]: <b\n\n" * 11_000,
            "- a\n\n" * 16_000,
        ],
        every=6,
    ),
)
def test_a_text_that_would_take_very_long_is_not_parsed_completely(text: str) -> None:
    assert not fits(text, TENTH)
    assert grows_evenly(lambda times: fits(text * times, TENTH), 1)
