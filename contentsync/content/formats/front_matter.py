"""Markdown and HTML files: front matter above, the body below."""

import re
from abc import ABC, abstractmethod
from typing import NoReturn

from frontmatter.default_handlers import BaseHandler

from ...errors import Problem, Where
from ...model import Kind
from ..draft import Draft, Unreadable, mark_at
from .toml_text import as_text, read_toml
from .yaml_text import read_mapping

MAX_FRONT_MATTER = 64 * 1024

_LEADING_BLANK = re.compile(r"(?:[ \t]*\n)*")
_JSON = re.compile(r"\{\s*(?:\"|\n|\})")
_KEY = r"[A-Za-z_][\w-]*(?:[ \t]*=|:\s)"
_MISTYPED = re.compile(
    rf"[ \t\ufeff]*(?:(?:[-\u2013\u2014]+|\+\++|--- ?\w+)[ \t]*\n[ \t]*(?:{_KEY}|\{{)|(?:---|\+\+\+)[ \t]*{_KEY})"
)
# What ends it for other programs (dots for Jekyll), or nearly.
_NEAR_END = re.compile(r"\n(\.{3}|[-+]{2,5}|[\u2013\u2014])[ \t]*$", re.MULTILINE)


class _Handler(BaseHandler, ABC):
    """Front matter between two lines of a delimiter."""

    END: re.Pattern[str]

    @abstractmethod
    def fill(self, draft: Draft, block: str) -> None:
        """Give the draft the values of a block."""

    def split(self, text: str) -> tuple[str, str]:
        """The rest of the first line with the block, and what stands behind that. Raises ValueError without an end."""
        end = self.END.search(text)  # a third of the time of the library's own `split`
        if end is None:
            raise ValueError
        return text[text.index("\n") : end.start() + 1], text[end.end() :]


class YamlHandler(_Handler):
    """Front matter in YAML."""

    FM_BOUNDARY = re.compile(r"---[ \t]*$", re.MULTILINE)
    END = re.compile(r"\n---[ \t]*$", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "---"

    def fill(self, draft: Draft, block: str) -> None:
        read_mapping(block, draft, draft.line)


class TomlHandler(_Handler):
    """Front matter in TOML, as Hugo has it."""

    FM_BOUNDARY = re.compile(r"\+\+\+[ \t]*$", re.MULTILINE)
    END = re.compile(r"\n\+\+\+[ \t]*$", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "+++"

    def fill(self, draft: Draft, block: str) -> None:
        toml = read_toml(block, draft.path, draft.line)
        draft.marks.update(toml.marks)
        draft.keys.update(toml.keys)
        draft.values = as_text(toml.values)


_HANDLERS: dict[str, _Handler] = {"---": YamlHandler(), "+++": TomlHandler()}


def read_document(text: str, kind: Kind, path: str) -> tuple[Draft, str, int]:
    """The front matter of a file as a draft, the body, and the line where that starts. Raises Unreadable.

    `frontmatter.parse` is not called: it takes an unclosed block for a body, strips the indentation of the
    body's first line, and leaves no line numbers.
    """
    blank = _LEADING_BLANK.match(text)
    start = blank.end() if blank else 0
    draft = Draft(kind, path, text.count("\n", 0, start) + 1)
    text = text[start:]
    handler = _HANDLERS.get(text[:3])
    if handler is None or not handler.detect(text):
        _refuse_unread(text, draft)
        return draft, *_trimmed(text, draft.line)
    try:
        block, body = handler.split(text)
    except ValueError:
        hint = f"end it with a line that contains only {handler.START_DELIMITER}"
        near = _NEAR_END.search(text)
        if near:
            hint += f", not with the {near[1]} in line {draft.line + mark_at(text, near.start(1))[0] - 1}"
        _stop(draft, "unclosed-front-matter", "the front matter is never closed", hint)
    if len(block) * 4 > MAX_FRONT_MATTER and len(block.encode()) > MAX_FRONT_MATTER:
        limit = MAX_FRONT_MATTER // 1024
        _stop(draft, "too-large", f"the front matter is larger than {limit} KB", "move long texts into the body")
    handler.fill(draft, block)
    draft.is_ascii = text.isascii() and "\\" not in block
    return draft, *_trimmed(body, draft.line + block.count("\n"))


def _refuse_unread(text: str, draft: Draft) -> None:
    """What somebody meant for front matter."""
    if _JSON.match(text):
        hint = "write it as YAML between two lines of ---"
        _stop(draft, "json-front-matter", "JSON front matter is not supported", hint)
    mistyped = _MISTYPED.match(text)
    if mistyped:
        fence, words = ("+++", "plus signs") if mistyped[0].startswith("+") else ("---", "hyphens")
        hint = f"make the first line exactly three {words}"
        if {"\u2013", "\u2014"} & set(mistyped[0]):
            hint += "; an editor has replaced them with a dash"
        message = f"front matter must start with a line that contains only {fence}"
        _stop(draft, "mistyped-front-matter", message, hint)


def _trimmed(body: str, line: int) -> tuple[str, int]:
    """The body without blank lines around it; an indented first line keeps its indentation."""
    blank = _LEADING_BLANK.match(body)
    start = blank.end() if blank else 0
    return body[start:].rstrip(), line + body.count("\n", 0, start)


def _stop(draft: Draft, code: str, message: str, hint: str) -> NoReturn:
    raise Unreadable(Problem(code, message, Where(draft.path, draft.line), hint))
