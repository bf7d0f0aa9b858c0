"""contentsync.content.anchors: what a fragment may name in a text."""

import pytest

from contentsync.content.anchors import anchors_of, normal_anchor

from ..growth import grows_evenly


@pytest.mark.parametrize(
    ("text", "anchors"),
    [
        ("# Fees & dates", {"fees-dates"}),
        ("## The `code` of *this* [page](/x/) ##", {"the-code-of-this-page"}),
        ("# A\n\n# A\n\n# A", {"a", "a-1", "a-2"}),
        ("# A\n\n# A\n\n# A 1", {"a", "a-1", "a-1-1"}),
        ("# Über uns", {"uber-uns"}),
        ("# A {#own}", {"a", "own"}),
        ("# A\n{: #own .class}", {"a", "own"}),
        ("Set\n===\n\nText\n\nSet too\n---", {"set", "set-too"}),
        ("Set\n---\n---", {"set"}),
        ("> # A\n>\n> - ## B", {"a"}),
        ("```\n# no\n```\n\n~~~~\n# no\n```\n~~~~\n\n# Yes", {"yes"}),
        ("Text\n\n---\n\n#no", set()),
        ("<h2 id='one'>Two</h2> <a name=three></a>", {"one", "three"}),
        ("# ???", {"heading"}),
    ],
)
def test_headings_and_ids_are_anchors(text: str, anchors: set[str]) -> None:
    assert anchors_of(text) == anchors


@pytest.mark.parametrize("fragment", ["fees--dates", "Fees-Dates", "fees%2Ddates", "fees_dates"])
def test_spellings_of_other_generators_are_equal(fragment: str) -> None:
    assert normal_anchor(fragment) in anchors_of("# Fees & dates")


@pytest.mark.parametrize("part", ["# ", "#", "](", "{#", "{:", "<a ", "id=", "```\n", "---\n", "> "])
def test_no_text_takes_long(part: str) -> None:
    assert grows_evenly(lambda size: anchors_of(f"# {part * size}\n{part * size}"), 5_000)
