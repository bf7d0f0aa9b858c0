"""Replace an author's own syntax, such as a shortcode, in Markdown bodies, as tables `[[markdown.replace]]` say.

Texts may be hostile, so patterns are not regular expressions: a placeholder stands for a part of one line.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, ConfigDict, ValidationInfo

from ...lazy_pattern import lazy_pattern
from ...model import Part
from ...model.field_types import Text500, fault
from ..files.content_folder import CONFIG
from ..formats.draft import Draft, markdown_bodies
from ..formats.mdx_modules import is_mdx, without_modules

MAX_REPLACEMENTS = 100  # tables
MAX_VALUE = 1_000  # characters that a placeholder may stand for
MAX_LENGTH = 10_000_000  # characters of a body with its replacements, as of a file

# `{{title}}` contains none: in templates, braces are doubled.
_PLACEHOLDER = lazy_pattern(r"(?<!\{)\{([a-z][a-z0-9_]*)\}")


def _check_find(value: str) -> str:
    """Return the pattern. Raise a fault unless it is one line with text around each placeholder, and each only once."""
    names = _PLACEHOLDER.findall(value)
    parts = _PLACEHOLDER.split(value)[::2]  # the text around the placeholders
    if not value.strip() or "\n" in value:
        raise fault("bad-replacement", "must be text on one line")
    if not all(parts):
        hint = "a placeholder stands for the text up to the next character of the pattern"
        raise fault(
            "bad-replacement", "must begin and end with text, and have text between its placeholders", hint=hint
        )
    if len({*names}) < len(names):
        raise fault("bad-replacement", "has two placeholders with the same name")
    return value


def _check_replace(value: str, info: ValidationInfo) -> str:
    """Return the replacement. Raise a fault if it has several lines, or a placeholder that `find` lacks."""
    if "\n" in value:
        raise fault("bad-replacement", "must be text on one line: problems are reported at the lines of the file")
    find = info.data.get("find", value)  # a `find` with a fault is missing: do not compare
    unknown = {*_PLACEHOLDER.findall(value)} - {*_PLACEHOLDER.findall(find)}
    if unknown:
        raise fault("bad-replacement", f"has a placeholder {{{min(unknown)}}} that is not in find")
    return value


class Occurrence(NamedTuple):
    """Where a pattern occurs in a text, and the value of each placeholder, without spaces around it."""

    start: int
    end: int
    values: Mapping[str, str]


class Replacement(Part):
    """A syntax to find in Markdown bodies, and the Markdown to write in its place."""

    model_config = ConfigDict(frozen=True)

    find: Annotated[Text500, AfterValidator(_check_find)]
    replace: Annotated[Text500, AfterValidator(_check_replace)]

    @cached_property
    def _literals(self) -> list[str]:
        """The text around the placeholders of `find`."""
        return _PLACEHOLDER.split(self.find)[::2]  # between these items are the names of the placeholders

    @cached_property
    def _names(self) -> list[str]:
        return _PLACEHOLDER.findall(self.find)

    def apply(self, text: str) -> str:
        """Return the text with every occurrence replaced. Raises TooLong."""
        pieces, length, done = [], len(text), 0
        for start, end, values in self.matches(text):
            new = _PLACEHOLDER.sub(lambda placeholder: values[placeholder[1]], self.replace)  # noqa: B023  # it is called at once
            length += len(new) - (end - start)
            if length > MAX_LENGTH:
                raise TooLong
            pieces += [text[done:start], new]
            done = end
        return "".join((*pieces, text[done:]))

    def matches(self, text: str) -> Iterator[Occurrence]:
        """Yield the occurrences, which do not overlap; a value is on one line, with one to `MAX_VALUE` characters."""
        first, *others = self._literals
        start = text.find(first)
        while start >= 0:
            end = start + len(first)
            values = []
            for literal in others:
                literal_start = text.find(literal, end + 1, end + MAX_VALUE + len(literal))
                if literal_start < 0 or "\n" in text[end:literal_start]:
                    break
                values.append(text[end:literal_start].strip())
                end = literal_start + len(literal)
            if len(values) == len(others):
                yield Occurrence(start, end, dict(zip(self._names, values, strict=True)))
            else:
                end = start + 1  # the next try begins inside of this one
            start = text.find(first, end)


class TooLong(Exception):
    """A body would be too long with its replacements."""


def check_count(value: Any) -> Any:
    """Return the value unless it is a list of too many replacements."""
    if isinstance(value, list) and len(value) > MAX_REPLACEMENTS:
        raise fault("too-many", f"must have at most {MAX_REPLACEMENTS} entries")
    return value


def replaced_text(text: str, replacements: Sequence[Replacement]) -> str:
    """Return the text after all replacements, each applied to the result of the one before. Raises TooLong."""
    for replacement in replacements:
        text = replacement.apply(text)
    return text


def is_replaced(text: str, replacements: Sequence[Replacement]) -> bool:
    """Return whether something in the text is replaced."""
    try:
        return replaced_text(text, replacements) != text
    except TooLong:
        return True


def replace_in_bodies(draft: Draft, replacements: Sequence[Replacement]) -> None:
    """Replace the author's syntax in the Markdown bodies of an entry, also in translations.

    Imports and exports of MDX are removed first. The number of lines stays the same, because neither a placeholder nor
    a replacement can contain a line end.
    """
    has_modules = is_mdx(draft.path)
    for name, values, field in markdown_bodies(draft) if replacements or has_modules else ():
        try:
            body = without_modules(values[field]) if has_modules else values[field]
            text = replaced_text(body, replacements)
        except TooLong:
            message = f"{name} is longer than {MAX_LENGTH:,} characters after the replacements of {CONFIG}"
            draft.fail(name, "too-large", message, draft.where(name), "shorten replace, or split the text")
            continue
        if text != values[field]:
            lines = zip(text.split("\n"), values[field].split("\n"), strict=True)
            changed = frozenset(number for number, (new, old) in enumerate(lines, 1) if new != old)
            draft.replaced_lines = {**(draft.replaced_lines or {}), name: changed}
            draft.is_ascii = draft.is_ascii and text.isascii()
            values[field] = text
