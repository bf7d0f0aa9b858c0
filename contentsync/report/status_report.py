"""The state of a target: the last run, and what was changed on the server since."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import pluralize
from ..model import EntryKey
from ..sync import Plan, Status
from ..sync.state.run_history import Run, run_start_time
from .forecast_report import ForecastReport
from .formatting import printable
from .plan_report import COLUMNS, Destination, kind_counts

MAX_NAMES = 5  # changed entries that are named


def status_document(
    plan: Plan, destination: Destination, last_run: Run | None, upcoming: ForecastReport | None = None
) -> dict[str, Any]:
    """Return the JSON document of `status`, with the forecast if there is one."""
    return {
        "version": 1,
        "target": {"name": destination.name, "address": destination.address},
        "last_run": None if last_run is None else _run(last_run),
        "kinds": {kind.value: dict(zip(COLUMNS, counts, strict=True)) for kind, counts in kind_counts(plan)},
        "drift": [
            {"kind": kind, "key": key, "fields": fields} for (kind, key), fields in _drifted_fields(plan).items()
        ],
        "deleted_there": [{"kind": kind, "key": key} for kind, key in _deleted_on_server(plan)],
        "refused": [refusal.code for refusal in plan.refusals],
        "in_sync": not plan and not plan.drift,
        **({"upcoming": upcoming.document()} if upcoming else {}),
    }


def last_run_line(last_run: Run | None) -> str:
    """Return a line with the time and the results of the last run; `last_run` is None if no run has a journal here."""
    if last_run is None:
        return "last sync: there is no journal of one here"
    command = f"undo of run {printable(last_run.undone_run)}" if last_run.undone_run else "sync"
    counts = [f"{count:,} {status}" for status, count in _status_counts(last_run).items() if count]
    entries = ", ".join(counts) or "nothing written"
    note = "" if last_run.has_ended else "; it was interrupted or an outcome is unknown: the next sync finds out"
    if last_run.undone_run and not last_run.is_complete:
        note = "; it did not complete: contentsync undo continues it"
    return f"last {command}: {_start_time(last_run.name)}, {entries} (run {printable(last_run.name)}){note}"


def drift_lines(plan: Plan) -> Iterator[str]:
    """Yield the lines about entries that were changed or deleted on the server since the last sync."""
    changed = [f"{kind} {key}: {', '.join(fields)}" for (kind, key), fields in _drifted_fields(plan).items()]
    deleted = [f"{kind} {key}" for kind, key in _deleted_on_server(plan)]
    yield from _entry_lines(changed, "changed")
    yield from _entry_lines(deleted, "deleted")


def _entry_lines(entries: Sequence[str], change: str) -> Iterator[str]:
    """Yield a line with the number of entries, and one for each of the first; nothing without entries."""
    if entries:
        count = pluralize(len(entries), "entry was", "entries were")
        yield f"{count} {change} on the server since the last sync"
        for line in entries[:MAX_NAMES]:
            yield f"  ! {printable(line)}"
        if len(entries) > MAX_NAMES:
            yield f"  … and {len(entries) - MAX_NAMES:,} more"


def _start_time(run: str) -> str:
    """Return the start time of a run, which its name begins with, as text."""
    started = run_start_time(run)
    return f"{started:%Y-%m-%d %H:%M:%S} UTC" if started else "at an unknown time"


def _run(run: Run) -> dict[str, Any]:
    undoes = {"undoes": run.undone_run} if run.undone_run else {}
    return {"run": run.name, "ended": run.has_ended, **undoes, **_status_counts(run)}


def _status_counts(run: Run) -> dict[str, int]:
    counts = Counter(step.status for step in run.steps)
    return {status.value: counts[status] for status in Status}


def _drifted_fields(plan: Plan) -> dict[EntryKey, list[str]]:
    """Return, by entry, the fields that were changed on the server, whether or not the plan overwrites them."""
    fields_by_entry: dict[EntryKey, list[str]] = {}
    for change in plan.changes:
        if change.drift:
            fields_by_entry[change.kind, change.key] = list(change.drift)
    for drift in plan.drift:
        if not drift.deleted:
            fields_by_entry.setdefault((drift.entry.kind, drift.entry.key), []).extend(drift.fields)
    return fields_by_entry


def _deleted_on_server(plan: Plan) -> list[EntryKey]:
    """Return the managed entries that were deleted on the server, whether or not the plan creates them again."""
    stay_deleted = [(drift.entry.kind, drift.entry.key) for drift in plan.drift if drift.deleted]
    return [*((change.kind, change.key) for change in plan.changes if change.recreates), *stay_deleted]
