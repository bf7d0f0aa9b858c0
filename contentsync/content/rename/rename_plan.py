"""Plan the rename of an entry: which files move, and what is rewritten in which files (docs/rename.md)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import ContentError, Refused, Where
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


def plan_rename(folder: Path, old: str, new: str, here: Path) -> RenamePlan:
    """Return the plan that renames the entry `old` to `new` (`find_renaming`). Writes nothing.

    Raises ContentError for a folder with errors, UsageError for a wrong name, and Refused if the folder would have
    errors, or if another value of an entry would change.
    """
    present = _State.read(folder, {}, {})
    if errors := [problem for problem in present.reader.report().problems if problem.is_error]:
        raise ContentError(errors, folder)
    config = present.reader.config
    index = FolderIndex(folder, config, present.reader.rewritten_links, present.reader.published)
    renaming = find_renaming(index, present.entries, old, new, here)
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
    files: Mapping[str, EntryKey]  # of documents and their translations
    targets: LinkTargets

    @classmethod
    def read(cls, folder: Path, proposed: Proposed, assets: Mapping[str, str]) -> "_State":
        reader = read_folder(folder, proposed, assets)
        entries = [*reader.entries.values()]
        files = reader.document_files()
        targets = LinkTargets(reader.config, entries, files, reader.links.addresses)
        return cls(reader, entries, files, targets)


def _edits(index: FolderIndex, present: _State, renaming: Renaming) -> tuple[list[FileEdit], list[ChangedLinks]]:
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
    """Return what may change, by the paths of files."""
    found: dict[str, FileChanges] = {}

    def at(path: str) -> FileChanges:
        return found.setdefault(path, FileChanges(index.files[path]))

    kind, key = renaming.identity
    if renaming.entry.source:
        at(renaming.entry.source.path).has_entry = True
    if renaming.key != key:
        for entry in present.entries:
            if entry.source and _refers_to(entry, kind, key):
                at(entry.source.path).has_references = True
    for target, path, *_ in present.reader.links.rows:
        if new_targets.find(target, path) != target:
            at(path).has_links = True
    for path in renaming.moves:
        if path in present.files or (renaming.entry.source and path == renaming.entry.source.path):
            at(path).has_links = True  # also of pictures, which are not among the links
    return found


def _refers_to(entry: Entry, kind: Kind, key: str) -> bool:
    values = (entry.fields.get(name) for name, referred in RECORDS[entry.kind].references.items() if referred is kind)
    return any(key in value if isinstance(value, list) else key == value for value in values)


def _git_date(config: Config, renaming: Renaming) -> str | None:
    """Return the date to write into an article that git has dated by its path; None if none must be written."""
    entry = renaming.entry
    if entry.kind is not Kind.ARTICLE or not renaming.moves or not needs_git_dates(config):
        return None
    path = entry.source.path if entry.source else ""
    is_dated = bool(config.layout(entry.kind).parse(path).date)
    has_date = entry.source is not None and "published_at" in entry.source.locations
    return None if is_dated or has_date else entry.fields.get("published_at")


def _proposed(
    index: FolderIndex, edits: Sequence[FileEdit], renaming: Renaming, present: _State
) -> tuple[dict[str, bytes | None], dict[str, str]]:
    """Return the files of the folder after the rename that differ, and the moved files that are no content."""
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
    """Raise Refused if an entry would get other values than its new key, as if a reference could not be rewritten."""
    found = {(entry.kind, entry.key): entry for entry in after.entries}
    pictures = _moved_pictures(present.reader.config.picture_base, renaming.moves)
    for entry in present.entries:
        is_renamed = entry is renaming.entry
        other = found.get(renaming.renamed if is_renamed else (entry.kind, entry.key))
        if other is None:
            path = renaming.moves.get(entry.source.path, entry.source.path) if entry.source else ""
            raise Refused(f"{entry} would not be read from {path} any more", "choose another name")
        expected = _with_new_keys(entry, renaming)
        if is_renamed:
            expected |= {it: other.fields.get(it) for it in ("slug", renaming.key_field) if it in expected}
        names = sorted(expected.keys() | other.fields.keys())
        changed = [it for it in names if _differs(expected.get(it), other.fields.get(it), it, pictures)]
        if changed:
            path = entry.source.path if entry.source else ""
            raise Refused(f"{path}: {', '.join(changed)} of {entry} would change too", _hint(changed))
    if len(found) != len(present.entries):
        raise Refused("the folder would have other entries than before", "choose another name")


def _hint(changed: Sequence[str]) -> str:
    if "published_at" in changed:
        return "keep the date in the name of the file, or set published_at in it first"
    return "change the file by hand, in another form, and run again"


def _moved_pictures(base: str | None, moves: Mapping[str, str]) -> dict[str, str]:
    """Return the new addresses of files that move, by the old ones, if pictures are addressed below `base`."""
    return {file_address("", old, base): file_address("", new, base) for old, new in moves.items()} if base else {}


def _differs(expected: Any, actual: Any, name: str, pictures: Mapping[str, str]) -> bool:
    """Return whether a value changes, or a part of it. Texts may change, because links in them do."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        names = expected.keys() | actual.keys()
        return any(_differs(expected.get(it), actual.get(it), it, pictures) for it in names)
    if name in BODY_FIELDS:
        return (expected is None) != (actual is None)
    if name in PICTURE_NAMES and isinstance(expected, list) and isinstance(actual, list):
        pairs = zip_longest(expected, actual)
        return any(_differs(old, new, name, pictures) for old, new in pairs)
    if name in PICTURE_NAMES and isinstance(expected, str):
        address, rest = split_target(expected)
        return actual not in (expected, f"{pictures.get(address, address)}{rest}")
    return bool(expected != actual)


def _with_new_keys(entry: Entry, renaming: Renaming) -> dict[str, Any]:
    """Return the fields of an entry with the new key in its references."""
    kind, old = renaming.identity
    fields = dict(entry.fields)
    for name, referred in RECORDS[entry.kind].references.items():
        value = fields.get(name)
        if referred is kind and isinstance(value, list):
            fields[name] = [renaming.key if item == old else item for item in value]
        elif referred is kind and value == old:
            fields[name] = renaming.key
    return fields


def _unchanged_links(present: _State, after: _State, renaming: Renaming) -> Iterator[tuple[Where, str]]:
    """Yield the links of the folder after the rename that lead elsewhere than before."""
    before = _by_file(present.reader.links.rows)
    for path, rows in _by_file(after.reader.links.rows).items():
        old_path = next((old for old, new in renaming.moves.items() if new == path), path)
        for row, old in zip_longest(rows, before.get(old_path, ())):
            if row is None or old is None:
                continue
            expected, found = present.targets.find(old[0], old_path), after.targets.find(row[0], path)
            if expected == renaming.identity:
                expected = renaming.renamed
            elif isinstance(expected, str):
                expected = renaming.moves.get(expected, expected)
            is_same = isinstance(expected, str) or expected is None or found == expected
            if not is_same:
                yield Where(path, row[2], row[3]), row[0]


def _by_file(rows: Sequence[LinkRow]) -> dict[str, list[LinkRow]]:
    found: dict[str, list[LinkRow]] = {}
    for row in sorted(rows, key=lambda row: row[1:4]):
        found.setdefault(row[1], []).append(row)
    return found
