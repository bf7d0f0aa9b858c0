"""Base, desired and actual: what differs, what to write, and writing it."""

from .applying.apply import apply
from .applying.writer import payload
from .change import Action, Change, Result, Status
from .comparing.base import UNKNOWN, Applied, Base, applied_of
from .comparing.diff import FieldChange, compare
from .plan import Plan
from .plan_builder import make_plan
from .plan_policy import Limits, Policy, Refusal, Selection
from .prepare import prepare, resolve, used_locales
from .state.journal import Journal
from .state.lock import TargetLock
from .state.recovery import Unfinished
from .state.state_dir import Place
from .state.state_file import read_state, write_state

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
