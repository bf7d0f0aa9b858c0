"""What holds of every content folder, however broken: the promises that a fuzzed example is held against."""

import codecs
import contextlib
import io
import json
import os
import re
import shutil
import signal
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import FrameType

from contentsync.cli import run
from contentsync.cli.options import ProblemsFormat
from contentsync.content.config.collection_settings import DEFAULT_PATHS
from contentsync.content.files.file_names import is_hidden
from contentsync.content.folder.load import Content, load_content, validate_folder
from contentsync.errors import Problem, Where
from contentsync.model import RECORDS, Entry

from ..exit_codes import CONTENT_ERRORS
from .plain import titles_in

Files = Mapping[str, bytes]  # by path

_TITLES = {"organizers/": "name", "listings/": "name", "custom_fields.": "label"}  # elsewhere: title

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # tables may begin with them
SECONDS = 10  # of the processor, at most for one folder
WAITING = 6  # times as long it may take by the clock, on a machine that does other things too

_PROBLEMS = Path(__file__).parent.parent.parent / "docs" / "problems.md"
_CODES = frozenset(re.findall(r"^### ([a-z0-9]+(?:-[a-z0-9]+)*)$", _PROBLEMS.read_text(encoding="utf-8"), re.M))


class _TooSlow(BaseException):
    """Not an Exception, so that no reader takes it for a fault of the file."""


@contextlib.contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Fails when the block takes longer, in seconds of the processor."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise _TooSlow

    before = [(each, signal.signal(each, stop)) for each in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds * WAITING)
    try:
        yield
    except _TooSlow as error:
        raise AssertionError(f"not ready after {seconds} seconds") from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for each, handler in before:
            signal.signal(each, handler)


