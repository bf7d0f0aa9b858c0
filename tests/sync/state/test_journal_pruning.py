"""Old journals."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from contentsync.content.config import KeepRuns
from contentsync.errors import UsageError
from contentsync.model import Kind
from contentsync.sync import StateDir
from contentsync.sync.state.run_history import list_journals, next_run_name, prune_journals, run_to_undo
from contentsync.sync.state.state_dir import encode_line, file_header

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
def place(tmp_path: Path) -> StateDir:
    return StateDir.of(tmp_path, TARGET.name)


def have(
    place: StateDir,
    number: int,
    day: str = "20260101",
    *,
    wrote: bool = True,
    ended: bool = True,
    undoes: int = 0,
    open_: int = 0,
) -> str:
    """A journal as a run leaves it; its name."""
    name = f"{day}T120000Z-000000-{number}"
    run_effects = {"undoes": f"{day}T120000Z-000000-{undoes}"} if undoes else {}
    lines = [file_header("journal", TARGET, run=name, digest="", **run_effects)]
    lines += [INTENT, RESULT] if wrote else []
    lines += [{"end": "done", "open": open_}] if ended else []
    place.journals.mkdir(parents=True, exist_ok=True)
    (place.journals / f"{name}.jsonl").write_bytes(b"".join(map(encode_line, lines)))
    return name


def left(place: StateDir) -> list[int]:
    """The numbers of the journals that are there."""
    return [int(file.stem.rpartition("-")[2]) for file in list_journals(place)]


def test_journals_that_are_neither_young_nor_among_the_last_are_deleted(place: StateDir) -> None:
    for number in range(1, 7):
        have(place, number)
    prune_journals(place, KEPT, NOW)
    assert left(place) == [4, 5, 6]


def test_a_young_journal_stays_however_many_there_are(place: StateDir) -> None:
    for number in range(1, 7):
        have(place, number, "20261101" if number > 2 else "20261001")
    prune_journals(place, KEPT, NOW)
    assert left(place) == [3, 4, 5, 6]


def test_unless_the_target_says_otherwise_thirty_days_and_fifty_runs_are_kept(place: StateDir) -> None:
    for number in range(1, 61):
        have(place, number)
    prune_journals(place, TARGET, NOW)
    assert left(place) == [*range(11, 61)]


def test_the_journal_of_an_unfinished_run_is_never_deleted(place: StateDir) -> None:
    for number in range(1, 7):
        have(place, number, ended=number != 2)
    prune_journals(place, KEPT, NOW)
    assert left(place) == [2, 4, 5, 6]


def test_the_run_that_undo_would_take_stays_when_all_later_ones_wrote_nothing(place: StateDir) -> None:
    for number in range(1, 9):
        have(place, number, wrote=number <= 3)
    before = run_to_undo(place, TARGET, None)
    prune_journals(place, KEPT, NOW)
    assert left(place) == [3, 4, 5, 6, 7, 8]
    assert run_to_undo(place, TARGET, None).name == before.name


def test_an_undo_that_is_not_complete_keeps_all_that_it_goes_on_with(place: StateDir) -> None:
    for number in (1, 2, 3, 8, 9):
        have(place, number)
    for number in (10, 11, 12, 13):  # each has undone a part of run 3
        have(place, number, undoes=3, open_=1)
    before = run_to_undo(place, TARGET, None)
    prune_journals(place, KEPT, NOW)
    assert left(place) == [3, 8, 9, 10, 11, 12, 13]
    after = run_to_undo(place, TARGET, None)
    assert (after.name, after.steps, after.unfinished_undo) == (before.name, before.steps, before.unfinished_undo)


def test_the_numbers_of_runs_still_only_grow(place: StateDir) -> None:
    none = TARGET.model_copy(update={"keep_runs": KeepRuns(days=0, count=0)})
    for number in range(1, 7):
        have(place, number, wrote=False)
    prune_journals(place, none, NOW)
    assert left(place) == [6]
    assert next_run_name(place, "20261122T000000Z-000000").endswith("-7")


def test_a_file_that_is_no_journal_of_a_run_stays(place: StateDir) -> None:
    for number in range(1, 7):
        have(place, number)
    (place.journals / "kept-by-hand.jsonl").touch()
    prune_journals(place, KEPT, NOW)
    assert list_journals(place)[0].stem == "kept-by-hand"


def test_a_damaged_journal_that_undo_needs_keeps_them_all(place: StateDir) -> None:
    """The run has ended, and `undo` reports the damage."""
    for number in range(1, 7):
        have(place, number)
    list_journals(place)[-1].write_bytes(b"{\n{}\n")
    prune_journals(place, KEPT, NOW)
    assert left(place) == [1, 2, 3, 4, 5, 6]


def test_a_run_whose_journal_was_deleted_cannot_be_undone(place: StateDir) -> None:
    names = [have(place, number) for number in range(1, 7)]
    prune_journals(place, KEPT, NOW)
    with pytest.raises(UsageError) as raised:
        run_to_undo(place, TARGET, names[0])
    assert names[-1] in raised.value.hint
