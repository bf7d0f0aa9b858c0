"""What the base says of pulled entries until a sync has found them in the folder.

After a pull, the base has the server's values as applied. If git, or the user, discards them, the folder has the values
of before, and a plan would overwrite the server with them. So until a sync has found the pulled values in the folder,
the base also has each pulled entry as it was before (`BeforePull`), which applies again if the folder has the values of
before (decision 25).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from ...model import Entry, EntryKey, Kind, key_field_of, key_fields
from ..comparing.base import AppliedEntry, Base, BeforePull, Origin
from ..comparing.entry_fields import authored_fields
from ..comparing.fingerprint import digest, sent_fingerprint
from ..comparing.former_keys import is_similar
from ..comparing.matching import Matching

Entries = dict[EntryKey, Entry]


def note_pull(
    updates: Sequence[AppliedEntry],
    base: Base,
    before: Sequence[Entry],
    after: Sequence[Entry],
    earlier: Mapping[EntryKey, BeforePull],
) -> list[AppliedEntry]:
    """Return the records that a pull saves in the base, with `before_pull`: None for entries that no pull has changed.

    These are the `updates`, and the records of `base` that are not updated but have a note in `earlier`. `earlier` has
    the notes of earlier pulls, by key in `base`. They stay, because a checkout of an older commit may discard these
    pulls too. `base` is the settled base; `before` and `after` are the folder's entries before and after this pull.
    """
    by_id: dict[tuple[Kind, int | None], AppliedEntry] = {
        (applied.kind, applied.id): applied for applied in base.values() if applied.id is not None
    }
    folder_before, folder_after = _by_key(before), _by_key(after)
    noted: list[AppliedEntry] = []
    unused_notes = dict(earlier)
    for applied in updates:
        former = by_id.get((applied.kind, applied.id)) or base.get(applied.identity)
        key = applied.identity if former is None else former.identity
        # After a rename on the server, the folder had the entry under the old key, or under the new one already.
        entry = folder_before.get(key) or folder_before.get(applied.identity)
        note = _before_pull(former, entry, folder_after[applied.identity])
        earlier_note = unused_notes.pop(key, None)
        origin: Origin = "pulled" if former is None and entry is None else applied.origin
        noted.append(applied._replace(before_pull=_before_both(earlier_note, note), origin=origin))
    return [*noted, *(base[key]._replace(before_pull=note) for key, note in unused_notes.items())]


def _before_pull(former: AppliedEntry | None, before: Entry | None, after: Entry) -> BeforePull | None:
    """Return a note of an entry as it was before a pull; None if the pull has not changed it.

    `former` is the applied entry before the pull. `before` is None if the pull has added the entry to the folder.
    """
    if before is None:
        return BeforePull(folder=None, applied=former)
    if before.fields == after.fields:
        return None
    old, new = _fingerprints(before), _fingerprints(after)
    old_of_changed = {name: old.get(name, "") for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
    return BeforePull(old_of_changed, former) if old_of_changed else None


def _before_both(earlier: BeforePull | None, later: BeforePull | None) -> BeforePull | None:
    """Return an entry as it was before two pulls, of which one may be None: that pull did not change the entry.

    Of a field that both have changed, the earlier fingerprint counts.
    """
    if earlier is None or later is None:
        return earlier or later
    if earlier.folder is None or later.folder is None:  # the folder did not have the entry
        return BeforePull(folder=None, applied=earlier.applied)
    return BeforePull({**later.folder, **earlier.folder}, earlier.applied)


def settle_pulls(
    base: Base,
    desired: Sequence[Entry],
    actual: Sequence[Entry],
    covers: Callable[[Kind, str], bool],
    renamed_files: Mapping[str, str] | None = None,
    is_excluded: Callable[[AppliedEntry], bool] = lambda applied: False,
) -> Base:
    """Return the base with discarded pulls undone and the other ones confirmed; the same object if there are none.

    A pull of an entry is discarded if the folder has the entry as before the pull. Entries that `covers` does not
    select may have unresolved references, so they stay as they are. `desired`, `actual`, `renamed_files` and
    `is_excluded` are the same as for `make_plan`.
    """
    pulled = {key: applied.before_pull for key, applied in base.items() if applied.before_pull is not None}
    if not pulled:
        return base
    folder = _by_key(desired)
    renamed_back = {key: before for key, before in pulled.items() if _is_renamed_back(key, before, folder)}
    settled = _with_pulls_undone(base, renamed_back)
    # A pulled key of these is no longer in the base, or is there as the former key of another of these.
    undecided = {key: before for key, before in pulled.items() if _is_pulled(settled.get(key))}
    if missing := undecided.keys() - folder.keys():
        matching = Matching(desired, actual, settled, renamed_files, is_excluded)
        folder |= _renamed(missing, desired, matching)  # renamed entries by their key in the base
    discarded: dict[EntryKey, BeforePull] = {}
    confirmed: list[AppliedEntry] = []
    for key, before in undecided.items():
        entry = folder.get(key)
        kind, present_key = key if entry is None else (entry.kind, entry.key)
        if not covers(kind, present_key) or (entry is not None and entry.notes.skip):
            continue
        if _is_discarded(entry, before):
            discarded[key] = before
        else:
            confirmed.append(settled[key]._replace(before_pull=None))
    settled = _with_pulls_undone(settled, discarded).with_updates(confirmed)
    settled.is_saved = False  # the state file differs
    return settled


def _is_discarded(entry: Entry | None, before: BeforePull) -> bool:
    """Return whether the folder has an entry, or one of the fields that a pull changed, as before the pull.

    `entry` is None if the folder does not have it. Then the pull counts as discarded, even if something else has
    removed the entry since.
    """
    if entry is None:
        return True
    if before.folder is None:  # the folder did not have the entry before the pull, and has it now
        return False
    present = _fingerprints(entry)
    if any(present.get(name, "") == old_fingerprint for name, old_fingerprint in before.folder.items()):
        return True
    # The user may have restored the entry as it was at the last sync, without the local changes from before the pull.
    return before.applied is not None and before.applied.digest == digest(entry.fields)


def _is_renamed_back(key: EntryKey, before: BeforePull, folder: Entries) -> bool:
    """Return whether the folder has an entry under its former key again, which a pull replaced by `key`."""
    former = before.applied
    if former is None or former.identity == key or former.identity not in folder:
        return False
    if before.folder is not None and before.folder.keys().isdisjoint(key_fields(key[0])):
        return False  # the pull changed no key: an undo gave the entry this one later
    return key not in folder or digest(folder[former.identity].fields) == former.digest


def _is_pulled(applied: AppliedEntry | None) -> bool:
    return applied is not None and applied.before_pull is not None


def _with_pulls_undone(base: Base, discarded: Mapping[EntryKey, BeforePull]) -> Base:
    """Return the base with the discarded entries as they were before the pull."""
    return base.with_updates((before.applied for before in discarded.values() if before.applied), discarded)


def _by_key(entries: Iterable[Entry]) -> Entries:
    return {(entry.kind, entry.key): entry for entry in entries}


def _renamed(missing: Collection[EntryKey], desired: Iterable[Entry], matching: Matching) -> Entries:
    """Return the folder's entries that are in the base under another key, one of the `missing` ones, by that key.

    Omit entries that are not similar: an unrelated entry may have the name of a discarded one, or an old note of its
    key.
    """
    found: Entries = {}
    for entry in desired:
        applied = matching.find(entry).applied
        if applied is not None and applied.identity in missing:
            present = _fingerprints(entry)
            present.pop(key_field_of(entry), None)  # it differs, as the entry was renamed
            if is_similar(present, applied):
                found[applied.identity] = entry
    return found


def _fingerprints(entry: Entry) -> dict[str, str]:
    """Return the fingerprint of each field of the folder's entry, by dotted name."""
    return {name: sent_fingerprint(entry.kind, name, value) for name, _, value in authored_fields(entry, actual=None)}
