"""Load or validate a whole content folder: every file, every problem."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..model import Entry, Kind
from .config import Config
from .folder_reader import FolderReader
from .unit_cache import InMemoryCache
from .validation_report import ValidationReport, load_cached_report
from .workers import gc_paused

_ORDER = {kind: index for index, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class Content(ValidationReport):
    """A survey, the settings, and the entries themselves: those without errors, in the order of kinds and keys."""

    config: Config
    entries: tuple[Entry, ...]


def load(folder: Path, cache: InMemoryCache | None = None, *, single_process: bool = False) -> Content:
    """Everything in a content folder. Never raises for bad content: the problems say what is wrong, and where.

    With what was `kept` of the last time only that is read which has changed since. `alone` starts no processes, which
    nobody may do who has threads.
    """
    with gc_paused():
        reader = FolderReader(folder, whole=True, cache=cache, single_process=single_process).read()
    entries = sorted(reader.entries.values(), key=lambda entry: (_ORDER[entry.kind], entry.key))
    return Content(folder, reader.problems, reader.files, _by_kind_name(reader.counts), reader.config, tuple(entries))


def validate_folder(folder: Path) -> ValidationReport:
    """What is wrong in a content folder and how much there is, without keeping its entries in memory.

    If nothing has changed since the last time, that is told again.
    """
    return load_cached_report(folder) or validate_uncached(folder)


def validate_uncached(folder: Path) -> ValidationReport:
    """The same when something has changed, or may have: the cache of a large folder saves reading what has not."""
    with gc_paused():  # until the sweep has gone, with an object or more for each file
        return _read_report(folder)


def validate_file(folder: Path, path: str) -> ValidationReport | None:
    """The same of one file of the folder, by its path in it, seen together with all others; None if it is no content.

    Where the config has errors, the survey is about these.
    """
    with gc_paused():
        return FolderReader(folder, whole=False).read().report_on_file(path)


def _read_report(folder: Path) -> ValidationReport:
    reader = FolderReader(folder, whole=False).read()
    return ValidationReport(folder, reader.problems, reader.files, _by_kind_name(reader.counts))


def _by_kind_name(counts: Mapping[Kind, int]) -> dict[str, int]:
    return {kind.value: count for kind, count in counts.items()}
