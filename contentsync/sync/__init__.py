"""Desired against actual: what differs, what to write, and writing it."""

from .apply import Result, Status, apply
from .diff import FieldChange, diff
from .plan import Action, Change, Plan, make_plan
from .prepare import prepare
from .references import resolve
from .selection import Selection

__all__ = [
    "Action",
    "Change",
    "FieldChange",
    "Plan",
    "Result",
    "Selection",
    "Status",
    "apply",
    "diff",
    "make_plan",
    "prepare",
    "resolve",
]
