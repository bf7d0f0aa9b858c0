"""`contentsync validate`: all problems of a folder, of one file, or of what git has staged.

Imports stay inside the functions where an unchanged folder can be reported without them.
"""

import os
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..content.config_file import find_folder
from ..content.recall import recall
from ..content.survey import Survey
from ..errors import UsageError
from ..git import working_tree
from .choices import ProblemsFormat, content_folder
from .output import print_json, print_lines

if TYPE_CHECKING:
    from ..hooks.staged_tree import Staged

# With one of these variables rich prints colours elsewhere than on a terminal.
_COLOUR_VARIABLES = ("FORCE_COLOR", "TTY_COMPATIBLE")


def validate(folder: Path, format_: ProblemsFormat) -> int:
    """Report all problems of a folder or of one file, without contacting a server; return 1 if there are errors."""
    if folder.is_file():
        return report(_survey_file(folder), format_)
    found = recall(folder)
    if found is None:
        from ..content.folder import survey_anew

        found = survey_anew(folder)
    return report(found, format_)


def validate_simple(words: Sequence[str]) -> int | None:
    """Validate as the words behind `validate` say; return None if they need the parser of the command line.

    Importing the parser takes longer than validating an unchanged folder.
    """
    parsed = _parse_simple(words)
    return None if parsed is None else validate(content_folder(parsed[0]), parsed[1])


def validate_staged(path: Path, format_: ProblemsFormat) -> int:
    """Report all problems of a folder as a commit would contain it; return 1 if there are errors."""
    from ..hooks.staged_tree import Staged

    staged = Staged.at(path)
    with _survey_staged(staged, folder := staged.folder_of(path)) as found:
        return report(found, format_, folder)


def validate_commit() -> int:
    """Report the errors alone of each content folder that a commit would change; return 1 if there are any."""
    from ..hooks.staged_tree import Staged

    staged = Staged.at(Path())
    code = 0
    for folder in staged.changed_folders():
        with _survey_staged(staged, folder) as found:
            if found.errors:
                errors = replace(found, problems=tuple(found.errors))
                code = report(errors, ProblemsFormat.TEXT, folder)
    return code


def report(found: Survey, format_: ProblemsFormat, staged: str | None = None) -> int:
    """Print the problems; return 1 if there are errors.

    `staged` is the folder's path in its repository, for a survey of a copy.
    """
    root = path_in_repository(found.folder, os.environ, Path.cwd()) if staged is None else staged
    # Each run needs one of the reports.
    if format_ is ProblemsFormat.JSON:
        from ..report.problem_documents import survey_document

        print_json(survey_document(found))
    elif format_ is ProblemsFormat.SARIF:
        from ..report.problem_documents import sarif_document

        print_json(sarif_document(found, __version__, root))
    elif format_ is ProblemsFormat.GITHUB:
        from ..report.problem_documents import github_annotations

        print_lines(github_annotations(found, root))
    elif found.problems or sys.stdout.isatty() or any(name in os.environ for name in _COLOUR_VARIABLES):
        from ..report.problems import survey_text
        from .terminal import stdout

        console = stdout()
        console.print(survey_text(found, console.width, staged or ""), end="")
    else:  # one line without colour needs no rich
        from ..report.formatting import verdict

        print(*verdict(found), sep="")
    return 1 if found.errors else 0


def path_in_repository(folder: Path, environ: Mapping[str, str], cwd: Path) -> str:
    """Return the folder's path from the root of its git repository, with forward slashes.

    Without a repository, the path starts from GITHUB_WORKSPACE, else from `cwd`. It is empty if the folder is in none
    of them.
    """
    folder = folder.resolve()
    repository = working_tree(folder)
    workspace = environ.get("GITHUB_WORKSPACE")
    for root in (*([repository] if repository else []), *([Path(workspace)] if workspace else []), cwd):
        if folder.is_relative_to(root.resolve()):
            path = folder.relative_to(root.resolve()).as_posix()
            return "" if path == "." else path
    return ""


def _parse_simple(words: Sequence[str]) -> tuple[Path | None, ProblemsFormat] | None:
    """Return the folder and the format if the words contain nothing else."""
    rest = [part for word in words for part in (word.split("=", 1) if word.startswith("--format=") else (word,))]
    format_ = ProblemsFormat.TEXT
    if "--format" in rest[:-1]:
        at = rest.index("--format")
        _, name = rest[at : at + 2]
        if name not in set(ProblemsFormat):
            return None
        format_ = ProblemsFormat(name)
        del rest[at : at + 2]
    if len(rest) > 1 or any(not word or word.startswith("-") for word in rest):
        return None
    return Path(rest[0]) if rest else None, format_


def _survey_file(file: Path) -> Survey:
    from ..content.folder import survey_file

    folder = find_folder(file.parent)
    path = file.absolute().relative_to(folder).as_posix()
    found = survey_file(folder, unicodedata.normalize("NFC", path))
    if found is None:
        message = f"{path} is not a content file of {folder}"
        raise UsageError(message, "name a content file, the config, or a folder")
    return found


@contextmanager
def _survey_staged(staged: "Staged", folder: str) -> Iterator[Survey]:
    from ..content.folder import survey_anew
    from ..report.formatting import printable
    from .terminal import stderr

    for module in staged.submodules(folder):
        stderr().print(printable(f"{module} is a submodule: its files are not validated"), markup=False)
    with staged.checked_out(folder) as tree:
        yield survey_anew(tree / folder)
