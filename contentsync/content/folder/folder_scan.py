"""What is found in a folder before its files are read: the units of each kind, and what else a report depends on."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import Problem
from ...model import Kind
from ..config.config import Config
from ..files.content_folder import CONFIG
from ..files.file_names import visible_names
from ..files.source_file import FolderView
from .grouped_problems import Orphan, find_orphans
from .misplaced import misplaced_problems
from .scan import scan
from .translations import Unit, duplicate_key_problems, group_files, read_translation_keys


@dataclass(frozen=True, slots=True)
class FolderScan:
    """The files of a folder in units, by kind, and the problems in finding them."""

    units: dict[Kind, list[Unit]]  # also of kinds without any
    files: int
    problems: Sequence[Problem]
    orphans: list[Orphan]
    incomplete_kinds: set[Kind]  # kinds with something that could not be read
    has_links: bool  # True: the folders contain symbolic links
    top_names: Sequence[str]  # visible names in the content folder itself
    watched: Sequence[str]  # the paths whose changes affect the report
    looked_into: set[str]  # other folders whose file names affect the report; later checks add to them

    @classmethod
    def of(cls, view: FolderView, config: Config) -> "FolderScan":
        """Scan an existing folder. Raise UnreadableFile if it was deleted."""
        folder = view.folder
        top_names = visible_names(folder)
        scanned = scan(folder, config, view.proposed)
        looked_into: set[str] = set()
        problems = [*scanned.problems, *misplaced_problems(folder, top_names, config, scanned, looked_into)]
        keys = read_translation_keys(folder, config, scanned.files, view.proposed)
        problems += duplicate_key_problems(scanned.files, config, keys)
        units = group_files(scanned.files, config, keys)
        by_kind: dict[Kind, list[Unit]] = {kind: [] for kind in Kind}
        for unit in units:
            by_kind[unit.kind].append(unit)
        # The config, the searched folders, and all collections.
        watched = sorted({CONFIG, *scanned.folders, *(path for kind in Kind for path in config.paths(kind))})
        return cls(
            by_kind,
            len(scanned.files),
            problems,
            find_orphans(scanned.files, units, config),
            scanned.incomplete_kinds,
            scanned.has_links,
            top_names,
            watched,
            looked_into,
        )
