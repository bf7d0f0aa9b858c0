"""What a sync did."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.text import Text

from ..errors import Refused
from ..sync import Plan, Result, Status
from .plan import Destination, plan_document
from .words import counted, printable

_STYLES = {Status.FAILED: "bold red", Status.UNKNOWN: "bold yellow", Status.SKIPPED: "dim"}
MOST_SKIPPED = 5


def results_text(results: Sequence[Result]) -> Text:
    """Everything that did not go as planned, then one line that sums up."""
    text = Text()
    skipped = 0
    for result in results:
        if result.status is Status.DONE:
            continue
        skipped += result.status is Status.SKIPPED
        if result.status is Status.SKIPPED and skipped > MOST_SKIPPED:
            continue
        text.append(f"  {result.status} ", _STYLES[result.status])
        text.append(f"{result.change.action} {result.change.kind} {printable(result.change.key)}: ")
        text.append(f"{printable(result.error)}\n")
    if skipped > MOST_SKIPPED:
        text.append(f"  … and {counted(skipped - MOST_SKIPPED, 'more entry', 'more entries')} not tried\n", "dim")
    counts = Counter(result.status for result in results)
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
