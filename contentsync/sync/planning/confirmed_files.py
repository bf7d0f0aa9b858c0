"""Confirm by the files what is written to the server and to the state, as far as it comes from the index.

A wrong index may delay a change, but it must not cause one (docs/decisions/0037).
"""

from collections.abc import Collection
from contextlib import suppress

from ...content.files.index_file import delete_index
from ...content.folder.index_use import IndexUse
from ...content.folder.load import Content, load_content
from ...content.pictures.published_names import published_names
from ...errors import Refused
from ...model import EntryKey, Kind
from ..comparing.change import Action
from .plan import Plan


class IndexDiffers(Refused):
    """The files are not as the index has them, or have changed since they were read. The index was deleted."""


def confirm_plan(content: Content, plan: Plan) -> Plan:
    """Return the plan. Raise IndexDiffers if the files give other entries than those that a plan writes or publishes.

    The plan also writes the base. For a delete, a new key or an entry that the base forgets, all files of the kind are
    read: one of them may have the entry that the index lacks.
    """
    if not content.from_index:
        return plan
    keys = {(change.kind, change.key) for change in plan.changes}
    keys.update(applied.identity for applied in plan.base_updates)
    if plan.uploads:
        uploads, base = {file.name for file in plan.uploads}, content.config.store_base or ""
        named = (entry for entry in content.entries if not uploads.isdisjoint(published_names(entry.fields, base)))
        keys.update((entry.kind, entry.key) for entry in named)
    kinds = {kind for kind, _key in plan.base_removals}
    kinds |= {c.kind for c in plan.changes if c.action is Action.DELETE or c.previous_key is not None}
    confirm_entries(content, keys, kinds, plan.left_out)
    return plan


def confirm_entries(
    content: Content, keys: Collection[EntryKey], kinds: Collection[Kind], left_out: Collection[str] = ()
) -> None:
    """Raise IndexDiffers if the files of the entries with these keys, or those of `kinds`, give other entries.

    Only files that were taken from the index are read again. If they differ, the index is deleted. The listings with
    the keys in `left_out` are not compared.
    """
    doubted_units = {
        (entry.kind, entry.source.path) for entry in content.entries if entry.source and (entry.kind, entry.key) in keys
    }
    kinds_of_index = {kind for kind, _path in content.from_index}
    doubts = IndexUse(doubted_units & content.from_index, kinds_of_index & {*kinds})
    if not any(doubts):
        return
    again = load_content(content.folder, index=doubts, single_process=True)
    if _facts(again, left_out) != _facts(content, left_out):
        with suppress(OSError):
            delete_index(content.folder)
        raise IndexDiffers("the files are not as the index has them", "run again: the index was deleted")


def _facts(content: Content, left_out: Collection[str]) -> object:
    """Return what a plan without the listings that are left out is made from."""
    entries = [
        (entry.kind, entry.key, entry.fields, entry.notes, entry.source and entry.source.path)
        for entry in content.entries
        if entry.kind is not Kind.LISTING or entry.key not in left_out
    ]
    return content.config, entries, content.published, bool(content.errors)
