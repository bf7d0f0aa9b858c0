"""`contentsync validate`: all problems of a folder, of one file, or of what git has staged.

Imports stay inside the functions where an unchanged folder can be reported without them.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple
from unicodedata import normalize

import typer

from .. import __version__
from ..content.files.content_folder import CONFIG, find_folder
from ..content.files.validation_report import ValidationReport, load_cached_report
from ..errors import Severity, UsageError, join_first
from ..git import working_tree
from . import print_json, print_lines
from .options import FolderOrFiles, NoIndex, ProblemsFormat, content_folder, index_use, require_files

if TYPE_CHECKING:
    from ..hooks.repository import StagedTree
    from ..sync.planning.consents import Trailer

# With one of these variables rich prints colours elsewhere than on a terminal.
_COLOUR_VARIABLES = ("FORCE_COLOR", "TTY_COMPATIBLE")
_FORMATS_OF_FIX = (ProblemsFormat.TEXT, ProblemsFormat.JSON)


def validate(
    paths: FolderOrFiles = None,
    format_: Annotated[
        ProblemsFormat,
        typer.Option("--format", help="github: annotations of a pull request; sarif: for code scanning."),
    ] = ProblemsFormat.TEXT,
    staged: Annotated[
        bool, typer.Option("--staged", help="Validate what git has staged: the content of the next commit.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Show each problem, even if there are many.")] = False,
    unused_assets: Annotated[
        bool, typer.Option("--unused-assets", help="Also list pictures that no entry names.")
    ] = False,
    commits: Annotated[
        str | None,
        typer.Option("--commits", metavar="REF", help="Also report the consents in trailers of the commits REF..HEAD."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Report warnings as errors, and exit with 1.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Write the corrections that are certain.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --fix: write without asking, as in CI.")] = False,
    no_index: NoIndex = False,
) -> int:
    """Report all problems of the folder, without contacting a server."""
    shown = Presentation(format_, full=full, strict=strict)
    has_files = paths is not None and (len(paths) > 1 or paths[0].is_file())
    if fix and (staged or unused_assets or commits is not None or format_ not in _FORMATS_OF_FIX):
        message = "--fix changes files of the folder, and takes no --staged, --unused-assets or --commits"
        raise UsageError(message, "run it with --format text or json only, add the files to git, and validate again")
    if yes and not fix:
        raise UsageError("--yes is only for --fix", "leave it out: validate writes nothing")
    if fix:
        return fix_problems(paths or (), shown, has_files=has_files, yes=yes)
    if unused_assets and (staged or has_files):
        raise UsageError("--unused-assets needs a folder as it is on disk", "leave out --staged, and name no file")
    if commits is not None and (staged or has_files or unused_assets or format_ is ProblemsFormat.SARIF):
        raise UsageError("--commits needs a folder as it is on disk", "use it with --format text, json or github only")
    if staged and has_files:
        raise UsageError("--staged needs a folder, not a file", "name the content folder, or leave it out")
    if paths and has_files:
        return validate_files(require_files(paths), shown, no_index=no_index)
    folder = content_folder(paths[0] if paths else None)
    if unused_assets:
        return validate_with_unused_assets(folder, shown, no_index=no_index)
    if staged:
        return validate_staged(folder, shown)
    return validate_folder(folder, shown, commits=commits, no_index=no_index)


class Presentation(NamedTuple):
    """How a report is printed. Without `full`, many problems are grouped by cause; with `strict`, all are errors."""

    format: ProblemsFormat = ProblemsFormat.TEXT
    full: bool = False
    strict: bool = False

    def judge(self, report: ValidationReport) -> ValidationReport:
        """Return the report, in which all warnings are errors if `strict`."""
        if not self.strict:
            return report
        return replace(report, problems=tuple(replace(each, severity=Severity.ERROR) for each in report.problems))


def validate_folder(folder: Path, shown: Presentation, *, commits: str | None = None, no_index: bool = False) -> int:
    """Report all problems of a folder, without contacting a server; return 1 if there are errors.

    Also report the trailers of the commits since `commits`. With
    `no_index`, read every file.
    """
    trailers = () if commits is None else _read_trailers(folder, commits)
    result = None if no_index else load_cached_report(folder)
    if result is None:
        from ..content.folder.load import make_report

        result = make_report(folder, index=index_use(no_index=no_index))
    return print_report(result, shown, trailers=trailers)


def _read_trailers(folder: Path, ref: str) -> "tuple[Trailer, ...]":
    """Return the trailers of all commits since one. Raise UsageError without a repository or such a commit."""
    from ..sync.state.commit_trailers import read_trailers
    from ..sync.state.git_revision import FolderRepository

    top = working_tree(folder)
    if top is None:
        raise UsageError(f"--commits {ref} needs a git repository, and {folder} is in none")
    return read_trailers(top, FolderRepository.around(folder, top).resolve_commit(ref))


def validate_files(files: Sequence[Path], shown: Presentation, *, no_index: bool = False) -> int:
    """Report the problems of some files of one content folder; return 1 if there are errors.

    Raise UsageError if none of them is a content file, or if they are in several content folders.
    """
    from ..content.folder.load import validate_files

    folder, paths = _paths_in_folder(files)
    report, not_content = validate_files(folder, paths, index_use(no_index=no_index))
    _refuse_other_files(folder, paths, not_content)
    return print_report(report, shown)


def _paths_in_folder(files: Sequence[Path]) -> tuple[Path, list[str]]:
    """Return the content folder of files, and their paths in it. Raise UsageError if they are in several folders."""
    folders = dict.fromkeys(find_folder(file.absolute().parent) for file in files)
    if len(folders) > 1:
        names = join_first([str(folder) for folder in folders], 3)
        raise UsageError(f"the files are in several content folders: {names}", "validate each folder on its own")
    folder = next(iter(folders))
    return folder, [normalize("NFC", file.absolute().relative_to(folder).as_posix()) for file in files]


def _refuse_other_files(folder: Path, paths: Sequence[str], not_content: Sequence[str]) -> None:
    """Print which of the named files are no content. Raise UsageError if none is."""
    if len(not_content) == len(paths):
        verb = "is not a content file" if len(paths) == 1 else "are not content files"
        message = f"{join_first(not_content, 3)} {verb} of {folder}"
        raise UsageError(message, "name a content file, the config, or a folder")
    if not_content:  # as with a pattern of lint-staged that also matches a README
        print(f"not validated, as not content: {join_first(not_content, 3)}", file=sys.stderr)


def fix_problems(paths: Sequence[Path], shown: Presentation, *, has_files: bool, yes: bool = False) -> int:
    """Make the certain fixes of a folder or of some files, and report what is left; return 1 if that has errors.

    Asks before it writes, unless `yes`. Every file is read, because the fixes are checked in a copy of the folder.
    """
    from ..authoring.edit.fix_plan import apply_fixes, plan_fixes
    from ..report.file_reports import fix_document, fix_text
    from .terminal import require_agreement, stdout

    if has_files:
        folder, files = _paths_in_folder(require_files(list(paths)))
    else:
        folder, files = content_folder(paths[0] if paths else None), []
    plan = plan_fixes(folder, files)
    plan = replace(plan, report=shown.judge(plan.report))
    if files:
        _refuse_other_files(folder, files, plan.not_content)
    if shown.format is ProblemsFormat.TEXT:
        stdout().print(fix_text(plan, full=shown.full), end="", markup=False)
    if plan.edits:
        if not yes:
            require_agreement("Write them?", "nothing was written", "--yes writes without asking")
        apply_fixes(plan)
    if shown.format is ProblemsFormat.TEXT:
        return print_report(plan.report, shown)
    print_json(fix_document(plan))
    return 1 if plan.report.errors else 0


def validate_with_unused_assets(folder: Path, shown: Presentation, *, no_index: bool = False) -> int:
    """Report all problems of a folder, and the pictures that no entry names; return 1 if there are errors.

    Raise UsageError if the folder does not read pictures as files.
    """
    from ..content.config.config import read_config
    from ..content.folder.load import make_report

    config, _problems = read_config(folder)
    if config.assets is None:
        raise UsageError(f"{folder} does not read pictures as files", f"add a table [assets] to its {CONFIG}")
    index = index_use(no_index=no_index)
    return print_report(make_report(folder, unused_assets=True, index=index), shown)


def validate_staged(path: Path, shown: Presentation) -> int:
    """Report all problems of a folder as a commit would contain it; return 1 if there are errors."""
    from ..hooks.repository import StagedTree

    staged = StagedTree.read_index(path)
    with _validate_staged_folder(staged, folder := staged.folder_of(path)) as result:
        return print_report(result, shown, folder)


def validate_commit() -> int:
    """Report only the errors of each content folder that a commit would change; return 1 if there are errors."""
    from ..hooks.repository import StagedTree

    staged = StagedTree.read_index(Path())
    code = 0
    for folder in staged.changed_folders():
        with _validate_staged_folder(staged, folder) as result:
            if result.errors:
                errors = replace(result, problems=tuple(result.errors))
                code = print_report(errors, Presentation(), folder)
    return code


def print_report(
    result: ValidationReport, shown: Presentation, staged: str | None = None, trailers: "Sequence[Trailer]" = ()
) -> int:
    """Print the trailers and the problems; return 1 if there are errors.

    `staged` is the folder's path in its repository if the result is of a copy of the staged files.
    """
    root = path_in_repository(result.folder, os.environ, Path.cwd()) if staged is None else staged
    result = shown.judge(result)
    # Imported here, because each run needs only one of these modules.
    if shown.format is ProblemsFormat.JSON:
        from ..report.problem_documents import validation_document

        document = validation_document(result)
        if trailers:
            from ..report.consent_report import trailer_documents

            document["trailers"] = trailer_documents(trailers)
        print_json(document)
    elif shown.format is ProblemsFormat.SARIF:
        from ..report.problem_documents import sarif_document

        print_json(sarif_document(result, __version__, root))
    elif shown.format is ProblemsFormat.GITHUB:
        from ..report.problem_documents import github_annotations

        if trailers:
            from ..report.consent_report import trailer_annotations

            print_lines(trailer_annotations(trailers))
        print_lines(github_annotations(result, root))
    elif result.problems or trailers or sys.stdout.isatty() or any(name in os.environ for name in _COLOUR_VARIABLES):
        from ..report.problems import validation_text
        from .terminal import stdout

        console = stdout()
        if trailers:
            from ..report.consent_report import trailers_text

            console.print(trailers_text(trailers), end="", markup=False)
        console.print(validation_text(result, console.width, staged or "", full=shown.full), end="")
    else:  # one line without colour needs no rich
        from ..report.formatting import report_summary

        print(*report_summary(result), sep="")
    return 1 if result.errors or any(trailer.fault for trailer in trailers) else 0


def path_in_repository(folder: Path, environ: Mapping[str, str], cwd: Path) -> str:
    """Return the folder's path from the root of its git repository, with forward slashes.

    Without a repository, the path starts from GITHUB_WORKSPACE, else from `cwd`. It is empty if the folder is in none
    of them.
    """
    folder = folder.resolve()
    roots = [cwd]  # the first one that contains the folder counts
    if workspace := environ.get("GITHUB_WORKSPACE"):
        roots.insert(0, Path(workspace))
    if repository := working_tree(folder):
        roots.insert(0, repository)
    for root in roots:
        if folder.is_relative_to(root.resolve()):
            path = folder.relative_to(root.resolve()).as_posix()
            return "" if path == "." else path
    return ""


@contextmanager
def _validate_staged_folder(staged: "StagedTree", folder: str) -> Iterator[ValidationReport]:
    """Yield the report of a staged folder, whose files exist until the context ends."""
    from ..content.folder.git_facts import GitHistory
    from ..content.folder.load import make_report
    from ..value_text import printable
    from .terminal import stderr

    for module in staged.submodules(folder):
        stderr().print(printable(f"{module} is a submodule: its files are not validated"), markup=False)
    with staged.check_out(folder) as tree:
        now = datetime.now(UTC).isoformat(timespec="seconds")  # of the commit that may follow
        yield make_report(tree / folder, GitHistory(staged.top / folder, uncommitted=now))
