"""Articles without a text: one error for each folder, or skipped where the config says so."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..errors import Problem, Setting
from ..model import Kind
from .config_file import CONFIG
from .draft import Draft
from .hints import content_table

_TEXTS = ("markdown", "content")
_SKIPPED = Setting(content_table(Kind.ARTICLE), "skip_empty")
_HINT = f"write the text below the front matter, or set skip_empty = true under [{_SKIPPED.table}] in {CONFIG}"


def skip_without_text(draft: Draft) -> None:
    """Mark an article without a text to be skipped; it still counts as present, so a sync does not delete it.

    For drafts that are not yet judged. The text that stands in for the missing one is never sent.
    """
    if draft.failed.isdisjoint(_TEXTS) and not any(draft.values.get(name) for name in _TEXTS):
        draft.values["markdown"] = "-"
        draft.notes = draft.notes._replace(skip=True)


def is_without_text(problem: Problem) -> bool:
    """Whether the problem is that an article has no text."""
    return problem.code == "required-without" and problem.kind == Kind.ARTICLE


def by_folder(problems: Iterable[Problem]) -> Iterator[Problem]:
    """One error, at the first file, for all articles of a folder that have no text."""
    folders: dict[str, list[Problem]] = {}
    for problem in sorted(problems, key=lambda problem: problem.where):
        folders.setdefault(problem.where.path.rpartition("/")[0], []).append(problem)
    for folder, (first, *others) in folders.items():
        if others:
            message = f"{1 + len(others):,} articles in {folder}/ have no text (neither markdown nor content)"
            yield replace(first, message=message, hint=_HINT, key=None, setting=_SKIPPED)
        else:
            yield replace(first, hint=_HINT, setting=_SKIPPED)
