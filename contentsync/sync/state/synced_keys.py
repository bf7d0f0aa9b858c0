"""Whether a sync may have seen an entry under its key, which another entry names as its former one."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from ...content.config import Target
from ...errors import ContentsyncError
from ...model import Entry
from ..comparing.matching import Matching
from .recovery import UnfinishedRuns
from .state_dir import StateDir
from .state_file import read_state


def may_be_synced(folder: Path, targets: Iterable[Target], entries: Sequence[Entry], entry: Entry) -> bool:
    """Return False if no target has an entry of the folder under its key: the record with the key is another entry's.

    Return True if a target has no complete base here, as after a sync in CI or an interrupted run.
    """
    return any(_may_target_have(folder, target, entries, entry) for target in targets)


def _may_target_have(folder: Path, target: Target, entries: Sequence[Entry], entry: Entry) -> bool:
    """Return whether the target's base has the entry under its key, or there is no complete base here."""
    try:
        state_dir = StateDir.for_target(folder, target.name)
        base = read_state(state_dir.state, target)
        if not base.is_known or UnfinishedRuns.read(state_dir, target):
            return True
    except ContentsyncError:
        return True
    # Match the entries as if the server had exactly what was applied.
    records = [
        Entry(applied.kind, applied.key, {}, id=applied.id, created=applied.created) for applied in base.values()
    ]
    applied = Matching(entries, records, base).find(entry).applied
    return applied is not None and applied.identity == (entry.kind, entry.key)
