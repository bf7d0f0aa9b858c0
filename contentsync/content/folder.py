"""Reading a whole content folder: every file, every problem."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import Problem
from ..model import Entry, Kind
from .cache import recall
from .config import Config
from .outline import problem_of
from .sweep import Sweep
from .workers import without_collector

_ORDER = {kind: place for place, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class Survey:
    """What `validate` tells of a content folder: what is wrong in it, and how much there is."""

    folder: Path
    problems: tuple[Problem, ...]  # by path, line and column
    files: int  # that were read for entries
    counts: Mapping[Kind, int]  # of entries without errors

    @property
    def errors(self) -> list[Problem]:
        """The problems that are errors."""
        return [problem for problem in self.problems if problem.is_error]


@dataclass(frozen=True, slots=True)
class Content(Survey):
    """A survey, the settings, and the entries themselves: those without errors, in the order of kinds and keys."""

    config: Config
    entries: tuple[Entry, ...]


def load(folder: Path) -> Content:
    """Everything in a content folder. Never raises for bad content: the problems say what is wrong, and where."""
    with without_collector():
        sweep = Sweep(folder, whole=True).run()
    entries = sorted(sweep.entries.values(), key=lambda entry: (_ORDER[entry.kind], entry.key))
    return Content(folder, sweep.problems, sweep.files, sweep.counts, sweep.config, tuple(entries))


def survey(folder: Path) -> Survey:
    """What is wrong in a content folder and how much there is, without keeping its entries in memory.

    A large folder's outlines are kept in its cache, and files that are as they were are not read again.
    """
    recalled = recall(folder)
    if recalled is not None:
        problems = tuple(map(problem_of, recalled["problems"]))
        return Survey(folder, problems, recalled["files"], {Kind(kind): n for kind, n in recalled["counts"].items()})
    with without_collector():
        sweep = Sweep(folder, whole=False).run()
    return Survey(folder, sweep.problems, sweep.files, sweep.counts)
