"""Remove the imports, exports and comments of MDX, which are JavaScript, from the text of an `.mdx` file.

By the rules of MDX, a statement starts at the left margin, above or between blocks of text. Only complete statements of
a known form are removed, because a paragraph may begin with the same word. A comment (`{/* ... */}`) may be anywhere.
Code in fences, and comments in code between backticks, stay.
"""

import re
from collections.abc import Sequence

from ...lazy_pattern import lazy_pattern

_MAX_LINES = 200  # of a statement
_MAX_LENGTH = 20_000  # characters of a statement
_FENCE = lazy_pattern(r" {0,3}(?P<marks>`{3,}+|~{3,}+)(?P<rest>.*)\Z")
_START = lazy_pattern(r"(?:import|export)(?=[\s{*\"'])")
_NAME = r"[\w$]+"
_STATEMENT = lazy_pattern(
    # such as `import Map, { Pin } from "./map.js";`
    r"import\s*(?:(?=[\s{*])[\w$\s{},*]{1,5000}?(?<![\w$])from\s*)?(?:\"[^\"\n]+\"|'[^'\n]+')"
    r"(?:\s*(?:with|assert)\s*\{[^{}]*\})?\s*;?\s*(?://[^\n]*+\s*)?\Z"
    rf"|export\s+(?:const|let|var)\s*(?:{_NAME}\s*[=:]|[{{\[])"
    rf"|export\s+(?:async\s+)?function\s*\*?\s*{_NAME}\s*\("
    rf"|export\s+class\s+{_NAME}[\s\w$]*\{{"
    rf"|export\s+default\s+(?:(?:async\s+)?function\b|class\b|[\w$.]*\s*[({{\[]|{_NAME}\s*;?\s*\Z)"
    r"|export\s*(?:\{[^{}]*\}|\*)(?:\s*from\s*[\"'][^\"'\n]+[\"'])?\s*;?\s*\Z"
)
_COMMENT_END = lazy_pattern(r"\*/\s*\}")
_BACKTICKS = lazy_pattern(r"`+")
_TOKEN = lazy_pattern(r"`+|\{\s*/\*")  # where code or a comment begins
_CONTINUES = lazy_pattern(r"(?:[=,(\[{+|&?:]|=>|\bfrom)\s*\Z")  # a statement that ends so goes on in the next line
_STRING = lazy_pattern(r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|//[^\n]*+|/\*.*?\*/", re.DOTALL)


def is_mdx(path: str) -> bool:
    """Return whether a path is that of a file in MDX."""
    return path.lower().endswith(".mdx")


def without_modules(text: str) -> str:
    """Return a text of MDX without its comments, and with an empty line in place of each line of imports and exports.

    A comment on several lines leaves their line ends, so that all other text stays in its line.
    """
    if "import" not in text and "export" not in text and "/*" not in text:  # a fast test
        return text
    lines = text.split("\n")
    fence = ""  # of the open block of code; "" if there is none
    may_start = True  # whether the line is not inside of a paragraph
    number = 0
    while number < len(lines):
        if not fence and "/*" in lines[number]:
            _remove_comments(lines, number)
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


def _remove_comments(lines: list[str], number: int) -> None:
    """Remove the comments that begin in a line, with their parts in later lines; one without an end stays."""
    line = lines[number]
    last_run = {len(run[0]): run.start() for run in _BACKTICKS.finditer(line)}  # by length: where the last one begins
    kept: list[str] = []
    position = done = 0  # what is before `position` is examined, and before `done` kept or removed
    while token := _TOKEN.search(line, position):
        position = token.end()
        if token[0][0] == "`":
            if last_run[len(token[0])] > token.start():  # code, which ends at the next run of this length
                runs = _BACKTICKS.finditer(line, position)
                position = next(run.end() for run in runs if len(run[0]) == len(token[0]))
            continue
        last, end = _end_of_comment(lines, number, position)
        if not end:  # then no other comment of this line has one
            break
        kept.append(line[done : token.start()])
        if last > number:
            lines[number : last + 1] = ["".join(kept), *[""] * (last - number - 1), lines[last][end:]]
            return
        position = done = end
    lines[number] = "".join((*kept, line[done:]))


def _end_of_comment(lines: Sequence[str], number: int, position: int) -> tuple[int, int]:
    """Return the line and the column behind the comment that begins before a position of a line; zeros if none ends."""
    for last in range(number, min(len(lines), number + _MAX_LINES)):
        if end := _COMMENT_END.search(lines[last], position if last == number else 0):
            return last, end.end()
    return 0, 0


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
