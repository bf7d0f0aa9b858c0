"""The runs of a target, as their journals have them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ...content.config import Target
from ...errors import UsageError
from ...model import Kind
from ..applying.result import Status
from ..change import Action
from ..comparing.base import Applied
from .heading import check_heading, damaged, unreadable
from .lines import document_of
from .place import Place
from .state import applied_from

_TAIL = 200  # bytes, in which the last line of a run that has ended lies


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


def runs_of(place: Place, target: Target) -> list[Run]:
    """All runs of the target, the oldest first. Raises Damaged for a journal that cannot be relied on."""
    return [read_run(file, target) for file in sorted(place.journals.glob("*.jsonl"))]


def run_named(place: Place, target: Target, name: str | None) -> Run:
    """The run of a name; without one, the last that wrote anything. Raises UsageError if there is none."""
    if name is not None:
        file = place.journals / f"{name}.jsonl"
        if name != file.stem or not file.is_file():
            known = [run.name for run in runs_of(place, target)]
            raise UsageError(f"there is no run '{name}'", f"the last ones are {', '.join(known[-3:]) or 'none'}")
        return read_run(file, target)
    for file in sorted(place.journals.glob("*.jsonl"), reverse=True):
        run = read_run(file, target)
        if run.steps:
            return run
    raise UsageError("no run has written anything to this target yet")


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
    run = Run(file.stem, file, str(heading.get("digest")))
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
