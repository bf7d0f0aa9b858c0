"""Parse the Markdown of a body once for all that read it, and only those sections that have something to look for.

The parser takes most of the time of reading a text, and most sections have no link, and nothing else to find.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from ...lazy_pattern import lazy_pattern
from ...model.markdown_budget import StepBudget, limit_steps, step_environment
from ..files.file_text import line_starts
from ..formats.draft import Body, Draft, bodies
from .link_forms import as_destinations, as_written, unescaped

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_SLOW_MARKS = "[!<`"  # characters at which the parser may look ahead for the end of a link, of HTML or of code

# A line without indent below an empty one. If it is no item of a list, it ends every list, quote, table and paragraph.
_NEXT_SECTION = lazy_pattern(r"\n[ \t]*+\n(?=\S)(?![-+*](?:\s|\Z)|[0-9])")
# What may be open even after an empty line: code in a fence, and HTML that ends with a mark.
_MAY_STAY_OPEN = lazy_pattern(r"```|~~~|<(?:\?|![a-z[]|script|pre|style|textarea)", re.IGNORECASE)
_FENCE = lazy_pattern(r"^(?:(`{3,}+)[^`\n]*+|(~{3,}+).*+)$", re.MULTILINE)  # without indent, so in no list
_HTML_LINE = lazy_pattern(r"^ {0,3}<", re.MULTILINE)  # may begin HTML, in which a fence is text

# The start of every target in Markdown and in tags. They also match where there is no link, as in code.
_BEFORE_TARGET = lazy_pattern(r"\][(:][ \t\n]*+<?+(?=[^)>\"'\s])")
_BEFORE_VALUE = lazy_pattern(r"(?:src|href)\s*+=\s*+[\"']?+\s*+(?=[^)>\"'\s])", re.IGNORECASE)
# The parser takes no target with one of these schemes for a link.
_REFUSED_SCHEME = lazy_pattern(r"(?:vbscript|javascript|file|data):", re.IGNORECASE)
_LINE_START = lazy_pattern(r"\n[ \t>]*+<?\Z")
_BRACKETED_END = lazy_pattern(r"[^<>\n]*+>[ \t]*+(?:[)\"'(\n]|\Z)")  # of `<target>`, which is not a tag
_MARKS = range(0xF0000, 0xFFFFE)  # private characters
_ANY_MARK = lazy_pattern("[\U000f0000-\U000ffffd]")


@cache
def _parser() -> "MarkdownIt":
    """Return the Markdown parser. The first call imports the library."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table").disable(["emphasis", "entity"])  # neither affects links
    parser.options["store_labels"] = True  # of reference links
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]  # targets as written, to find them again
    return limit_steps(parser, marks=_SLOW_MARKS)


def section_starts(text: str) -> Iterator[int]:
    """Yield the offsets, from 0 on, at which a Markdown text can be cut: its parts have the blocks of the whole text.

    At each of them, no block is open. A text with link definitions has one section, because they are valid everywhere.
    """
    yield 0
    start, has_definition = 0, "]:" in text
    while not has_definition and (cut := _NEXT_SECTION.search(text, start)):
        end = cut.end()
        if "<!--" in text[start:end] or _MAY_STAY_OPEN.search(text, start, end):
            end = _end_of_open_block(text, start, end)
        if end >= len(text):
            return
        yield end
        start = end


def _end_of_open_block(text: str, start: int, end: int) -> int:
    """Return the end of a section that begins at `start`, in which a block may be open at `end`.

    If it is not certain that the block ends before, return the end of the text.
    """
    fence = _FENCE.search(text, start, end)
    first = text[start : fence.start() if fence else end]
    if _MAY_STAY_OPEN.search(first) or first.rfind("<!--") > first.rfind("-->"):
        return len(text)
    if fence is None:
        return end
    marks = fence[1] or fence[2]
    closing = re.compile(rf"^ {{0,3}}{marks[0]}{{{len(marks)},}}[ \t]*$", re.MULTILINE).search(text, fence.end())
    return closing.end() if closing and not _HTML_LINE.search(first) else len(text)


class BodySection:
    """A part of a Markdown text that is parsed at most once, with marks before what may be targets of links."""

    def __init__(self, text: str, start: int, first_line: int, step_budget: StepBudget) -> None:
        """`text` begins at the offset `start` of a body, in the line `first_line`, and is that of `as_destinations`."""
        self.text = text
        self.start = start
        self.first_line = first_line
        self._step_budget = step_budget

    @cached_property
    def tokens(self) -> "Sequence[Token]":
        """The tokens of the blocks, with link targets as written. Raises TooIntricate."""
        return _parser().parse(self.marked.text, step_environment(self.marked.text, self._step_budget))

    def line_of(self, token: "Token") -> int:
        """Return the number of the line of the body, from 0 on, in which the block of a token begins."""
        return self.first_line + (token.map[0] if token.map else 0)

    @cached_property
    def marked(self) -> "MarkedTargets":
        """The text with its marks."""
        return MarkedTargets(self.text)

    def written(self, content: str) -> str:
        """Return the content of a token as it is written, without marks and stand-ins for templates."""
        return as_written(self.marked.without_marks(content))


