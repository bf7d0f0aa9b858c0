"""Find the applied listing that a listing of the folder was under another key: by its slug, its name or its values."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from ...model import RECORDS, Entry, EntryKey
from .base import AppliedEntry

Fingerprints = Mapping[str, str]  # by the base's labels of fields, without the key field
_Values = frozenset[tuple[str, str]]


class OrphanRows:
    """The applied listings whose keys the folder lacks."""

    def __init__(self) -> None:
        self._rows: list[AppliedEntry] = []
        self._by_text: dict[tuple[str, str], list[AppliedEntry]] = defaultdict(list)  # by field name and value

    def add(self, applied: AppliedEntry) -> None:
        """Add an applied listing."""
        self._rows.append(applied)
        self._by_text["slug", applied.slug].append(applied)
        self._by_text["name", applied.title].append(applied)

    def with_slug_or_name(self, entry: Entry) -> Iterator[EntryKey]:
        """Yield one key for a unique equal slug, and one for a unique equal name; they may be the same."""
        for name in ("slug", "name"):
            if entry.fields.get(name):
                yield from key_if_single(self._by_text.get((name, str(entry.fields[name])), []))

    def with_values(self, fingerprints_of: Callable[[], Fingerprints]) -> Iterator[EntryKey]:
        """Yield the key of the only orphan of which a listing has all values but the slug. It may have more values.

        So listings of one name keep their records if a pattern in the config gives all of them new slugs.
        `fingerprints_of` returns the listing's fingerprints; it is called only if there are orphans.
        """
        if not self._rows:
            return
        fingerprints = fingerprints_of()
        found: list[AppliedEntry] = []
        for names, orphans in self._by_values.items():
            values = frozenset((name, fingerprints[name]) for name in names if name in fingerprints)
            found += orphans.get(values, [])
        yield from key_if_single(found)

    @cached_property
    def _by_values(self) -> Mapping[frozenset[str], Mapping[_Values, list[AppliedEntry]]]:
        """The orphans by the names of their fields, of which there are few combinations, and then by the values."""
        by_names: dict[frozenset[str], dict[_Values, list[AppliedEntry]]] = {}
        for applied in self._rows:
            values = sent_fingerprints(applied)
            by_values = by_names.setdefault(frozenset(values), {})
            by_values.setdefault(frozenset(values.items()), []).append(applied)
        return by_names


def key_if_single(entries: list[AppliedEntry]) -> Iterator[EntryKey]:
    """Yield the key of an applied entry if it is the only one."""
    if len(entries) == 1:
        yield entries[0].identity


def sent_fingerprints(applied: AppliedEntry) -> dict[str, str]:
    """Return the `sent` fingerprints of an applied entry's fields, except the key field."""
    return {
        name: pair.partition("/")[0] for name, pair in applied.fields.items() if name != RECORDS[applied.kind].key_field
    }
