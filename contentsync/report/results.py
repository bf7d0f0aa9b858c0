"""What a sync or a pull did, as text and as JSON."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from ..authoring.edit.file_edits import FileEdit
from ..errors import Problem, Refused, join_first, pluralize
from ..lazy_pattern import lazy_pattern
from ..sync.comparing.change import Action, Change, Result, Status
from ..sync.planning.plan import Plan
from ..sync.planning.pull import PullPlan
from ..value_text import printable
from .document_parts import Destination, redact
from .formatting import entry_text, groups_text, new_columns_line, others_line
from .plan_document import plan_document
from .problem_documents import problem_document

_STYLES = {Status.FAILED: "bold red", Status.UNKNOWN: "bold yellow", Status.SKIPPED: "dim"}
MAX_RESULTS = 20  # lines of one status
MOST_ALIKE = 3  # failures with one cause; of more, only these are named
_STORED_DIFFERENTLY = "stored differently"
_LOCATION = lazy_pattern(r"\A(.+?:\d+:\d+): ")  # pages/a.md:3:1: before the cause of a failure, if its entry has a file
_RECORD_ID = lazy_pattern(r"(?<=/)\d+(?=[ :])")  # 12 in PUT /api/directories/1/pages/12 failed


def results_text(
    results: Sequence[Result], *, full: bool, next_step: str = "", hint: str = " (--verbose shows all)"
) -> Text:
    """Return the results that differ from the plan, then a summary; add `next_step` if the next run may do a change.

    Without `full`, name only the first of many failures with one cause; `hint` says how to see all.
    """
    text = Text()
    for result in results:
        if result.already_existed:
            note = "it was created after the plan was made; now it is as the folder says"
            _append_result(text, "already there", "yellow", result, note)
    altered = [result for result in results if result.status is Status.DONE and result.altered_fields]
    shown = altered if full else altered[:MAX_RESULTS]
    for result in shown:
        _append_result(text, _STORED_DIFFERENTLY, "yellow", result, ", ".join(result.altered_fields))
    if len(shown) < len(altered):
        text.append(others_line(len(altered) - len(shown), _STORED_DIFFERENTLY, hint), "dim")
    for status, style in _STYLES.items():
        failures = [result for result in results if result.status is status]
        groups = [[result] for result in failures] if full else _group_by_cause(failures)[:MAX_RESULTS]
        for group in groups:
            if len(group) == 1:
                _append_result(text, status, style, group[0], group[0].error)
            else:
                names = join_first([_name_with_location(result) for result in group], MOST_ALIKE)
                text.append(f"  {status} ", style)
                text.append(f"{len(group):,} changes: {printable(_cause(group[0]))}\n    {names}{hint}\n")
        if hidden := len(failures) - sum(map(len, groups)):
            text.append(others_line(hidden, status, hint), "dim")
    counts = Counter(result.status for result in results)
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

    `refusal` is why the sync stopped: the plan has refusals, or the user did not confirm it.
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


def plan_event(plan: Plan, destination: Destination) -> dict[str, Any]:
    """Return the event that a plan was made (docs/reference/json.md, Events)."""
    return {**plan_document(plan, destination), "event": "plan"}


def result_event(result: Result, destination: Destination) -> dict[str, Any]:
    """Return the event that the result of a change is known."""
    event: dict[str, Any] = redact({"version": 1, "event": "result", **_result(result)}, destination.secret)
    return event


def end_event(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the event that a sync has ended, from its document."""
    return {"version": 1, "event": "end", **{name: document[name] for name in ("summary", "refused", "run")}}


def _append_result(text: Text, outcome: str, style: str, result: Result, note: str) -> None:
    text.append(f"  {outcome} ", style)
    text.append(f"{_name(result.change)}: {printable(note)}\n")


def _group_by_cause(failures: Sequence[Result]) -> list[list[Result]]:
    """Return groups of more than MOST_ALIKE failures with the same cause; each other failure is a group of its own."""
    by_cause: dict[str, list[Result]] = {}
    for result in failures:
        by_cause.setdefault(_cause(result), []).append(result)
    groups: list[list[Result]] = []
    for group in by_cause.values():
        groups += [group] if len(group) > MOST_ALIKE else [[result] for result in group]
    return groups


def _cause(result: Result) -> str:
    """Return the cause of a failure, without the location and the id of its entry."""
    return _RECORD_ID.sub("…", _LOCATION.sub("", result.error))


def _name_with_location(result: Result) -> str:
    location = _LOCATION.match(result.error)
    return _name(result.change) + (f" ({printable(location[1])})" if location else "")


def _name(change: Change) -> str:
    return f"{change.action} {change.kind} {printable(change.key)}"


def _result(result: Result) -> dict[str, Any]:
    """Return a result for the JSON document; `unstored` are fields that the server stored differently."""
    return {
        "action": result.change.action,
        "kind": result.change.kind,
        "key": result.change.key,
        "status": result.status,
        "error": result.error or None,
        "unstored": list(result.altered_fields),
        "found": result.already_existed,
    }


_MAX_NAMED = 3  # changes that are named
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
    text.append(join_first([_change_text(result) for result in done], _MAX_NAMED))
    for status, count in Counter(result.status for result in results).items():
        if status is not Status.DONE:
            text.append(f"{'; ' if text else ''}{count:,} {status}", "bold red")
    return text


def _change_text(result: Result) -> str:
    change = result.change
    was = f" (was {printable(change.previous_key)})" if change.previous_key else ""
    return f"{change.kind}/{printable(change.key)}{was} {_DONE[change.action]}"


