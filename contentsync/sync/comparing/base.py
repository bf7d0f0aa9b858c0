"""The base of a three-way comparison: what was last applied, a line an entry.

Values are remembered as fingerprints: a body changes, and its line stays a line.
"""

from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, field
from typing import NamedTuple

from ...model import FIELDABLE, RECORDS, Entry, Kind
from .fingerprint import digest, mark
from .given import given_fields, is_unknown

Identity = tuple[Kind, str]


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


def is_custom(kind: Kind, name: str) -> bool:
    """Whether a field of a record is a custom one."""
    return kind in FIELDABLE and "." not in name and name not in RECORDS[kind].rules()


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
