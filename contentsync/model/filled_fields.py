"""How many entries of a kind have a value of each field."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .entry import Entry, Kind
from .field_types import Definition
from .named_fields import FieldNames, is_filled

FilledNames = tuple[str, ...]  # of the fields of which one entry has a value


class FieldCount(NamedTuple):
    """The number of entries that have a value of a field."""

    name: str
    filled: int


class Completeness(NamedTuple):
    """The fields of a kind, each with the number of entries that have a value of it."""

    kind: Kind
    entries: int
    fields: Sequence[FieldCount]

    @property
    def used(self) -> Sequence[FieldCount]:
        """The fields that at least one entry has."""
        return [field for field in self.fields if field.filled]


def filled_names(fields: Mapping[str, Any]) -> FilledNames:
    """Return the names of the fields that have a value, also those inside objects, such as `seo.title`."""
    return tuple(_filled(fields, ""))


def _filled(fields: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for name, value in fields.items():
        if is_filled(value):
            yield prefix + name
            if isinstance(value, dict):
                yield from _filled(value, f"{prefix}{name}.")


def count_filled(entries: Iterable[Entry]) -> dict[Kind, Counter[FilledNames]]:
    """Return, by kind, how many entries have the same filled fields."""
    counts: dict[Kind, Counter[FilledNames]] = {kind: Counter() for kind in Kind}
    for entry in entries:
        counts[entry.kind][filled_names(entry.fields)] += 1
    return counts


def measure_completeness(names: FieldNames, filled: Counter[FilledNames]) -> Completeness:
    """Return the completeness of entries, counted by filled fields; fields with a default are never empty: left out.

    A text in another language is a field of its own.
    """
    counts = Counter[str]()
    for each, number in filled.items():
        counts.update(dict.fromkeys(each, number))
    total = filled.total()
    counted = [field for field in names if field.is_authored and not is_filled(field.default)]
    # A field that is read in a way of its own is the key, which every entry has.
    fields = [FieldCount(each.name, counts[each.name] if each.read is None else total) for each in counted]
    return Completeness(names.kind, total, fields)


def measure_kinds(
    filled: Mapping[Kind, Counter[FilledNames]],
    definitions: Mapping[Kind, Mapping[str, Definition]],
    locales: Sequence[str],
) -> list[Completeness]:
    """Return the completeness of each kind of which there are entries; `locales` are the languages besides the default.

    Custom fields are left out: they are definitions, which have the fields that their type needs.
    """
    return [
        measure_completeness(FieldNames(kind, definitions.get(kind), locales), of_kind)
        for kind, of_kind in filled.items()
        if of_kind and kind is not Kind.CUSTOM_FIELD
    ]
