"""Propose new files for the categories and tags that listings use, and for custom fields."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml

from ...model import Kind
from ...model.field_types import MAX_ITEMS
from ...model.slug import make_slug, with_number
from .key_survey import Survey

_FIELDS: Mapping[str, Kind] = {"category_id": Kind.CATEGORY, "categories": Kind.CATEGORY, "tags": Kind.TAG}
_MAX_TITLE = 255  # characters
_LIST_FIELDS = frozenset({"categories", "tags"})


def used_names(survey: Survey, fields: Mapping[str, str], separators: str = "|") -> Mapping[Kind, Counter[str]]:
    """Return the categories and tags that listings name, with how often; `fields` maps each key to its field.

    `separators` are the characters that may separate the items of a list in a cell.
    """
    separator = re.compile(f"[{re.escape(separators)}]")
    names: dict[Kind, Counter[str]] = {Kind.CATEGORY: Counter(), Kind.TAG: Counter()}
    for key, field in fields.items():
        kind = _FIELDS.get(field)
        if kind is None:
            continue
        for value, count in survey.keys[key].values.items():
            for name in separator.split(value) if field in _LIST_FIELDS else [value]:
                if name.strip():
                    names[kind][name.strip()] += count
    return names


def vocabulary_entries(names: Counter[str]) -> list[dict[str, str]]:
    """Return an entry for each name, in alphabetical order. Spellings that differ in case share the most frequent one.

    Names with equal slugs get a number. A name without a letter or digit gets no entry.
    """
    titles: dict[str, str] = {}
    for name, _ in names.most_common():
        if len(name) <= _MAX_TITLE and make_slug(name):
            titles.setdefault(name.casefold(), name)
    entries: list[dict[str, str]] = []
    slugs: set[str] = set()
    for title in sorted(titles.values(), key=str.casefold):
        slug = make_slug(title)
        number = 2
        while slug in slugs:
            slug = with_number(make_slug(title), number)
            number += 1
        slugs.add(slug)
        entries.append({"title": title, "slug": slug})
    return entries


def list_file(entries: Sequence[Mapping[str, Any]], heading: str) -> bytes:
    """Return a YAML file with a list of entries, below a comment."""
    return (f"# {heading}\n" + yaml.safe_dump([*entries], allow_unicode=True, sort_keys=False, width=110)).encode()


def merged_definitions(definitions: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the custom fields without a second one of the same name, at most as many as a folder may declare."""
    by_name: dict[str, Mapping[str, Any]] = {}
    for definition in definitions:
        by_name.setdefault(definition["name"], definition)
    return [*by_name.values()][:MAX_ITEMS]
