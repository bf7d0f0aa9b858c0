"""Measure `contentsync adopt` with twelve repositories in the shapes of real ones.

    python -m scripts.adopt_twelve [FOLDER]

Writes the repositories into FOLDER, which must be new, or into a temporary folder. Each is adopted with the default
answers, then edited as its list of edits says. The program is the contentsync in PYTHONPATH, or else this checkout: set
PYTHONPATH to another checkout to compare them. `found/valid/right` counts the entries of each kind, where `right` is
what is there; `left` is the number of errors and warnings; `then` is the result of the edits; `lines` are those below
the proposal; `unread` is the number of files with front matter that the program says are not read, and the right one.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from contentsync.model import Kind
from tests.authoring.adopt.repositories import write
from tests.authoring.adopt.twelve.shape import Shape
from tests.authoring.adopt.twelve_repositories import SIZES

_ROOT = Path(__file__).parent.parent
_HEAD = ("repository", "files", "found/valid/right", "left", "edits", "then", "lines", "unread", "seconds")
_ROW = "{:<19}{:>6}  {:<64}{:>9}{:>6}  {:<9}{:>6}{:>9}{:>8}"
_CLOSING = re.compile(r"^(?:\S.* recognised by |no site generator recognised)")
_COUNTS = re.compile(r"^  (?P<kind>\w[\w ]*?) +(?P<found>[\d,]+) +(?P<valid>[\d,]+)$", re.MULTILINE)
_KINDS = (Kind.ARTICLE, Kind.LISTING, Kind.ORGANIZER, Kind.PAGE)  # of other kinds are only entries that `adopt` adds


class Result(NamedTuple):
    """What `adopt` printed about a repository."""

    closing: Sequence[str]  # the lines below the proposal
    seconds: float

    @property
    def counts(self) -> Mapping[str, tuple[int, int]]:
        """The entries that were found, and the valid ones, by the plural of their kind."""
        found = _COUNTS.finditer("\n".join(self.closing))
        return {match["kind"]: (_number(match["found"]), _number(match["valid"])) for match in found}

    def stated(self, pattern: str) -> str:
        """Return the number that a line states; "0" if there is no such line."""
        matches = (re.match(pattern, line) for line in self.closing)
        return next((match[1].replace(",", "") for match in matches if match), "0")


def main(arguments: Sequence[str]) -> None:
    print(_ROW.format(*_HEAD))
    with TemporaryDirectory() as temporary:
        parent = Path(arguments[0] if arguments else temporary)
        for make, size in SIZES.items():
            shape = make(size)
            folder = parent / make.__name__
            folder.mkdir(parents=True)
            write(folder, shape.files)
            print(_row(make.__name__, shape, folder), flush=True)


def _row(name: str, shape: Shape, folder: Path) -> str:
    start = perf_counter()
    output = _contentsync(folder, "adopt", "--yes", "--write")
    lines = output.splitlines()
    first = max((index for index, line in enumerate(lines) if _CLOSING.match(line)), default=len(lines))
    result = Result(lines[first:], perf_counter() - start)
    unread = f"{result.stated(r'not read: ([0-9,]+) file')}/{len(shape.unread)}"
    errors = result.stated("problems left: ([0-9,]+) error")
    warnings = result.stated("problems left: .* ([0-9,]+) warning")
    return _ROW.format(
        name, len(shape.files), _entries(shape, result), f"{errors}/{warnings}", len(shape.edits),
        _after_edits(shape, folder), len(result.closing), unread, f"{result.seconds:.1f}",
    )  # fmt: skip


def _entries(shape: Shape, result: Result) -> str:
    parts = []
    for kind in _KINDS:
        found, valid = result.counts.get(kind.plural, (0, 0))
        right = _right(shape, kind)
        if found or right:
            parts.append(f"{kind.plural} {found}/{valid}/{right}")
    return ", ".join(parts)


def _after_edits(shape: Shape, folder: Path) -> str:
    """Edit the folder; return "right" if it then has the right number of entries of each kind, and no errors."""
    try:
        for edit in shape.edits:
            edit(folder)
    except AssertionError:
        return "no edit"  # there is no place for it
    output = _contentsync(folder, "validate", "--format", "json")
    if not output:
        return "failed"
    summary = json.loads(output)["summary"]
    if summary["errors"]:
        return f"{summary['errors']} errors"
    counts = summary["entries"]
    return "right" if all(counts.get(kind.value, 0) == _right(shape, kind) for kind in _KINDS) else "wrong"


def _right(shape: Shape, kind: Kind) -> int:
    return shape.titles[kind].total() if kind in shape.titles else 0


def _contentsync(folder: Path, command: str, *options: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH", str(_ROOT))}
    program = [sys.executable, "-m", "contentsync", command, str(folder), *options]
    run = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # ours
    return run.stdout


def _number(text: str) -> int:
    return int(text.replace(",", ""))


if __name__ == "__main__":
    main(sys.argv[1:])
