"""Convert the records of a directory to entries, with what its lists have shown so far."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ..model import NO_READERS, RECORDS, Entry, Kind, Readers, Reference, custom_readers
from .wire import NO_ENTRIES, missing_fields, references_of, to_entry


class EntryConverter:
    """Converts the records of one directory; `keys` has the key of each record that was read, by kind and id.

    `unknown` has the fields that the service does not return, by kind.
    """

    def __init__(self) -> None:
        self.keys: dict[Kind, dict[int, Reference]] = {kind: {} for kind in Kind}
        self.unknown: dict[Kind, frozenset[str]] = {}
        self._custom: Readers | None = None  # None until the definitions of custom fields are read
        self._missing_translations: frozenset[str] = frozenset()  # `translations.fr` if the directory has no French

    @property
    def has_definitions(self) -> bool:
        """Whether the custom fields are known, which define the types of values in other records."""
        return self._custom is not None

    def entry(
        self, kind: Kind, record: Mapping[str, Any], *, conditional: bool, alike: Mapping[str, Entry] = NO_ENTRIES
    ) -> Entry:
        """Return the entry of a record, as `to_entry` does. The records that it refers to must have been read."""
        custom, unknown = self._custom or NO_READERS, self.unknown_in(kind)
        return to_entry(kind, record, self.keys, conditional=conditional, custom=custom, unknown=unknown, alike=alike)

    def unknown_in(self, kind: Kind) -> frozenset[str]:
        """Return the fields of records of a kind that the service does not return, also texts in missing languages."""
        return self.unknown.get(kind, frozenset())

    def custom_fields(self, kind: Kind) -> Collection[str]:
        """Return the names of a kind's custom fields."""
        return (self._custom or NO_READERS).get(kind, {})

    def add_keys(self, kind: Kind, records: Iterable[Mapping[str, Any]]) -> None:
        """Add the keys of records, for references to them."""
        self.keys[kind] |= references_of(kind, records)

    def add_key(self, entry: Entry) -> bool:
        """Add the key of an entry, and return whether its record had another one."""
        if entry.id is None:
            return False
        previous = self.keys[entry.kind].get(entry.id, entry.key)
        self.keys[entry.kind][entry.id] = Reference(entry.key, entry.id)
        return previous != entry.key

    def add_definitions(self, definitions: Sequence[Entry]) -> list[Kind]:
        """Add definitions of custom fields, and return the kinds whose values may have other types now."""
        added, current = custom_readers(definitions), self._custom or {}
        self._custom = {kind: {**current.get(kind, {}), **readers} for kind, readers in added.items()}
        # A field of the same type has the same reader, unless its type has options.
        return [
            kind
            for kind, readers in added.items()
            if any(reader is not current.get(kind, {}).get(name, reader) for name, reader in readers.items())
        ]

    def set_unknown(self, kind: Kind, records: Iterable[Mapping[str, Any]]) -> None:
        """Find the unknown fields in all records of a kind; `set_missing_locales` replaces the missing languages."""
        missing = missing_fields(kind, records, self.custom_fields(kind))
        self.unknown[kind] = self._missing_translations | missing

    def set_missing_locales(self, locales: Collection[str]) -> list[Kind]:
        """Set the languages whose texts are unknown, as the directory does not have them.

        Return the kinds with other unknown fields than before.
        """
        names = frozenset(f"translations.{locale}" for locale in locales)
        if names == self._missing_translations:
            return []
        self._missing_translations = names
        kinds = [kind for kind in Kind if RECORDS[kind].translated]
        for kind in kinds:
            self.unknown[kind] = names | {
                name for name in self.unknown_in(kind) if not name.startswith("translations.")
            }
        return kinds
