"""The history of an entry: its JSON document, and the text made from it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from rich.segment import Segment, Segments

from ..errors import pluralize
from ..model import Entry, Kind
from ..model.scalar import instant_text
from ..sync.comparing.change import Status
from ..sync.comparing.diff import FieldChange
from ..sync.history.commit_log import Commit
from ..sync.history.entry_commits import EntryCommits
from ..sync.history.entry_history import EntryRuns, HistoryAction, HistoryItem, RunChange
from ..value_text import WIDTH, printable, value_text
from .document_parts import EntryDocument, entry_document, redact
from .entry_lines import EntryLines, segment

MAX_FIELDS = 12  # of a change, without --full
_UNRECORDED = "(not recorded)"
_WHOLE = frozenset({"added", "removed", "created", "deleted"})  # all fields change, so they are only counted
_COLOURS = {"added": "green", "created": "green", "removed": "red", "deleted": "red"}


class EntryHistory(NamedTuple):
    """The history of an entry on one target, with what it lacks."""

    kind: Kind
    key: str
    entry: Entry | None  # None if the folder no longer has it
    target: str
    commits: EntryCommits
    runs: EntryRuns
    items: tuple[HistoryItem, ...]
    limit: int

    def notes(self) -> Iterator[str]:
        """Yield a line for each thing that the history lacks."""
        commits, runs = self.commits, self.runs
        more = f"--limit {self.limit * 10} reads more"
        if not commits.is_in_git:
            yield "the folder is in no git repository, so only runs are shown"
        if commits.uncommitted:
            yield f"not committed: {printable(', '.join(commits.uncommitted))}"
        if commits.submodules:
            names = printable(", ".join(commits.submodules))
            yield f"in a submodule, whose commits are in another repository: {names}"
        if commits.unreadable:
            yield f"left out, because its files had errors there: {pluralize(commits.unreadable, 'commit')}"
        if commits.without_config:
            count = pluralize(commits.without_config, "commit")
            yield f"left out, because contentsync.toml had errors there: {count}"
        if commits.has_more:
            yield f"older commits of its files were not read: {more}"
        if commits.is_shallow:
            yield "this clone is shallow, so older commits are not known: git fetch --unshallow brings them"
        if runs.has_more:
            yield f"older journals were not read: {more}"
        if runs.unreadable:
            runs_text = printable(", ".join(runs.unreadable))
            yield f"the journals of these runs are damaged or of another directory: {runs_text}"


class _SourceDocument(TypedDict):
    """The commit or the run that changed the entry; the other one is None."""

    commit: Mapping[str, str] | None  # id, author, subject
    run: Mapping[str, str] | None  # run, status, error; undoes, if it undid a run


class HistoryChangeDocument(_SourceDocument):
    """A change of the entry; a field has no "to" if the journal does not record the value."""

    time: str
    action: HistoryAction
    key: str
    previous_key: str | None
    path: str | None
    fields: dict[str, dict[str, Any]]


class HistoryDocument(EntryDocument):
    """The JSON document of `log` (docs/reference/json.md), without the tokens."""

    version: int
    target: str
    changes: list[HistoryChangeDocument]  # the newest first
    notes: list[str]


def history_document(history: EntryHistory, secrets: Sequence[str]) -> HistoryDocument:
    """Return the document from which the text is made too."""
    document: HistoryDocument = {
        "version": 1,
        **entry_document(history.entry or Entry(history.kind, history.key, {})),
        "target": history.target,
        "changes": [_change_document(item) for item in history.items],
        "notes": [*history.notes()],
    }
    return redact(document, *secrets)


def _change_document(item: HistoryItem) -> HistoryChangeDocument:
    return {
        "time": instant_text(item.source.time),
        "action": item.action,
        "key": item.key,
        "previous_key": item.previous_key,
        "path": item.path,
        **_source_document(item.source),
        "fields": {
            name: {"from": change.before} if name in item.unrecorded else {"from": change.before, "to": change.after}
            for name, change in item.fields.items()
        },
    }


def _source_document(source: Commit | RunChange) -> _SourceDocument:
    if isinstance(source, Commit):
        return {"commit": {"id": source.id, "author": source.author, "subject": source.subject}, "run": None}
    run, step = source.run, source.step
    undoes = {"undoes": run.undone_run} if run.undone_run else {}
    return {"commit": None, "run": {"run": run.name, "status": step.status, "error": step.error, **undoes}}


def history_text(document: HistoryDocument, *, full: bool) -> Segments:
    """Return the changes, the newest first, each with its fields; without `full`, shorten texts and lists."""
    lines = EntryLines(full)
    pieces = [*_title_line(document, lines)]
    for change in document["changes"]:
        pieces.append(segment("\n"))
        pieces += _change_lines(change, document["target"], lines, full=full)
    if not document["changes"]:
        pieces.append(segment("\nnone of the commits and runs that were read has changed it\n"))
    if document["notes"]:
        pieces.append(segment("\n" + "".join(f"{note}\n" for note in document["notes"]), "dim"))
    return Segments(pieces)


def _title_line(document: HistoryDocument, lines: EntryLines) -> Iterator[Segment]:
    """Yield the line with the kind, the key, the title and the location of the entry."""
    yield segment(f"{document['kind']} ")
    yield segment(printable(document["key"]), "bold")
    if document["path"] is None:
        yield segment("  no longer in the folder\n")
        return
    yield from lines.title(document)
    yield from lines.location(document["path"], document["line"])
    yield segment("\n")


def _change_lines(change: HistoryChangeDocument, target: str, lines: EntryLines, *, full: bool) -> Iterator[Segment]:
    """Yield the lines of a change: the commit or the run, what it did, and each field with both values."""
    time = f"{datetime.fromisoformat(change['time']):%Y-%m-%d %H:%M} UTC"
    action: str = change["action"]
    if change["previous_key"] is not None:
        action += f" from {printable(change['previous_key'])}"
    if commit := change["commit"]:
        yield segment(f"commit {commit['id'][:12]}", "yellow")
        yield segment(f"  {time}  {printable(commit['author'])}: {printable(commit['subject'])}\n")
        note = change["path"] or ""
    elif run := change["run"]:
        yield segment(f"run {printable(run['run'])}", "cyan")
        action += f" on {printable(target)}"
        if run["status"] != Status.DONE:
            action += f": {run['status']}"
        undone = f", undoes run {printable(run['undoes'])}" if "undoes" in run else ""
        yield segment(f"  {time}{undone}\n")
        note = run["error"]
    note = f"  {printable(note)}" if note else ""
    yield segment(f"    {action}", _COLOURS.get(change["action"], ""))
    fields = [*change["fields"].items()]
    if change["action"] in _WHOLE and not full:
        yield segment(f", {pluralize(len(fields), 'field')}{note}\n")
        return
    yield segment(f"{note}\n", "dim")
    shown = fields if full else fields[:MAX_FIELDS]
    for name, values in shown:
        if "to" in values:
            yield from lines.field(name, FieldChange(values["from"], values["to"]), note="")
        else:
            yield segment(f"      {printable(name)}: ", "cyan")
            yield segment(f"{value_text(values['from'], width=None if full else WIDTH)} → {_UNRECORDED}\n")
    if len(shown) < len(fields):
        rest = pluralize(len(fields) - len(shown), "field")
        yield segment(f"      … and {rest} more (--full shows all)\n", "dim")
