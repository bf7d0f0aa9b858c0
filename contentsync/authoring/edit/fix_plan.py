"""Plan the fixes of the problems of a folder (`validate --fix`, docs/fix.md): those that leave it with fewer problems.

```
 problems with fixes ─► edits of files ─► the folder as it would be ─► no new problem, no other key? ─► yes
        ▲                                          │ new problems with fixes          └─ no: parts are tried
        └──────────────────────────────────────────┘
```
"""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import filterfalse
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ...content.files.file_text import UnreadableFile
from ...content.files.source_file import MAX_TABLE_BYTES, ContentRoot, FolderView
from ...content.files.validation_report import ValidationReport, new_problems
from ...content.folder.folder_reader import FolderReader
from ...content.folder.load import gc_paused
from ...content.folder.scan import ContentFile
from ...content.formats.draft import ABSENT
from ...content.formats.table_rows import TABLE_SUFFIXES
from ...errors import Fix, Problem, Refused
from ...file_writes import swap_files
from ...model import RECORDS
from .file_edits import FileEdit
from .fixed_files import fixed_bytes

# The codes of the problems that are fixed; their sections of docs/problems.md say so.
FIXED_CODES = frozenset(
    {
        *("unknown-key", "not-a-choice", "unknown-reference", "invisible-character", "excel-damage"),
        *("bad-date", "not-a-number", "not-an-integer", "bad-colour", "bad-email", "doubled-scheme"),
        *("broken-link", "broken-fragment", "relative-link"),
    }
)
_MAX_CHAIN = 4  # fixes of problems that are only found after another fix, as in the value of a misspelt key


_Place = tuple[str, str | int]  # the path of a file, and the key or the line of an entry in it


class FixedProblem(NamedTuple):
    """An edit of a plan, with the code of the problem that it solves."""

    code: str
    fix: Fix


@dataclass(frozen=True, slots=True)
class FixPlan:
    """What `validate --fix` writes, and the report on the folder afterwards."""

    folder: Path
    edits: Sequence[FileEdit]
    fixed: Sequence[FixedProblem]  # by location
    report: ValidationReport
    not_content: Sequence[str]  # those of the paths that are no content files


def plan_fixes(folder: Path, paths: Collection[str] = ()) -> FixPlan:
    """Return the plan that makes the certain fixes of a folder, or only those in the files at `paths`. Write nothing.

    A fix is left out if the result would have a new problem, or another key of an entry. A house rule that is found
    broken is no new problem: an entry with errors is not judged by it.
    """
    state = _FixedFolder.read(folder)
    accepted = -1
    while accepted < len(state.fixed):  # a fix may make another one possible
        accepted = len(state.fixed)
        problems = [problem for problem in state.problems if state.can_fix(problem, paths)]
        if possible := state.possible_fixes(problems):
            state = _with_most_fixes(state, possible)
    report, not_content = state.reader.report_on_files(paths) if paths else (state.reader.report(), [])
    fixed = sorted(state.fixed, key=lambda fixed: fixed.fix.where)
    return FixPlan(folder, [*state.edits.values()], fixed, report, not_content)


def apply_fixes(plan: FixPlan) -> None:
    """Write all edits of a plan, or none. Raises Unwritable."""
    swap_files(plan.folder, {edit.location: (edit.before, edit.after) for edit in plan.edits})


def _with_most_fixes(state: "_FixedFolder", problems: Sequence[Problem]) -> "_FixedFolder":
    """Return the folder after the fixes of problems, without those that make another problem.

    Each attempt reads the whole folder. So those in entries that get another problem are tried apart, one of each entry
    at a time; if no entry is known, halves are tried.
    """
    after = state.with_fixes(problems)
    if isinstance(after, _FixedFolder):
        return after
    if len(problems) == 1:
        return state
    first, rest = _parts(problems, after)
    return _with_most_fixes(_with_most_fixes(state, first), rest) if first else state


def _parts(problems: Sequence[Problem], failed: Collection[_Place]) -> tuple[Sequence[Problem], Sequence[Problem]]:
    """Return the parts in which to try fixes again; two empty ones if each is alone in an entry that has `failed`."""
    if not failed:
        middle = len(problems) // 2
        return problems[:middle], problems[middle:]
    by_place: dict[_Place, list[Problem]] = {}
    for problem in problems:
        by_place.setdefault(_place(problem), []).append(problem)
    others = [problem for place, of_place in by_place.items() if place not in failed for problem in of_place]
    if others and len(others) < len(problems):
        return others, [problem for place in by_place.keys() & failed for problem in by_place[place]]
    if others:  # none of them is in such an entry
        return _parts(problems, ())
    if len(by_place) == len(problems):
        return (), ()
    return [of_place[0] for of_place in by_place.values()], [
        problem for of_place in by_place.values() for problem in of_place[1:]
    ]


