"""Hundreds of harmed files in one folder: read in parallel, or from the cache, they say what each says alone."""

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from contentsync.content.files.content_folder import CACHE_FOLDER
from contentsync.content.files.validation_report import ValidationReport
from contentsync.content.folder.load import load_content, validate_folder

from .documents import AROUND
from .promises import check, emptied, write

SIZE = 600  # files: more than the number from which workers and the cache are used

_SETTLED = 4  # seconds after which the cache keeps a file
_SAMPLE = 20  # files that are also read alone
# Problems that depend on the other files, and those that a report combines.
_OF_THE_FOLDER = frozenset(
    {"broken-link", "duplicate-entry", "required-without", "template-syntax", "unchecked-reference"}
)


def check_crowd(documents: Sequence[bytes], folder: Path, seconds: float) -> None:
    """AssertionError if two ways of reading these articles together disagree."""
    files = {**AROUND, **{f"articles/a{number}.md": data for number, data in enumerate(documents)}}
    write(files, folder)
    cold, _ = check(files, folder, seconds)
    time.sleep(_SETTLED)
    for look in ("that fills the cache", "that recalls"):
        assert _outcome(validate_folder(folder)) == _outcome(cold), f"a look {look} says something else"
    for change in (_edit, _rename):
        change(folder)
        warm = validate_folder(folder)
        shutil.copytree(folder / CACHE_FOLDER, folder / ".kept")
        shutil.rmtree(folder / CACHE_FOLDER)
        assert _outcome(warm) == _outcome(validate_folder(folder)), f"the cache hides a change: {change.__name__}"
        shutil.rmtree(folder / CACHE_FOLDER)
        (folder / ".kept").rename(folder / CACHE_FOLDER)
    reported = _problems_of_the_file(cold)
    for number in range(0, len(documents), max(1, len(documents) // _SAMPLE)):
        path = f"articles/a{number}.md"
        emptied(folder)
        write({**AROUND, path: documents[number]}, folder)
        alone = _problems_of_the_file(load_content(folder))
        assert alone <= reported, f"{path} has other problems among others: {alone - reported}"


def _edit(folder: Path) -> None:
    """Edit files as an author does between two runs: some keep their size, some their time."""
    articles = folder / "articles"
    for file in [articles / f"a{number}.md" for number in range(20)]:
        file.write_bytes(file.read_bytes().replace(b"title", b"titel"))
    (articles / "a20.md").rename(articles / "b20.md")
    (articles / "a21.md").unlink()
    (articles / "a22.md").write_text("---\ntitle: New\n---\nnew\n", encoding="utf-8")
    shutil.copy2(articles / "a23.md", articles / "a24.md")


def _rename(folder: Path) -> None:
    """Rename the tag that the other entries refer to."""
    (folder / "tags.yaml").write_text("- {slug: new, title: New}\n", encoding="utf-8")


def _outcome(found: ValidationReport) -> object:
    return found.problems, found.files, found.counts


def _problems_of_the_file(found: ValidationReport) -> set[tuple[str, str, int, int]]:
    """Return the problems that do not depend on the other files of the folder."""
    return {
        (problem.where.path, problem.code, problem.where.line, problem.where.column)
        for problem in found.problems
        if problem.code not in _OF_THE_FOLDER
    }
