"""What a sync did."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.text import Text

from ..errors import Refused
from ..sync import Plan, Result, Status
from .compared import without
from .plan import Destination
from .plan_document import plan_document
from .words import printable

_STYLES = {Status.FAILED: "bold red", Status.UNKNOWN: "bold yellow", Status.SKIPPED: "dim"}
MOST = 20  # results of one outcome; --full shows all
_UNSTORED = "stored otherwise"
_FOUND = "was there"


def results_text(results: Sequence[Result], *, full: bool, then: str = "") -> Text:
    """Everything that did not go as planned, then one line that sums up; `then` says what becomes of what is open."""
    text = Text()
    counts: Counter[Status] = Counter()
    otherwise = 0
    for result in results:
        counts[result.status] += 1
        if result.found:
            _append(text, _FOUND, "yellow", result, "somebody has made it since the plan; it is as the folder says now")
        if result.status is Status.DONE and result.unstored:
            otherwise += 1
            if otherwise <= MOST or full:
                _append(text, _UNSTORED, "yellow", result, ", ".join(result.unstored))
        elif result.status is not Status.DONE and (counts[result.status] <= MOST or full):
            _append(text, result.status, _STYLES[result.status], result, result.error)
    for outcome, count in (*counts.items(), (_UNSTORED, otherwise)):
        if outcome is not Status.DONE and count > MOST and not full:
            text.append(f"  … and {count - MOST:,} more {outcome} (--full shows all)\n", "dim")
    parts = [f"{counts[status]:,} {status}" for status in Status if counts[status]]
    text.append(", ".join(parts), "bold green" if counts[Status.DONE] == len(results) else "bold red")
    if then and any(result.is_open for result in results):
        text.append(f"; {then}")
    return text


def sync_document(
    plan: Plan,
    destination: Destination,
    results: Sequence[Result],
    *,
    run: str | None,
    refusal: Refused | None = None,
) -> dict[str, Any]:
    """Return the JSON document of `sync` (docs/reference/json.md, sync). `run` is None if nothing ran.

    `refusal` is why nothing did; one for the plan's own reasons is told by those.
    """
    document = plan_document(plan, destination)
    counts = Counter(result.status for result in results)
    if refusal and not plan.refusals:
        told = {"code": "not-confirmed", "message": refusal.message, "flag": "--yes"}
        document["refused"] = [*document["refused"], told]
    return {
        **document,
        "results": without([_result(result) for result in results], destination.secret),
        "summary": {**document["summary"], **{status.value: counts[status] for status in Status}},
        "run": run,
    }


def _append(text: Text, outcome: str, style: str, result: Result, told: str) -> None:
    change = result.change
    text.append(f"  {outcome} ", style)
    text.append(f"{change.action} {change.kind} {printable(change.key)}: {printable(told)}\n")


def _result(result: Result) -> dict[str, Any]:
    return {
        "action": result.change.action,
        "kind": result.change.kind,
        "key": result.change.key,
        "status": result.status,
        "error": result.error or None,
        "unstored": list(result.unstored),
        "found": result.found,
    }
