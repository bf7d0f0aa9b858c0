"""Hundreds of harmed files in one folder: read in parallel, or from the cache, they say what each says alone."""

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from contentsync.content import Survey, load, survey
from contentsync.content.cache import FOLDER

from .documents import AROUND
from .promises import check, emptied, write

SIZE = 600  # files: more than the number from which workers and the cache are used

_SETTLED = 4  # seconds after which the cache keeps a file
_SAMPLE = 20  # files that are also read alone
_OF_THE_FOLDER = frozenset({"broken-link", "duplicate-entry"})  # problems that depend on the other files


def check_crowd(documents: Sequence[bytes], folder: Path) -> None:
    """AssertionError if two ways of reading these articles together disagree."""
    files = {**AROUND, **{f"articles/a{number}.md": data for number, data in enumerate(documents)}}
    write(files, folder)
    cold = check(files, folder)
    time.sleep(_SETTLED)
    for look in ("that fills the cache", "that recalls"):
        assert _outcome(survey(folder)) == _outcome(cold), f"a look {look} says something else"
    _change(folder, len(documents))
    warm = survey(folder)
    shutil.rmtree(folder / FOLDER)
    assert _outcome(warm) == _outcome(survey(folder)), "the cache hides a change"
    told = _told(cold)
    for number in range(0, len(documents), max(1, len(documents) // _SAMPLE)):
        path = f"articles/a{number}.md"
        emptied(folder)
        write({**AROUND, path: documents[number]}, folder)
        alone = _told(load(folder))
        assert alone <= told, f"{path} has other problems among others: {alone - told}"


def _change(folder: Path, number: int) -> None:
    """What an author does between two runs: writes over, moves, deletes and adds."""
    articles = folder / "articles"
    (articles / "a0.md").write_bytes((articles / f"a{number - 1}.md").read_bytes())
    (articles / "a1.md").rename(articles / "b1.md")
    (articles / "a2.md").unlink()
    (articles / "a3.md").write_text("---\ntitle: New\n---\nnew\n", encoding="utf-8")
    shutil.copy2(articles / "a4.md", articles / "a5.md")
    for file in (articles / "a6.md", articles / "a7.md"):  # the size stays
        file.write_bytes(file.read_bytes().replace(b"title", b"titel"))
    (folder / "tags.yaml").write_text("- {slug: new, title: New}\n", encoding="utf-8")


def _outcome(found: Survey) -> object:
    return found.problems, found.files, found.counts


def _told(found: Survey) -> set[tuple[str, str, int, int]]:
    """The problems that a file has whatever stands beside it."""
    return {
        (problem.where.path, problem.code, problem.where.line, problem.where.column)
        for problem in found.problems
        if problem.code not in _OF_THE_FOLDER
    }
