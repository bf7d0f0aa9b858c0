"""How a folder and a server stand to each other."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ..sync import Plan, Status
from ..sync.comparing.entry_fields import Identity
from ..sync.state.run_history import Run, started_at
from .plan import COLUMNS, Destination, kind_counts
from .words import counted, printable

NAMES = 5  # of the entries that somebody changed


def status_document(plan: Plan, destination: Destination, last: Run | None) -> dict[str, Any]:
    """The JSON document of `status`: the last run, counts by kind, and what was changed on the server since."""
    return {
        "version": 1,
        "target": {"name": destination.name, "address": destination.address},
        "last_run": None if last is None else _run(last),
        "kinds": {kind.value: dict(zip(COLUMNS, counts, strict=True)) for kind, counts in kind_counts(plan)},
        "drift": [{"kind": kind, "key": key, "fields": fields} for (kind, key), fields in _changed(plan).items()],
        "deleted_there": [{"kind": kind, "key": key} for kind, key in _deleted(plan)],
        "refused": [refusal.code for refusal in plan.refusals],
        "in_sync": not plan and not plan.drift,
    }


def last_line(last: Run | None) -> str:
    """When the last run was, and what came of it."""
    if last is None:
        return "last sync: no journal here tells of one"
    what = f"undo of run {printable(last.undoes)}" if last.undoes else "sync"
    told = ", ".join(f"{count:,} {status}" for status, count in _outcome(last).items() if count) or "nothing written"
    cut = "" if last.ended else "; it was cut off or an outcome is unknown: the next sync finds out"
    if last.undoes and not last.complete:
        cut = "; it did not complete: contentsync undo continues it"
    return f"last {what}: {_started(last.name)}, {told} (run {printable(last.name)}){cut}"


def drift_lines(plan: Plan) -> Iterator[str]:
    """What somebody has changed or deleted on the server since it was applied."""
    changed = [f"{kind} {key}: {', '.join(fields)}" for (kind, key), fields in _changed(plan).items()]
    deleted = [f"{kind} {key}" for kind, key in _deleted(plan)]
    yield from _named(changed, "changed")
    yield from _named(deleted, "deleted")


def _named(told: Sequence[str], what: str) -> Iterator[str]:
    if told:
        was = "was" if len(told) == 1 else "were"
        yield f"{counted(len(told), 'entry', 'entries')} {was} {what} on the server since the last sync"
        for line in told[:NAMES]:
            yield f"  ! {printable(line)}"
        if len(told) > NAMES:
            yield f"  … and {len(told) - NAMES:,} more"


def _started(run: str) -> str:
    """The moment that a run's name begins with."""
    started = started_at(run)
    return f"{started:%Y-%m-%d %H:%M:%S} UTC" if started else "at a moment that its name does not tell"


def _run(run: Run) -> dict[str, Any]:
    undoes = {"undoes": run.undoes} if run.undoes else {}
    return {"run": run.name, "ended": run.ended, **undoes, **_outcome(run)}


def _outcome(run: Run) -> dict[str, int]:
    counts = Counter(step.status for step in run.steps)
    return {status.value: counts[status] for status in Status}


def _changed(plan: Plan) -> dict[Identity, list[str]]:
    """The fields that somebody changed, whether the plan overwrites them or leaves them."""
    found: dict[Identity, list[str]] = {}
    for change in plan.changes:
        if change.drift:
            found[change.kind, change.key] = list(change.drift)
    for drift in plan.drift:
        if not drift.deleted:
            found.setdefault((drift.entry.kind, drift.entry.key), []).extend(drift.fields)
    return found


def _deleted(plan: Plan) -> list[Identity]:
    left = [(drift.entry.kind, drift.entry.key) for drift in plan.drift if drift.deleted]
    return [*((change.kind, change.key) for change in plan.changes if change.recreates), *left]
