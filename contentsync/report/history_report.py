"""The history of an entry, as text and JSON."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rich.segment import Segment, Segments

from ..errors import pluralize
from ..model import RECORDS, Entry, Kind
from ..model.scalar import instant_text
from ..sync.comparing.change import Status
from ..sync.history.commit_log import Commit
from ..sync.history.entry_commits import EntryCommits
from ..sync.history.entry_history import EntryRuns, HistoryItem, RunChange
from ..value_text import WIDTH, printable, value_text
from .document_parts import redact
from .entry_lines import EntryLines, segment, source_location

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


def history_text(history: EntryHistory, *, full: bool, secrets: Sequence[str]) -> Segments:
    """Return the changes, the newest first, each with its fields; without `full`, shorten texts and lists."""
    lines = EntryLines(full, *secrets)
    pieces = [*_title_line(history, lines, secrets)]
    for item in history.items:
        pieces.append(segment("\n"))
        pieces += _item_lines(item, history.target, lines, full=full, secrets=secrets)
    if not history.items:
        pieces.append(segment("\nnone of the commits and runs that were read has changed it\n"))
    notes = [*history.notes()]
    if notes:
        pieces.append(segment("\n" + "".join(f"{redact(note, *secrets)}\n" for note in notes), "dim"))
    return Segments(pieces)


def history_document(history: EntryHistory, secrets: Sequence[str]) -> dict[str, Any]:
    """Return the JSON document of `log` (docs/reference/json.md)."""
    entry = history.entry
    document: dict[str, Any] = redact(
        {
            "version": 1,
            "kind": history.kind,
            "key": history.key,
            "title": entry.fields.get(RECORDS[history.kind].title_field) if entry else None,
            "path": entry.source.path if entry and entry.source else None,
            "line": entry.source.line if entry and entry.source else None,
            "target": history.target,
            "changes": [_item_document(item) for item in history.items],
            "notes": [*history.notes()],
        },
        *secrets,
    )
    return document


def _title_line(history: EntryHistory, lines: EntryLines, secrets: Sequence[str]) -> Iterator[Segment]:
    """Yield the line with the kind, the key, the title and the location of the entry."""
    yield segment(f"{history.kind} ")
    yield segment(printable(redact(history.key, *secrets)), "bold")
    if history.entry is None:
        yield segment("  no longer in the folder\n")
        return
    yield from lines.title(history.entry)
    yield from source_location(history.entry)
    yield segment("\n")


def _item_lines(
    item: HistoryItem, target: str, lines: EntryLines, *, full: bool, secrets: Sequence[str]
) -> Iterator[Segment]:
    """Yield the lines of a change: the commit or the run, what it did, and each field with both values."""
    action = str(item.action)
    if item.previous_key is not None:
        action += f" from {printable(redact(item.previous_key, *secrets))}"
    if isinstance(item.source, Commit):
        commit = item.source
        yield segment(f"commit {commit.id[:12]}", "yellow")
        author, subject = (printable(redact(text, *secrets)) for text in (commit.author, commit.subject))
        yield segment(f"  {commit.time:%Y-%m-%d %H:%M} UTC  {author}: {subject}\n")
        note = f"  {printable(redact(item.path, *secrets))}" if item.path else ""
    else:
        run, step = item.source.run, item.source.step
        yield segment(f"run {printable(run.name)}", "cyan")
        action += f" on {printable(target)}"
        if step.status is not Status.DONE:
            action += f": {step.status}"
        undone = f", undoes run {printable(run.undone_run)}" if run.undone_run else ""
        yield segment(f"  {item.source.time:%Y-%m-%d %H:%M} UTC{undone}\n")
        note = f"  {printable(redact(step.error, *secrets))}" if step.error else ""
    yield segment(f"    {action}", _COLOURS.get(item.action, ""))
    if item.action in _WHOLE and not full:
        yield segment(f", {pluralize(len(item.fields), 'field')}{note}\n")
        return
    yield segment(f"{note}\n", "dim")
    shown = [*item.fields.items()] if full else [*item.fields.items()][:MAX_FIELDS]
    for name, change in shown:
        if name in item.unrecorded:
            before = value_text(redact(change.before, *secrets), width=None if full else WIDTH)
            yield segment(f"      {printable(redact(name, *secrets))}: ", "cyan")
            yield segment(f"{before} → {_UNRECORDED}\n")
        else:
            yield from lines.field(name, change, note="")
    if len(shown) < len(item.fields):
        rest = pluralize(len(item.fields) - len(shown), "field")
        yield segment(f"      … and {rest} more (--full shows all)\n", "dim")


def _item_document(item: HistoryItem) -> dict[str, Any]:
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


def _source_document(source: Commit | RunChange) -> dict[str, Any]:
    if isinstance(source, Commit):
        return {"commit": {"id": source.id, "author": source.author, "subject": source.subject}, "run": None}
    run, step = source.run, source.step
    undoes = {"undoes": run.undone_run} if run.undone_run else {}
    return {"commit": None, "run": {"run": run.name, "status": step.status, "error": step.error, **undoes}}
