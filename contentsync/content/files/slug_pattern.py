"""Patterns of slugs: `{year}-{name}` of the parts of a file name, `{name}-{city}` of the fields of a listing."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ...lazy_pattern import lazy_pattern
from ...model import did_you_mean
from ...model.field_types import fault
from ...model.slug import make_slug
from .file_names import FileName

DEFAULT_PATTERN = "{name}"
DATE_PARTS = ("year", "month", "day")
_NAMES = ("name", "path")  # placeholders of which a pattern must contain one
_PLACEHOLDERS = (*_NAMES, "parent", *DATE_PARTS)
_PLACEHOLDER = lazy_pattern(r"\{([^{}]*)\}")
_FIELD = lazy_pattern(r"\w+\Z")
_NO_TEXT = frozenset({"slug", "sync", "social_links", "schema", "description", "content", "head_html"})
_LITERAL = lazy_pattern(r"[a-z0-9-]*\Z")
_DATE = lazy_pattern(r"(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)", re.ASCII)


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
    _check_literals(pattern, example="{year}-{month}-{name}")
    if not any(name in placeholders for name in _NAMES):
        hint = "add one of them: without a name, several entries would get the same slug"
        raise fault("bad-pattern", "must contain {name} or {path}", hint=hint)
    return pattern


def check_field_pattern(pattern: str) -> str:
    """Return the pattern for the slugs of listings. Raise the fault `bad-pattern` for one without {name}.

    Its placeholders are names of fields. Whether a custom field of such a name exists is not known yet.
    """
    fields = fields_of_pattern(pattern)
    for field in fields:
        if not _FIELD.match(field) or field in _NO_TEXT:
            hint = "write a field with a short text, such as {name}, or a custom field of the listings"
            raise fault("bad-pattern", f"has {{{field}}}, which is not a field that a slug can be made of", hint=hint)
    _check_literals(pattern, example="{name}-{city}")
    if "name" not in fields:
        hint = "add it: without the name, several listings would get the same slug"
        raise fault("bad-pattern", "must contain {name}", hint=hint)
    return pattern


def _check_literals(pattern: str, example: str) -> None:
    """Raise the fault `bad-pattern` if a slug could not contain the text between placeholders."""
    if not _LITERAL.match(_PLACEHOLDER.sub("", pattern)):
        message = "must contain only placeholders in braces, lower-case letters, digits and hyphens"
        raise fault("bad-pattern", message, hint=f'write a pattern such as "{example}"')


def fields_of_pattern(pattern: str) -> list[str]:
    """Return the names of the fields from which a pattern makes the slugs of listings."""
    return [*dict.fromkeys(_PLACEHOLDER.findall(pattern))]


def slug_of_fields(pattern: str, values: Mapping[str, Any]) -> str:
    """Return the slug that a pattern makes of the values of a listing; "" without a name. Of a list, the first counts.

    A field without a value is left out: the slug of a listing without a city is that of its name.
    """
    parts = {field: _first_text(values.get(field)) for field in fields_of_pattern(pattern)}
    if not make_slug(parts.get("name", "")):
        return ""
    return make_slug(_PLACEHOLDER.sub(lambda match: parts[match[1]], pattern))


def _first_text(value: object) -> str:
    first = next(iter(value), None) if isinstance(value, list | tuple) else value
    return first if isinstance(first, str) else ""


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
