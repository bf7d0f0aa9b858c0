"""What a sync remembers, where the system does not let it be read: an error with the path, never an empty memory."""

import asyncio
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contentsync.errors import Unwritable
from contentsync.sync import StateDir, TargetLock, read_state
from contentsync.sync.state.recovery import UnfinishedRuns
from contentsync.sync.state.run_history import list_journals, next_run_name

from ...permissions import as_no_user
from ..site import TARGET


@pytest.fixture
def place() -> Iterator[StateDir]:
    """In a folder that every user may look into."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # noqa: PTH101
        place = StateDir.of(Path(folder), TARGET.name)
        place.journals.mkdir(parents=True)
        place.state.parent.mkdir()
        place.state.touch()
        yield place


def lock(place: StateDir) -> None:
    async def locked() -> None:
        async with TargetLock(place, "run"):
            pass

    asyncio.run(locked())


READERS: dict[str, Callable[[StateDir], object]] = {
    "state": lambda place: read_state(place.state, TARGET),
    "journals": list_journals,
    "number": lambda place: next_run_name(place, "20261121T204204Z-512345"),
    "recovery": lambda place: UnfinishedRuns.of(place, TARGET),
    "lock": lock,
    "links": lambda place: StateDir.of(place.root.parent, TARGET.name),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_folder_without_permission_is_an_error_with_the_next_step(
    place: StateDir, read: Callable[[StateDir], object]
) -> None:
    place.root.chmod(0)
    with as_no_user(), pytest.raises(Unwritable, match="Permission denied") as raised:
        read(place)
    place.root.chmod(0o755)
    assert str(place.root) in raised.value.message
    assert "correct its permissions" in raised.value.hint


def test_journals_that_may_not_be_listed_are_not_taken_for_none(place: StateDir) -> None:
    """A run that was cut off would be forgotten."""
    place.journals.chmod(0o311)
    with as_no_user(), pytest.raises(Unwritable, match=f"{place.journals} cannot be read: Permission denied"):
        UnfinishedRuns.of(place, TARGET)
    place.journals.chmod(0o755)


def test_a_file_in_the_place_of_the_journals_is_an_error(place: StateDir) -> None:
    place.journals.rmdir()
    place.journals.touch()
    with pytest.raises(Unwritable) as raised:
        UnfinishedRuns.of(place, TARGET)
    assert raised.value.hint == "it, or a folder above it, must be a folder: move away the file that is there"


def test_a_lock_whose_owner_cannot_be_read_stops_the_run_before_its_next_write(place: StateDir) -> None:
    async def held() -> None:
        async with TargetLock(place, "run") as lock:
            owner = place.lock / "owner.json"
            owner.unlink()
            owner.mkdir()
            lock.check()

    with pytest.raises(Unwritable, match=r"owner.json cannot be read") as raised:
        asyncio.run(held())
    assert raised.value.hint == "it must be a file: move away the folder that is there"