@dataclass(frozen=True)
class _FixedFolder:
    """A folder after some fixes, which are not written yet."""

    reader: FolderReader
    folder: Path
    edits: Mapping[str, FileEdit]  # by path
    fixed: Sequence[FixedProblem]

    @classmethod
    def read(
        cls, folder: Path, edits: Mapping[str, FileEdit] = MappingProxyType({}), fixed: Sequence[FixedProblem] = ()
    ) -> "_FixedFolder":
        proposed = {edit.location: edit.after for edit in edits.values()}
        with gc_paused():
            reader = FolderReader(FolderView(folder, proposed), with_values=False).read()
        return cls(reader, folder, edits, fixed)

    @cached_property
    def problems(self) -> Sequence[Problem]:
        return self.reader.report().problems

    def can_fix(self, problem: Problem, paths: Collection[str] = ()) -> bool:
        """Return whether a problem has a certain fix in content files, or in those at `paths`."""
        known = paths or self._numbers
        is_in_files = all(fix.where.path in known and fix.where.path in self._numbers for fix in problem.fixes)
        return problem.code in FIXED_CODES and bool(problem.fixes) and is_in_files

    def possible_fixes(self, problems: Sequence[Problem]) -> list[Problem]:
        """Return the problems whose fixes can be made in their files; the rest of the folder is not read for this."""
        by_path: dict[str, list[Problem]] = {}
        for problem in problems:
            by_path.setdefault(problem.fixes[0].where.path, []).append(problem)
        return [problem for of_file in by_path.values() for problem in self._possible_in_file(of_file)]

    def _possible_in_file(self, problems: list[Problem], others: Sequence[Problem] = ()) -> list[Problem]:
        """Return the problems of a file whose fixes can be made beside those of others in it; halves are tried."""
        if self._edits([fix for problem in (*others, *problems) for fix in problem.fixes]) is not None:
            return problems
        if len(problems) == 1:
            return []
        middle = len(problems) // 2
        first = self._possible_in_file(problems[:middle], others)
        return first + self._possible_in_file(problems[middle:], (*others, *first))

    def with_fixes(self, problems: Sequence[Problem]) -> "_FixedFolder | Set[_Place]":
        """Return the folder after the fixes of problems, and of those that are only found then.

        If a fix cannot be made, or has any other effect than that these problems are solved, return the entries that
        have another problem; none if they are not known.
        """
        state, pending = self, problems
        for _ in range(_MAX_CHAIN):
            fixed = [FixedProblem(problem.code, fix) for problem in pending for fix in problem.fixes]
            edits = state._edits([fix for _code, fix in fixed])
            if edits is None:
                return frozenset()
            state = _FixedFolder.read(self.folder, {**state.edits, **edits}, (*state.fixed, *fixed))
            if not state._has_keys_of(self, edits):
                return frozenset()
            # An entry with an error is not judged by house rules, so what breaks one was there before.
            pending = [each for each in new_problems(self.problems, state.problems) if not each.breaks_rule]
            if not pending:
                before, after = ([*filterfalse(attrgetter("breaks_rule"), folder.problems)] for folder in (self, state))
                return state if len(after) <= len(before) - len(problems) else frozenset()
            if unfixed := frozenset(_place(problem) for problem in pending if not state.can_fix(problem)):
                return unfixed
        return frozenset()

    def _edits(self, fixes: Sequence[Fix]) -> dict[str, FileEdit] | None:
        """Return the edits that make fixes, by path; None if one cannot be made, or changes a key in a file."""
        by_path: dict[str, list[Fix]] = {}
        for fix in fixes:
            by_path.setdefault(fix.where.path, []).append(fix)
        edits: dict[str, FileEdit] = {}
        try:
            for path, fixes_of_file in by_path.items():
                file = self._file(path)
                before = self.edits[path].before if path in self.edits else self._read(file)
                data = self.edits[path].after if path in self.edits else before
                after = fixed_bytes(data or b"", file, fixes_of_file, self.reader.config)
                edits[path] = FileEdit(path, file.location, before, after)
                if not self._keeps_keys(file, data, after, fixes_of_file):
                    return None
        except (Refused, UnreadableFile):
            return None
        return edits

    def _keeps_keys(self, file: ContentFile, before: bytes | None, after: bytes, fixes: Sequence[Fix]) -> bool:
        """Return whether fixes leave the values by which entries are found as they are.

        If no entry could be read before, as with a wrong header, no fix may write the name of such a value.
        """
        names = (RECORDS[file.kind].key_field, "slug", "url", "sync")
        values = self._values(file, before, names)
        return values == self._values(file, after, names) if values else all(fix.new not in names for fix in fixes)

    def _values(self, file: ContentFile, data: bytes | None, names: Sequence[str]) -> list[list[Any]]:
        """Return the values of some fields of each entry, if a file had these bytes."""
        with ContentRoot(self.folder, proposed={file.location: data}) as root:
            drafts = self.reader.entry_reader.read_unvalidated(file, root)
            return [[draft.values.get(name, ABSENT) for name in names] for draft in drafts]

    def _has_keys_of(self, before: "_FixedFolder", paths: Collection[str]) -> bool:
        """Return whether each entry in files has the key that it had; one without a key may get one."""
        for path in paths:
            old, new = (_keys(state.reader, state._numbers[path]) for state in (before, self))
            kept = [key in ("", new_key) for key, new_key in zip(old, new, strict=False)]
            if old and not (len(old) == len(new) and all(kept)):
                return False
        return True

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        """The number of the unit of each content file, by path."""
        return {file.path: number for number, unit in enumerate(self.reader.checks.units) for file in unit.files}

    def _file(self, path: str) -> ContentFile:
        return next(file for file in self.reader.checks.units[self._numbers[path]].files if file.path == path)

    def _read(self, file: ContentFile) -> bytes:
        with ContentRoot(self.folder) as root:
            return root.read_bytes(file.location, file.path, limit=MAX_TABLE_BYTES)[0]


def _place(problem: Problem) -> _Place:
    """Return the entry that a problem is in: the row of a table by its line, because it may have no key."""
    is_row = problem.where.path.lower().endswith(TABLE_SUFFIXES)
    return problem.where.path, problem.where.line if is_row else problem.key or ""


def _keys(reader: FolderReader, number: int) -> list[str]:
    """Return the keys of the entries of a unit, also of those with errors."""
    return [draft.key for draft in reader.checks.located_drafts.read(number)]
