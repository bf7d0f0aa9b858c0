"""Find the text of one scalar in a YAML, JSON or TOML text by its offset, and replace it in the form that it has."""

import json
import re
import tomllib
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import yaml

from ...content.files.file_names import DOCUMENT_SUFFIXES
from ...content.formats.front_matter import find_front_matter
from ...content.formats.toml_reader import ARRAY_TOKEN
from ...lazy_pattern import lazy_pattern
from ...model import PlainScalar
from .text_editor import Splice, misread_edit_error
from .yaml_writing import BLOCK_STYLES, inline_yaml, is_plain_text

_QUOTES = ('"', "'")
_AFTER_SCALAR = r"(?=[ \t]*(?:[,\]}\n#:=]|\Z))"
_BLOCK_HEADER = lazy_pattern(r"[|>][-+0-9]*(?P<comment>[^\n]*)\n")
_TAG = lazy_pattern(r"(?:![^ \t\n]*[ \t\n]+)?")
_DECODER = json.JSONDecoder()


class _ScalarText(NamedTuple):
    value: str
    start: int  # offsets
    end: int
    style: str  # its quote, or how its block is written; "" for neither
    header: re.Match[str] | None = None  # of a block, the line above its text


class ScalarTexts:
    """The scalars of a list, or of the front matter of a document."""

    def __init__(self, text: str, path: str) -> None:
        """Find scalars in the text of the file at a path."""
        self._text = text
        self._path = path
        name = path.lower()
        self._is_document = name.endswith(DOCUMENT_SUFFIXES)
        self._front_matter = find_front_matter(text) if self._is_document else None
        self._is_json = name.endswith(".json")
        self._is_toml = name.endswith(".toml") or (self._front_matter is not None and self._front_matter.is_toml)

    def is_body(self, offset: int) -> bool:
        """Return whether an offset is in the text below a front matter, which has no scalars."""
        return self._is_document and offset >= (self._front_matter.end if self._front_matter else 0)

    def replacement(self, offset: int, old: str, new: str) -> Splice | None:
        """Return the splice that replaces the scalar `old` at an offset by `new`; None if another scalar is there.

        Quotes stay, and so does the form of a block if it can hold the text. Raise Refused without a scalar there.
        """
        found = self._simple(offset, old) or self._find(offset)
        if found is None:
            raise misread_edit_error(self._path)
        if found.value != old:
            return None
        if found.header is not None and (lines := _block_lines(self._text[found.start : found.end], old, new)):
            return Splice(found.start, found.end, lines)
        if found.header is not None and (new != new.strip() or not new.isprintable() or not new):
            # A block cannot hold the text: it becomes a text in quotes, with the comment of the block.
            return Splice(found.header.start(), found.end, inline_yaml(new, style='"') + found.header["comment"])
        if found.header is not None:
            return Splice(found.start, found.end, new)
        return Splice(found.start, found.end, _written(new, found.style, old))

    def _simple(self, offset: int, value: str) -> _ScalarText | None:
        """Return the scalar at an offset if it is exactly this value on one line, in quotes or without."""
        match = re.compile(rf"([\"']?){re.escape(value)}\1{_AFTER_SCALAR}").match(self._text, offset)
        return _ScalarText(value, match.start(), match.end(), match[1]) if match else None

    def _find(self, offset: int) -> _ScalarText | None:
        """Return the scalar at an offset; None if no scalar starts there."""
        if not self._is_json and not self._is_toml:
            return self._yaml_scalars.get(offset)
        if self._is_json:
            value, end = _DECODER.raw_decode(self._text, offset)
        else:
            token = ARRAY_TOKEN.match(self._text, offset)
            text = token[0] if token else ""
            value, end = tomllib.loads(f"x = {text}")["x"] if text[:1] in _QUOTES else text, offset + len(text)
        return _ScalarText(value, offset, end, '"') if isinstance(value, str) else None

    @cached_property
    def _yaml_scalars(self) -> Mapping[int, _ScalarText]:
        """The scalars of YAML by the offset at which they start. All are parsed, as only libyaml knows their ends."""
        start, end = (self._front_matter.start, self._front_matter.end) if self._front_matter else (0, len(self._text))
        events = yaml.parse(self._text[start:end], yaml.CBaseLoader)
        scalars: list[Any] = [event for event in events if isinstance(event, yaml.ScalarEvent)]
        return {start + scalar.start_mark.index: self._yaml_scalar(scalar, start) for scalar in scalars}

    def _yaml_scalar(self, scalar: Any, block_start: int) -> _ScalarText:
        """Return the text of a scalar event without its tag. `block_start` is the offset of the text that was parsed.

        The text of a block scalar is only its lines, without the header (`|` or `>`) and the blank lines around them.
        """
        start, end = block_start + scalar.start_mark.index, block_start + scalar.end_mark.index
        tag = _TAG.match(self._text, start, end)
        start = tag.end() if tag else start
        header = _BLOCK_HEADER.match(self._text, start, end) if scalar.style in BLOCK_STYLES else None
        if header:  # only the lines below it
            start = header.end()
            start += len(self._text[start:end]) - len(self._text[start:end].lstrip())
            end = start + len(self._text[start:end].rstrip())
        return _ScalarText(scalar.value, start, end, scalar.style or "", header)


def _block_lines(block: str, old: str, new: str) -> str:
    """Return the lines of a block with a new text; "" unless each line of the text is one of the block.

    The empty lines at the end of both texts must be the same: the header says whether they belong to the text.
    """
    old_lines, new_lines, lines = old.split("\n"), new.split("\n"), block.split("\n")
    ends = [len(text) - len(text.rstrip("\n")) for text in (old, new)]
    if ends[0] != ends[1] or not len(old_lines) == len(new_lines) == len(lines) + ends[0]:
        return ""
    result: list[str] = []
    for line, before, after in zip(lines, old_lines, new_lines, strict=False):
        indent = line.removesuffix(before)
        can_hold = before == after or (after == after.strip() and after.isprintable())
        if indent.strip() or indent + before != line or not can_hold:
            return ""
        result.append(indent + after)
    return "\n".join(result)


def _written(text: str, quote: str, old: str) -> str:
    """Return a text as it is written in place of the `old` one in a `quote`, or without one."""
    if not quote:
        has_new_signs = any(not sign.isalnum() and sign not in f"-.{old}" for sign in text)
        is_fix = isinstance(text, PlainScalar)  # which needs no quotes where the old text had none
        return text if is_fix and is_plain_text(text) and not has_new_signs else inline_yaml(text, flow=True)
    is_safe = text.isprintable() and {*text}.isdisjoint("\\\"'")
    return f"{quote}{text}{quote}" if is_safe else inline_yaml(text, style='"')  # which JSON and TOML read too
