"""The documentation and the tests use plain English, without the words of the project's former private language."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from scripts.structure import statements

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

# A test's name begins with its subject, and not with one of these words.
NO_SUBJECT = (
    *("who", "whoever", "whom", "whose", "what", "whatever", "which", "whichever", "that", "it", "its", "they", "them"),
    *("when", "whenever", "where", "wherever", "while", "until", "unless", "how", "why", "as", "than", "there", "here"),
    *("so", "and", "or", "but", "nor", "neither", "not", "never", "then", "also", "by", "of", "with", "without", "for"),
    *("from", "in", "at", "to", "before", "after", "behind", "beside", "during", "since"),
)
MAX_WORDS = 14  # in the name of a test

# Words to avoid in names, besides those of AVOIDED.
AVOIDED_IN_NAMES = r"ours|theirs|strangers?|goes|gone|wish(?:es)?"

# Sentences that may use a listed word, with the reason.
EXCEPTIONS: dict[str, str] = {}

AVOIDED_WORDS = re.compile(rf"\b(?:{'|'.join(AVOIDED)})\b", re.IGNORECASE)


NAME_WORDS = re.compile(rf"{AVOIDED_WORDS.pattern}|\b(?:{AVOIDED_IN_NAMES})\b", re.IGNORECASE)


class Finding(NamedTuple):
    """A word to replace, with its file and line."""

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
    lines = text.splitlines()
    for first, paragraph in prose(text):
        if any(sentence in " ".join(paragraph.split()) for sentence in EXCEPTIONS):
            continue
        heading = lines[first - 1].startswith("#")
        flat = paragraph.replace("\n", " ")
        for match in AVOIDED_WORDS.finditer(flat):
            yield Finding(page, first + paragraph[: match.start()].count("\n"), match[0])
        for match in OPENING.finditer(flat):
            if not heading and match["end"] == "." and match[0].count(" ") > 2:
                yield Finding(page, first + paragraph[: match.start()].count("\n"), match[0])


def findings_in_code(file: str, code: str) -> Iterator[Finding]:
    """Yield the findings in the docstrings and in the names of functions and classes."""
    for node in statements(ast.parse(code)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node)
            for found in findings(file, docstring or ""):
                yield found._replace(line=node.body[0].lineno + found.line - 1)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (Finding(file, node.lineno, word) for word in name_findings(node.name))


def name_findings(name: str) -> Iterator[str]:
    """Yield each avoided word in a name; of a test also a first word that is no subject, or a name that is too long."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).split()
    yield from (match[0] for match in NAME_WORDS.finditer(" ".join(words)))
    if name.startswith("test_"):
        yield from (word for word in words[1:2] if word in NO_SUBJECT)
        if len(words) - 1 > MAX_WORDS:
            yield name


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_uses_plain_words(page: Path) -> None:
    found = findings(page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8"))
    assert [f"{finding.page}:{finding.line}: {finding.word}" for finding in found] == []


def test_the_tests_use_plain_words() -> None:
    found = [
        f"{finding.page}:{finding.line}: {finding.word}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        for finding in findings_in_code(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_each_exception_is_needed() -> None:
    texts = [" ".join(page.read_text(encoding="utf-8").split()) for page in pages()]
    assert [sentence for sentence in EXCEPTIONS if not any(sentence in text for text in texts)] == []


def test_each_exempt_path_exists() -> None:
    assert [path for path in NOT_COVERED if not (ROOT / path).exists()] == []


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


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("test_who_waits_gives_up", ["who"]),
        ("test_nor_is_a_link_followed", ["nor"]),
        ("test_a_rename_that_nobody_wants", ["nobody"]),
        ("tell_all", ["tell"]),
        ("OurStrangers", ["Strangers"]),
        ("test_" + "_".join("abcdefghijklmno"), ["test_" + "_".join("abcdefghijklmno")]),
    ],
)
def test_a_name_with_an_avoided_word_or_too_many_words_is_found(name: str, words: list[str]) -> None:
    assert list(name_findings(name)) == words


@pytest.mark.parametrize("name", ["test_a_link_is_followed", "who_is_here", "test_" + "_".join("abcdefghijklmn")])
def test_a_name_with_a_subject_is_allowed(name: str) -> None:
    assert list(name_findings(name)) == []


def test_an_avoided_word_in_a_docstring_is_found_at_its_line() -> None:
    code = 'def read() -> None:\n    """Read it.\n\n    It tells all.\n    """\n'
    assert list(findings_in_code("a.py", code)) == [Finding("a.py", 4, "tells")]
