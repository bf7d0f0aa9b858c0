"""Markdown and HTML files: front matter above, the body below."""

import re
from typing import NamedTuple, NoReturn

from frontmatter.default_handlers import BaseHandler

from ...errors import Problem, Where
from ...lazy_pattern import lazy_pattern
from ...model import RECORDS, Kind
from ..files.file_text import UnreadableFile, markers_in_code, position_at
from .draft import Draft
from .toml_reader import as_draft_values, read_toml
from .yaml_reader import read_mapping

MAX_FRONT_MATTER = 64 * 1024  # bytes

_LEADING_BLANK = lazy_pattern(r"(?:[ \t]*\n)*")
_JSON = lazy_pattern(r"\{\s*(?:\"|\n|\})")
_KEY = r"[A-Za-z_][\w-]*(?:[ \t]*=|:\s)"
# A first line such as `--`, `----`, `--- yaml` or `++` above a key, or `--- title: A`, which has a key in it.
_MISTYPED = lazy_pattern(
    rf"[ \t\ufeff]*(?:(?:[-\u2013\u2014]+|\+\++|--- ?\w+)[ \t]*\n[ \t]*(?:{_KEY}|\{{)|(?:---|\+\+\+)[ \t]*{_KEY})"
)
_UNOPENED = lazy_pattern(  # keys above a line that ends front matter
    r"(?P<block>(?:[A-Za-z_][\w-]*[ \t]*[:=](?:[ \t][^\n]*)?\n(?:(?:[ \t]+[^\n]*|- [^\n]*|#[^\n]*|[ \t]*)\n)*+)+?)"
    r"(?P<fence>---|\+\+\+)[ \t]*$",
    re.MULTILINE,
)
_UNOPENED_KEY = lazy_pattern(r"^([A-Za-z_][\w-]*)[ \t]*[:=]", re.MULTILINE)
# Lines that end front matter in other programs (dots in Jekyll), or that look like a delimiter.
_NEAR_END = lazy_pattern(r"\n(\.{3}|[-+]{2,5}|[\u2013\u2014])[ \t]*$", re.MULTILINE)


class FrontMatterHandler(BaseHandler):
    """A format of front matter. `end` matches the line that closes it, and the line end before."""

    def __init__(self, fence: str) -> None:
        """Read front matter between two lines that contain only `fence`."""
        line = rf"{re.escape(fence)}[ \t]*$"
        super().__init__(lazy_pattern(line, re.MULTILINE), fence, fence)  # matched at the start of a text
        self.end = lazy_pattern(rf"\n{line}", re.MULTILINE)

    def split(self, text: str) -> tuple[str, str]:
        """Return the texts between the fences and below the second one. Raises ValueError if that is missing."""
        end = self.end.search(text)  # three times as fast as the library's own `split`
        if end is None:
            raise ValueError
        end_of_last_line = end.start() + len("\n")  # `end` begins with the line end of the last line
        return text[text.index("\n") : end_of_last_line], text[end.end() :]


YAML, TOML = FrontMatterHandler("---"), FrontMatterHandler("+++")  # TOML as in Hugo


def handler_of(text: str) -> FrontMatterHandler | None:
    """Return the handler of a text that begins with front matter; None for other text."""
    handler = YAML if text.startswith("-") else TOML
    return handler if handler.detect(text) else None


class FrontMatter(NamedTuple):
    """Where the front matter of a text is, as offsets."""

    is_toml: bool
    start: int  # of the lines between the fences
    end: int
    body_start: int


def find_front_matter(text: str) -> FrontMatter | None:
    """Return where the front matter of a text is; None if there is none."""
    blank = _LEADING_BLANK.match(text)
    start = blank.end() if blank else 0
    handler = handler_of(text[start:])
    end = handler.end.search(text, start) if handler else None
    if handler is None or end is None:
        return None
    end_of_last_line = end.start() + len("\n")  # the match begins with the line end before the fence
    return FrontMatter(handler is TOML, text.index("\n", start) + 1, end_of_last_line, end.end())


