"""Damage to a folder, its server, its state and its caches: each plan is made with and without shortcuts."""

import time
from collections import Counter
from collections.abc import Callable, Iterator

from contentsync.cli.options import WITHOUT_SHORTCUTS

from .engine import History, Profile, Step
from .plan_changes import CHANGES
from .plan_history import TICK, PlanHistory, environment, without_caches
from .plan_troubles import TROUBLES


def _taking(change: Callable[[PlanHistory], None]) -> Step:
    def take(history: History) -> str:
        change(history.notes["planned"])
        return change.__name__.replace("_", " ")

    return take


def _begin(history: History) -> str:
    served = history.server.served
    history.cleanup.enter_context(environment("CONTENTSYNC_TOKEN", served.token))
    history.notes["planned"] = planned = PlanHistory(history.folder, served, history.dice, history.server)
    planned.begin()
    return "begin"


def plans_are_equal(history: History) -> Iterator[str]:
    """A plan is the same with and without shortcuts."""
    planned: PlanHistory = history.notes["planned"]
    time.sleep(TICK * 2)
    shown = [planned.plan(), planned.plan()]  # the first one caches what the second one recalls
    history.counts["recalled"] = planned.recalled
    history.counts["indexed"] = planned.indexed
    with environment(WITHOUT_SHORTCUTS, "1"), without_caches(planned.private):
        made = planned.plan()
    if shown != [made, made]:
        yield f"another plan: {shown} instead of {made}"


PLANS = Profile(
    begin=_begin,
    steps={_taking(change): number for change, number in Counter((*CHANGES, *TROUBLES)).items()},
    oracles=(plans_are_equal,),
    length=(6, 6),
    seeds=2_000,
)
