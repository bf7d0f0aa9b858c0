"""Confirm by the files what was taken from the index, before anything is written that depends on it.

A wrong index may delay a change, but it must not cause one (docs/decisions/0037).
"""

from collections.abc import Collection
from contextlib import suppress

from ...errors import Refused
from ...model import EntryKey, Kind
from ..files.index_file import delete_index
from .index_use import IndexUse
from .load import Content, load_content


class IndexDiffers(Refused):
    """The files are not as the index has them, or have changed since they were read. The index was deleted."""


def confirm_files(content: Content, paths: Collection[str]) -> None:
    """Raise IndexDiffers, as `confirm_entries` does, if the files at these paths give other entries."""
    units = (unit for unit in content.units if not unit.paths.isdisjoint(paths)) if content.from_index else ()
    _confirm(content, IndexUse({unit.ref for unit in units} & content.from_index, is_read_only=True))


def confirm_entries(
    content: Content, keys: Collection[EntryKey], kinds: Collection[Kind], left_out: Collection[EntryKey] = ()
) -> None:
    """Raise IndexDiffers if the files of the entries with these keys, or those of `kinds`, give other entries.

    Only files that were taken from the index are read again. If they differ, the index is deleted. The entries in
    `left_out` are not compared.
    """
    units = {
        (entry.kind, entry.source.path) for entry in content.entries if entry.source and (entry.kind, entry.key) in keys
    }
    kinds_of_index = {kind for kind, _path in content.from_index}
    _confirm(content, IndexUse(units & content.from_index, kinds_of_index & {*kinds}, is_read_only=True), left_out)


def _confirm(content: Content, doubts: IndexUse, left_out: Collection[EntryKey] = ()) -> None:
    if not (doubts.doubted_units or doubts.doubted_kinds):
        return
    again = load_content(content.folder, index=doubts, single_process=True, may_break_rules=True)
    if _facts(again, left_out) != _facts(content, left_out):
        with suppress(OSError):
            delete_index(content.folder)
        raise IndexDiffers("the files are not as the index has them", "run again: the index was deleted")


def _facts(content: Content, left_out: Collection[EntryKey]) -> object:
    """Return what a plan without the entries that are left out is made from."""
    entries = [
        (entry.kind, entry.key, entry.fields, entry.notes, entry.source and entry.source.path)
        for entry in content.entries
        if (entry.kind, entry.key) not in left_out
    ]
    return content.config, entries, content.published, bool(content.errors)
