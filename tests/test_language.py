"""The documentation uses plain English: no page uses a word of the project's former private language."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent

NOT_COVERED = ("docs/reference/",)  # generated from the help texts and the models

# Each expression, and what to write in its place.
AVOIDED = {
    r"told|tells?|telling": "report, print, say, show",
    r"mend(?:s|ed|ing)?": "fix",
    r"anew": "again",
    r"somebody(?:'s)?|anybody(?:'s)?": "another user, a user, anyone",
    r"nobody(?:'s)?": "no user, no process",
    r"whoever|whomever": "a user who, every user who",
    r"(?<!there )(?:is|are) none": "is not one",
    r"what becomes of|became of|came of it": "the result of",
    r"refused is|told is": "name the subject first: the sync refuses",
    r"be it|be they": "also, both",
    r"by what": "how, from which",
}
# A sentence that opens with a relative clause: the subject comes too late. Questions are allowed.
OPENING = re.compile(r"(?:^|(?<=[.:;?!] )|(?<=[.:;?!]\*\* ))(?:What|Who|Whose)\b[^.?!:]*(?P<end>[.?!:]|$)")

# Sentences that may use a listed word, with the reason.
EXCEPTIONS: dict[str, str] = {}

AVOIDED_WORDS = re.compile("|".join(rf"\b(?:{words})\b" for words in AVOIDED), re.IGNORECASE)


class Finding(NamedTuple):
    """A word to replace, with its page and line."""

    page: str
    line: int
    word: str


def pages() -> list[Path]:
    """Return the pages that are checked."""
    found = [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    ]
    return [page for page in found if not page.relative_to(ROOT).as_posix().startswith(NOT_COVERED)]


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a page, each with the number of its first line.

    Code blocks are left out, because they show what the command prints. Code spans and the targets of links are
    blanked. List items, table cells and headings are paragraphs of their own.
    """
    text = re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`]+`", lambda span: "`" + "\n" * span[0].count("\n") + "`", text)
    text = re.sub(r"\]\([^)\s]*\)", "]", text)
    paragraph: list[str] = []
    first = 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if paragraph and (not line.strip() or re.match(r"\s*(?:[-*] |\d+\. |#|\|)", line)):
            yield first, "\n".join(paragraph)
            paragraph = []
        if line.startswith("|"):
            for cell in line.strip("|").split("|"):
                yield number, cell.strip()
        elif line.strip():
            first = first if paragraph else number
            paragraph.append(re.sub(r"^\s*(?:[-*] |\d+\. |#+ )", "", line.strip()))


def findings(page: str, text: str) -> Iterator[Finding]:
    """Yield each avoided word and each sentence that opens with a relative clause."""
    for first, paragraph in prose(text):
        if any(sentence in " ".join(paragraph.split()) for sentence in EXCEPTIONS):
            continue
        heading = text.splitlines()[first - 1].startswith("#")
        flat = paragraph.replace("\n", " ")
        for match in AVOIDED_WORDS.finditer(flat):
            yield Finding(page, first + paragraph[: match.start()].count("\n"), match[0])
        for match in OPENING.finditer(flat):
            if not heading and match["end"] == "." and match[0].count(" ") > 2:
                yield Finding(page, first + paragraph[: match.start()].count("\n"), match[0])


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_uses_plain_words(page: Path) -> None:
    found = findings(page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8"))
    assert [f"{finding.page}:{finding.line}: {finding.word}" for finding in found] == []


def test_each_exception_is_needed() -> None:
    texts = [" ".join(page.read_text(encoding="utf-8").split()) for page in pages()]
    assert [sentence for sentence in EXCEPTIONS if not any(sentence in text for text in texts)] == []


def test_each_exempt_page_exists() -> None:
    assert [page for page in NOT_COVERED if not (ROOT / page).exists()] == []


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("# Title\n\nThe plan is\ntold once.\n", 4, "told"),
        ("- A mistake\n  that nobody has mended.\n", 2, "nobody"),
        ("| a | b |\n|---|---|\n| x | made anew |\n", 3, "anew"),
        ("One sentence.\n\nRefused is a plan.\n", 3, "Refused is"),
        ("It ends. What the server has is kept.\n", 1, "What the server has is kept."),
        ("**Note.** Who may push can move refs.\n", 1, "Who may push can move refs."),
        ("```\ntold\n```\nIt tells all.\n", 4, "tells"),
    ],
)
def test_an_avoided_word_is_found_at_its_line(text: str, line: int, word: str) -> None:
    assert Finding("page.md", line, word) in list(findings("page.md", text))


@pytest.mark.parametrize(
    "text",
    [
        "```\n$ contentsync validate   # told once\n```\n",
        "The key `told` is one.\n",
        "[a link](somebody.md#anew) to a page.\n",
        "**Why not read every list twice?** What does a plan cost? Seven requests.\n",
        "## What it costs\n\nThe recommended storyteller.\n",
    ],
)
def test_code_links_and_questions_are_allowed(text: str) -> None:
    assert list(findings("page.md", text)) == []
