"""Plan the rename of an entry: which files move, and what is rewritten in which files (docs/rename.md)."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import ContentError, Refused, UsageError, Where
from ...git import environ_without_hook, git, working_tree
from ...model import RECORDS, Entry, EntryKey, Kind
from ..config import Config
from ..draft import BODY_FIELDS, LinkRow, UnreadableFile
from ..edit.file_edits import FileEdit
from ..edit.folder_index import FolderIndex
from ..git_dates import needs_git_dates
from ..link_forms import split_target
from ..pictures.picture_fields import PICTURE_NAMES, file_address
from ..source_file import ContentRoot, Proposed
from .file_changes import FileChanges, change_file
from .link_targets import LinkTargets, NewTargets
from .proposed_folder import ProposedReader, read_folder
from .renaming import Renaming, find_renaming


class ChangedLinks(NamedTuple):
    """The numbers of links and references that a rename rewrites in a file, by its new path."""

    path: str
    links: int
    references: int


@dataclass(frozen=True, slots=True)
class RenamePlan:
    """The rename of an entry, as it is applied: first the `edits` of files at their old paths, then the moves.

    `unchanged` are links to the entry that must be changed by hand: their locations and targets.
    """

    folder: Path
    renaming: Renaming
    edits: Sequence[FileEdit]
    changed: Sequence[ChangedLinks]
    unchanged: Sequence[tuple[Where, str]]


MayBeSynced = Callable[[Config, Sequence[Entry], Entry], bool]


def plan_rename(
    folder: Path, old: str, new: str, here: Path, may_be_synced: MayBeSynced = lambda config, entries, entry: True
) -> RenamePlan:
    """Return the plan that renames the entry `old` to `new` (`find_renaming`). Writes nothing.

    If another entry notes the old key, or if the entry gets back a former key, `may_be_synced` returns whether a server
    may have the entry under its old key. If not, the entry does not note this key.

    Raises ContentError for a folder with errors, UsageError for a wrong name, and Refused if the folder would have
    errors, or if another value of an entry would change.
    """
    present = _State.read(folder, proposed={}, assets={})
    if errors := [problem for problem in present.reader.report().problems if problem.is_error]:
        raise ContentError(errors, folder)
    config = present.reader.config
    index = FolderIndex(folder, config, present.reader.rewritten_links, present.reader.published)
    renaming = find_renaming(index, present.entries, old, new, here)
    _refuse_ignored(folder, renaming.moves)
    is_in_doubt = renaming.key in renaming.entry.notes.previous or any(
        entry.kind is renaming.entry.kind and renaming.entry.key in entry.notes.previous for entry in present.entries
    )
    if is_in_doubt and not may_be_synced(config, present.entries, renaming.entry):
        renaming = replace(renaming, is_noted=False)
    try:
        edits, changed = _edits(index, present, renaming)
    except UnreadableFile as error:
        raise ContentError(error.problems, folder) from error
    proposed, assets = _proposed(index, edits, renaming, present)
    after = _State.read(folder, proposed, assets)
    _refuse_errors(after)
    _refuse_changes(present, after, renaming)
    unchanged = tuple(_unchanged_links(present, after, renaming))
    return RenamePlan(folder, renaming, edits, changed, unchanged)


@dataclass(frozen=True, slots=True)
class _State:
    """A folder before or after the rename."""

    reader: ProposedReader
    entries: Sequence[Entry]
    files: Mapping[str, EntryKey]  # by path: the entry of a document, or of a translation
    targets: LinkTargets

    @classmethod
    def read(cls, folder: Path, proposed: Proposed, assets: Mapping[str, str]) -> "_State":
        """Read the folder as if it contained the `proposed` files, and as if the `assets` had moved (`read_folder`)."""
        reader = read_folder(folder, proposed, assets)
        entries = [*reader.entries.values()]
        files = reader.document_files()
        targets = LinkTargets(reader.config, entries, files, reader.links.addresses)
        return cls(reader, entries, files, targets)


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
    except UsageError:  # there is no git
        return set()
    return set(os.fsdecode(result.stdout).split("\0"))


def _edits(index: FolderIndex, present: _State, renaming: Renaming) -> tuple[list[FileEdit], list[ChangedLinks]]:
    """Return the edits of files at their old paths, and what they rewrite. Raise Refused or UnreadableFile."""
    new_targets = NewTargets(present.targets, renaming)
    edits: list[FileEdit] = []
    changed: list[ChangedLinks] = []
    with ContentRoot(index.folder) as root:
        for path, changes in sorted(_changes(index, present, renaming, new_targets).items()):
            drafts = partial(present.reader.reader.read_unvalidated, changes.file, root)
            date = _git_date(index.config, renaming) if changes.has_entry else None
            new_target = partial(new_targets.find, path=path)
            result = change_file(index, changes, drafts, renaming, new_target, date)
            before = index.read_bytes(path)
            if result.after != before:
                edits.append(FileEdit(path, changes.file.location, before, result.after))
            if result.links or result.references:
                changed.append(ChangedLinks(renaming.moves.get(path, path), result.links, result.references))
    return edits, changed


def _changes(
    index: FolderIndex, present: _State, renaming: Renaming, new_targets: NewTargets
) -> dict[str, FileChanges]:
    """Return what may change in each file, by path."""
    changes_by_path: dict[str, FileChanges] = {}

    def changes_of(path: str) -> FileChanges:
        return changes_by_path.setdefault(path, FileChanges(index.files[path]))

    kind, key = renaming.identity
    path_of_entry = renaming.entry.source.path if renaming.entry.source else ""
    if path_of_entry:
        changes_of(path_of_entry).has_entry = True
    if renaming.key != key:
        for entry in present.entries:
            if entry.source and _refers_to(entry, kind, key):
                changes_of(entry.source.path).has_references = True
    for target, path, *_ in present.reader.links.rows:
        if new_targets.find(target, path) != target:
            changes_of(path).has_links = True
    for path in renaming.moves:
        if path in present.files or path == path_of_entry:
            changes_of(path).has_links = True  # also of pictures, which are not among the links
    return changes_by_path


def _refers_to(entry: Entry, kind: Kind, key: str) -> bool:
    """Return whether an entry refers to the entry of this kind and key."""
    for name, referred_kind in RECORDS[entry.kind].references.items():
        value = entry.fields.get(name)
        keys = value if isinstance(value, list) else [value]
        if referred_kind is kind and key in keys:
            return True
    return False


def _git_date(config: Config, renaming: Renaming) -> str | None:
    """Return the date to write into an article whose date is that of its path in git; None for other entries."""
    entry = renaming.entry
    if entry.kind is not Kind.ARTICLE or entry.source is None or not renaming.moves or not needs_git_dates(config):
        return None
    if config.layout(entry.kind).parse(entry.source.path).date or "published_at" in entry.source.locations:
        return None
    return entry.fields.get("published_at")


def _proposed(
    index: FolderIndex, edits: Sequence[FileEdit], renaming: Renaming, present: _State
) -> tuple[dict[str, bytes | None], dict[str, str]]:
    """Return the files that the rename changes, as `_State.read` expects them.

    First their bytes by location, None for a deleted file; then the moved files that are no content, old by new path.
    """
    after = {edit.location: edit.after for edit in edits}
    proposed: dict[str, bytes | None] = dict(after)
    assets: dict[str, str] = {}
    for old, new in renaming.moves.items():
        if old in index.files:
            proposed[new] = after.get(old) or index.read_bytes(old)
            proposed[old] = None
        else:
            assets[new] = old
    return proposed, assets


def _refuse_errors(after: _State) -> None:
    problem = next((problem for problem in after.reader.report().problems if problem.is_error), None)
    if problem:
        where = f"{problem.where.path}, line {problem.where.line}"
        raise Refused(f"the folder would have an error: {where}: {problem.message}", problem.hint)


def _refuse_changes(present: _State, after: _State, renaming: Renaming) -> None:
    """Raise Refused if the rename would change a value that is neither the entry's key nor a reference to the entry."""
    entries_after = {(entry.kind, entry.key): entry for entry in after.entries}
    new_addresses = _moved_pictures(present.reader.config.picture_base, renaming.moves)
    for entry in present.entries:
        is_renamed = entry is renaming.entry
        found = entries_after.get(renaming.renamed if is_renamed else (entry.kind, entry.key))
        path = entry.source.path if entry.source else ""
        if found is None:
            new_path = renaming.moves.get(path, path)
            raise Refused(f"{entry} would not be read from {new_path} any more", "choose another name")
        expected = _with_new_keys(entry, renaming)
        if is_renamed:  # its key, and a slug that is made from the name of the file, may change
            new_values = {name: found.fields.get(name) for name in ("slug", renaming.key_field)}
            expected |= {name: value for name, value in new_values.items() if name in expected}
        changed = [
            name
            for name in sorted(expected.keys() | found.fields.keys())
            if _differs(expected.get(name), found.fields.get(name), name, new_addresses)
        ]
        if changed:
            raise Refused(f"{path}: {', '.join(changed)} of {entry} would change too", _hint(changed))
    if len(entries_after) != len(present.entries):
        raise Refused("the folder would have other entries than before", "choose another name")


