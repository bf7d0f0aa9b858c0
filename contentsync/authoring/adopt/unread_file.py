"""Explain why the largest table or list of a repository does not look like listings."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from ...content.config.config import Config
from ...content.files.file_names import suffix_of
from ...content.files.source_file import ContentRoot
from ...content.folder.entry_reader import EntryReader
from ...content.folder.scan import ContentFile
from ...content.folder.unit_results import ReadLog
from ...content.formats.draft import Draft
from ...content.formats.table_rows import TABLE_DELIMITERS
from ...errors import join_first
from ...model import Kind
from .excludes import may_be_list
from .recognise import RepositoryTree

_GEOJSON = ".geojson"
_HAS_FEATURES = "is GeoJSON: write a list instead, in which each object has a name"
_SAMPLE = 24  # entries
_MIN_OBJECTS = 2  # in an object that may be a list


def largest_unread_list(folder: Path, tree: RepositoryTree, config: Config) -> str:
    """Return a clause that names the largest table or list, and says why it is not read; "" without one.

    Call it if no file of the repository looks like content.
    """
    files = [file for file in tree.files if may_be_list(file) or file.lower().endswith(_GEOJSON)]
    if not files:
        return ""
    path = max(files, key=lambda file: (folder / file).lstat().st_size)
    return f"{path} {_reason(folder, path, config)}"


def _reason(folder: Path, path: str, config: Config) -> str:
    """Return the end of the clause about a file: why its entries are not read, such as "has no entries"."""
    if path.lower().endswith(_GEOJSON):
        return _HAS_FEATURES
    log = ReadLog()
    with ContentRoot(folder) as root:
        drafts = EntryReader(config).read_unvalidated(ContentFile.at(Kind.LISTING, path), root, log)
        entries = [*islice(drafts, _SAMPLE)]
    problem = next((problem for problem in log.problems if problem.is_error), None)
    if problem:
        line = f" in line {problem.where.line}" if problem.where.line else ""
        return f"has an error{line}: {problem.message}"
    return _reason_of_entries(entries, path)


def _reason_of_entries(entries: Sequence[Draft], path: str) -> str:
    """Return why a table or list without errors is no collection, by a sample of its entries."""
    if not entries:
        return "has no entries"
    values = entries[0].values
    if suffix_of(path) in TABLE_DELIMITERS:
        return "has only one column: add columns, such as name and url"
    if len(entries) == 1:
        if values.get("type") == "FeatureCollection":
            return _HAS_FEATURES
        objects = sum(isinstance(value, dict) for value in values.values())
        if objects >= _MIN_OBJECTS and objects * 2 > len(values):
            return "is an object of objects: write a list instead, in which each object has a name"
    keys = join_first([*values], 4)
    return f"is not a list of three or more entries with a key such as name or title: its keys are {keys}"