MAX_FIELD_NAMES = 3  # fields of an entry


def pull_document(
    edits: Sequence[FileEdit], pulled: PullPlan, destination: Destination, warnings: Sequence[Problem]
) -> dict[str, Any]:
    """Return the JSON document of `pull` (docs/reference/json.md, pull), from which `pull_text` makes the text."""
    written = [
        {
            "action": entry.action,
            "kind": entry.kind,
            "key": entry.key,
            "path": edit.path,
            "fields": list(entry.fields),
        }
        for edit in edits
        for entry in edit.written
    ]
    counts = Counter(entry["action"] for entry in written)
    return {
        "version": 1,
        "target": {"name": destination.name, "address": destination.address},
        "written": written,
        "warnings": [problem_document(warning) for warning in warnings],
        "files": [
            {"path": edit.path, "action": edit.action, "added_columns": list(edit.added_columns)} for edit in edits
        ],
        "here_only": [{"kind": entry.kind, "key": entry.key} for entry in pulled.local_only],
        "deleted_there": _staying_entries(pulled),
        "not_written": [
            {"kind": kind, "key": key, "reason": reason} for (kind, key), reason in pulled.unwritten.items()
        ],
        "left_alone": [
            {
                "kind": kind,
                "key": key,
                "fields": fields,
                "conflicts": pulled.conflicts.get((kind, key), ()),
                "added_on_both": (kind, key) in pulled.added_on_both,
            }
            for (kind, key), fields in pulled.left_alone.items()
        ],
        "summary": {**{str(action): counts[action] for action in Action}, "here_only": len(pulled.local_only)},
    }


def _staying_entries(pulled: PullPlan) -> list[dict[str, Any]]:
    """Return the entries that were deleted on the server and stay in the folder, with the reason if they must stay."""
    return [
        {"kind": entry.kind, "key": entry.key, "reason": pulled.kept.get((entry.kind, entry.key))}
        for entry in pulled.not_removed
    ]


_SIGNS = {Action.CREATE: "+", Action.UPDATE: "~", Action.DELETE: "-"}
MAX_PULLED = 20  # written entries that are named without --full


def pull_text(document: Mapping[str, Any], destination: Destination, *, full: bool) -> str:
    """Return a line for each entry that was written or left alone, at most 20 of each without `full`, and a summary."""
    left_alone = document["left_alone"]
    groups = (
        [
            f"  {_SIGNS[entry['action']]} {entry_text(entry)}  {printable(entry['path'])}"
            + (f"  {printable(join_first(entry['fields'], MAX_FIELD_NAMES))}" if entry["fields"] else "")
            for entry in document["written"]
        ],
        [f"  · {entry_text(entry)}  only here, left alone" for entry in document["here_only"]],
        [f"  · {line}" for line in _deleted_there(document["deleted_there"], destination)],
        [f"  ! {entry_text(entry)}  not written: {printable(entry['reason'])}" for entry in document["not_written"]],
        [
            f"  · {entry_text(entry)}  {', '.join(entry['fields']) or 'deleted'}: changed here, left alone"
            for entry in left_alone
            if not entry["conflicts"] and not entry["added_on_both"]
        ],
        [
            f"  ! {entry_text(entry)}  {', '.join(entry['fields'])}: added here and there, left alone"
            for entry in left_alone
            if entry["added_on_both"]
        ],
        [
            f"  ! {entry_text(entry)}  {_conflict_text(entry['fields'], entry['conflicts'])}, left alone"
            for entry in left_alone
            if entry["conflicts"]
        ],
    )
    text = groups_text(groups, MAX_PULLED, "entries", full=full)
    files, summary = document["files"], document["summary"]
    for file in files:
        if file["added_columns"]:
            text += f"{new_columns_line(file['path'], file['added_columns'])}\n"
    if not files:
        return f"{text}nothing to pull from {destination.name}"
    written_files = sum(file["action"] != "delete" for file in files)
    text += f"{pluralize(summary['create'], 'new entry', 'new entries')} and "
    text += f"{pluralize(summary['update'], 'changed one')} pulled from {destination.name} into "
    text += pluralize(written_files, "file")
    removed = pluralize(summary["delete"], "entry", "entries")
    return f"{text}, and {removed} removed" if summary["delete"] else text


def _conflict_text(changed_here: Sequence[str], changed_there: Sequence[str]) -> str:
    """Return how both sides have changed an entry; the folder has deleted it if no field is `changed_here`."""
    fields = ", ".join(changed_there)
    return f"{fields}: changed here and there" if changed_here else f"deleted here; {fields} changed there"


def deletes_text(pulled: PullPlan, destination: Destination) -> str:
    """Return a line for each entry that a pull removes from the folder, with its file, and for each one that stays."""
    removed = ((entry, entry.source.path if entry.source else "") for entry in pulled.removed)
    lines = [f"  - {entry.kind} {printable(entry.key)}  {printable(path)}" for entry, path in removed]
    return "\n".join([*lines, *(f"  ! {line}" for line in _deleted_there(_staying_entries(pulled), destination))])


def _deleted_there(entries: Sequence[Mapping[str, Any]], destination: Destination) -> list[str]:
    """Return a text for each entry that was deleted on the server and stays in the folder."""
    how = f"{destination.command('pull', '--deletes')} removes it here"
    return [f"{entry_text(each)}  deleted there, left alone: {printable(each['reason'] or how)}" for each in entries]
