"""Old journals."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from contentsync.content.config.config_tables import KeepRuns
from contentsync.errors import UsageError
from contentsync.model import Kind
from contentsync.sync.state.run_history import find_run_to_undo, list_journals, next_run_name, prune_journals
from contentsync.sync.state.state_dir import StateDir
from contentsync.sync.state.state_file import encode_line, file_header

from ..site import TARGET

NOW = datetime(2026, 11, 22, tzinfo=UTC)
KEPT = TARGET.model_copy(update={"keep_runs": KeepRuns(days=30, count=3)})

INTENT = {
    "intent": 1,
    "action": "create",
    "kind": Kind.PAGE,
    "key": "a",
    "id": None,
    "previous": None,
    "before": None,
    "fields": {},
    "base": None,
    "applied": None,
    "foreign": False,
    "lost": [],
    "ids": {},
}
RESULT = {"result": 1, "status": "done", "applied": None, "error": "", "found": False, "before": None}


@pytest.fixture
def state_dir(tmp_path: Path) -> StateDir:
    return StateDir.for_target(tmp_path, TARGET.name)


def have(
    state_dir: StateDir,
    number: int,
    day: str = "20260101",
    *,
    wrote: bool = True,
    ended: bool = True,
    undoes: int = 0,
    open_: int = 0,
) -> str:
    """Create a journal as a run leaves it, and return its name."""
    name = f"{day}T120000Z-000000-{number}"
    undone = {"undoes": f"{day}T120000Z-000000-{undoes}"} if undoes else {}
    lines = [file_header("journal", TARGET, run=name, digest="", **undone)]
    lines += [INTENT, RESULT] if wrote else []
    lines += [{"end": "done", "open": open_}] if ended else []
    state_dir.journals.mkdir(parents=True, exist_ok=True)
    (state_dir.journals / f"{name}.jsonl").write_bytes(b"".join(map(encode_line, lines)))
    return name


def left(state_dir: StateDir) -> list[int]:
    """Return the numbers of the journals that are there."""
    return [int(file.stem.rpartition("-")[2]) for file in list_journals(state_dir)]


def test_old_journals_beyond_the_last_ones_are_deleted(state_dir: StateDir) -> None:
    for number in range(1, 7):
        have(state_dir, number)
    prune_journals(state_dir, KEPT, NOW)
    assert left(state_dir) == [4, 5, 6]


def test_a_recent_journal_is_kept_regardless_of_the_number(state_dir: StateDir) -> None:
    for number in range(1, 7):
        have(state_dir, number, "20261101" if number > 2 else "20261001")
    prune_journals(state_dir, KEPT, NOW)
    assert left(state_dir) == [3, 4, 5, 6]


def test_the_defaults_keep_thirty_days_and_fifty_runs(state_dir: StateDir) -> None:
    for number in range(1, 61):
        have(state_dir, number)
    prune_journals(state_dir, TARGET, NOW)
    assert left(state_dir) == [*range(11, 61)]


def test_the_journal_of_an_unfinished_run_is_never_deleted(state_dir: StateDir) -> None:
    for number in range(1, 7):
        have(state_dir, number, ended=number != 2)
    prune_journals(state_dir, KEPT, NOW)
    assert left(state_dir) == [2, 4, 5, 6]


def test_the_run_that_undo_would_revert_is_kept(state_dir: StateDir) -> None:
    for number in range(1, 9):
        have(state_dir, number, wrote=number <= 3)
    before = find_run_to_undo(state_dir, TARGET, None)
    prune_journals(state_dir, KEPT, NOW)
    assert left(state_dir) == [3, 4, 5, 6, 7, 8]
    assert find_run_to_undo(state_dir, TARGET, None).name == before.name


def test_an_incomplete_undo_keeps_all_journals_that_it_needs(state_dir: StateDir) -> None:
    for number in (1, 2, 3, 8, 9):
        have(state_dir, number)
    for number in (10, 11, 12, 13):  # each has undone a part of run 3
        have(state_dir, number, undoes=3, open_=1)
    before = find_run_to_undo(state_dir, TARGET, None)
    prune_journals(state_dir, KEPT, NOW)
    assert left(state_dir) == [3, 8, 9, 10, 11, 12, 13]
    after = find_run_to_undo(state_dir, TARGET, None)
    assert (after.name, after.steps, after.unfinished_undo) == (before.name, before.steps, before.unfinished_undo)


def test_run_numbers_still_increase_after_pruning(state_dir: StateDir) -> None:
    none = TARGET.model_copy(update={"keep_runs": KeepRuns(days=0, count=0)})
    for number in range(1, 7):
        have(state_dir, number, wrote=False)
    prune_journals(state_dir, none, NOW)
    assert left(state_dir) == [6]
    assert next_run_name(state_dir, "20261122T000000Z-000000").endswith("-7")


def test_a_file_that_is_not_the_journal_of_a_run_is_kept(state_dir: StateDir) -> None:
    for number in range(1, 7):
        have(state_dir, number)
    (state_dir.journals / "kept-by-hand.jsonl").touch()
    prune_journals(state_dir, KEPT, NOW)
    assert list_journals(state_dir)[0].stem == "kept-by-hand"


def test_a_damaged_journal_that_undo_needs_keeps_all_journals(state_dir: StateDir) -> None:
    """The run has ended, and `undo` reports the damage."""
    for number in range(1, 7):
        have(state_dir, number)
    list_journals(state_dir)[-1].write_bytes(b"{\n{}\n")
    prune_journals(state_dir, KEPT, NOW)
    assert left(state_dir) == [1, 2, 3, 4, 5, 6]


def test_a_run_whose_journal_was_deleted_cannot_be_undone(state_dir: StateDir) -> None:
    names = [have(state_dir, number) for number in range(1, 7)]
    prune_journals(state_dir, KEPT, NOW)
    with pytest.raises(UsageError) as raised:
        find_run_to_undo(state_dir, TARGET, names[0])
    assert names[-1] in raised.value.hint
