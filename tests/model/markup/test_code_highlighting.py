"""Code blocks are highlighted with classes, within limits."""

import re
from pathlib import Path
from time import process_time

import pytest

from contentsync.model.markdown_budget import StepBudget
from contentsync.model.markup import markdown_html
from contentsync.model.markup.code_highlighting import (
    _LEXERS,
    CODE_CLASSES,
    MAX_CHARACTERS,
    MAX_STEPS,
    highlighted_code,
)
from tests.sampling import sampled

STYLES = Path(__file__).parents[3] / "contentsync/server/site/static/entry.css"


def highlighted(code: str, info: str) -> str:
    """Return code as HTML in the colours of its language, which `info` names."""
    return highlighted_code(code, info, StepBudget(MAX_STEPS))


@pytest.mark.parametrize("info", ["python", "py", "Python title=x", "{.python}", "python{1,3}", "py:app.py"])
def test_a_code_language_is_recognised_in_common_spellings(info: str) -> None:
    assert highlighted("return 1", info) == '<span class="hl-keyword">return</span> <span class="hl-number">1</span>'


def test_code_in_an_unknown_language_is_only_escaped() -> None:
    assert highlighted('<b> & "', "nonsense") == highlighted('<b> & "', "") == "&lt;b&gt; &amp; &#34;"


def test_tokens_are_escaped() -> None:
    """XS-04"""
    assert "<img" not in highlighted("x = '<img src=x onerror=alert(1)>'  # <img>", "python")


@pytest.mark.parametrize("language", sorted({*_LEXERS.values()}))
def test_no_character_of_the_code_is_lost(language: str) -> None:
    code = "a = \"b\" + 'c' // 1 # d\n\n<x y='z'>&amp;</x>\n\tif (f[0] != 2.5) { return \\\n } /* e */\n- k: [v]\n"
    html = markdown_html(f"```{language}\n{code}```")
    assert html.striptags() == " ".join(code.split())
    assert re.sub(r"</?span[^>]*>", "", html) == re.sub(r"</?span[^>]*>", "", markdown_html(f"```\n{code}```"))


def test_long_code_is_not_highlighted() -> None:
    """XS-16"""
    line = "return 1\n"
    assert "<span" in highlighted(line * 500, "py")
    assert "<span" not in highlighted(line * (MAX_CHARACTERS // len(line) + 1), "py")


def test_highlighting_stops_at_a_limit_and_the_rest_is_still_rendered() -> None:
    """XS-16"""
    html = markdown_html("```py\n" + "return 1\n" * 500 + "```\n\n" + "```py\nreturn 1\n```\n\n" * 10_000 + "# End")
    assert 500 < html.count("hl-keyword") < 10_500
    assert "End</a></h2>" in html


# Of many shapes, the slowest for each lexer that reads the rest of the code again and again.
SLOW = [
    ("c", "\n"),
    ("java", "\n"),
    ("make", ")"),
    ("diff", "!"),
    ("typescript", "a."),
    ("python", " \n"),
    ("xml", "&"),
]


@pytest.mark.parametrize(("language", "piece"), sampled(SLOW, every=7))
def test_highlighting_takes_bounded_time(language: str, piece: str) -> None:
    """XS-16"""
    code = (piece * MAX_CHARACTERS)[:MAX_CHARACTERS]
    started = process_time()
    # MAX_STEPS allow only 3,800 characters of most of these, and ten times as many allow all of them.
    highlighted_code(code, language, StepBudget(10 * MAX_STEPS))
    assert process_time() - started < 3  # 0.8 seconds at most, on a slow machine


def test_the_style_sheet_has_a_colour_for_each_class() -> None:
    css = STYLES.read_text(encoding="utf-8")
    assert [name for name in sorted(CODE_CLASSES) if not re.search(rf"\.prose [^{{]*\.{name}\b", css)] == []
