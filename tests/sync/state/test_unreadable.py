"""State files that the system does not let a sync read: an error with the path, never an empty state."""

import asyncio
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contentsync.errors import LocalFileError
from contentsync.sync.state.recovery import UnfinishedRuns
from contentsync.sync.state.run_history import list_journals, next_run_name
from contentsync.sync.state.state_dir import StateDir, TargetLock
from contentsync.sync.state.state_file import read_state

from ...permissions import as_no_user
from ..site import TARGET


@pytest.fixture
def state_dir() -> Iterator[StateDir]:
    """Yield a state folder in a folder that every user may read."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # noqa: PTH101
        state_dir = StateDir.for_target(Path(folder), TARGET.name)
        state_dir.journals.mkdir(parents=True)
        state_dir.state.parent.mkdir()
        state_dir.state.touch()
        yield state_dir


def lock(state_dir: StateDir) -> None:
    async def locked() -> None:
        async with TargetLock(state_dir, "run"):
            pass

    asyncio.run(locked())


READERS: dict[str, Callable[[StateDir], object]] = {
    "state": lambda state_dir: read_state(state_dir.state, TARGET),
    "journals": list_journals,
    "number": lambda state_dir: next_run_name(state_dir, "20261121T204204Z-512345"),
    "recovery": lambda state_dir: UnfinishedRuns.read(state_dir, TARGET),
    "lock": lock,
    "links": lambda state_dir: StateDir.for_target(state_dir.root.parent, TARGET.name),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_folder_without_permission_is_an_error_with_the_next_step(
    state_dir: StateDir, read: Callable[[StateDir], object]
) -> None:
    state_dir.root.chmod(0)
    with as_no_user(), pytest.raises(LocalFileError, match="Permission denied") as raised:
        read(state_dir)
    state_dir.root.chmod(0o755)
    assert str(state_dir.root) in raised.value.message
    assert "correct its permissions" in raised.value.hint


def test_unreadable_journals_are_an_error(state_dir: StateDir) -> None:
    """An interrupted run would not be recovered."""
    state_dir.journals.chmod(0o311)
    with as_no_user(), pytest.raises(LocalFileError, match=f"{state_dir.journals} cannot be read: Permission denied"):
        UnfinishedRuns.read(state_dir, TARGET)
    state_dir.journals.chmod(0o755)


def test_a_file_in_place_of_the_journal_folder_is_an_error(state_dir: StateDir) -> None:
    state_dir.journals.rmdir()
    state_dir.journals.touch()
    with pytest.raises(LocalFileError) as raised:
        UnfinishedRuns.read(state_dir, TARGET)
    assert raised.value.hint == "it, or a folder above it, must be a folder: move away the file that is there"


def test_a_lock_with_an_unreadable_owner_stops_the_run(state_dir: StateDir) -> None:
    async def held() -> None:
        async with TargetLock(state_dir, "run") as lock:
            owner = state_dir.lock / "owner.json"
            owner.unlink()
            owner.mkdir()
            lock.check()

    with pytest.raises(LocalFileError, match=r"owner.json cannot be read") as raised:
        asyncio.run(held())
    assert raised.value.hint == "it must be a file: move away the folder that is there"
