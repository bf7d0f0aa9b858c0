"""Renames with `mv` among new entries, deletes, edits and syncs, of a few keys that are used again and again.

Each record stays with its entry, whose title never changes. A new entry may get a new record, or that of a deleted
entry; it never gets the record of another entry that is still there.
"""

from collections.abc import Iterator

from contentsync.content.folder.load import load_content
from contentsync.model import RECORDS, Kind
from contentsync.sync.state.state_dir import StateDir
from contentsync.sync.state.state_file import read_state, write_state

from ..properties.folders import CONFIG
from . import any_kind, content
from .content import FOLDERS, key_of
from .engine import History, Profile
from .server import TARGET
from .steps import sync_with_consent, work

_KINDS = {"pages": Kind.PAGE, "tags": Kind.TAG, "listings": Kind.LISTING}
_PRUNING = 'prune = true\non_drift = "overwrite"\nmax_deletes = { percent = 100, count = 1000 }\n'


def renames(*, has_ids: bool) -> Profile:
    """Return the profile; the base of a commit has no ids."""
    commits = {any_kind.add: 5, any_kind.delete: 2, any_kind.edit: 2}
    return Profile(
        begin=lambda history: _begin(history, has_ids=has_ids),
        steps={
            _rename: 8,
            **{work({act: 1}, (1,), [*_KINDS]): weight for act, weight in commits.items()},
            _sync: 3,
        },
        oracles=(_records_stay_with_their_entries,),
        last=(_sync,),
        length=(25, 35),
        names=("aa", "bb", "cc", "dd"),
        seeds=500,
    )


def _begin(history: History, *, has_ids: bool) -> str:
    history.notes |= {"has_ids": has_ids, "ids": {}}
    history.configure(CONFIG, _PRUNING)
    content.write(
        {**{folder: [] for folder in FOLDERS}, "categories": [{"slug": "kept", "title": "Kept"}]}, history.folder
    )
    history.commit("first")
    return _sync(history)


def _rename(history: History) -> str:
    folder, kind = history.dice.choice([*_KINDS.items()])
    entries = content.read(history.folder)[folder]
    new = history.draw.key({key_of(entry, folder) for entry in entries})
    if not entries or not new:
        return ""
    old = key_of(history.dice.choice(entries), folder)
    history.run("mv", f"{kind}/{old}", new, "--yes")
    return f"mv {kind}/{old} {new}"


def _sync(history: History) -> str:
    if not history.notes["has_ids"]:
        _remove_ids(history)
    sync_with_consent(history)
    return "sync"


def _remove_ids(history: History) -> None:
    """Leave what a commit knows as the base."""
    target = load_content(history.folder).config.targets[TARGET]
    file = StateDir.for_target(history.folder, TARGET).state
    base = read_state(file, target)
    if base.is_known:
        write_state(file, (applied._replace(id=None, created=None) for applied in base.values()), target)


def _records_stay_with_their_entries(history: History) -> Iterator[str]:
    if history.story[-1] != "sync":
        return
    site, records, known = content.read(history.folder), history.server.records(), history.notes["ids"]
    for folder, kind in _KINDS.items():
        title = RECORDS[kind].title_field
        wanted = {entry[title]: key_of(entry, folder) for entry in site[folder]}
        found = {record.value(title): (key, record.id) for (of, key), record in records.items() if of is kind}
        if (keys := {name: key for name, (key, _) in found.items()}) != wanted:
            yield f"another entry: {folder} {keys}, not {wanted}"
            continue
        old = {name: number for (of, name), number in known.items() if of == folder and name in wanted}
        moved = {name: (number, found[name][1]) for name, number in old.items() if number != found[name][1]}
        if moved:
            yield f"another record: {folder} {moved}"
        new = {found[name][1] for name in wanted if name not in old}
        if taken := new & set(old.values()):
            yield f"a record was taken from its entry: {folder} {taken}"
        known |= {(folder, name): found[name][1] for name in wanted}
