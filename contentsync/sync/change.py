"""TODO."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from ..model import FIELDABLE, RECORDS, Entry, Kind
from .comparing.base import Applied
from .comparing.diff import FieldChange
from .comparing.entry_fields import Identity


class Action(StrEnum):
    """What happens to an entry of the server."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Change:
    """One entry to write, or to delete."""

    action: Action
    entry: Entry  # as the folder wants it; of a delete, as the server has it
    actual: Entry | None  # as the server has it; None on create
    fields: Mapping[str, FieldChange] = field(default_factory=dict)
    reason: str = ""
    drift: tuple[str, ...] = ()  # the fields that somebody has changed on the server since they were applied
    kept: Mapping[str, str] = field(
        default_factory=dict
    )  # fields left as somebody changed them, or as a rename leaves them: what the base says of them
    previous_key: str | None = None  # the key that it has on the server, if that is another one
    line: Applied | None = None  # of the way back: what the base is to say of it, whatever the entry gives
    is_foreign: bool = False  # it is not ours, or no longer: nothing is remembered of it
    recreates: Applied | None = None  # what was applied and has been deleted on the server since
    detour: Mapping[str, str] = field(default_factory=dict)  # fields to write first, where entries swap their slugs

    @property
    def kind(self) -> Kind:
        return self.entry.kind

    @property
    def key(self) -> str:
        return self.entry.key

    @property
    def id(self) -> int | None:
        """The server's; None on create."""
        return self.actual.id if self.actual else None

    def __str__(self) -> str:
        return f"{self.action} {self.entry}"


class Status(StrEnum):
    """What is known of a change afterwards."""

    DONE = "done"  # the server confirmed it, or was found to have it
    FAILED = "failed"  # it did not happen, or not as it was meant
    UNKNOWN = "unknown"  # it may have happened: the next run will see
    SKIPPED = "skipped"  # it was not tried


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one change."""

    change: Change
    status: Status
    error: str = ""  # one line, with the file's line where the server named a field
    unstored: tuple[str, ...] = ()  # fields that the server has otherwise than they were sent, though it took them
    applied: Applied | None = None  # what is remembered of the entry from now on; None leaves it as it was
    found: bool = False  # a create has found the entry, made by somebody else
    before: Mapping[str, Any] | None = None  # the fields of one that was found, as they were; None: nobody knows
    refused: bool = False  # one that failed would fail again until something else is sent
    contradicts: bool = False  # not done, as the server has, or lacks, what its list said otherwise: plan again

    @property
    def is_open(self) -> bool:
        """Whether another run may do what this one has not done."""
        return self.status is not Status.DONE and not self.refused


class Loss(NamedTuple):
    """An entry that stays, and a field of it that loses what is deleted."""

    entry: Entry
    field: str
    gone: Identity


def losses(changes: Sequence[Change], actual: Sequence[Entry]) -> Iterator[Loss]:
    """Every assignment, parent and value of a custom field that goes with a delete, and that nobody took away."""
    deleted = {(change.kind, change.key) for change in changes if change.action is Action.DELETE}
    referred = {kind for kind, _ in deleted}
    if referred.isdisjoint(_REFERRED):
        return
    touched = {(change.kind, change.id): change for change in changes}
    names = {key for kind, key in deleted if kind is Kind.CUSTOM_FIELD}
    for entry in actual:
        change = touched.get((entry.kind, entry.id))
        if change is not None and change.action is Action.DELETE:
            continue
        told: Mapping[str, object] = change.fields if change is not None else {}
        for name, kind in RECORDS[entry.kind].references.items():
            value = entry.fields.get(name)
            if kind in referred and value and name not in told:
                keys = value if isinstance(value, list) else [value]
                yield from (Loss(entry, name, (kind, key)) for key in keys if (kind, key) in deleted)
        if names and entry.kind in FIELDABLE:
            for name in names - told.keys():
                if entry.fields.get(name) is not None:
                    yield Loss(entry, name, (Kind.CUSTOM_FIELD, name))


def referred_by(entry: Entry) -> Iterator[Identity]:
    """Return what an entry of the server refers to, and the custom fields of which it has values."""
    for name, kind in RECORDS[entry.kind].references.items():
        value = entry.fields.get(name)
        yield from ((kind, str(key)) for key in (value if isinstance(value, list) else [value]) if key)
    if entry.kind in FIELDABLE:
        yield from ((Kind.CUSTOM_FIELD, name) for name, value in entry.fields.items() if value is not None)


def cleared(change: Change) -> list[str]:
    """Return the fields of an update that lose what they have: emptied ones, and references that only become fewer."""
    references = RECORDS[change.kind].references
    return [
        name
        for name, (before, after) in change.fields.items()
        if before not in _EMPTY
        and (after in _EMPTY or (name in references and isinstance(before, list) and set(after) < set(before)))
    ]


_EMPTY: tuple[object, ...] = (None, "", [], {})


def losers(kinds: Iterable[Kind]) -> frozenset[Kind]:
    """The kinds of which entries may lose something when entries of these kinds are deleted."""
    gone = set(kinds)
    referring = {kind for kind, model in RECORDS.items() if not gone.isdisjoint(model.references.values())}
    return frozenset(referring | (FIELDABLE.keys() if Kind.CUSTOM_FIELD in gone else set()))


_REFERRED = frozenset({Kind.CUSTOM_FIELD, *(kind for model in RECORDS.values() for kind in model.references.values())})


def shown_afterwards(change: Change) -> dict[str, Any]:
    """Return the fields of a second write, which an undo needs for some articles.

    Of two texts the service shows the Markdown where it is given both, and the one that it is given last. A new
    article that is given no date gets one; its text goes with every update (docs/contract.md 4.2.4).
    """
    if change.kind is not Kind.ARTICLE:
        return {}
    fields = change.entry.fields
    shows_html = fields.get("is_markdown") is False or not fields.get("markdown")
    text = "content" if shows_html else "markdown"
    gets_date = (
        change.action is Action.CREATE and change.entry.source is None and fields.get("published_at", "") is None
    )
    if gets_date:
        return {text: fields.get(text), "published_at": None}
    return {text: fields[text]} if shows_html and fields.get("markdown") and fields.get("content") else {}
