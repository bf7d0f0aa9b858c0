"""Base, desired and actual: what differs, what to write, and writing it."""

from .apply import apply
from .base import UNKNOWN, Applied, Base, applied_of
from .change import Action, Change
from .diff import FieldChange, compare
from .gates import Limits, Refusal
from .journal import Journal
from .lock import TargetLock
from .payload import payload
from .place import Place
from .plan import Plan, make_plan
from .policy import Policy
from .prepare import prepare, used_locales
from .recovery import Unfinished
from .references import resolve
from .result import Result, Status
from .selection import Selection
from .state import read_state, write_state

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
