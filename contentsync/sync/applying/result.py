"""What became of a change."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ..change import Change
from ..comparing.base import Applied


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
