"""The runs of a target, as read from their journals, and the deletion of old journals."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ...content.config.config_tables import Target
from ...errors import ContentsyncError, UsageError
from ...lazy_pattern import lazy_pattern
from ...model import Kind
from ..comparing.base import AppliedEntry, RemovedReference
from ..comparing.change import Action, Status
from .state_dir import StateDir, unreadable_error
from .state_file import check_header, damaged_error, decode_line, decode_lines, parse_applied

_TAIL_SIZE = 200  # bytes at the end of a journal that include its end line
_START_FORMAT = "%Y%m%dT%H%M%SZ"
_RUN_NAME = lazy_pattern(r"[0-9]{8}T[0-9]{6}Z-[0-9]{6}-([1-9][0-9]*)\Z")  # start time in UTC, microseconds, number


@dataclass(slots=True)
class Step:
    """One write of a run."""

    action: Action
    kind: Kind
    key: str
    id: int | None  # None for a create
    previous: str | None  # the key on the server before the write, if it was not `key`
    before: Mapping[str, Any] | None  # all fields of the record, references as keys; None for a create
    fields: Mapping[str, str]  # fingerprints of the new values by dotted name
    intended: AppliedEntry | None  # the applied entry to expect afterwards; None for a delete
    status: Status = Status.UNKNOWN  # until a result is recorded
    applied: AppliedEntry | None = None  # the applied entry afterwards
    error: str = ""
    dangling: Sequence[RemovedReference] = ()  # the references that a delete removes
    base: AppliedEntry | None = None  # the applied entry before the write
    is_unmanaged: bool = False  # the base has no entry afterwards
    # The ids of the keys in `before` and `dangling`; None in a journal of an older release.
    ids: Mapping[Kind, Mapping[str, int]] | None = None
    already_existed: bool = False  # a create found another user's record; `before` has its fields, or None if unknown


@dataclass(slots=True)
class Run:
    """A run: `steps` are its writes, in the order in which they were sent."""

    name: str
    file: Path
    digest: str  # of its plan
    has_ended: bool = False  # its journal has an end: the state file has all its writes, no result is unknown
    steps: list[Step] = field(default_factory=list)
    undone_run: str = ""  # the name of the run that it undoes
    is_complete: bool = False  # it has ended, and every change of its plan is done
    skipped: int = 0  # the number of changes that were skipped; most of them have no step
    unfinished_undo: "Run | None" = None  # an incomplete undo of it, to be continued
    earlier_journals: Sequence[Path] = ()  # of the earlier runs whose steps are part of it

    @property
    def journals(self) -> Sequence[Path]:
        """Return the journals of the run, of its earlier parts and of `unfinished_undo`."""
        return (*self.earlier_journals, self.file, *(self.unfinished_undo.journals if self.unfinished_undo else ()))


def list_journals(state_dir: StateDir) -> list[Path]:
    """Return the journals of a target, the oldest first. Raise LocalFileError if their folder cannot be listed.

    Sort runs by the number in their names, not by time: a clock can be set back. Runs of earlier versions have no
    number and are first, sorted by name.
    """
    try:
        files = [file for file in state_dir.journals.iterdir() if file.suffix == ".jsonl"]
    except FileNotFoundError:
        return []
    except OSError as error:  # an empty list would hide unfinished runs
        raise unreadable_error(state_dir.journals, error) from error
    return sorted(files, key=lambda file: (_run_number(file.stem), file.stem))


def start_text(started: datetime) -> str:
    """Return the start of a run, in UTC, as its name has it, such as 20261121T204204Z-512345."""
    return f"{started:{_START_FORMAT}-%f}"


def next_run_name(state_dir: StateDir, started: str) -> str:
    """Return the name of a new run: `started`, as `start_text` returns it, and the next number.

    Call it under the lock of the target. Raise LocalFileError if the journals cannot be listed.
    """
    last_number = max((_run_number(file.stem) for file in list_journals(state_dir)), default=0)
    return f"{started}-{last_number + 1}"


def run_start_time(name: str) -> datetime | None:
    """Return the start of a run from its name, as a naive datetime in UTC; None if the name has no time."""
    try:
        return datetime.strptime(name.partition("-")[0], _START_FORMAT)
    except ValueError:
        return None


def _run_number(name: str) -> int:
    """Return the number at the end of a run's name; 0 for a run of an earlier version, which has none."""
    match = _RUN_NAME.match(name)
    return int(match[1]) if match else 0


