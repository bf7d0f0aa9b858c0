"""Read a folder before and after a rename, and find what the rename would change wrongly (docs/rename.md)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from ...content.config.config import Config
from ...content.files.source_file import FolderView
from ...content.folder.index_use import IndexUse
from ...content.folder.load import Content, load_content
from ...content.formats.draft import Link
from ...errors import Problem, Refused
from ...model import RECORDS, EntryKey, Kind
from ...model.references import map_references
from ..edit.field_edits import changed_fields
from ..edit.folder_index import FolderIndex
from .file_moves import is_document
from .link_targets import LinkTargets
from .renaming import Renaming, moves_of


@dataclass(frozen=True, slots=True)
class FolderState:
    """A folder before or after the rename."""

    content: Content
    files: Mapping[str, EntryKey]  # by path: the entry of a document, or of a translation
    targets: LinkTargets

    @classmethod
    def read(cls, view: FolderView, index: IndexUse | None) -> "FolderState":
        """Read the folder. Writes nothing."""
        return cls.of(load_content(view, index=index, may_break_rules=True))

    @classmethod
    def of(cls, content: Content) -> "FolderState":
        """Return the state of a folder that was read with the entries that break house rules."""
        documents = (entry for entry in content.entries if entry.kind is not Kind.LISTING and is_document(entry))
        keys = {entry.source.path: (entry.kind, entry.key) for entry in documents if entry.source}
        mains = {file.path: unit.files[0].path for unit in content.units for file in unit.files}
        files = {path: keys[main] for path, main in mains.items() if main in keys}
        targets = LinkTargets(content.config, content.entries, files, content.former_addresses)
        return cls(content, files, targets)

    def folder_index(self) -> FolderIndex:
        """Return the files of the folder, which are listed for it."""
        content = self.content
        return FolderIndex(content.folder, content.config, content.rewritten_links, content.published)

    @property
    def errors(self) -> list[Problem]:
        """The errors of the folder, without those of house rules and warning levels, which a rename may repair."""
        return [problem for problem in self.content.problems if problem.breaks_contract]


def refuse_changes(present: FolderState, after: FolderState, renamings: Sequence[Renaming]) -> None:
    """Raise Refused if renames would change a value that is neither the key of an entry nor a reference to it.

    After a merge, the entry is missing, and the one that is left has the values that it takes from it.
    """
    entries_after = {(entry.kind, entry.key): entry for entry in after.content.entries}
    moves = moves_of(renamings)
    new_addresses = _moved_pictures(present.content.config, moves)
    renaming_of = {renaming.identity: renaming for renaming in renamings}
    new_keys = {renaming.identity: renaming.key for renaming in renamings}
    merges = {(merge.survivor.kind, merge.survivor.key): merge for renaming in renamings if (merge := renaming.merge)}
    for entry in present.content.entries:
        identity = entry.kind, entry.key
        renaming = renaming_of.get(identity)
        if renaming and renaming.merge:
            continue
        found = entries_after.get(renaming.renamed if renaming else identity)
        path = entry.source.path if entry.source else ""
        if found is None:
            raise Refused(f"{entry} would not be read from {moves.get(path, path)} any more", "choose another name")
        with_new_key = map_references(entry, lambda kind, key: new_keys.get((kind, key), key))
        expected = {name: _each_once(value, name, entry.kind) for name, value in with_new_key.fields.items()}
        if identity in merges:
            expected = merges[identity].applied_to(expected)
        if renaming:  # its key, and a slug that is made from the name of the file, may change
            new_values = {name: found.fields.get(name) for name in ("slug", renaming.key_field)}
            expected |= {name: value for name, value in new_values.items() if name in expected}
        if changed := changed_fields(expected, found.fields, new_addresses):
            raise Refused(f"{path}: {', '.join(changed)} of {entry} would change too", _hint(changed))
    if len(entries_after) != len(present.content.entries) - len(merges):
        raise Refused("the folder would have other entries than before", "choose another name")


def _each_once(value: Any, name: str, kind: Kind) -> Any:
    """Return a list of references with each of them once, as it is read; any other value itself."""
    return [*dict.fromkeys(value)] if name in RECORDS[kind].references and isinstance(value, list) else value


def _hint(changed: Sequence[str]) -> str:
    if "published_at" in changed:
        return "keep the date in the name of the file, or set published_at in it first"
    return "change the file by hand, in another form, and run again"


def _moved_pictures(config: Config, moves: Mapping[str, str]) -> dict[str, str]:
    """Return the new addresses of files that move, by the old ones; {} with a store, where the folder has no effect."""
    files = config.file_addresses
    addresses = ((files.address(old), files.address(new)) for old, new in moves.items() if not config.publishes)
    return {old: new for old, new in addresses if old and new}


def unchanged_links(present: FolderState, after: FolderState, renamings: Sequence[Renaming]) -> Iterator[Link]:
    """Yield each link that leads to an entry now, but would not after the renames."""
    renamed: dict[object, EntryKey] = {renaming.identity: renaming.renamed for renaming in renamings}
    if any(renaming.merge for renaming in renamings):  # only links to the merged entry lead elsewhere afterwards
        for link in after.content.links:
            merged_into = renamed.get(present.targets.find(link.target, link.path))
            if merged_into and after.targets.find(link.target, link.path) != merged_into:
                yield link
        return
    old_paths = {new: old for old, new in moves_of(renamings).items()}
    links_before = _links_by_file(present.content.links)
    for path, links in _links_by_file(after.content.links).items():
        old_path = old_paths.get(path, path)
        # The rename changes the targets of links only, so the order in a file stays.
        for link, old_link in zip(links, links_before.get(old_path, ()), strict=False):
            entry_or_file = present.targets.find(old_link.target, old_path)
            if entry_or_file is None or isinstance(entry_or_file, str):  # the path of a file that is not an entry
                continue
            if after.targets.find(link.target, path) != renamed.get(entry_or_file, entry_or_file):
                yield link


def _links_by_file(links: Iterable[Link]) -> dict[str, list[Link]]:
    """Return the links by the path of the file, in the order of their locations."""
    by_path: dict[str, list[Link]] = {}
    for link in sorted(links, key=attrgetter("path", "line", "column")):
        by_path.setdefault(link.path, []).append(link)
    return by_path
