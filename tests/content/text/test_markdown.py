"""contentsync.content.text.markdown: long texts are parsed, and no text takes long."""

import pytest

from contentsync.content.text.markdown import parsed
from contentsync.model.markdown_budget import MAX_STEPS, StepBudget, TooIntricate

from ...growth import grows_evenly

PARAGRAPH = (
    "Some words of an ordinary text, *some of them* in italics -- and **bold**. And more of the same, with words "
    "of every kind, & a link now and then: [the name of the link](/blog/x/).\n" + "And words, and words.\n" * 5 + "\n"
)
QUARTER = MAX_STEPS // 4  # of the steps, for a quarter of a book
TENTH = MAX_STEPS // 10  # of the steps: of many texts the first part tells enough


def fits(text: str, steps: int = MAX_STEPS) -> bool:
    """Whether the text is parsed in so many steps."""
    allowance = StepBudget()
    allowance.spend(MAX_STEPS - steps)
    try:
        parsed(text, allowance)
    except TooIntricate:
        return False
    return True


@pytest.mark.parametrize(
    "text",
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
    ids=["book", "paragraph", "quote", "list", "table", "html", "references"],
)
def test_a_long_ordinary_text_is_parsed(text: str) -> None:
    assert fits(text, QUARTER)


@pytest.mark.parametrize(
    "text",
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
)
def test_a_text_that_was_made_to_take_long_is_given_up(text: str) -> None:
    assert not fits(text, TENTH)
    assert grows_evenly(lambda times: fits(text * times, TENTH), 1)


def test_what_a_text_adds_is_bounded() -> None:
    allowance = StepBudget()
    for _ in range(10):
        allowance.add("x" * 1_000_000)
    with pytest.raises(TooIntricate):
        allowance.spend(MAX_STEPS + 1)
