"""What a journal names, under the names that it has now, or will have again once a run is taken back."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..model import RECORDS, Entry, Kind, Reference
from .comparing.base import is_custom, label
from .comparing.referring import mapped, referring
from .memory.runs import Lost, Step


class Calling:
    """The names of the server's records, `restored` for those that get another one, or are created again."""

    def __init__(self, actual: Sequence[Entry], restored: Mapping[tuple[Kind, int | None], str]) -> None:
        self._names = {(entry.kind, entry.id): entry.key for entry in actual} | dict(restored)
        self._fields = {label("", id_): key for (kind, id_), key in self._names.items() if kind is Kind.CUSTOM_FIELD}

    def entry(self, entry: Entry) -> tuple[Entry, list[str]]:
        """Return an entry that a journal gives under the present names, and the names of what is not there any more.

        Its references have the ids that they had, also where the record is to be created again.
        """
        missing: list[str] = []

        def named(kind: Kind, key: str) -> str:
            if not isinstance(key, Reference) or key.id is None:
                return str(key)
            name = self._names.get((kind, key.id))
            if name is None:
                missing.append(f"{kind} {key}")
            return Reference(name or "", key.id)

        entry = referring(entry, named)
        fields = {self.field(name): value for name, value in entry.fields.items()}
        for name in RECORDS[entry.kind].references:
            if isinstance(fields.get(name), list):
                fields[name] = [*filter(None, fields[name])]
            elif name in fields:
                fields[name] = fields[name] or None
        return replace(entry, fields=fields), missing

    def field(self, name: str) -> str:
        """Return the name of a field that a line or a `canonical` step has."""
        return self._fields.get(name, name)


def canonical(step: Step) -> Step:
    """Return a step with ids for all names: in references, and in place of those of custom fields."""
    if step.ids is None:
        return step
    ids = step.ids

    def value(kind: Kind, name: str, before: Any) -> Any:
        referred = RECORDS[kind].references.get(name)
        return before if referred is None else mapped(before, referred, named)

    def named(kind: Kind, key: str) -> str:
        return Reference(key, ids.get(kind, {}).get(key))

    def field(kind: Kind, name: str) -> str:
        return label(name, ids.get(Kind.CUSTOM_FIELD, {}).get(name)) if is_custom(kind, name) else name

    before = step.before and {field(step.kind, name): value(step.kind, name, it) for name, it in step.before.items()}
    lost = [Lost(kind, id_, field(kind, name), value(kind, name, it)) for kind, id_, name, it in step.lost]
    fields = {field(step.kind, name): known for name, known in step.fields.items()}
    return replace(step, before=before, lost=lost, fields=fields)
