"""Every citation in code and tests names a page of this repository, and a section of it."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from scripts.structure import statements

ROOT = Path(__file__).parent.parent
FILES = sorted(file for top in ("contentsync", "tests", "scripts", "bench") for file in (ROOT / top).rglob("*.py"))

PAGE = r"(?P<page>docs/[\w/-]+\.md)"
IDS = r" (?P<ids>[A-Z]{2}(?:-\d\d)?(?:(?:, | to | and )[A-Z]{2}-\d\d)*)"
NUMBERS = r" (?P<numbers>\d+(?:\.\d+)*(?:(?:, | and | to )\d+(?:\.\d+)*)*)"
HEADING = r", (?P<heading>(?:(?<=docs/reference/json\.md, )|(?<=docs/reference/commands\.md, )|[A-Z])[^;:)]+)"
CITATION = re.compile(f"{PAGE}(?:{IDS}|{NUMBERS}|{HEADING})?")
OUTSIDE = re.compile(r"\b(service-api|resolved|content-format)\.md\b|(?<![\w/-])(cli|faults)\.md\b")


class Citation(NamedTuple):
    """A page and its cited section, with the line of the citation."""

    line: str
    page: str
    sections: tuple[str, ...]


def citations() -> Iterator[Citation]:
    for file in FILES:
        for line, text in comments(file):
            for match in CITATION.finditer(text):
                yield Citation(f"{file.relative_to(ROOT)}:{line}", match["page"], tuple(_sections(match)))


@cache
def comments(file: Path) -> list[tuple[int, str]]:
    """Return the docstrings and comments of a file, each on one line, with the number of the line where it begins."""
    source = file.read_text(encoding="utf-8")
    if ".md" not in source:
        return []
    found = []
    for node in statements(ast.parse(source)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if docstring := ast.get_docstring(node):
            found.append((node.body[0].lineno, " ".join(docstring.split())))
    if not re.search(r"#.*\.md", source):
        return found
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return found + [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]


def _sections(match: re.Match[str]) -> list[str]:
    if match["ids"]:
        return re.findall(r"[A-Z]{2}(?:-\d\d)?", match["ids"])
    if match["numbers"]:
        return re.findall(r"\d+(?:\.\d+)*", match["numbers"])
    return [match["heading"]] if match["heading"] else []


@cache
def sections(page: str) -> frozenset[str]:
    """Return the numbers, rules, ids and headings of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    found = {*headings, *re.findall(r"^\| ([A-Z]{2}-\d\d) \|", text, re.M)}
    found |= {found_id[:2] for found_id in found if re.fullmatch(r"[A-Z]{2}-\d\d", found_id)}
    section = ""
    for line in text.splitlines():
        if match := re.match(r"#+ (\d+(?:\.\d+)?)\.? ", line):
            section = match[1]
            found.add(section)
        elif match := re.match(r"\| \d+ \| Rule (\d+): ", line):
            found.add(f"{section}.{match[1]}")
        elif match := re.match(r"\| (\d+) \| ", line):
            found.add(f"{section} row {match[1]}")
    return frozenset(found)


def test_no_page_outside_of_the_repository_is_cited() -> None:
    cited = [
        f"{file.relative_to(ROOT)}:{line}: {match[0]}"
        for file in FILES
        for line, text in comments(file)
        for match in OUTSIDE.finditer(text)
    ]
    assert cited == []


def test_every_cited_section_exists() -> None:
    found = list(citations())
    assert len(found) > 400
    assert [citation.line for citation in found if not (ROOT / citation.page).is_file()] == []
    missing = [
        f"{citation.line}: {citation.page} {section}"
        for citation in found
        for section in citation.sections
        if not _has(citation.page, section)
    ]
    assert missing == []


def _has(page: str, section: str) -> bool:
    known = sections(page)
    return section in known or any(section.startswith(heading) for heading in known if not heading[0].isdigit())
