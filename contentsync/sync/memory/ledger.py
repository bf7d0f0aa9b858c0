"""The base while it changes: one line for each of the server's entries that we made or adopted."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...model import RECORDS, Kind, Reference
from ..comparing.base import Applied, Base, Identity
from ..comparing.fingerprint import fingerprint, is_of


class Ledger:
    """What was applied, up to now."""

    def __init__(self, lines: Iterable[Applied]) -> None:
        self._lines: dict[Identity, Applied] = {line.identity: line for line in lines}
        self._by_id: dict[tuple[Kind, int | None], Identity] = {
            (line.kind, line.id): line.identity for line in self._lines.values() if line.id is not None
        }

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def base(self) -> Base:
        """A base of the lines as they are now."""
        return Base(dict(self._lines))

    def line(self, kind: Kind, id_: int | None) -> Applied | None:
        """The line of an entry of the server; None for one that is not ours."""
        identity = self._by_id.get((kind, id_))
        line = None if identity is None else self._lines.get(identity)
        return line if line is not None and line.id == id_ else None  # and not one that has taken over the key

    def of(self, kind: Kind, key: str, id_: int | None) -> Applied | None:
        """The same; by its key where the base, a commit, knows no ids."""
        line = self.line(kind, id_) or self._lines.get((kind, key))
        return line if line is not None and line.id in (None, id_) else None

    def put(self, line: Applied) -> None:
        """Takes a line, in place of the one that its entry had under another key."""
        self._drop(line.kind, line.id)
        self._lines[line.identity] = line
        if line.id is not None:
            self._by_id[line.kind, line.id] = line.identity

    def forget(self, kind: Kind, key: str, id_: int | None) -> None:
        """Drops the line of an entry that was deleted, under whatever key it is kept."""
        self._drop(kind, id_)
        line = self.of(kind, key, id_)
        if line is not None:
            del self._lines[line.identity]

    def note_loss(
        self,
        kind: Kind,
        id_: int | None,
        name: str,
        before: Sequence[Reference],
        gone: int | None,
        earlier: Collection[int | None],
    ) -> None:
        """Note in the line of an entry that a delete of this run has shortened a list of its references.

        `before` is the list as the run found it, `gone` the id of what was deleted, and `earlier` has the ids of the
        same kind that the run had deleted until then.
        """
        line = self.line(kind, id_)
        kept = None if line is None else line.kept(name)
        if line is None or kept is None:
            return
        value = [key for key in before if key.id not in earlier]
        if is_of(kept.there, kind, name, value):
            there = fingerprint(kind, name, [key for key in value if key.id != gone])
            self.put(replace(line, fields={**line.fields, name: f"{kept.sent}/{there}"}))

    def note_lift(self, kind: Kind, gone: Reference, fields: Mapping[str, Any]) -> None:
        """Note that a service has put the parent of what a run deleted, as in `fields`, in its place."""
        for name in [name for name, referred in RECORDS[kind].references.items() if referred is kind]:
            there = fingerprint(kind, name, fields.get(name))
            for line in [line for line in self._lines.values() if line.kind is kind]:
                kept = line.kept(name)
                if kept is not None and is_of(kept.there, kind, name, gone):
                    self.put(replace(line, fields={**line.fields, name: f"{kept.sent}/{there}"}))

    def _drop(self, kind: Kind, id_: int | None) -> None:
        line = self.line(kind, id_)
        if line is not None:
            del self._lines[line.identity]
        self._by_id.pop((kind, id_), None)
