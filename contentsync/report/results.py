"""What a sync did."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.text import Text

from ..errors import Refused
from ..sync import Plan, Result, Status
from .plan import Destination, plan_document
from .words import printable

_STYLES = {Status.FAILED: "bold red", Status.UNKNOWN: "bold yellow", Status.SKIPPED: "dim"}
MOST = 20  # results of one outcome; --full shows all


def results_text(results: Sequence[Result], *, full: bool) -> Text:
    """Everything that did not go as planned, then one line that sums up."""
    text = Text()
    counts: Counter[Status] = Counter()
    for result in results:
        counts[result.status] += 1
        if result.status is Status.DONE or (counts[result.status] > MOST and not full):
            continue
        text.append(f"  {result.status} ", _STYLES[result.status])
        text.append(f"{result.change.action} {result.change.kind} {printable(result.change.key)}: ")
        text.append(f"{printable(result.error)}\n")
    for status, count in counts.items():
        if status is not Status.DONE and count > MOST and not full:
            text.append(f"  … and {count - MOST:,} more {status} (--full shows all)\n", "dim")
    parts = [f"{counts[status]} {status}" for status in Status if counts[status]]
    text.append(", ".join(parts), "bold green" if counts[Status.DONE] == len(results) else "bold red")
    return text


def sync_document(
    plan: Plan,
    destination: Destination,
    results: Sequence[Result],
    *,
    run: str | None,
    refusal: Refused | None = None,
) -> dict[str, Any]:
    """The JSON document of `sync` (cli.md): the plan's, and what became of it. `run` is None if nothing ran."""
    document = plan_document(plan, destination)
    counts = Counter(result.status for result in results)
    return {
        **document,
        "results": [
            {
                "action": result.change.action,
                "kind": result.change.kind,
                "key": result.change.key,
                "status": result.status,
                "error": result.error or None,
            }
            for result in results
        ],
        "summary": {**document["summary"], **{status: counts[status] for status in Status}},
        "run": run,
        "refused": [refusal.message] if refusal else [],
    }
