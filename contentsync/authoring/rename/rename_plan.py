"""Plan the rename of entries: which files move, and what is rewritten in them; and apply the plan (docs/rename.md)."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ...content.config.config import Config
from ...content.files.content_folder import CONFIG
from ...content.files.file_names import is_below
from ...content.files.file_text import UnreadableFile
from ...content.files.source_file import ContentRoot, FolderView
from ...content.folder.confirmation import confirm_files
from ...content.folder.git_facts import needs_git_dates
from ...content.folder.index_use import IndexUse
from ...content.folder.load import Content
from ...content.formats.draft import Link
from ...errors import ContentError, Refused, UsageError
from ...file_writes import move_files, swap_files
from ...git import environ_with_literal_paths, environ_without_hook, git, git_read, read_index, working_tree
from ...model import Entry, EntryKey, Kind
from ..edit.config_names import rename_in_config
from ..edit.field_edits import refuse_errors
from ..edit.file_edits import FileEdit, merge_edits
from ..edit.folder_index import FolderIndex
from ..edit.new_names import refers_to
from ..edit.row_values import entry_reader_of
from .folder_state import FolderState, refuse_changes, unchanged_links
from .link_targets import NewTargets
from .merging import Keep, find_merge, merge_entries
from .reference_rewriting import RenameChanges, change_file
from .renaming import Renaming, check_remaining, find_merged, find_renaming, moves_of, new_names


class ChangedLinks(NamedTuple):
    """The numbers of links and references that a rename rewrites in a file, by its new path."""

    path: str
    links: int
    references: int


@dataclass(frozen=True, slots=True)
class RenamePlan:
    """The rename of entries, as it is applied: first the `edits` of files at their old paths, then the moves.

    `unchanged` are links to the entries that must be changed by hand.
    """

    folder: Path
    renamings: Sequence[Renaming] = ()
    edits: Sequence[FileEdit] = ()
    changed: Sequence[ChangedLinks] = ()
    unchanged: Sequence[Link] = ()

    @property
    def renaming(self) -> Renaming:
        """The only renaming, in a plan of `mv`."""
        (renaming,) = self.renamings
        return renaming


MayBeSynced = Callable[[Config, Sequence[Entry], Entry], bool]


def plan_rename(
    folder: Path,
    old: str,
    new: str,
    here: Path,
    may_be_synced: MayBeSynced = lambda config, entries, entry: True,
    index: IndexUse | None = None,
) -> RenamePlan:
    """Return the plan that renames the entry `old` to `new` (`find_renaming`). Writes nothing.

    The entry notes its old key, so that the next sync finds its record. If another entry notes this key already, or if
    the entry gets back a key that it had before, it does so only if a server may have it under its old key
    (`may_be_synced`).

    Raises ContentError for a folder with errors, UsageError for a wrong name, and Refused if the folder would have
    errors, or if another value of an entry would change.
    """
    present, files = _read(folder, index)
    renaming = find_renaming(files, present.content.entries, old, new, here)
    _refuse_ignored(folder, renaming.moves)
    return plan_renamings(files, present, [*with_notes([renaming], present.content, may_be_synced)])


def with_notes(renamings: Sequence[Renaming], content: Content, may_be_synced: MayBeSynced) -> Iterator[Renaming]:
    """Yield the renamings of a folder, each with the old key in the entry if a sync needs it there."""
    noted = {(entry.kind, old) for entry in content.entries for old in entry.notes.previous}
    for renaming in renamings:
        is_doubtful = renaming.key in renaming.entry.notes.previous or renaming.identity in noted
        if is_doubtful and not may_be_synced(content.config, content.entries, renaming.entry):
            renaming = replace(renaming, notes_old_key=False)
        yield renaming


def plan_merge(
    folder: Path, old: str, new: str, here: Path, keep: Keep = "", index: IndexUse | None = None
) -> RenamePlan:
    """Return the plan that merges the entry `old` into the entry `new`, which notes the key of `old`. Writes nothing.

    `keep` says whose values win (`find_merge`). Raises the same errors as `plan_rename`.
    """
    present, files = _read(folder, index)
    content = present.content
    first, survivor = find_merged(files, content.entries, old, new, here)
    merging = find_merge(files, content.entries, content.former_addresses, first, survivor, keep)
    return plan_renamings(files, present, [merging])


def _read(folder: Path, index: IndexUse | None) -> tuple[FolderState, FolderIndex]:
    """Return a folder before the rename, and its files. Raise ContentError for a folder with errors."""
    present = FolderState.read(FolderView(folder), index)
    if present.errors:
        raise ContentError(present.errors, folder)
    return present, present.folder_index()


def plan_renamings(index: FolderIndex, present: FolderState, renamings: Sequence[Renaming]) -> RenamePlan:
    """Return the plan of all renamings, or of one merge, whose result was read once. Writes nothing.

    If the config names one of the entries, `index` has the new config afterwards. Raise ContentError and Refused, and
    IndexDiffers if a file that the plan changes is not as the index of all commands has it.
    """
    folder = index.folder
    try:
        edits, changed = _edits(index, present, renamings)
        for renaming in renamings:
            if renaming.merge:
                for edit in edits:
                    index.replace_bytes(edit.path, edit.after or b"")
                merged = merge_edits(edits, merge_entries(index, renaming, renaming.merge))
                edits = sorted(merged, key=lambda edit: edit.path)
    except UnreadableFile as error:
        raise ContentError(error.problems, folder) from error
    if settings := rename_in_config(index, {}, new_names(renamings).entries):
        edits.append(FileEdit(CONFIG, CONFIG, index.original_bytes(CONFIG), index.read_bytes(CONFIG)))
        changed.append(ChangedLinks(CONFIG, 0, settings))
    if deleted := {edit.path: "" for edit in edits if edit.after is None}:
        check_remaining(index, renamings[0].entry.kind, deleted)
    changed = [file for file in changed if file.path not in deleted]
    plan = RenamePlan(folder, renamings, edits, changed)
    confirm_files(present.content, [edit.path for edit in edits])
    after = FolderState.read(_proposed(index, plan), present.content.index)
    refuse_errors(after.errors)
    refuse_changes(present, after, renamings)
    has_url_in_slug = "{url}" in index.config.content[Kind.LISTING].slug_pattern  # then the address of its page changes
    if has_url_in_slug or any(renaming.changes_links for renaming in renamings):
        return replace(plan, unchanged=tuple(unchanged_links(present, after, renamings)))
    return plan


def _refuse_ignored(folder: Path, moves: Mapping[str, str]) -> None:
    """Raise Refused if git ignores a new path, but not the old one: the file would be missing from the next commit."""
    ignored = _ignored(folder, [path for move in moves.items() for path in move])
    if new := next((new for old, new in moves.items() if new in ignored and old not in ignored), None):
        raise Refused(f"git would ignore {new}", "choose another name, or change .gitignore first")


def _ignored(folder: Path, paths: Sequence[str]) -> set[str]:
    """Return the paths that git ignores; nothing without git."""
    if not paths or working_tree(folder) is None:
        return set()
    stdin = b"".join(os.fsencode(path) + b"\0" for path in paths)
    try:
        result = git("check-ignore", "-z", "--stdin", folder=folder, environ=environ_without_hook(), stdin=stdin)
    except UsageError:  # git is not installed; if git itself fails, its result is returned
        return set()
    return set(os.fsdecode(result.stdout).split("\0"))


def _edits(
    index: FolderIndex, present: FolderState, renamings: Sequence[Renaming]
) -> tuple[list[FileEdit], list[ChangedLinks]]:
    """Return the edits of files at their old paths, and what they rewrite. Raise Refused or UnreadableFile."""
    new_targets = NewTargets(present.targets, renamings)
    moves = moves_of(renamings)
    entry_reader = entry_reader_of(present.content)
    edits: list[FileEdit] = []
    changed: list[ChangedLinks] = []
    with ContentRoot(index.folder) as root:
        for path, changes in sorted(_changes(index, present, renamings, new_targets).items()):
            read_drafts = partial(entry_reader.read_unvalidated, changes.file, root)
            result = change_file(index, changes, read_drafts, partial(new_targets.find, path=path))
            before = index.read_bytes(path)
            if result.after != before:
                edits.append(FileEdit(path, changes.file.location, before, result.after))
            if result.links or result.references:
                changed.append(ChangedLinks(moves.get(path, path), result.links, result.references))
    return edits, changed


def _changes(
    index: FolderIndex, present: FolderState, renamings: Sequence[Renaming], new_targets: NewTargets
) -> dict[str, RenameChanges]:
    """Return what may change in each file, by path. A document that a merge deletes does not change before."""
    changes_by_path: dict[str, RenameChanges] = {}
    names = new_names(renamings)

    def changes_of(path: str) -> RenameChanges:
        return changes_by_path.setdefault(path, RenameChanges(index.files[path], names))

    renamed: set[EntryKey] = set()
    deleted: set[str] = set()
    for renaming in renamings:
        if renaming.merge:
            # It may also give the entry that is left another title, by which others refer to it.
            renamed |= {renaming.identity, renaming.renamed}
            deleted |= {*renaming.merge.files}
        elif renaming.path:
            changes = changes_of(renaming.path)
            changes.entries.append(renaming)
            changes.new_date = _date_lost_by_move(index.config, renaming)
        if renaming.renamed != renaming.identity:
            renamed.add(renaming.identity)
        for path in renaming.moves:
            is_translation = path in present.files
            if is_translation or path == renaming.path:
                changes_of(path).has_links = True  # such as relative links to pictures, which are not among the links
    for entry in present.content.entries if renamed else ():
        if entry.source and refers_to(entry, renamed):
            changes_of(entry.source.path).has_references = True
    for link in present.content.links if any(renaming.changes_links for renaming in renamings) else ():
        if link.path not in deleted and new_targets.find(link.target, link.path) != link.target:
            changes_of(link.path).has_links = True
    return changes_by_path


def _date_lost_by_move(config: Config, renaming: Renaming) -> str | None:
    """Return the date to write into an article whose date in git is lost by its move; None for other entries."""
    entry = renaming.entry
    if entry.kind is not Kind.ARTICLE or entry.source is None or not renaming.moves or not needs_git_dates(config):
        return None
    if config.layout(entry.kind).parse(entry.source.path).date or "published_at" in entry.source.locations:
        return None
    return entry.fields.get("published_at")


def _proposed(index: FolderIndex, plan: RenamePlan) -> FolderView:
    """Return the folder after the rename. No new path is also an old one: `find_moves` refuses a path that exists."""
    edited = {edit.location: edit.after for edit in plan.edits}
    proposed: dict[str, bytes | None] = dict(edited)
    old_paths_of_assets: dict[str, str] = {}
    for old, new in moves_of(plan.renamings).items():
        if old in index.files:
            proposed[new] = edited[old] if old in edited else index.read_bytes(old)
            proposed[old] = None  # deleted
        else:
            old_paths_of_assets[new] = old
    return FolderView(index.folder, proposed, old_paths_of_assets)


def apply_rename(plan: RenamePlan) -> None:
    """Write the edits, move the files, and stage the moves in git as `git mv` does: all of it, or nothing.

    Raises Unwritable, and Refused if git cannot stage the moves; then the folder is unchanged.
    """
    moves = moves_of(plan.renamings)
    top = working_tree(plan.folder)
    index_lines = _index_lines(plan.folder, top, moves) if top else b""
    swap_files(plan.folder, {edit.location: (edit.before, edit.after) for edit in plan.edits})
    try:
        move_files(plan.folder, moves)
        try:
            if index_lines:
                git_read(
                    "update-index",
                    "-z",
                    "--index-info",
                    folder=top,
                    environ=environ_with_literal_paths(),
                    stdin=index_lines,
                )
        except BaseException:
            move_files(plan.folder, {new: old for old, new in moves.items()})
            raise
    except BaseException:
        swap_files(plan.folder, {edit.location: (edit.after, edit.before) for edit in plan.edits})
        raise


def _index_lines(folder: Path, top: Path, moves: Mapping[str, str]) -> bytes:
    """Return the input of `git update-index --index-info` that gives files their new paths, with their staged content.

    `top` is the top folder of the repository. Files that are not in the index are left out; b"" if none is in it.
    Raises Refused if a new path would replace a file in the index: its staged content would be lost.
    """
    inner = folder.resolve().relative_to(top).as_posix()
    new_paths = {str(PurePosixPath(inner, old)): str(PurePosixPath(inner, new)) for old, new in moves.items()}
    staged = read_index(top, new_paths)
    if not staged:
        return b""
    near_new_paths = read_index(top, _with_folders(new_paths.values()))
    for path in sorted({entry.path for entry in near_new_paths} - new_paths.keys()):
        for new in new_paths.values():
            # git replaces a file at the new path, one above it, and all below it
            if is_below(path, new) or is_below(new, path):
                hint = "choose another name, or commit the deletion of that file first"
                raise Refused(f"git's index has {path}, which {new} would replace", hint)
    lines: list[str] = []
    for path, mode, object_id, stage in staged:
        lines.append(f"0 {'0' * len(object_id)}\t{path}\0")  # removes the old path
        lines.append(f"{mode} {object_id} {stage}\t{new_paths[path]}\0")
    return os.fsencode("".join(lines))


def _with_folders(paths: Iterable[str]) -> set[str]:
    """Return the paths with those of the folders that they are in."""
    return {str(each) for path in paths for each in (path, *PurePosixPath(path).parents[:-1])}
