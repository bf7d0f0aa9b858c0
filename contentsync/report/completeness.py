"""How many entries of a kind have a value of each field: as text, CSV and JSON, and in one line."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import pluralize
from ..model import Definition, Entry, Kind
from ..model.named_fields import FieldNames, is_filled
from .entry_list import aligned_lines

MAX_NAMED = 3  # fields in a line


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


def measure_completeness(names: FieldNames, entries: Sequence[Entry]) -> Completeness:
    """Return the completeness of some entries; fields with a default, such as booleans, are never empty and left out.

    A text in another language is a field of its own.
    """
    counted = [field for field in names if field.is_authored and not is_filled(field.default)]
    # One pass over the values that entries have: a kind has many fields that hardly any entry sets.
    counts = Counter(name for entry in entries for name, value in entry.fields.items() if is_filled(value))
    fields = []
    for field in counted:
        is_plain = field.read is None and "." not in field.name
        filled = counts[field.name] if is_plain else sum(is_filled(field.value(entry)) for entry in entries)
        fields.append(FieldCount(field.name, filled))
    return Completeness(names.kind, len(entries), fields)


def measure_kinds(
    entries: Sequence[Entry], definitions: Mapping[Kind, Mapping[str, Definition]], locales: Sequence[str]
) -> list[Completeness]:
    """Return the completeness of each kind of which there are entries; `locales` are the languages besides the default.

    Custom fields are left out: they are definitions, which have the fields that their type needs.
    """
    by_kind = {kind: [entry for entry in entries if entry.kind is kind] for kind in Kind}
    return [
        measure_completeness(FieldNames(kind, definitions.get(kind), locales), of_kind)
        for kind, of_kind in by_kind.items()
        if of_kind and kind is not Kind.CUSTOM_FIELD
    ]


def completeness_summaries(measured: Sequence[Completeness]) -> dict[str, Any]:
    """Return the part of the JSON document of `status`: by kind, the fields in use and the share of their values."""
    return {
        each.kind.value: {
            "total": each.entries,
            "share": round(_share(sum(field.filled for field in each.used), each.entries * len(each.used)), 4),
            "fields": {field.name: field.filled for field in each.used},
        }
        for each in measured
    }


def completeness_document(measured: Completeness) -> dict[str, Any]:
    """Return the JSON document of `list --completeness`."""
    return {
        "version": 1,
        "kind": measured.kind.value,
        "total": measured.entries,
        "fields": [
            {"field": field.name, "filled": field.filled, "share": round(_share(field.filled, measured.entries), 4)}
            for field in measured.fields
        ],
    }


def completeness_csv(measured: Completeness) -> str:
    """Return a table with a header; names and numbers are no formulas."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["field", "filled", "share"])
    writer.writerows((name, filled, _percent(measured, filled)) for name, filled in measured.fields)
    return text.getvalue()


def completeness_lines(measured: Completeness) -> Iterator[str]:
    """Yield the lines of a table with aligned columns, and the number of entries."""
    rows = [(name, f"{filled:,}", _percent(measured, filled)) for name, filled in measured.fields]
    yield from aligned_lines([("field", "filled", "share"), *rows], right=(1, 2))
    yield ""
    yield measured.kind.counted(measured.entries)


def completeness_line(measured: Completeness) -> str:
    """Return one line: the part of the values that is filled, and the fields that most entries lack.

    Only fields count that at least one entry has: a folder uses few of those that a kind may have.
    """
    used = measured.used
    filled = sum(field.filled for field in used)
    share = _rounded_percent(filled, measured.entries * len(used))
    incomplete = sorted((field for field in used if field.filled < measured.entries), key=lambda field: field.filled)
    named = ", ".join(f"{name} {_percent(measured, count)}" for name, count in incomplete[:MAX_NAMED])
    text = f"{measured.kind.counted(measured.entries)}: {share} of the values of {pluralize(len(used), 'field')} in use"
    return f"{text}; least: {named}" if named else text


def _share(part: int, whole: int) -> float:
    """Return which part of a whole a number is, from 0 to 1; 0 of nothing."""
    return part / whole if whole else 0


def _percent(measured: Completeness, filled: int) -> str:
    return _rounded_percent(filled, measured.entries)


def _rounded_percent(part: int, whole: int) -> str:
    """Return a percentage that is 100 or 0 only if it is so exactly."""
    if not whole:
        return "0%"
    percent = round(100 * part / whole)
    return f"{percent if part in (0, whole) else min(99, max(1, percent))}%"
