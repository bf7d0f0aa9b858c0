"""Markdown and HTML files: front matter above, the body below."""

import re
from abc import ABC, abstractmethod
from typing import NoReturn

from frontmatter.default_handlers import BaseHandler

from ...errors import Problem, Where
from ...model import Kind
from ..draft import Draft, UnreadableFile, position_at
from .toml_reader import as_draft_values, read_toml
from .yaml_reader import read_mapping

MAX_FRONT_MATTER = 64 * 1024  # bytes

_LEADING_BLANK = re.compile(r"(?:[ \t]*\n)*")
_JSON = re.compile(r"\{\s*(?:\"|\n|\})")
_KEY = r"[A-Za-z_][\w-]*(?:[ \t]*=|:\s)"
_MISTYPED = re.compile(
    rf"[ \t\ufeff]*(?:(?:[-\u2013\u2014]+|\+\++|--- ?\w+)[ \t]*\n[ \t]*(?:{_KEY}|\{{)|(?:---|\+\+\+)[ \t]*{_KEY})"
)
# Lines that end front matter in other programs (dots in Jekyll), or that look like a delimiter.
_NEAR_END = re.compile(r"\n(\.{3}|[-+]{2,5}|[\u2013\u2014])[ \t]*$", re.MULTILINE)


class FrontMatterHandler(BaseHandler, ABC):
    """A format of front matter, which is between two delimiter lines."""

    END: re.Pattern[str]

    @abstractmethod
    def fill(self, draft: Draft, block: str) -> None:
        """Set the values of a draft from a front matter block."""

    def split(self, text: str) -> tuple[str, str]:
        """Return the front matter after its first delimiter, and the text after its last one. Raises ValueError."""
        end = self.END.search(text)  # three times as fast as the library's own `split`
        if end is None:
            raise ValueError
        return text[text.index("\n") : end.start() + 1], text[end.end() :]


class YamlHandler(FrontMatterHandler):
    """Front matter in YAML."""

    FM_BOUNDARY = re.compile(r"---[ \t]*$", re.MULTILINE)
    END = re.compile(r"\n---[ \t]*$", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "---"

    def fill(self, draft: Draft, block: str) -> None:
        read_mapping(block, draft, draft.line)


class TomlHandler(FrontMatterHandler):
    """Front matter in TOML, as in Hugo."""

    FM_BOUNDARY = re.compile(r"\+\+\+[ \t]*$", re.MULTILINE)
    END = re.compile(r"\n\+\+\+[ \t]*$", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "+++"

    def fill(self, draft: Draft, block: str) -> None:
        toml = read_toml(block, draft.path, draft.line)
        draft.value_locations.update(toml.value_locations)
        draft.key_locations.update(toml.key_locations)
        draft.values = as_draft_values(toml.values)


_HANDLERS: dict[str, FrontMatterHandler] = {"---": YamlHandler(), "+++": TomlHandler()}


def read_document(text: str, kind: Kind, path: str) -> tuple[Draft, str, int]:
    """Return the front matter of a file as a draft, the body, and the body's first line number. Raises UnreadableFile.

    `frontmatter.parse` is not used: it takes an unclosed block for a body, strips the indentation of the body's
    first line, and loses line numbers.
    """
    blank = _LEADING_BLANK.match(text)
    start = blank.end() if blank else 0
    draft = Draft(kind, path, text.count("\n", 0, start) + 1)
    text = text[start:]
    handler = _HANDLERS.get(text[:3])
    if handler is None or not handler.detect(text):
        _refuse_mistyped(text, draft)
        return draft, *_trim_body(text, draft.line)
    try:
        block, body = handler.split(text)
    except ValueError:
        hint = f"end it with a line that contains only {handler.START_DELIMITER}"
        near_end = _NEAR_END.search(text)
        if near_end:
            hint += f", not with the {near_end[1]} in line {draft.line + position_at(text, near_end.start(1))[0] - 1}"
        _raise_unreadable(draft, "unclosed-front-matter", "the front matter is never closed", hint)
    if len(block) * 4 > MAX_FRONT_MATTER and len(block.encode()) > MAX_FRONT_MATTER:
        message = f"the front matter is larger than {MAX_FRONT_MATTER // 1024} KB"
        _raise_unreadable(draft, "too-large", message, "move long texts into the body")
    handler.fill(draft, block)
    draft.is_ascii = text.isascii() and "\\" not in block
    return draft, *_trim_body(body, draft.line + block.count("\n"))


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


def _trim_body(body: str, line: int) -> tuple[str, int]:
    """Return the body without blank lines around it, and its first line number. Keep the first line's indentation."""
    blank = _LEADING_BLANK.match(body)
    start = blank.end() if blank else 0
    return body[start:].rstrip(), line + body.count("\n", 0, start)


def _raise_unreadable(draft: Draft, code: str, message: str, hint: str) -> NoReturn:
    raise UnreadableFile(Problem(code, message, Where(draft.path, draft.line), hint))
