"""What a plan may do."""

from dataclasses import dataclass, field
from typing import Literal

from .gates import Limits

OnDrift = Literal["overwrite", "keep", "fail"]
OnConflict = Literal["fail", "ours", "theirs"]


@dataclass(frozen=True, slots=True)
class Policy:
    """What a plan may do: the target's settings, and the options typed for this once."""

    prune: bool = False
    limits: Limits = field(default_factory=Limits)
    allow_deletes: int | None = None
    allow_clears: int | None = None
    allow_recreate: int | None = None
    on_drift: OnDrift = "overwrite"
    on_conflict: OnConflict = "fail"
    adopt: bool = False
    of_folder: bool = True  # what is wanted is a folder's content: none at all means that something is wrong


CAREFUL = Policy()