def find_run(state_dir: StateDir, target: Target, name: str | None) -> Run:
    """Return the run called `name`; for None, the last run that wrote anything. Raise UsageError if there is none.

    If an undo took several runs, the last of them is returned with the steps of all.
    """
    files = list_journals(state_dir)
    if name is not None:
        index = next((index for index, file in enumerate(files) if file.stem == name), None)
        if index is None:
            known = ", ".join(file.stem for file in files[-3:])
            raise UsageError(f"there is no run '{name}'", f"the last ones are {known or 'none'}")
        return _with_earlier_parts(files[: index + 1], target)
    while files:
        run = _with_earlier_parts(files, target)
        if run.steps:
            return run
        files.pop()
    raise UsageError("no run has written anything to this target yet")


def find_run_to_undo(state_dir: StateDir, target: Target, name: str | None) -> Run:
    """Return the run that `undo` should undo: the run called `name`; for None, the last run that wrote anything.

    If the last run is an incomplete undo, None means the run that it undoes: `undo` continues it, instead of undoing
    it. The returned run has this undo as its `unfinished_undo`. Raise UsageError if there is no such run.
    """
    last = find_run(state_dir, target, name=None)
    last_is_incomplete_undo = bool(last.undone_run) and not last.is_complete
    if last_is_incomplete_undo and name in (None, last.undone_run):
        return replace(find_run(state_dir, target, last.undone_run), unfinished_undo=last)
    return last if name is None else find_run(state_dir, target, name)


def find_incomplete_run_before(state_dir: StateDir, target: Target, name: str) -> str | None:
    """Return the name of the run before the run `name` if it wrote only a part of its plan and was not undone.

    A sync that continues an interrupted one is a run of its own, so that the undo of it restores only a part. Skip runs
    that wrote nothing. Return None if the run before was complete or an undo.
    """
    files = list_journals(state_dir)
    index = next((index for index, file in enumerate(files) if file.stem == name), 0)
    undone = {read_run(file, target).undone_run for file in files[index:]}
    for file in reversed(files[:index]):
        run = read_run(file, target)
        if run.steps:
            is_part = not (run.is_complete or run.undone_run or run.name in undone)
            return run.name if is_part else None
    return None


def _with_earlier_parts(files: Sequence[Path], target: Target) -> Run:
    """Return the run of the last journal; an undo has also the steps of earlier, incomplete undos of the same run."""
    run = read_run(files[-1], target)
    parts = [run]
    earlier_files = files[:-1] if run.undone_run else ()
    for file in reversed(earlier_files):
        earlier = read_run(file, target)
        if earlier.undone_run == run.undone_run and not earlier.is_complete:
            parts.append(earlier)
        elif earlier.steps:  # another run has written since, so still earlier undos are not parts of this one
            break
    parts.reverse()
    return replace(
        run,
        steps=[step for part in parts for step in part.steps],
        earlier_journals=[part.file for part in parts[:-1]],
    )


