"""One change of a plan, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ..model import Entry, Kind
from .comparing.base import Applied
from .comparing.diff import FieldChange


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
