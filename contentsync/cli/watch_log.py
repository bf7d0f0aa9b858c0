"""What somebody who watches is told: a line a sync to stdout, what stands in its way to stderr."""

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.text import Text

from ..content.load import Content
from ..errors import ContentError, ContentsyncError, Problem, Refused
from ..report.document import failure_document
from ..report.plan import spared_note
from ..report.problems import problems_text
from ..report.results import results_text, sync_document
from ..report.synced import synced_line
from ..report.words import printable
from ..sync import Result, Status
from .output import print_lines
from .session import Session
from .sync import Outcome
from .terminal import data, stamped, talk


class WatchLog:
    """Tells nothing twice that was told of the same state; `as_json` gives one document a line."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._warnings: tuple[Problem, ...] = ()
        self._destination = ""
        self._failure: type[ContentsyncError] | None = None
        self._spared = ""
        self._trouble: list[tuple[str, Status, str]] = []

    def say(self, text: str, style: str = "dim") -> None:
        """A sentence about the watching itself."""
        talk().print(stamped(Text(printable(text), style)))

    def begun(self, session: Session) -> None:
        """Where to, before the first sync and whenever that has changed."""
        target = session.destination
        destination = f"{target.name} ({target.address})"
        if destination != self._destination:
            self.say(f"watching {session.content.folder} for {destination}; Ctrl-C ends it")
            self._destination, self._failure = destination, None

    def paused(self, error: ContentsyncError) -> None:
        """Nothing is sent until something is mended here."""
        self._tell(error, ": nothing is sent until that is mended")

    def warned(self, content: Content) -> None:
        """What there is to say of content without errors, unless it was said before."""
        if content.problems != self._warnings and not self._as_json:
            _show(content.problems, content.folder)
        self._warnings = content.problems

    def failed(self, error: ContentsyncError) -> None:
        """It is tried again; told once, though the message may name another run or moment each time."""
        if type(error) is not self._failure:
            self._failure = type(error)
            # That of a lock names an option which is not for those who wait.
            self._tell(error, ": it is tried again until it works", hint=type(error) is not Refused)

    def ended(self, error: ContentsyncError) -> None:
        """The command ends with an error, which people are told elsewhere."""
        if self._as_json:
            _print(failure_document(error))
            error.is_documented = True

    def synced(self, session: Session, outcome: Outcome, seconds: float) -> None:
        """What came of a sync."""
        if self._as_json:
            document = sync_document(
                outcome.plan, session.destination, outcome.results, run=outcome.run, refusal=outcome.refusal
            )
            _print({"at": datetime.now().astimezone().isoformat(timespec="milliseconds"), **document})
            return
        if outcome.refusal:
            self._tell(outcome.refusal)
            return
        trouble = [result for result in outcome.results if not _is_plain(result)]
        told = [(result.change.key, result.status, result.error) for result in trouble]
        again = bool(told) and told == self._trouble and len(trouble) == len(outcome.results)
        if not again:
            if trouble:
                then = "" if outcome.stopped or outcome.interrupted else "the rest is tried again"
                talk().print(results_text(trouble, full=False, then=then))
            data().print(stamped(synced_line(outcome.results).append(f"  {seconds:.2f} s", "dim")))
        self._trouble, self._failure = told, None
        note = spared_note(outcome.plan)
        if note and note != self._spared:
            self.say(note)
        self._spared = note

    def _tell(self, error: ContentsyncError, then: str = "", *, hint: bool = True) -> None:
        if self._as_json:
            _print(failure_document(error))
        elif isinstance(error, ContentError):
            _show(error.problems, error.folder)
        self.say(f"{error.message}{then}", "bold red")
        if error.hint and hint:
            self.say(f"  {error.hint}")


def _is_plain(result: Result) -> bool:
    return result.status is Status.DONE and not result.unstored and not result.found


def _show(problems: Sequence[Problem], folder: Path | None) -> None:
    console = talk()
    console.print(problems_text(problems, folder, console.width), end="")


def _print(document: dict[str, Any]) -> None:
    print_lines([json.dumps(document, ensure_ascii=False)])
