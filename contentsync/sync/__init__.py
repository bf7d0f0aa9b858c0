"""Base, desired and actual: what differs, what to write, and writing it."""

from .applying.apply import apply
from .applying.payload import payload
from .applying.result import Result, Status
from .change import Action, Change
from .comparing.base import UNKNOWN, Applied, Base, applied_of
from .comparing.diff import FieldChange, compare
from .gates import Limits, Refusal
from .memory.journal import Journal
from .memory.lock import TargetLock
from .memory.place import Place
from .memory.recovery import Unfinished
from .memory.state import read_state, write_state
from .plan import Plan, make_plan
from .policy import Policy
from .prepare import prepare, used_locales
from .references import resolve
from .selection import Selection

__all__ = [
    "UNKNOWN",
    "Action",
    "Applied",
    "Base",
    "Change",
    "FieldChange",
    "Journal",
    "Limits",
    "Place",
    "Plan",
    "Policy",
    "Refusal",
    "Result",
    "Selection",
    "Status",
    "TargetLock",
    "Unfinished",
    "applied_of",
    "apply",
    "compare",
    "make_plan",
    "payload",
    "prepare",
    "read_state",
    "resolve",
    "used_locales",
    "write_state",
]
