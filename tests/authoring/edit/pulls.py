"""Pulls into a folder that is written from a dict, as shared helpers."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from contentsync.authoring.edit.file_edits import RemoteChanges
from contentsync.authoring.edit.pull_edits import plan_edits
from contentsync.content.folder.load import Content, load_content
from contentsync.file_writes import swap_files
from contentsync.model import Entry, Kind

from ...content.conftest import Files, write

Changes = Mapping[tuple[Kind, str], Mapping[str, Any]]


def incoming(content: Content, changes: Changes, new: Iterable[Entry], actual: Iterable[Entry]) -> RemoteChanges:
    """Return the server's values: those of the folder with the changes applied."""
    there = {}
    for entry in content.entries:
        identity = entry.kind, entry.key
        flat = {name: value for name, value in changes.get(identity, {}).items() if "." not in name}
        there[identity] = Entry(entry.kind, entry.key, {**entry.fields, **flat}, id=1)
    new = list(new)
    return RemoteChanges(changes, new, there, [*there.values(), *new, *actual])


def pulled(
    folder: Path, files: Files, changes: Changes | None = None, new: Iterable[Entry] = (), actual: Iterable[Entry] = ()
) -> dict[str, str]:
    """Return the texts of the files that a pull writes into the folder, which is valid before and after."""
    content = load_content(write(folder, files))
    assert not content.errors, content.errors
    edits = plan_edits(content, incoming(content, changes or {}, new, actual))
    swap_files(folder, {edit.location: (edit.before, edit.after) for edit in edits})
    after = load_content(folder)
    assert not after.errors, after.errors
    return {edit.path: edit.after.decode() for edit in edits if edit.after is not None}


def entry(kind: Kind, key: str, **fields: Any) -> Entry:
    """Return an entry as the server has it."""
    named = {Kind.ORGANIZER: "name", Kind.LISTING: "name", Kind.CUSTOM_FIELD: "label"}
    own = {"name" if kind is Kind.CUSTOM_FIELD else "slug": key, named.get(kind, "title"): "Title"}
    return Entry(kind, key, {**own, **fields}, id=7)
