"""Remove the imports and exports of MDX, which are JavaScript, from the text of an `.mdx` file.

By the rules of MDX, such a statement starts at the left margin, above or between blocks of text. Only complete
statements of a known form are removed, because a paragraph may begin with the same word. Code in fences stays.
"""

import re
from collections.abc import Sequence

_MAX_LINES = 200  # of a statement
_MAX_LENGTH = 20_000  # characters of a statement
_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}+|~{3,}+)(?P<rest>.*)\Z")
_START = re.compile(r"(?:import|export)(?=[\s{*\"'])")
_NAME = r"[\w$]+"
_STATEMENT = re.compile(
    # such as `import Map, { Pin } from "./map.js";`
    r"import\s*(?:(?=[\s{*])[\w$\s{},*]{1,5000}?(?<![\w$])from\s*)?(?:\"[^\"\n]+\"|'[^'\n]+')"
    r"(?:\s*(?:with|assert)\s*\{[^{}]*\})?\s*;?\s*(?://[^\n]*+\s*)?\Z"
    rf"|export\s+(?:const|let|var)\s*(?:{_NAME}\s*[=:]|[{{\[])"
    rf"|export\s+(?:async\s+)?function\s*\*?\s*{_NAME}\s*\("
    rf"|export\s+class\s+{_NAME}[\s\w$]*\{{"
    rf"|export\s+default\s+(?:(?:async\s+)?function\b|class\b|[\w$.]*\s*[({{\[]|{_NAME}\s*;?\s*\Z)"
    r"|export\s*(?:\{[^{}]*\}|\*)(?:\s*from\s*[\"'][^\"'\n]+[\"'])?\s*;?\s*\Z"
)
_CONTINUES = re.compile(r"(?:[=,(\[{+|&?:]|=>|\bfrom)\s*\Z")  # a statement that ends so goes on in the next line
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|//[^\n]*+|/\*.*?\*/", re.DOTALL)


def is_mdx(path: str) -> bool:
    """Return whether a path is that of a file in MDX."""
    return path.lower().endswith(".mdx")


def without_modules(text: str) -> str:
    """Return a text of MDX with an empty line in place of each line of its imports and exports."""
    if "import" not in text and "export" not in text:  # a fast test
        return text
    lines = text.split("\n")
    fence = ""  # of the open block of code; "" if there is none
    may_start = True  # whether the line is not inside of a paragraph
    number = 0
    while number < len(lines):
        line = lines[number]
        marks = _FENCE.match(line)
        if fence:
            if marks and marks["marks"].startswith(fence) and not marks["rest"].strip():
                fence = ""
        elif marks and not (marks["marks"][0] == "`" and "`" in marks["rest"]):
            fence = marks["marks"]
        elif may_start and (end := _end_of_statement(lines, number)):
            lines[number:end] = [""] * (end - number)
            number = end
            continue
        may_start = not line.strip() or line.startswith("#") or bool(marks)
        number += 1
    return "\n".join(lines)


def _end_of_statement(lines: Sequence[str], start: int) -> int:
    """Return the number of the line behind the import or export that begins in a line; 0 if there is none."""
    if not _START.match(lines[start]):
        return 0
    statement = ""
    for end in range(start, min(len(lines), start + _MAX_LINES)):
        statement += f"{lines[end]}\n"
        if len(statement) > _MAX_LENGTH:
            break
        next_line = lines[end + 1] if end + 1 < len(lines) else ""
        is_continued = next_line[:1].isspace() and bool(next_line.strip())
        if not is_continued and _is_complete(statement):
            return end + 1 if _STATEMENT.match(statement) else 0
    return 0


def _is_complete(statement: str) -> bool:
    """Return whether all brackets of a statement are closed, and it does not end with an operator."""
    code = _STRING.sub("''", statement)
    depth = sum(code.count(bracket) for bracket in "([{") - sum(code.count(bracket) for bracket in ")]}")
    return depth == 0 and code.count("`") % 2 == 0 and not _CONTINUES.search(code)
