"""The values of the server that an author replaces by others in the folder; not those that follow from something else.

Not replaced by an author are addresses that the config derives or that a rename moves, the references to entries that
the folder no longer has, and what another user has changed on the server.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ...content.formats.draft import BODY_FIELDS, is_html_field
from ...content.links.link_rewriting import without_targets
from ...content.pictures.picture_fields import PICTURE_NAMES
from ...content.pictures.published_names import is_published_name, published_stem
from ...model import RECORDS, Entry, EntryKey, Kind, key_fields
from ..comparing.base import AppliedEntry
from ..comparing.change import Change
from ..comparing.diff import FieldChange
from ..comparing.entry_fields import KEYED_KINDS

_EMPTY: tuple[object, ...] = (None, "", [], {})
# Follow from the body, and from the other entries: one new page at the top gives all others another number.
_FOLLOWING = frozenset({"is_markdown", "order"})
_HASH_LENGTH = 33  # of a published name: a hyphen and the digest


class Update(NamedTuple):
    """An entry in which an author replaces values, by dotted name of the field."""

    entry: Entry
    values: Mapping[str, FieldChange]


def author_updates(changes: Sequence[tuple[Change, AppliedEntry]], desired: Iterable[Entry]) -> list[Update]:
    """Return the managed entries in which authors replace values; `desired` is the whole folder."""
    in_folder = {(entry.kind, entry.key) for entry in desired if entry.kind in KEYED_KINDS} if changes else set()
    updates = (Update(change.entry, _replaced_values(change, applied, in_folder)) for change, applied in changes)
    return [update for update in updates if update.values]


def _replaced_values(change: Change, applied: AppliedEntry, in_folder: Collection[EntryKey]) -> dict[str, FieldChange]:
    """Return the fields, by dotted name, in which an author replaces a non-empty value of the server.

    `in_folder` are the keys of the folder's entries to which others can refer. A field that exchanges references counts
    only if the folder still has an entry that it loses: else the change follows from the delete of that entry.
    """
    return {name: pair for name, pair in change.fields.items() if _is_replaced(name, pair, change, applied, in_folder)}


def is_moved_address(kind: Kind, name: str) -> bool:
    """Return whether the page of an entry moves if a field of it changes."""
    return name == "slug" or name in key_fields(kind)


def _is_replaced(
    name: str, pair: FieldChange, change: Change, applied: AppliedEntry, in_folder: Collection[EntryKey]
) -> bool:
    """Return whether an author replaces the value of a field, as the docstring of this module defines it."""
    old, new = pair
    if old in _EMPTY or new in _EMPTY or name in _FOLLOWING:
        return False
    if name in change.drift and name not in change.conflicts:
        return False
    if is_moved_address(change.kind, name):
        return not _is_noted_move(change, applied)
    referred = RECORDS[change.kind].references.get(name)
    if referred is not None:
        return _has_exchanged(old, new, referred, in_folder)
    if isinstance(old, list) and isinstance(new, list) and name not in PICTURE_NAMES:
        return not all(item in new for item in old)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return not old.items() <= new.items()
    if name.rpartition(".")[2] in PICTURE_NAMES:
        return _file_names(old) != _file_names(new)
    if isinstance(old, str) and isinstance(new, str):
        return not _differs_in_derived_parts(name, old, new, change)
    return True


def _is_noted_move(change: Change, applied: AppliedEntry) -> bool:
    """Return whether the file of an entry was renamed, or its former key is noted, as `mv` does."""
    entry = change.entry
    path = entry.source.path if entry.source else ""
    return path != applied.path or not {applied.key, change.previous_key}.isdisjoint(entry.notes.previous)


def _has_exchanged(old: Any, new: Any, kind: Kind, in_folder: Collection[EntryKey]) -> bool:
    """Return whether references lose an entry that the folder still has, and gain another one."""
    old_keys, new_keys = ({*keys} if isinstance(keys, list) else {keys} for keys in (old, new))
    lost = any((kind, str(key)) in in_folder for key in old_keys - new_keys)
    return lost and bool(new_keys - old_keys)


def _file_names(value: Any) -> list[str]:
    """Return the names of the files at one address or several, without the digests of the asset store."""
    return [_file_name(address) for address in (value if isinstance(value, list) else [value])]


def _file_name(address: Any) -> str:
    name = str(address).partition("?")[0].partition("#")[0].rpartition("/")[2]
    stem = name.rpartition(".")[0]
    return stem[:-_HASH_LENGTH] if is_published_name(name) else published_stem(name)


def _differs_in_derived_parts(name: str, old: str, new: str, change: Change) -> bool:
    """Return whether two texts differ only in the targets of links, and in lines that `[[markdown.replace]]` made."""
    field = name.rpartition(".")[2]
    old_lines, new_lines = old.split("\n"), new.split("\n")
    source = change.entry.source
    if field in BODY_FIELDS and source and len(old_lines) == len(new_lines):
        # To find the lines, the whole file is read again, which may be a table of 100,000 listings.
        replaced = source.form.replaced_lines.get(name, ())
        old, new = ("\n".join(_without(lines, replaced)) for lines in (old_lines, new_lines))
    if old == new:
        return True
    html = is_html_field(change.kind, field)
    return without_targets(old, html=html) == without_targets(new, html=html)


def _without(lines: Iterable[str], replaced: Collection[int]) -> list[str]:
    return [line for number, line in enumerate(lines, 1) if number not in replaced]