class ParsedBody:
    """A Markdown text of which each section is parsed at most once, when it is first needed."""

    def __init__(self, text: str, step_budget: StepBudget | None = None) -> None:
        """`step_budget` is that of the file; without one, the text has its own."""
        self.text = text
        self._step_budget = step_budget or StepBudget()

    @cached_property
    def parsable(self) -> str:
        """The text as `as_destinations` returns it, of the same length: offsets are valid in both texts.

        A carriage return, which a value can have by an escape, would be a line end for the parser only.
        """
        return as_destinations(self.text).replace("\r", " ")

    @cached_property
    def sections(self) -> Sequence[BodySection]:
        """The sections, in order. To read the tokens of one parses it."""
        self._step_budget.add(self.text)
        starts = [*section_starts(self.parsable), len(self.parsable)]
        sections, line = [], 0
        for start, end in pairwise(starts):
            sections.append(BodySection(self.parsable[start:end], start, line, self._step_budget))
            line += self.parsable.count("\n", start, end)
        return sections

    @cached_property
    def line_starts(self) -> Sequence[int]:
        """The offset of each line of the text."""
        return line_starts(self.text)


def parsed_bodies(draft: Draft, step_budget: StepBudget) -> list[tuple[Body, ParsedBody]]:
    """Return the bodies of an entry, also of translations, each with its text, which is parsed when it is needed.

    Call it after the last change of the bodies. `step_budget` is the step budget of the file.
    """
    return [(body, ParsedBody(body.values[body.field], step_budget)) for body in bodies(draft)]


class MarkedTargets:
    """A Markdown text with a mark, which is one character, before everything that may be the target of a link.

    The marks in the parsed targets say where each one is: no other rule tells a link from the same text in code. A mark
    in other places changes nothing but the text there.
    """

    def __init__(self, text: str) -> None:
        self._unmarked = text
        self._offsets: list[int] = []  # of the marks, in order
        patterns = (_BEFORE_TARGET, _BEFORE_VALUE) if "<" in text else (_BEFORE_TARGET,)
        if not _ANY_MARK.search(text):  # the text's own characters would be taken for marks
            offsets = {match.end() for pattern in patterns for match in pattern.finditer(text)}
            self._offsets = sorted(offset for offset in offsets if not self._may_change(offset))[: len(_MARKS)]
        parts, done = [], 0
        for mark, offset in zip(_MARKS, self._offsets, strict=False):
            parts += [text[done:offset], chr(mark)]
            done = offset
        self.text = "".join((*parts, text[done:]))

    def without_marks(self, content: str) -> str:
        """Return a part of the text without the marks."""
        return content if content.isascii() or not self._offsets else _ANY_MARK.sub("", content)

    def _may_change(self, offset: int) -> bool:
        """Return whether a mark may change how the text is parsed.

        It may do so in a tag, at the start of a line that may begin a block, and in a target that the parser refuses.
        """
        start = self._unmarked[offset : offset + 200]
        has_bracket = self._unmarked.startswith("<", offset - 1)
        if has_bracket and not _BRACKETED_END.match(start):
            return True
        may_begin_block = has_bracket or not start[0].isalpha()
        if may_begin_block and _LINE_START.search(self._unmarked, max(0, offset - 100), offset):
            return True
        return _REFUSED_SCHEME.match(unescaped(start)) is not None

    def find(self, target: str) -> tuple[str, int | None]:
        """Return a parsed target as it is written in the text, and its offset; None if it is not certain."""
        parsed = self.without_marks(target)
        if parsed == target or not _ANY_MARK.match(target):
            return parsed, None
        offset = self._offsets[ord(target[0]) - _MARKS.start]
        written = self._destination(offset)
        if "`" in written or "|" in written:  # without them, the line may begin code or a table
            return parsed, None
        if unescaped(written) == parsed:
            return written, offset
        return parsed, offset if self._unmarked.startswith(parsed, offset) else None  # the value of an attribute

    def _destination(self, offset: int) -> str:
        """Return the destination of a link at an offset, with its escapes."""
        from markdown_it.helpers import parseLinkDestination

        start = offset - 1 if self._unmarked.startswith("<", offset - 1) else offset
        line_end = self._unmarked.find("\n", offset)
        end = parseLinkDestination(self._unmarked, start, len(self._unmarked) if line_end < 0 else line_end).pos
        return self._unmarked[offset : end - (offset - start)]
