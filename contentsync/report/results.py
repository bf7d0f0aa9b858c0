"""What a sync or a pull did, as text and as JSON."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.text import Text

from ..content.edit.file_edits import FileEdit
from ..errors import Refused, first_of_many
from ..model import Entry
from ..sync import Action, Plan, Result, Status
from .formatting import others_line, pluralize, printable
from .plan_changes import redact
from .plan_report import Destination, plan_document

_STYLES = {Status.FAILED: "bold red", Status.UNKNOWN: "bold yellow", Status.SKIPPED: "dim"}
MOST = 20  # results of one status; --full shows all
_STORED_DIFFERENTLY = "stored differently"
_ALREADY_THERE = "already there"


def results_text(results: Sequence[Result], *, full: bool, next_step: str = "") -> Text:
    """Return the results that differ from the plan, then a summary; add `next_step` if a change is still open."""
    text = Text()
    counts: Counter[Status] = Counter()
    altered = 0
    for result in results:
        counts[result.status] += 1
        if result.found:
            note = "it was created after the plan was made; now it is as the folder says"
            _append_result(text, _ALREADY_THERE, "yellow", result, note)
        if result.status is Status.DONE and result.unstored:
            altered += 1
            if altered <= MOST or full:
                _append_result(text, _STORED_DIFFERENTLY, "yellow", result, ", ".join(result.unstored))
        elif result.status is not Status.DONE and (counts[result.status] <= MOST or full):
            _append_result(text, result.status, _STYLES[result.status], result, result.error)
    for outcome, count in (*counts.items(), (_STORED_DIFFERENTLY, altered)):
        if outcome is not Status.DONE and count > MOST and not full:
            text.append(others_line(count - MOST, outcome), "dim")
    parts = [f"{counts[status]:,} {status}" for status in Status if counts[status]]
    text.append(", ".join(parts), "bold green" if counts[Status.DONE] == len(results) else "bold red")
    if next_step and any(result.is_open for result in results):
        text.append(f"; {next_step}")
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

    `refusal` is why nothing, or nothing more, ran; the document of the plan has the refusals of the plan.
    """
    document = plan_document(plan, destination)
    counts = Counter(result.status for result in results)
    if refusal and not plan.refusals:
        not_confirmed = {"code": "not-confirmed", "message": refusal.message, "flag": "--yes"}
        document["refused"] = [*document["refused"], not_confirmed]
    return {
        **document,
        "results": redact([_result(result) for result in results], destination.secret),
        "summary": {**document["summary"], **{status.value: counts[status] for status in Status}},
        "run": run,
    }


def _append_result(text: Text, outcome: str, style: str, result: Result, note: str) -> None:
    change = result.change
    text.append(f"  {outcome} ", style)
    text.append(f"{change.action} {change.kind} {printable(change.key)}: {printable(note)}\n")


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


_MOST_NAMED = 3  # changes that are named
_DONE = {Action.CREATE: "created", Action.UPDATE: "updated", Action.DELETE: "deleted"}


def sync_line(results: Sequence[Result]) -> Text:
    """Return one line such as `2 changes: article/hello updated, tag/new created`, and the number of failures."""
    if not results:
        return Text("nothing to do", "dim")
    text = Text()
    done = [result for result in results if result.status is Status.DONE]
    done.sort(key=lambda result: (result.change.kind, result.change.key))  # results are in the order of answers
    if len(done) > 1:
        text.append(f"{pluralize(len(done), 'change')}: ", "bold")
    text.append(first_of_many([_change_text(result) for result in done], _MOST_NAMED))
    for status, count in Counter(result.status for result in results).items():
        if status is not Status.DONE:
            text.append(f"{'; ' if text else ''}{count:,} {status}", "bold red")
    return text


def _change_text(result: Result) -> str:
    change = result.change
    was = f" (was {printable(change.previous_key)})" if change.previous_key else ""
    return f"{change.kind}/{printable(change.key)}{was} {_DONE[change.action]}"


SHOWN = 3  # fields of an entry


def pull_text(edits: Sequence[FileEdit], here_only: Sequence[Entry], destination: Destination) -> str:
    """Return a line for each entry that was written or that only the folder has, and a summary."""
    written = [(edit.path, entry, _field_names(entry.fields)) for edit in edits for entry in edit.written]
    lines = [
        f"  {'~' if entry.fields else '+'} {entry.kind} {printable(entry.key)}  {printable(path)}{names}"
        for path, entry, names in written
    ]
    lines += [f"  · {entry.kind} {printable(entry.key)}  only here, left alone" for entry in here_only]
    new = sum(not entry.fields for _, entry, _ in written)
    changed = len(written) - new
    files = pluralize(sum(edit.after is not None for edit in edits), "file")
    text = f"{pluralize(new, 'new entry', 'new entries')} and {pluralize(changed, 'changed one')} written into {files}"
    lines.append(f"{text if edits else 'nothing to write'}: as {destination.name} has them")
    return "\n".join(lines)


def pull_document(edits: Sequence[FileEdit], here_only: Sequence[Entry], destination: Destination) -> dict[str, Any]:
    """Return the JSON document of `pull`."""
    written = [
        {
            "action": "update" if entry.fields else "create",
            "kind": entry.kind,
            "key": entry.key,
            "path": edit.path,
            "fields": list(entry.fields),
        }
        for edit in edits
        for entry in edit.written
    ]
    return {
        "version": 1,
        "target": {"name": destination.name, "address": destination.address},
        "written": written,
        "files": [{"path": edit.path, "action": _action(edit)} for edit in edits],
        "here_only": [{"kind": entry.kind, "key": entry.key} for entry in here_only],
        "summary": {
            "create": sum(entry["action"] == "create" for entry in written),
            "update": sum(entry["action"] == "update" for entry in written),
            "here_only": len(here_only),
        },
    }


def _action(edit: FileEdit) -> str:
    if edit.after is None:
        return "delete"
    return "create" if edit.before is None else "update"


def _field_names(names: Sequence[str]) -> str:
    return f"  {printable(first_of_many(names, SHOWN))}" if names else ""
