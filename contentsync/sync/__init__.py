"""Base, desired and actual: what differs, what to write, and writing it."""

from .applying.apply import apply
from .comparing.base import UNKNOWN_BASE, AppliedEntry, Base, applied_entry
from .comparing.change import Action, Change, Result, Status
from .comparing.diff import FieldChange
from .planning.consents import Consents
from .planning.plan import Limits, Plan, Policy, Refusal, Selection
from .planning.plan_builder import PlanFacts, make_plan
from .planning.prepare import BaseSource, PlanSource, prepare_plan, resolve_selected, used_locales
from .state.journal import Journal
from .state.state_dir import StateDir, TargetLock
from .state.state_file import read_state

__all__ = [
    "UNKNOWN_BASE",
    "Action",
    "AppliedEntry",
    "Base",
    "BaseSource",
    "Change",
    "Consents",
    "FieldChange",
    "Journal",
    "Limits",
    "Plan",
    "PlanFacts",
    "PlanSource",
    "Policy",
    "Refusal",
    "Result",
    "Selection",
    "StateDir",
    "Status",
    "TargetLock",
    "applied_entry",
    "apply",
    "make_plan",
    "prepare_plan",
    "read_state",
    "resolve_selected",
    "used_locales",
]
