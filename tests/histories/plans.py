"""Damage to a folder, its server, its state and its caches: each plan is made with and without shortcuts."""

import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from contentsync.cli.options import WITHOUT_SHORTCUTS
from contentsync.cli.plan_options import PlanOptions

from ..sync_faults import corruption
from . import troubles
from .engine import History, Profile, Step
from .plan_changes import CHANGES
from .plan_history import REPORTS, TICK, PlanHistory, environment, make_pull, without_caches
from .plan_troubles import TROUBLES

FAILING = 0.3  # of the plans are made once more while the server fails
_REQUEST = re.compile(r"GET \S+")


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


def reports_are_equal(history: History) -> Iterator[str]:
    """Other reports are the same with and without shortcuts, whichever command has stored what they use."""
    planned: PlanHistory = history.notes["planned"]
    names = planned.random.sample([*REPORTS], 2)
    shown = [planned.report(name) for name in names]
    history.counts.update(planned.reduced)
    planned.reduced.clear()
    with environment(WITHOUT_SHORTCUTS, "1"):
        for name, text in zip(names, shown, strict=True):
            with without_caches(planned.private):
                made = planned.report(name)
            if text != made:
                yield f"another {name}: {text} instead of {made}"


def pulls_are_equal(history: History) -> Iterator[str]:
    """A pull without a write by the shortcuts says the same, and writes nothing, in a copy without caches."""
    planned: PlanHistory = history.notes["planned"]
    shown = planned.pull_without_writes()
    if shown is None:
        return
    history.counts["pulled"] += 1
    copy = planned.folder.with_name("pulled")
    shutil.copytree(planned.folder, copy, symlinks=True, ignore=shutil.ignore_patterns("cache"))
    before = _contents(copy)
    with environment(WITHOUT_SHORTCUTS, "1"):
        made = make_pull(copy, PlanOptions(planned.options.target)).replace(str(copy), str(planned.folder))
    if shown != made:
        yield f"another pull: {shown} instead of {made}"
    if before != _contents(copy):
        yield f"a pull that wrote nothing by the shortcuts has written: {shown}"
    shutil.rmtree(copy)


def errors_are_equal(history: History) -> Iterator[str]:
    """If the server refuses every request, a plan reports the folder's errors with and without shortcuts."""
    planned: PlanHistory = history.notes["planned"]
    if planned.random.random() > FAILING:
        return
    refusing = troubles.Trouble.of("422", corruption.refusing(422))
    with troubles.meeting(history.server, refusing):
        shown = planned.plan()
    with (
        environment(WITHOUT_SHORTCUTS, "1"),
        without_caches(planned.private),
        troubles.meeting(history.server, refusing),
    ):
        made = planned.plan()
    # Which request comes first, and is named, depends on what is stored.
    if _REQUEST.sub("", shown) != _REQUEST.sub("", made):
        yield f"another error: {shown} instead of {made}"


def _contents(folder: Path) -> dict[str, bytes]:
    """Return the files and the state of a folder."""
    files = (file for file in folder.rglob("*") if file.is_file() and not {".git", "lock", "cache"} & {*file.parts})
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


PLANS = Profile(
    begin=_begin,
    steps={_taking(change): number for change, number in Counter((*CHANGES, *TROUBLES)).items()},
    oracles=(plans_are_equal, reports_are_equal, pulls_are_equal, errors_are_equal),
    length=(6, 6),
    seeds=2_000,
)
