"""What the entries of a unit look up in other entries: their names, and the definitions of custom fields."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...model import RECORDS, Kind


@dataclass(slots=True)
class Lookups:
    """What reading a unit depends on in other entries, besides the custom fields that are required.

    An entry uses the definition of a custom field if it has the key. A key that no field has depends on the names of
    all custom fields, because its problem may suggest one of them.
    """

    names: set[tuple[Kind, str]] = field(default_factory=set)  # of categories, tags and organizers
    keys: set[str] = field(default_factory=set)  # of entries
    inner_keys: set[str] = field(default_factory=set)  # in objects and in translations, where no custom field is known

    def add_keys(self, values: Mapping[str, Any]) -> None:
        """Add the keys of an entry, before the values are validated."""
        self.keys.update(values)
        for value in values.values():
            if isinstance(value, dict):
                self._add_inner_keys(value)

    def _add_inner_keys(self, values: Mapping[str, Any]) -> None:
        self.inner_keys.update(values)
        for value in values.values():
            if isinstance(value, dict):
                self._add_inner_keys(value)

    def to_text(self, kind: Kind) -> str:
        """Return the lookups as JSON; "" if there are none. No custom field of a kind has the name of a field."""
        known = {*RECORDS[kind].rules(), "sync"}
        keys, inner_keys = self.keys - known, self.inner_keys - known
        if not (self.names or keys or inner_keys):
            return ""
        return json.dumps([sorted(self.names), sorted(keys), sorted(inner_keys)])

    @classmethod
    def from_text(cls, text: str) -> "Lookups":
        """Return the lookups from the text that `to_text` made."""
        names: Iterable[tuple[str, str]]
        names, keys, inner_keys = json.loads(text) if text else ((), (), ())
        return cls({(Kind(kind), name) for kind, name in names}, {*keys}, {*inner_keys})
