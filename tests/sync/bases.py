"""Bases, and plans made with them, in short."""

from collections.abc import Iterable, Sequence
from typing import Any

from contentsync.model import Entry
from contentsync.sync.comparing.base import AppliedEntry, Base, applied_entry
from contentsync.sync.planning.plan import Plan, Policy
from contentsync.sync.planning.plan_builder import make_plan

PRUNING = Policy(prune=True, on_drift="overwrite")


def synced(*pairs: tuple[Entry, Entry]) -> Base:
    """Return the base after each entry of the folder was applied, if the server had the other entry of its pair."""
    return Base.from_entries(applied_entry(here, there) for here, there in pairs)


def lines(applied: Iterable[AppliedEntry], **changes: Any) -> list[AppliedEntry]:
    return [line._replace(**changes) for line in applied]


def planned(
    desired: Sequence[Entry], actual: Sequence[Entry], base: Base, policy: Policy = PRUNING, **options: Any
) -> Plan:
    return make_plan(desired, actual, base=base, policy=policy, **options)


def reported(plan: Plan) -> list[tuple[str, str]]:
    """Return each change, as its action and key."""
    return [(change.action.value, change.key) for change in plan.changes]


def codes(plan: Plan) -> list[str]:
    return [refusal.code for refusal in plan.refusals]
