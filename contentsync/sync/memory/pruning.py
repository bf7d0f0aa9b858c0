"""Old journals of a target, which are deleted once no command needs them."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ...content.config import Target
from ...errors import ContentsyncError, UsageError
from .place import Place
from .runs import has_end, journals_of, run_to_undo, started_at


def prune_journals(place: Place, target: Target, now: datetime) -> None:
    """Delete the journals of runs that are neither recent nor among the last ones, as the target's `keep_runs` says.

    Call it under the lock of the target, after a run. The journal of an unfinished run stays, and so do the last one,
    whose number the next run counts from, and everything that `undo` would read. Where that is not known, or a file
    cannot be deleted, the journals stay: a sync must not fail because of them.
    """
    with suppress(ContentsyncError, OSError):
        files = journals_of(place)
        oldest = now - timedelta(days=target.keep_runs.days)
        old = [file for file in files[: -max(1, target.keep_runs.count)] if _is_older(file, oldest)]
        if not old:
            return
        needed = _needed_by_undo(files, place, target)
        for file in old:
            if file not in needed and has_end(file):
                file.unlink()


def _is_older(file: Path, moment: datetime) -> bool:
    """Return whether a run started before a moment; False for a file whose name has no time."""
    started = started_at(file.stem)
    return started is not None and started.replace(tzinfo=UTC) < moment


def _needed_by_undo(files: Sequence[Path], place: Place, target: Target) -> Sequence[Path]:
    """Return the journals from the first one on that `undo` without a name would read."""
    try:
        run = run_to_undo(place, target, None)
    except UsageError:  # no run has written anything
        return ()
    return files[min(files.index(file) for file in run.journals) :]
