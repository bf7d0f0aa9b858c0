"""TODO."""

from collections.abc import Collection, ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ...model import RECORDS, Entry, Kind, Reference
from .entry_fields import BODIES, Identity, given_fields, is_custom, is_unknown, value_at
from .fingerprint import digest, fingerprint, is_of, mark


class Kept(NamedTuple):
    """The fingerprints of a field as it was applied."""

    sent: str  # what the folder said
    there: str  # what the server had afterwards: another one where it changes values


@dataclass(frozen=True, slots=True)
class Applied:
    """An entry as it was last applied: one that we made or adopted."""

    kind: Kind
    key: str
    id: int | None  # None where the base is a commit
    # Dotted name, of a custom field `#id`: the fingerprint `sent`, or `sent/there` where the two differ.
    fields: Mapping[str, str]
    digest: str = ""  # of the entry's fields as they were: the same one, and nothing has changed here
    path: str = ""  # of its file
    slug: str = ""  # in plain words, to know a table's row again under a new URL
    title: str = ""
    protect: bool = False  # never to be deleted, even when its file has gone
    created: str | None = None  # when its record was made: an id alone is given away again by a database made anew
    previous: tuple[str, ...] = ()  # the names in its `sync.previous`, which have done what they were to do
    moving: str = ""  # the key that it was about to get when the run was cut off that gave it a temporary one
    former: int | None = None  # its id before it was deleted on the server and created again; others may refer to it so

    @property
    def identity(self) -> Identity:
        return self.kind, self.key

    def kept(self, name: str) -> Kept | None:
        """A field as it was applied; None for one that was not managed."""
        found = self.fields.get(name)
        if found is None:
            return None
        sent, _, there = found.partition("/")
        return Kept(sent, there or sent)


def applied_of(
    entry: Entry,
    actual: Entry | None = None,
    kept: Mapping[str, str] | None = None,
    custom: Mapping[str, int] | None = None,
) -> Applied:
    """The line for an entry that was applied: `actual` is what the server then has, None stands for what was sent.

    `kept` are fields of the line before that stay as they are: somebody's change there was left alone. `custom` are
    the ids of custom fields by name.
    """
    fields: dict[str, str] = {}
    for name, there, here in given_fields(entry, actual):
        fields[name] = mark(entry.kind, name, here, here if actual is None or is_unknown(actual, name) else there)
    fields |= kept or {}
    if custom:
        fields = {labelled(entry.kind, name, custom): known for name, known in fields.items()}
    return Applied(
        entry.kind,
        entry.key,
        actual.id if actual else entry.id,
        fields,
        digest(entry.fields),
        entry.source.path if entry.source else "",
        str(entry.fields.get("slug") or (actual.fields.get("slug") if actual else "") or ""),
        str(entry.fields.get(RECORDS[entry.kind].title_field) or ""),
        entry.notes.protect,
        actual.created if actual else None,
        entry.notes.previous if entry.source else (),  # an undo gives names that no file has
    )


def label(name: str, id_: int | None) -> str:
    """How a line names a custom field: by its id where that is known, as its name may change."""
    return name if id_ is None else f"#{id_}"


def labelled(kind: Kind, name: str, custom: Mapping[str, int]) -> str:
    """How a line names a field (dotted name); `custom` are the ids of custom fields by name."""
    return label(name, custom[name]) if name in custom and is_custom(kind, name) else name


@dataclass(frozen=True)
class Base(Mapping[Identity, Applied]):
    """Everything that was applied, by kind and key.

    `known` is False where nobody has kept a base: then nothing may be deleted, and what the server has under
    other values is only adopted (docs/sync.md, Without a base).
    """

    lines: Mapping[Identity, Applied] = field(default_factory=dict)
    known: bool = True

    @classmethod
    def of(cls, applied: Iterable[Applied]) -> "Base":
        return cls({line.identity: line for line in applied})

    def __getitem__(self, identity: Identity) -> Applied:
        return self.lines[identity]

    def __iter__(self) -> Iterator[Identity]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    # As the dictionary has them: Mapping's own ask for each line by its key.
    def values(self) -> ValuesView[Applied]:
        return self.lines.values()

    def items(self) -> ItemsView[Identity, Applied]:
        return self.lines.items()

    def changed(self, applied: Iterable[Applied] = (), forgotten: Iterable[Identity] = ()) -> "Base":
        """The base without some lines, and with others in place of, or beside, its own."""
        lines: dict[Identity, Applied] = dict(self.lines)
        for identity in forgotten:
            lines.pop(identity, None)
        for line in applied:
            lines[line.identity] = line
        return Base(lines)


UNKNOWN = Base(known=False)


class Records:
    """What the server has of the kinds that were read."""

    def __init__(self, actual: Iterable[Entry]) -> None:
        self._by_key: dict[Identity, Entry] = {}
        self._by_id: dict[tuple[str, int | None], Entry] = {}
        for entry in actual:
            self._by_key[entry.kind, entry.key] = entry
            self._by_id[entry.kind, entry.id] = entry

    def under(self, identity: Identity) -> Entry | None:
        """The entry of a key, whoever made it."""
        return self._by_key.get(identity)

    def of(self, applied: Applied) -> Entry | None:
        """The entry that a line is about, under whatever key; one that somebody made anew is not.

        Where the service does not tell when it was made, one of another key is known by its title or its body.
        """
        record = self._by_id.get((applied.kind, applied.id))
        if record is None or applied.id is None or _is_made_when(record, applied) is not None:
            return self.surely_of(applied)
        return record if record.key == applied.key or _is_still(record, applied) else None

    def surely_of(self, applied: Applied) -> Entry | None:
        """The entry that a line is about beyond doubt, so that it may be deleted.

        By its id and when it was made, as ids begin again where a database does; by id and key where that is not
        known; by its key alone where the base is a commit.
        """
        if applied.id is None:
            return self._by_key.get(applied.identity)
        record = self._by_id.get((applied.kind, applied.id))
        if record is None:
            return None
        is_ours = _is_made_when(record, applied)
        return record if is_ours or (is_ours is None and record.key == applied.key) else None


def _is_made_when(record: Entry, applied: Applied) -> bool | None:
    """Whether a record was made when the one of a line was; None where one of the two does not tell."""
    if applied.created is None or record.created is None:
        return None
    return applied.created == record.created


def _is_still(record: Entry, line: Applied) -> bool:
    """Whether a record has the title, or the body, that was applied; what is empty or a default tells nothing."""
    return any(
        (kept := line.kept(name)) is not None
        and bool(value := value_at(record.fields, name))
        and fingerprint(record.kind, name, value) == kept.there
        for name in (RECORDS[line.kind].title_field, *BODIES)
    )


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
