"""Patterns of slugs, such as `{year}-{month}-{name}`, and the slug that one makes from the name of a file."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from ...model import did_you_mean
from ...model.field_types import fault
from ...model.slug import make_slug
from .file_names import FileName

DEFAULT_PATTERN = "{name}"
DATE_PARTS = ("year", "month", "day")
_NAMES = ("name", "path")  # placeholders of which a pattern must contain one
_PLACEHOLDERS = (*_NAMES, "parent", *DATE_PARTS)
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_LITERAL = re.compile(r"[a-z0-9-]*\Z")
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)", re.ASCII)


def check_slug_pattern(pattern: str) -> str:
    """Return the pattern. Raise the fault `bad-pattern` for one that could not make different slugs of entries.

    It must contain {name} or {path}, and may contain other placeholders, lower-case letters, digits and hyphens.
    """
    placeholders = _PLACEHOLDER.findall(pattern)
    for placeholder in placeholders:
        if placeholder not in _PLACEHOLDERS:
            known = ", ".join(f"{{{name}}}" for name in _PLACEHOLDERS)
            hint = did_you_mean(placeholder, _PLACEHOLDERS) or f"the placeholders are {known}"
            raise fault("bad-pattern", f"has the unknown placeholder {{{placeholder}}}", hint=hint)
    if not _LITERAL.match(_PLACEHOLDER.sub("", pattern)):
        message = "must contain only placeholders in braces, lower-case letters, digits and hyphens"
        raise fault("bad-pattern", message, hint='write a pattern such as "{year}-{month}-{name}"')
    if not any(name in placeholders for name in _NAMES):
        hint = "add one of them: without a name, several entries would get the same slug"
        raise fault("bad-pattern", "must contain {name} or {path}", hint=hint)
    return pattern


class SlugSource(NamedTuple):
    """What the slug of an entry can be made from: its file name, and its `published_at` as the author wrote it."""

    name: FileName  # the parsed path; its `stem` is the name without the date, the language and the suffix
    published_at: object = None

    def make(self, pattern: str) -> str:
        """Return the slug that a pattern makes; "" if a placeholder has no value."""
        if pattern == DEFAULT_PATTERN:  # a shortcut for most collections: the slug is the same as below
            return make_slug(self.name.stem)
        if self.missing(pattern):
            return ""
        values = self._values()
        return make_slug(_PLACEHOLDER.sub(lambda match: values[match[1]], pattern))

    def missing(self, pattern: str) -> str:
        """Return the first placeholder of a pattern that has no value; "" if all have one."""
        values = self._values()
        return next((name for name in _PLACEHOLDER.findall(pattern) if not values.get(name)), "")

    def names_used_by(self, pattern: str) -> tuple[str, ...]:
        """Return the names of the file and its folders that a pattern uses."""
        if pattern == DEFAULT_PATTERN:
            return (self.name.stem,)
        folders = self.name.folders
        if "{path}" not in pattern:
            folders = folders[-1:] if "{parent}" in pattern else []
        return (*folders, self.name.stem)

    def _values(self) -> Mapping[str, str]:
        """Return the values of placeholders. A missing value is "", but the parts of a missing date are left out."""
        name = make_slug(self.name.stem)
        folders = [make_slug(folder) for folder in self.name.folders]
        # A translation that is read as an entry has its language in {path}.
        path = "-".join(filter(None, (make_slug(self.name.locale or ""), *folders, name)))
        values = {"name": name, "path": path if name else "", "parent": folders[-1] if folders else ""}
        if date := _DATE.match(self.name.date or str(self.published_at)):
            values |= {part: f"{digits:0>2}" for part, digits in zip(DATE_PARTS, date.groups(), strict=True)}
        return values
