"""Markdown and HTML files: front matter above, the body below."""

import re
from typing import Any, NoReturn

from frontmatter.default_handlers import BaseHandler

from ..errors import Problem, Where
from ..model import Kind
from .draft import Draft, Unreadable
from .toml_text import as_text, read_toml
from .yaml_events import read_mapping

MAX_FRONT_MATTER = 64 * 1024

_LEADING_BLANK = re.compile(r"(?:[ \t]*\n)*")
_JSON = re.compile(r"\{\s*(?:\"|\n|\})")


class YamlHandler(BaseHandler):
    """Front matter between `---`, in YAML; `load` fills the draft and gives its values."""

    FM_BOUNDARY = re.compile(r"^-{3,}[ \t]*$", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "---"

    def __init__(self, draft: Draft) -> None:
        super().__init__()
        self.draft = draft

    def load(self, fm: str) -> dict[str, Any]:
        read_mapping(fm, self.draft, self.draft.line)
        return self.draft.values


class TomlHandler(BaseHandler):
    """Front matter between `+++`, in TOML, as Hugo has it."""

    FM_BOUNDARY = re.compile(r"^\+{3,}[ \t]*$", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "+++"

    def __init__(self, draft: Draft) -> None:
        super().__init__()
        self.draft = draft

    def load(self, fm: str) -> dict[str, Any]:
        toml = read_toml(fm, self.draft.path, self.draft.line)
        self.draft.marks.update(toml.marks)
        self.draft.keys.update(toml.keys)
        self.draft.values = as_text(toml.values)
        return self.draft.values


def read_document(text: str, kind: Kind, path: str) -> tuple[Draft, str, int]:
    """The front matter of a file as a draft, the body, and the line where that starts. Raises Unreadable.

    `frontmatter.parse` is not called: it takes an unclosed block for a body, strips the indentation of the
    body's first line, and leaves no line numbers.
    """
    blank = _LEADING_BLANK.match(text)
    start = blank.end() if blank else 0
    draft = Draft(kind, path, text.count("\n", 0, start) + 1)
    text = text[start:]
    handler = next((handler for handler in (YamlHandler(draft), TomlHandler(draft)) if handler.detect(text)), None)
    if handler is None:
        if _JSON.match(text):
            _stop(
                draft,
                "json-front-matter",
                "JSON front matter is not read",
                "write it in YAML, between two lines of ---",
            )
        return draft, *_trimmed(text, draft.line)
    try:
        block, body = handler.split(text)
    except ValueError:
        hint = f"end it with a line of {handler.START_DELIMITER}"
        _stop(draft, "unclosed-front-matter", "the front matter is never closed", hint)
    if len(block.encode()) > MAX_FRONT_MATTER:
        limit = MAX_FRONT_MATTER // 1024
        _stop(draft, "too-large", f"the front matter is larger than {limit} KB", "move long texts into the body")
    handler.load(block)
    return draft, *_trimmed(body, draft.line + block.count("\n"))


def _trimmed(body: str, line: int) -> tuple[str, int]:
    """The body without blank lines around it; an indented first line keeps its indentation."""
    blank = _LEADING_BLANK.match(body)
    start = blank.end() if blank else 0
    return body[start:].rstrip(), line + body.count("\n", 0, start)


def _stop(draft: Draft, code: str, message: str, hint: str) -> NoReturn:
    raise Unreadable(Problem(code, message, Where(draft.path, draft.line), hint))
