"""Reading a whole content folder: every file, every problem."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..model import Entry, Kind
from .config import Config
from .kept import Kept
from .recall import recall
from .survey import Survey
from .sweep import Sweep
from .workers import without_collector

_ORDER = {kind: place for place, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class Content(Survey):
    """A survey, the settings, and the entries themselves: those without errors, in the order of kinds and keys."""

    config: Config
    entries: tuple[Entry, ...]


def load(folder: Path, kept: Kept | None = None, *, alone: bool = False) -> Content:
    """Everything in a content folder. Never raises for bad content: the problems say what is wrong, and where.

    With what was `kept` of the last time only that is read which has changed since. `alone` starts no processes, which
    nobody may do who has threads.
    """
    with without_collector():
        sweep = Sweep(folder, whole=True, kept=kept, alone=alone).run()
    entries = sorted(sweep.entries.values(), key=lambda entry: (_ORDER[entry.kind], entry.key))
    return Content(folder, sweep.problems, sweep.files, _named(sweep.counts), sweep.config, tuple(entries))


def survey(folder: Path) -> Survey:
    """What is wrong in a content folder and how much there is, without keeping its entries in memory.

    If nothing has changed since the last time, that is told again.
    """
    return recall(folder) or survey_anew(folder)


def survey_anew(folder: Path) -> Survey:
    """The same when something has changed, or may have: the cache of a large folder saves reading what has not."""
    with without_collector():  # until the sweep has gone, with an object or more for each file
        return _swept(folder)


def survey_file(folder: Path, path: str) -> Survey | None:
    """The same of one file of the folder, by its path in it, seen together with all others; None if it is no content.

    Where the config has errors, the survey is about these.
    """
    with without_collector():
        return Sweep(folder, whole=False).run().survey_of(path)


def _swept(folder: Path) -> Survey:
    sweep = Sweep(folder, whole=False).run()
    return Survey(folder, sweep.problems, sweep.files, _named(sweep.counts))


def _named(counts: Mapping[Kind, int]) -> dict[str, int]:
    return {kind.value: count for kind, count in counts.items()}
