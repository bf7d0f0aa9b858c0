"""Load or validate a whole content folder, and report all problems in its files."""

import gc
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import ContentError
from ...model import Entry, Kind
from ..config.config import Config, ReadConfig, read_config
from ..files.completion_names import CompletionNames
from ..files.folder_signatures import FolderDependencies
from ..files.source_file import FolderView
from ..files.validation_report import ValidationReport, load_cached_report
from ..formats.table_rows import SyncedRows
from .git_facts import GitHistory
from .index_use import PRESENT_INDEX, WHOLE_INDEX, IndexUse, UnitRef

if TYPE_CHECKING:
    from ..formats.draft import Link
    from ..links.former_addresses import EntryAddresses
    from ..pictures.published_names import PublishedFile
    from .folder_links import RewrittenLinks
    from .folder_reader import FolderReader
    from .translations import Unit
    from .unit_cache import InMemoryCache

_ORDER = {kind: index for index, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class Content(ValidationReport):
    """A validation report with the config, and with the entries without errors, sorted by kind and key."""

    config: Config
    entries: tuple[Entry, ...]
    # None if signatures do not show all changes.
    dependencies: FolderDependencies | None = field(default=None, compare=False)
    rewritten_links: "RewrittenLinks" = field(default_factory=dict, compare=False)
    # The files that entries name and that belong in the asset store, by name.
    published: "Mapping[str, PublishedFile]" = field(default_factory=dict, compare=False)
    former_addresses: "Sequence[EntryAddresses]" = field(default=(), compare=False)
    names: CompletionNames = field(default_factory=CompletionNames, compare=False)
    links: "Sequence[Link]" = field(default=(), compare=False)
    units: "Sequence[Unit]" = field(default=(), compare=False)  # the files that were read together
    from_index: Set[UnitRef] = field(default=frozenset(), compare=False)  # the units that were not read in this run
    index: IndexUse | None = field(default=None, compare=False)  # for reading the folder again, with edited files


def load_content(
    folder: Path | FolderView,
    cache: "InMemoryCache | None" = None,
    *,
    index: IndexUse | None = None,
    single_process: bool = False,
    synced: SyncedRows | None = None,
    history: GitHistory | None = None,
    read_config: ReadConfig = read_config,
    may_break_rules: bool = False,
) -> Content:
    """Load a content folder, or a view of it. Errors in the content are not raised, but returned in `problems`.

    With the `cache` of an earlier load, or with the index, only changed files are read; the index is only for the
    folder of the user, and not for a copy that is used once. `single_process` starts no worker processes; it is
    required in a process with threads. The listings of `synced` rows are left out, and it gets the digests of the
    others. `history` is the one of the original folder, for `dates = "git"`, if `folder` is a copy. `read_config` is a
    function like `config.read_config`, such as `read_local_config`. With `may_break_rules`, the entries contain those
    whose only errors are broken house rules.
    """
    view = folder if isinstance(folder, FolderView) else FolderView(folder)
    with gc_paused():
        reader = _import_folder_reader()(
            view,
            with_values=True,
            cache=cache,
            index=index,
            single_process=single_process,
            synced=synced,
            history=history,
            read_config=read_config,
        ).read()
    report = reader.report()
    found = reader.checks.found.entries(may_break_rules=may_break_rules)
    entries = sorted(found, key=lambda entry: (_ORDER[entry.kind], entry.key))
    return Content(
        view.folder,
        report.problems,
        report.files,
        report.counts,
        config=reader.config,
        entries=tuple(entries),
        dependencies=reader.dependencies,
        rewritten_links=reader.checks.links.rewritten,
        published=reader.checks.published,
        former_addresses=reader.checks.links.addresses,
        names=reader.checks.names,
        links=reader.checks.links.links,
        units=reader.checks.units,
        from_index=reader.from_index,
        index=index and PRESENT_INDEX,
    )


def load_valid_content(folder: Path, index: IndexUse | None = None, *, may_break_rules: bool = False) -> Content:
    """Load a content folder, and save its names for completion. Raise ContentError if it has errors.

    With `may_break_rules`, broken house rules and warnings that the config makes errors raise nothing, as for a command
    that is used to repair them.
    """
    content = load_content(folder, index=index, may_break_rules=may_break_rules)
    return require_valid(content, may_break_rules=may_break_rules)


def require_valid(content: Content, *, may_break_rules: bool = False) -> Content:
    """Return the content of a whole folder, whose names are saved for completion. Raise ContentError if it has errors.

    `may_break_rules` is that of `load_valid_content`.
    """
    if content.breaks_contract or (content.errors and not may_break_rules):
        raise ContentError(content.problems, content.folder)
    content.names.save(content.folder)
    return content


def validate_folder(folder: Path) -> ValidationReport:
    """Return the report on a content folder, without keeping the values of all entries in memory.

    If nothing has changed since the last validation, return the cached report.
    """
    return load_cached_report(folder) or make_report(folder)


def make_report(
    folder: Path,
    history: GitHistory | None = None,
    *,
    unused_assets: bool = False,
    index: IndexUse | None = WHOLE_INDEX,
) -> ValidationReport:
    """Return a new report on a content folder.

    Without errors, save the names of the entries for completion. `history` is the one of the original folder if
    `folder` is a copy, which has no index. With `unused_assets`, the report also lists pictures that no entry names.
    """
    if history is not None:
        index = None
    with gc_paused():  # until the reader is deleted: a collection would visit its many objects in vain
        reader = _import_folder_reader()(FolderView(folder), with_values=False, index=index, history=history).read()
        if unused_assets:  # not a part of the cached report
            reader.checks.find_unused_pictures()
        report = reader.report()
        if not report.errors and history is None:
            reader.checks.names.save(folder)
        return report


def validate_files(
    folder: Path, paths: Collection[str], index: IndexUse | None = WHOLE_INDEX
) -> tuple[ValidationReport, list[str]]:
    """Return the report on some files, by their paths in the content folder, and the paths that are not content.

    The files are checked together with all others. If the config has errors, the report contains only those.
    """
    with gc_paused():
        reader = _import_folder_reader()(FolderView(folder), with_values=False, index=index)  # a report needs no values
        return reader.read().report_on_files(paths)


def _import_folder_reader() -> "type[FolderReader]":
    """Return FolderReader. It is imported only now, because a plan that is recalled reads no folder."""
    from .folder_reader import FolderReader

    return FolderReader


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the garbage collector, because reading creates many objects and hardly any reference cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