def _hint(changed: Sequence[str]) -> str:
    if "published_at" in changed:
        return "keep the date in the name of the file, or set published_at in it first"
    return "change the file by hand, in another form, and run again"


def _moved_pictures(base: str | None, moves: Mapping[str, str]) -> dict[str, str]:
    """Return the new addresses of files that move, by the old ones; {} if pictures are not read as files."""
    if base is None:
        return {}
    return {file_address("", old, base): file_address("", new, base) for old, new in moves.items()}


def _differs(expected: Any, found: Any, name: str, new_addresses: Mapping[str, str]) -> bool:
    """Return whether a value changes. Ignore changes inside a body, which are those of links, and moved pictures."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        keys = expected.keys() | found.keys()
        return any(_differs(expected.get(key), found.get(key), key, new_addresses) for key in keys)
    if name in BODY_FIELDS:
        return (expected is None) != (found is None)
    if name in PICTURE_NAMES and isinstance(expected, list) and isinstance(found, list):
        pairs = zip_longest(expected, found)
        return any(_differs(old, new, name, new_addresses) for old, new in pairs)
    if name in PICTURE_NAMES and isinstance(expected, str):
        address, query_and_fragment = split_target(expected)
        return found not in (expected, f"{new_addresses.get(address, address)}{query_and_fragment}")
    return bool(expected != found)


def _with_new_keys(entry: Entry, renaming: Renaming) -> dict[str, Any]:
    """Return a copy of the fields of an entry, with the new key in its references to the renamed entry."""
    kind, old_key = renaming.identity
    fields = dict(entry.fields)
    for name, referred_kind in RECORDS[entry.kind].references.items():
        value = fields.get(name)
        if referred_kind is kind and isinstance(value, list):
            fields[name] = [renaming.key if key == old_key else key for key in value]
        elif referred_kind is kind and value == old_key:
            fields[name] = renaming.key
    return fields


def _unchanged_links(present: _State, after: _State, renaming: Renaming) -> Iterator[tuple[Where, str]]:
    """Yield the location and the target of each link that leads to an entry now, but would not after the rename."""
    old_paths = {new: old for old, new in renaming.moves.items()}
    links_before = _links_by_file(present.reader.links.rows)
    for path, links in _links_by_file(after.reader.links.rows).items():
        old_path = old_paths.get(path, path)
        # The rename changes the targets of links only, so the order in a file stays.
        for (where, target), (_, old_target) in zip(links, links_before.get(old_path, ()), strict=False):
            expected = present.targets.find(old_target, old_path)
            if expected is None or isinstance(expected, str):  # it leads to no entry
                continue
            if expected == renaming.identity:
                expected = renaming.renamed
            if after.targets.find(target, path) != expected:
                yield where, target


def _links_by_file(rows: Sequence[LinkRow]) -> dict[str, list[tuple[Where, str]]]:
    """Return the location and the target of each link, by the path of the file, in the order of the locations."""
    links: dict[str, list[tuple[Where, str]]] = {}
    for target, path, line, column, *_ in sorted(rows, key=lambda row: row[1:4]):
        links.setdefault(path, []).append((Where(path, line, column), target))
    return links