def read_run(file: Path, target: Target) -> Run:
    """Return the run of a journal.

    Ignore a last line that is cut off: the run stopped while it wrote the line. Ignore also all lines after the end: a
    run whose lock was taken over may have had a write in flight. Raise Damaged for any other line that was changed, and
    for a journal of another version or directory.
    """
    try:
        lines = file.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise unreadable_error(file, error) from error
    if len(lines) > 1 and not lines[-1].endswith(b"\n"):
        lines.pop()
    documents = decode_lines(lines, file)
    header = next(documents)
    check_header(header, "journal", target, file)
    run = Run(file.stem, file, str(header.get("digest")), undone_run=str(header.get("undoes") or ""))
    steps: dict[int, Step] = {}
    try:
        for document in documents:
            if "intent" in document:
                step = _to_step(document, file)
                steps[document["intent"]] = step
                run.steps.append(step)
            elif "result" in document:
                step = steps[document["result"]]
                step.status, step.error = Status(document["status"]), document["error"]
                step.applied = _applied(document["applied"], file)
                step.already_existed = document["found"]
                if step.already_existed:
                    step.before = document["before"]
            elif "skipped" in document:
                run.skipped = int(document["skipped"])
            elif "end" in document:
                run.has_ended = True
                open_count = document.get("open", 0)  # changes that the next run may do
                run.is_complete = document["end"] == "done" and not open_count
                break
    except (KeyError, TypeError, ValueError) as error:
        raise damaged_error(file, f"a line is not a write ({error})") from error
    return run


def has_end(file: Path) -> bool:
    """Return whether a run has ended. For speed, read only the last line of its journal."""
    try:
        with file.open("rb") as stream:
            stream.seek(max(0, file.stat().st_size - _TAIL_SIZE))
            lines = stream.read().splitlines(keepends=True)
        return bool(lines) and lines[-1].endswith(b"\n") and "end" in decode_line(lines[-1])
    except OSError as error:
        raise unreadable_error(file, error) from error
    except ValueError:
        return False


def _to_step(document: Mapping[str, Any], file: Path) -> Step:
    """Return the step of a line of the journal; `file` is the journal, for errors."""
    return Step(
        Action(document["action"]),
        Kind(document["kind"]),
        document["key"],
        document["id"],
        document["previous"],
        document["before"],
        dict(document["fields"]),
        _applied(document["applied"], file),
        dangling=[RemovedReference(Kind(kind), id_, field, before) for kind, id_, field, before in document["lost"]],
        base=_applied(document["base"], file),
        is_unmanaged=document["foreign"],
        ids={Kind(kind): ids for kind, ids in document["ids"].items()} if "ids" in document else None,
    )


def _applied(document: Mapping[str, Any] | None, file: Path) -> AppliedEntry | None:
    return None if document is None else parse_applied(document, file)


def prune_journals(state_dir: StateDir, target: Target, now: datetime) -> None:
    """Delete the journals of runs that are neither recent nor among the last ones, as the target's `keep_runs` says.

    Call it under the lock of the target, after a run. Keep the journals of unfinished runs, the last journal, from
    whose number the next run counts, and the journals that `undo` would read. Stop without an error if a file cannot be
    read or deleted: a sync must not fail because of old journals.
    """
    with suppress(ContentsyncError, OSError):
        files = list_journals(state_dir)
        limit = now - timedelta(days=target.keep_runs.days)
        kept_count = max(1, target.keep_runs.count)
        old = [file for file in files[:-kept_count] if _started_before(file, limit)]
        if not old:
            return
        needed = _needed_by_undo(files, state_dir, target)
        for file in old:
            if file not in needed and has_end(file):
                file.unlink()


def _started_before(file: Path, moment: datetime) -> bool:
    """Return whether a run started before a moment; False for a file whose name has no time."""
    started = run_start_time(file.stem)
    return started is not None and started.replace(tzinfo=UTC) < moment


def _needed_by_undo(files: Sequence[Path], state_dir: StateDir, target: Target) -> Sequence[Path]:
    """Return the oldest journal that `undo` without a name would read, and all later ones.

    `files` are all journals of the target, the oldest first, as `list_journals` returns them.
    """
    try:
        run = find_run_to_undo(state_dir, target, name=None)
    except UsageError:  # no run has written anything
        return ()
    return files[min(files.index(file) for file in run.journals) :]
