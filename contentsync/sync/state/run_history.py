"""TODO."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from ...content.config import Target
from ...errors import ContentsyncError, UsageError
from ...model import Kind
from ..change import Action, Status
from ..comparing.base import Applied
from .state_dir import Place, check_heading, damaged, document_of, unreadable
from .state_file import applied_from

_TAIL = 200  # bytes, in which the last line of a run that has ended lies


_NUMBERED = re.compile(r"[0-9]{8}T[0-9]{6}Z-[0-9]{6}-([1-9][0-9]*)\Z")  # when it started, and its number


class Lost(NamedTuple):
    """A field of another entry that loses something by a delete."""

    kind: Kind
    id: int
    field: str
    before: Any


@dataclass(slots=True)
class Step:
    """One write of a run."""

    action: Action
    kind: Kind
    key: str
    id: int | None  # None of a create
    previous: str | None  # the key that it had on the server, if that was another one
    before: Mapping[str, Any] | None  # all fields of the server's entry, references as keys; None of a create
    fields: Mapping[str, str]  # what it was to change: dotted names, and the fingerprints of the new values
    intended: Applied | None  # what was to be remembered; None of a delete
    status: Status = Status.UNKNOWN  # as long as nobody has found out
    applied: Applied | None = None  # what was remembered
    error: str = ""
    lost: Sequence[Lost] = ()  # what others lose by a delete
    base: Applied | None = None  # what was remembered before
    is_foreign: bool = False  # nothing is remembered afterwards
    ids: Mapping[Kind, Mapping[str, int]] | None = None  # of what `before` and `lost` name; None: an older release's
    found: bool = False  # a create has found it, made by somebody else; `before` is then what is known of it


@dataclass(slots=True)
class Run:
    """A run: `steps` are its writes, in the order in which they were sent."""

    name: str
    file: Path
    digest: str  # of its plan
    ended: bool = False  # all of it is in the state file, and no outcome is unknown
    steps: list[Step] = field(default_factory=list)
    undoes: str = ""  # the name of the run that it undoes
    complete: bool = False  # it has ended, and every change of its plan is done
    begun: "Run | None" = None  # an incomplete undo of it, which is to go on
    parts: Sequence[Path] = ()  # the journals of the earlier runs whose steps it has too

    @property
    def journals(self) -> Sequence[Path]:
        """Return the files that it was read from, with those of `begun`."""
        return (*self.parts, self.file, *(self.begun.journals if self.begun else ()))


def journals_of(place: Place) -> list[Path]:
    """Return the journals of a target, the oldest first, without reading them. Raise Unwritable.

    The number in its name orders a run, not its time: a clock can be set back. Earlier versions gave no numbers, so
    runs without one come first, in the order of their names.
    """
    try:
        files = [file for file in place.journals.iterdir() if file.suffix == ".jsonl"]
    except FileNotFoundError:
        return []
    except OSError as error:  # never taken for an empty folder: a run that was cut off would be forgotten
        raise unreadable(place.journals, error) from error
    return sorted(files, key=lambda file: (_number(file.stem), file.stem))


def next_name(place: Place, started: str) -> str:
    """Return the name of a new run: `started`, such as 20261121T204204Z-512345, and the next number.

    Call it under the lock of the target. Raise Unwritable if the journals cannot be listed.
    """
    return f"{started}-{1 + max((_number(file.stem) for file in journals_of(place)), default=0)}"


def started_at(name: str) -> datetime | None:
    """Return the moment in UTC, without a time zone, that the name of a run begins with; None where it has none."""
    try:
        return datetime.strptime(name.partition("-")[0], "%Y%m%dT%H%M%SZ")
    except ValueError:
        return None


def _number(name: str) -> int:
    match = _NUMBERED.match(name)
    return int(match[1]) if match else 0


def runs_of(place: Place, target: Target) -> list[Run]:
    """All runs of the target, the oldest first. Raises Damaged for a journal that cannot be relied on."""
    return [read_run(file, target) for file in journals_of(place)]


def run_named(place: Place, target: Target, name: str | None) -> Run:
    """Return the run of a name, or without one the last run that wrote anything. Raise UsageError if there is none.

    An undo that took several runs counts as one: the last of them has the steps of all.
    """
    files = journals_of(place)
    if name is not None:
        at = next((at for at, file in enumerate(files) if file.stem == name), None)
        if at is None:
            known = ", ".join(file.stem for file in files[-3:])
            raise UsageError(f"there is no run '{name}'", f"the last ones are {known or 'none'}")
        return _with_earlier_parts(files[: at + 1], target)
    while files:
        run = _with_earlier_parts(files, target)
        if run.steps:
            return run
        files.pop()
    raise UsageError("no run has written anything to this target yet")


def run_to_undo(place: Place, target: Target, name: str | None) -> Run:
    """Return the run that an undo is about; with the last undo of it as `begun`, if that is incomplete.

    Without a name that is the last run that wrote anything, or if that is an incomplete undo, the run that it undoes:
    undoing the incomplete undo would write the changes of that run again. Raise UsageError if there is no such run.
    """
    last = run_named(place, target, None)
    if last.undoes and not last.complete and name in (None, last.undoes):
        return replace(run_named(place, target, last.undoes), begun=last)
    return last if name is None else run_named(place, target, name)


def _with_earlier_parts(files: Sequence[Path], target: Target) -> Run:
    """Return the last of the runs; an undo with the steps of the incomplete runs before it that undo the same run."""
    run = read_run(files[-1], target)
    parts = [run]
    for file in reversed(files[:-1] if run.undoes else ()):
        earlier = read_run(file, target)
        if earlier.undoes == run.undoes and not earlier.complete:
            parts.append(earlier)
        elif earlier.steps:
            break
    parts.reverse()
    return replace(run, steps=[step for part in parts for step in part.steps], parts=[part.file for part in parts[:-1]])


def read_run(file: Path, target: Target) -> Run:
    """The run that a journal tells of.

    A last line that is cut was being written when the run was cut off: it is as if it were not there. So is what
    follows the end: a run whose lock was taken over may have had a write in flight. Raises Damaged for any other
    line that is not as it was written, and for a journal of another version or directory.
    """
    try:
        lines = file.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise unreadable(file, error) from error
    if len(lines) > 1 and not lines[-1].endswith(b"\n"):
        lines.pop()
    documents = _documents(lines, file)
    heading = next(documents)
    check_heading(heading, "journal", target, file)
    run = Run(file.stem, file, str(heading.get("digest")), undoes=str(heading.get("undoes") or ""))
    steps: dict[int, Step] = {}
    try:
        for document in documents:
            if "intent" in document:
                step = _step(document, file)
                steps[document["intent"]] = step
                run.steps.append(step)
            elif "result" in document:
                step = steps[document["result"]]
                step.status, step.error = Status(document["status"]), document["error"]
                step.applied = _applied(document["applied"], file)
                step.found = document["found"]
                step.before = document["before"] if step.found else step.before
            elif "end" in document:
                run.ended = True
                run.complete = document["end"] == "done" and not document.get("open")
                break
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(file, f"a line of it tells of no write ({error})") from error
    return run


def has_end(file: Path) -> bool:
    """Whether a run has ended, by the last line of its journal: there may be many long ones."""
    try:
        with file.open("rb") as stream:
            stream.seek(max(0, file.stat().st_size - _TAIL))
            lines = stream.read().splitlines(keepends=True)
        return bool(lines) and lines[-1].endswith(b"\n") and "end" in document_of(lines[-1])
    except OSError as error:
        raise unreadable(file, error) from error
    except ValueError:
        return False


def _step(document: Mapping[str, Any], file: Path) -> Step:
    return Step(
        Action(document["action"]),
        Kind(document["kind"]),
        document["key"],
        document["id"],
        document["previous"],
        document["before"],
        dict(document["fields"]),
        _applied(document["applied"], file),
        lost=[Lost(Kind(kind), id_, field, before) for kind, id_, field, before in document["lost"]],
        base=_applied(document["base"], file),
        is_foreign=document["foreign"],
        ids={Kind(kind): ids for kind, ids in document["ids"].items()} if "ids" in document else None,
    )


def _applied(document: Mapping[str, Any] | None, file: Path) -> Applied | None:
    return None if document is None else applied_from(document, file)


def _documents(lines: list[bytes], file: Path) -> Iterator[dict[str, Any]]:
    if not lines:
        raise damaged(file, "it is empty")
    for number, line in enumerate(lines, 1):
        try:
            yield document_of(line)
        except ValueError as error:
            raise damaged(file, f"line {number} is not as it was written") from error


def prune_journals(place: Place, target: Target, now: datetime) -> None:
    """Delete the journals of runs that are neither recent nor among the last ones, as the target's `keep_runs` says.

    Call it under the lock of the target, after a run. The journal of an unfinished run stays, and so do the last one,
    whose number the next run counts from, and everything that `undo` would read. Where that is not known, or a file
    cannot be deleted, the journals stay: a sync must not fail because of them.
    """
    with suppress(ContentsyncError, OSError):
        files = journals_of(place)
        oldest = now - timedelta(days=target.keep_runs.days)
        old = [file for file in files[: -max(1, target.keep_runs.count)] if _is_older(file, oldest)]
        if not old:
            return
        needed = _needed_by_undo(files, place, target)
        for file in old:
            if file not in needed and has_end(file):
                file.unlink()


def _is_older(file: Path, moment: datetime) -> bool:
    """Return whether a run started before a moment; False for a file whose name has no time."""
    started = started_at(file.stem)
    return started is not None and started.replace(tzinfo=UTC) < moment


def _needed_by_undo(files: Sequence[Path], place: Place, target: Target) -> Sequence[Path]:
    """Return the journals from the first one on that `undo` without a name would read."""
    try:
        run = run_to_undo(place, target, None)
    except UsageError:  # no run has written anything
        return ()
    return files[min(files.index(file) for file in run.journals) :]