def write(files: Files, folder: Path) -> None:
    """Put the files on the disk, as bytes."""
    for path, data in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def emptied(folder: Path) -> None:
    """Remove all that is in a folder."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def check(files: Files, folder: Path, seconds: float = SECONDS) -> tuple[Content, float]:
    """Read a folder that holds these files, and the seconds that took; AssertionError names the broken promise."""
    began = time.process_time()
    with bounded(seconds):
        content = load_content(folder)
        found = validate_folder(folder)
    taken = time.process_time() - began
    assert (found.problems, found.files, found.counts) == (content.problems, content.files, content.counts)
    places = _Places(files, (path for folder in content.config.content.values() for path in folder.paths))
    for problem in content.problems:
        _check_problem(problem, places)
    _check_counts(content)
    for entry in content.entries:
        _check_entry(entry, places)
    if not content.errors and all(
        content.config.content[kind].paths == (path,) for kind, path in DEFAULT_PATHS.items()
    ):
        _check_nothing_lost(content, files)
    return content, taken


def check_commands(content: Content) -> None:
    """`validate` in every format: a document that says the same, with the exit code that says it."""
    for form in ProblemsFormat:
        out = io.StringIO()
        with bounded(SECONDS), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = run(["validate", str(content.folder), "--format", form, "--full"])
        assert code == (CONTENT_ERRORS if content.errors else 0), f"{form}: exit code {code}"
        _FORMS[form](out.getvalue(), content)


def check_adopt(folder: Path) -> None:
    """`adopt` writes settings without an error, or refuses to write any."""
    out = io.StringIO()
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with bounded(SECONDS), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = run(["adopt", str(folder), "--yes", "--write"])
    written = {path for path in folder.rglob("*") if path.is_file() and path.read_bytes() != before.get(path)}
    assert code == 0 or not written, f"exit code {code}, and {written} were written"
    names = {path.relative_to(folder).as_posix() for path in written}
    wrong = [problem for problem in validate_folder(folder).errors if problem.where.path in names]
    assert not wrong, f"adopt wrote {wrong}"


def check_again(content: Content, files: Files) -> None:
    """The same content read once more, and with the line ends and byte order marks of Windows: nothing changes.

    Nor does it hurt that the files have gone when the place of a value is asked for.
    """
    assert _outcome(load_content(content.folder)) == _outcome(content), "a second reading says something else"
    for path, data in files.items():
        with contextlib.suppress(UnicodeDecodeError):
            text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
            (content.folder / path).write_bytes(text.replace("\n", "\r\n").encode("utf-8-sig"))
    again = load_content(content.folder)
    assert _outcome(again) == _outcome(content), "it depends on the line ends"
    emptied(content.folder)
    for entry in again.entries:
        if entry.source:
            entry.source.where("title")


def _outcome(content: Content) -> object:
    entries = [(entry.kind, entry.key, json.dumps(entry.fields, sort_keys=True)) for entry in content.entries]
    return list(content.problems), entries


def _check_problem(problem: Problem, places: "_Places") -> None:
    assert problem.code in _CODES, f"the code {problem.code!r}"
    assert problem.message.strip(), f"{problem.code} has no message"
    json.dumps([problem.message, problem.hint, problem.key], ensure_ascii=False).encode()
    places.check(problem.where, problem.code)


def _check_counts(content: Content) -> None:
    assert dict(Counter(entry.kind for entry in content.entries)) == {
        kind: count for kind, count in content.counts.items() if count
    }


def _check_entry(entry: Entry, places: "_Places") -> None:
    assert entry.key, "an entry without key"
    assert entry.source is not None
    json.dumps(entry.fields, allow_nan=False, ensure_ascii=False).encode()
    for name in entry.fields:
        places.check(entry.source.where(name), f"the field {name}")


class _Places:
    """Where a problem may stand: in the files, at their folders, and at what the config names."""

    def __init__(self, files: Files, configured: Iterable[str]) -> None:
        self._files = {_shown(path): _lines(data) for path, data in files.items()}
        self._others = {".", *configured}.union(*(map(str, Path(path).parents) for path in self._files))

    def check(self, where: Where, what: str) -> None:
        """AssertionError unless an editor can go there."""
        lines = self._files.get(where.path)
        if lines is None:
            assert where.path in self._others, f"{what} at {where.path!r}, which is not in the folder"
            assert (where.line, where.column) == (1, 1)
            return
        assert 1 <= where.line <= len(lines), f"{what} at line {where.line} of {len(lines)}"
        length = len(lines[where.line - 1])
        assert 1 <= where.column <= length + 1, f"{what} at column {where.column} of a line of {length}"


def _shown(name: str) -> str:
    """As a report names the file: composed, and with escapes for bytes that are not UTF-8."""
    return unicodedata.normalize("NFC", os.fsencode(name).decode("utf-8", "backslashreplace"))


def _lines(data: bytes) -> list[str]:
    """As an editor counts them."""
    is_wide = data.startswith(_UTF_16)  # perhaps with half a character at the end
    text = data.decode("utf-16", "replace") if is_wide else data.decode("utf-8-sig", "surrogateescape")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _check_nothing_lost(content: Content, files: Files) -> None:
    """Without an error, every file has given the entries that a plain reader of its format finds in it."""
    found: dict[str, list[Entry]] = {}
    for entry in content.entries:
        if entry.source:
            found.setdefault(entry.source.path, []).append(entry)
    ignored = {problem.where.path for problem in content.problems if problem.code == "ignored-file"}
    for path, data in files.items():
        if _shown(path) in ignored or path == "contentsync.toml" or any(map(is_hidden, path.split("/"))):
            continue
        key = next((key for start, key in _TITLES.items() if path.startswith(start)), "title")
        expected = None if data.startswith(_UTF_16) else titles_in(path, data.decode("utf-8-sig"), key)
        if expected is not None:
            _check_titles(path, sorted(found.get(_shown(path), ()), key=_line), expected)


def _check_titles(path: str, entries: list[Entry], expected: list[str | None]) -> None:
    assert len(entries) == len(expected), f"{path} gave {len(entries)} of {len(expected)} entries"
    for entry, title in zip(entries, expected, strict=True):
        reported = entry.fields.get(RECORDS[entry.kind].title_field)
        assert title is None or (isinstance(reported, str) and reported.strip() == title), (
            f"{path}: {title!r} became {reported!r}"
        )


def _line(entry: Entry) -> int:
    return entry.source.line if entry.source else 0


def _check_text(out: str, content: Content) -> None:
    assert not [c for c in out if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    reported = set(re.findall(r":(\d+):(\d+): ", out))
    assert {(str(problem.where.line), str(problem.where.column)) for problem in content.problems} <= reported


def _check_json(out: str, content: Content) -> None:
    document = json.loads(out)
    reported = [(each["code"], each["path"], each["line"], each["column"]) for each in document["problems"]]
    assert reported == [
        (problem.code, problem.where.path, problem.where.line, problem.where.column) for problem in content.problems
    ]


def _check_github(out: str, content: Content) -> None:
    lines = out.split("\n")
    assert not [c for c in out if c != "\n" and unicodedata.category(c) in ("Cc", "Zl", "Zp", "Cs")]
    reported = [line for line in lines if line.startswith("::")]
    assert all(re.match(r"::(?:error|warning|notice) [^:]", line) for line in reported)
    assert bool(reported) == bool(content.problems)


def _check_sarif(out: str, content: Content) -> None:
    (reported,) = json.loads(out)["runs"]
    assert [result["ruleId"] for result in reported["results"]] == [problem.code for problem in content.problems]


_FORMS = {"text": _check_text, "json": _check_json, "github": _check_github, "sarif": _check_sarif}
