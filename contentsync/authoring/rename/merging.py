"""Plan the merge of an entry into another one of its kind: whose values stay, and what both files have then.

To the references and links of other entries, it is a rename: to the key of an entry that exists (docs/rename.md).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

from ...content.links.former_addresses import EntryAddresses
from ...errors import Refused, join_first
from ...model import RECORDS, Entry
from ...model.named_fields import is_filled
from ..edit.collection_edits import FileChanges, edit_list
from ..edit.document_edits import delete_document, edit_document
from ..edit.file_edits import FileEdit, Refusals, RemoteChanges
from ..edit.folder_index import FolderIndex
from ..edit.new_names import NewNames, find_new_names
from .file_moves import is_document
from .renaming import MERGEABLE, Merge, Renaming

Keep = Literal["", "first", "second"]

MAX_CONFLICTS = 5  # fields in a message


def find_merge(
    index: FolderIndex,
    entries: Sequence[Entry],
    addresses: Iterable[EntryAddresses],
    first: Entry,
    survivor: Entry,
    keep: Keep,
) -> Renaming:
    """Return the renaming that merges the entry `first` into `survivor`; `addresses` are those of all entries.

    `keep` says whose values win. Raises Refused without it if `first` sets a value that `survivor` does not have, and
    for entries that cannot be merged.
    """
    if first.kind not in MERGEABLE:
        hint = "move what you need to the other one by hand, and delete this one"
        raise Refused(f"mv --merge is for tags, categories and organizers, and {first} is none of them", hint)
    for key, path, _permalinks, former in addresses:
        if former and key == (first.kind, first.key):
            message = f"{path} has former addresses that the merge would lose, such as {former[0][0]}"
            raise Refused(message, f"move them to {survivor} first")
    if first.key in survivor.notes.previous:
        message = (
            f"sync.previous of {survivor} names '{first.key}', so a sync could take its record for that of {first}"
        )
        raise Refused(message, "sync first, then remove it there: the merge notes it in sync.merged")
    fields = _fields_to_take(first, survivor, keep)
    files = _target_files(index, first, survivor) if is_document(first) else {}
    title_field = RECORDS[first.kind].title_field
    title = str(fields.get(title_field) or survivor.fields.get(title_field) or "")
    merge = Merge(survivor, fields, files, _names(entries, first, survivor, title))
    return Renaming(first, survivor.key, written=None, moves={}, merge=merge)


def _fields_to_take(first: Entry, survivor: Entry, keep: Keep) -> dict[str, Any]:
    """Return the values of `first` that `survivor` gets, by dotted name. Raise Refused for a conflict without `keep`.

    A value that only one of them sets is kept. The title is no conflict: the command names the entry that is left.
    """
    title_field = RECORDS[first.kind].title_field
    present = dict(_values(survivor))
    defaults = {name: rule.default for name, rule in RECORDS[first.kind].rules().items()}
    conflicts: dict[str, Any] = {}
    for name, value in _values(first):
        default = defaults.get(name)
        is_survivor = RECORDS[first.kind].references.get(name) is first.kind and value == survivor.key
        if is_filled(value) and value != default and value != present.get(name, default) and not is_survivor:
            conflicts[name] = value
    if not keep:
        if named := [name for name in conflicts if name != title_field]:
            names = join_first(named, MAX_CONFLICTS)
            hint = "choose whose values win with --keep first or --keep second; values of only one of them stay"
            raise Refused(f"{first} has values that {survivor} does not have: {names}", hint)
        return {}
    if keep == "first":
        return conflicts
    return {name: value for name, value in conflicts.items() if not is_filled(present.get(name, defaults.get(name)))}


def _values(entry: Entry) -> Iterator[tuple[str, Any]]:
    """Yield the fields of an entry without its slug; of `translations`, each text of each language."""
    for name, value in entry.fields.items():
        if name == "translations":
            for locale, texts in value.items():
                yield from ((f"{name}.{locale}.{text}", inner) for text, inner in (texts or {}).items())
        elif name != RECORDS[entry.kind].key_field:
            yield name, value


def _target_files(index: FolderIndex, first: Entry, survivor: Entry) -> dict[str, str]:
    """Return the file of `survivor` for each file of `first`: in the same language if there is one."""
    path, target = (entry.source.path if entry.source else "" for entry in (first, survivor))
    translations = index.translation_files(target)
    files = {path: target}
    for locale, file in index.translation_files(path).items():
        files[file.path] = translations[locale].path if locale in translations else target
    return files


def _names(entries: Sequence[Entry], first: Entry, survivor: Entry, title: str) -> NewNames:
    """Return the new names of both entries in references; `title` is that of `survivor` after the merge."""
    kind, record = first.kind, RECORDS[first.kind]
    changes = {
        (kind, first.key): {record.key_field: survivor.key, record.title_field: title},
        (kind, survivor.key): {record.title_field: title},
    }
    names = find_new_names(entries, RemoteChanges(changes, (), dict.fromkeys(changes, survivor), ()))
    is_key = any(entry.kind is kind and entry.key == title for entry in entries)
    same = {(kind, survivor.key)} if is_key else {(kind, survivor.key), (kind, title)}
    return replace(names, once=frozenset(same))


def merge_entries(index: FolderIndex, renaming: Renaming, merge: Merge) -> list[FileEdit]:
    """Return the edits that remove the merged entry, and write its values and its key into the entry that is left.

    `index.read_bytes` has the new references and links. Raises Refused if a file cannot be changed in place.
    """
    first, survivor = renaming.entry, merge.survivor
    fields = {**merge.fields, "sync.merged": [*renaming.merged]}
    with Refusals({}) as refusals:
        if is_document(first):
            return [*edit_document(index, survivor, fields, survivor), *delete_document(index, first)]
        by_path: dict[str, FileChanges] = {}
        for entry in (survivor, first):
            changes = by_path.setdefault(entry.source.path if entry.source else "", FileChanges([], [], []))
            if entry is survivor:
                changes.changed.append((survivor, fields))
            else:
                changes.removed.append(first)
        return [edit_list(index, path, changes, refusals) for path, changes in by_path.items()]