def read_document(text: str, kind: Kind, path: str) -> Draft:
    """Return the draft of a file, with the text below its front matter as `body`. Raise UnreadableFile.

    A text without front matter is a body only. `frontmatter.parse` is not used: it takes an unclosed block for a
    body, strips the indentation of the body's first line, and loses line numbers.
    """
    blank = _LEADING_BLANK.match(text)
    start = blank.end() if blank else 0
    draft = Draft(kind, path, text.count("\n", 0, start) + 1)
    text = text[start:]
    handler = handler_of(text)
    if handler is None:
        _refuse_mistyped(text, draft)
        draft.body, draft.body_line = _trim_body(text, draft.line)
        _warn_of_markers_in_code(draft)
        return draft
    try:
        block, body = handler.split(text)
    except ValueError:
        _refuse_unclosed(text, draft)
    if len(block) * 4 > MAX_FRONT_MATTER and len(block.encode()) > MAX_FRONT_MATTER:  # a character has up to 4 bytes
        message = f"the front matter is larger than {MAX_FRONT_MATTER // 1024} KB"
        _raise_unreadable(draft, "too-large", message, "move long texts into the body")
    if handler is TOML:
        toml = read_toml(block, path, draft.line)
        draft.value_locations.update(toml.value_locations)
        draft.key_locations.update(toml.key_locations)
        draft.values = as_draft_values(toml.values)
    else:
        read_mapping(block, draft, draft.line)
    draft.is_ascii = text.isascii() and "\\" not in block  # an escape such as `\u00e9` is another character
    closing_line = draft.line + block.count("\n")  # `block` begins with the end of the opening line
    draft.body, draft.body_line = _trim_body(body, closing_line)
    _warn_of_markers_in_code(draft)
    return draft


def _refuse_unclosed(text: str, draft: Draft) -> NoReturn:
    """Raise UnreadableFile for front matter that is never closed."""
    hint = f"end it with a line that contains only {text[:3]}"
    near_end = _NEAR_END.search(text)
    if near_end:
        line, _column = position_at(text, near_end.start(1))
        hint += f", not with the {near_end[1]} in line {draft.line + line - 1}"
    _raise_unreadable(draft, "unclosed-front-matter", "the front matter is never closed", hint)


def _refuse_mistyped(text: str, draft: Draft) -> None:
    """Raise UnreadableFile for a text that was probably meant as front matter."""
    if _JSON.match(text):
        hint = "write it as YAML between two lines of ---"
        _raise_unreadable(draft, "json-front-matter", "JSON front matter is not supported", hint)
    mistyped = _MISTYPED.match(text)
    if mistyped:
        fence, characters = ("+++", "plus signs") if mistyped[0].startswith("+") else ("---", "hyphens")
        hint = f"make the first line exactly three {characters}"
        if {"\u2013", "\u2014"} & set(mistyped[0]):
            hint += "; an editor has replaced them with a dash"
        message = f"front matter must start with a line that contains only {fence}"
        _raise_unreadable(draft, "mistyped-front-matter", message, hint)
    unopened = _UNOPENED.match(text)
    # A line of text above `---` is a heading in Markdown, so one of the lines must have a key of an entry.
    if unopened and not RECORDS[draft.kind].rules().keys().isdisjoint(_UNOPENED_KEY.findall(unopened["block"])):
        fence = unopened["fence"]
        message = f"the front matter ends with a line of {fence}, but does not start with one"
        _raise_unreadable(draft, "mistyped-front-matter", message, f"add a line that contains only {fence} above it")


def _warn_of_markers_in_code(draft: Draft) -> None:
    """Warn of merge conflicts in the code blocks of a body; other conflicts are refused when the file is read."""
    for offset in markers_in_code(draft.body):
        line, column = position_at(draft.body, offset)
        message = "this line of code looks like the start of an unresolved merge conflict"
        hint = "resolve the conflict, or put a space before the line if the code is an example of one"
        draft.warn("merge-marker", message, Where(draft.path, draft.body_line + line - 1, column), hint)


def _trim_body(body: str, line: int) -> tuple[str, int]:
    """Return the body without blank lines around it, and the number of its first line. Keep its indentation."""
    blank = _LEADING_BLANK.match(body)
    start = blank.end() if blank else 0
    return body[start:].rstrip(), line + body.count("\n", 0, start)


def _raise_unreadable(draft: Draft, code: str, message: str, hint: str) -> NoReturn:
    raise UnreadableFile(Problem(code, message, Where(draft.path, draft.line), hint))
