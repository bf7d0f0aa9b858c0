"""New values of fields as users write them for many entries: `price=20`, `tags+=bike`, `tags-=bike`."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from ..errors import UsageError
from ..lazy_pattern import lazy_pattern
from .entry import Kind
from .named_fields import FieldNames, NamedField
from .rules import key_fields

_FORM = lazy_pattern(r"\s*(?P<name>[^=]*?)\s*(?P<operator>[+-]?=)\s*(?P<text>.*?)\s*\Z", re.DOTALL)


class Operator(StrEnum):
    """What an assignment does with a field."""

    SET = "="
    ADD = "+="  # items to a list
    REMOVE = "-="  # items from a list
    UNSET = "--unset"


@dataclass(frozen=True, slots=True)
class Assignment:
    """A field, an operator and the text of a value, or of the items of a list; an empty text clears the field."""

    field: NamedField
    operator: Operator
    text: str = ""

    @property
    def changes_items(self) -> bool:
        """Return whether items are added to a list, or removed from it."""
        return self.operator in (Operator.ADD, Operator.REMOVE)


def is_assignment(word: str) -> bool:
    """Return whether a word has the form of an assignment; another one may be the name of a folder."""
    return _FORM.match(word) is not None


def parse_assignments(words: Iterable[str], unset: Iterable[str], names: FieldNames) -> tuple[Assignment, ...]:
    """Return the assignments in words, and then those that unset fields. Raise UsageError for the first wrong word.

    No field by which an entry is identified can be assigned, and each field has one value.
    """
    assignments = (*_parsed(words, names), *_unset(unset, names))
    for first, second in combinations(assignments, 2):
        _refuse_two(first, second)
    return assignments


def _parsed(words: Iterable[str], names: FieldNames) -> Iterator[Assignment]:
    for word in words:
        match = _FORM.match(word)
        if match is None:
            raise UsageError(f"'{word}' is not FIELD=VALUE", f"write {word}=VALUE; only the last word may be a folder")
        name, operator, text = match.group("name", "operator", "text")
        yield Assignment(_find(name, names, f"'{word}': "), Operator(operator), text)


def _unset(fields: Iterable[str], names: FieldNames) -> Iterator[Assignment]:
    return (Assignment(_find(name, names, f"{Operator.UNSET} {name}: "), Operator.UNSET) for name in fields)


def _find(name: str, names: FieldNames, place: str) -> NamedField:
    """Return the field with a name. Raise UsageError if there is none, or if it cannot be changed for many entries."""
    field = names.find(name, place)
    kind = names.kind
    if not field.is_authored:
        raise UsageError(f"{place}{name} is not a field of the files", "name a field, such as a key of the files")
    if name in key_fields(kind):
        hint = f"contentsync mv {kind}/KEY NEW renames one, with its files and all links to it"
        raise UsageError(f"{place}{kind.plural} are found by their {name}, which set does not change", hint)
    if (kind, name) == (Kind.LISTING, "category_id"):
        raise UsageError(f"{place}the category of a listing is the first of its categories", "change categories")
    return field


def _refuse_two(first: Assignment, second: Assignment) -> None:
    """Raise UsageError for two values of one field, or of an object and a key in it."""
    name, other = first.field.name, second.field.name
    if name == other and not (first.changes_items and second.changes_items):
        raise UsageError(f"{name} is assigned twice", "assign it once")
    if f"{name}.".startswith(f"{other}.") != f"{other}.".startswith(f"{name}."):
        raise UsageError(f"{name} and {other} are assigned, and one is a part of the other", "assign one of them")
