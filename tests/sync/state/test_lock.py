import asyncio
import json
import platform
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from contentsync.errors import Refused, Unwritable
from contentsync.sync import StateDir, TargetLock


@pytest.fixture
def place(tmp_path: Path) -> StateDir:
    return StateDir.of(tmp_path, "local")


def owned(place: StateDir, **changed: Any) -> None:
    """What a run that is no more has left."""
    owner = {"run": "r0", "host": platform.node(), "pid": 1, "user": "ada", "since": "2026-01-15T10:30:00.000000Z"}
    place.lock.mkdir(parents=True)
    (place.lock / "owner.json").write_text(json.dumps(owner | changed))


async def taken(place: StateDir, **options: Any) -> None:
    async with TargetLock(place, "r1", **options) as lock:
        lock.check()


def refused(attempt: Coroutine[Any, Any, None]) -> Refused:
    with pytest.raises(Refused) as raised:
        asyncio.run(attempt)
    return raised.value


def test_a_second_run_is_reported_who_holds_the_lock_and_how_to_take_it(place: StateDir) -> None:
    """CO-05, CO-11"""

    async def both() -> None:
        async with TargetLock(place, "first"):
            await taken(place)

    error = refused(both())
    assert f"on {platform.node()} (process " in error.message
    assert "run first) since 20" in error.message
    assert "--take-lock" in error.hint


def test_a_second_run_may_wait_for_the_first(place: StateDir) -> None:
    """CO-05"""
    order: list[str] = []

    async def first() -> None:
        async with TargetLock(place, "first"):
            order.append("first")
            await asyncio.sleep(0.15)
            order.append("first ends")

    async def second() -> None:
        await asyncio.sleep(0.01)
        async with TargetLock(place, "second", wait=10, waiting=order.append):
            order.append("second")

    async def both() -> None:
        await asyncio.gather(first(), second())

    asyncio.run(both())
    assert order[0] == "first"
    assert order[1].startswith("waiting for ")
    assert order[2:] == ["first ends", "second"]


def test_the_lock_is_free_after_a_run(place: StateDir) -> None:
    asyncio.run(taken(place))
    asyncio.run(taken(place))


def test_what_a_dead_run_of_this_machine_has_left_is_taken_silently(place: StateDir) -> None:
    """CO-11: the process number means nothing, it may be another program's by now."""
    owned(place)
    asyncio.run(taken(place))


def test_what_a_run_on_another_machine_has_left_is_explained(place: StateDir) -> None:
    """CO-11"""
    owned(place, host="elsewhere")
    error = refused(taken(place))
    assert "ada on elsewhere (process 1, run r0) since 2026-01-15T10:30:00.000000Z, " in error.message
    assert " minutes ago" in error.message
    asyncio.run(taken(place, take=True))


def test_an_owner_that_cannot_be_read_is_another_user(place: StateDir) -> None:
    owned(place)
    (place.lock / "owner.json").write_text("{")
    assert "does not name" in refused(taken(place)).message
    asyncio.run(taken(place, take=True))


def test_a_run_notices_that_its_lock_was_taken_over(place: StateDir) -> None:
    """CO-12"""

    async def both() -> None:
        async with TargetLock(place, "first") as first, TargetLock(place, "second", take=True) as second:
            second.check()
            first.check()

    assert "taken over by" in refused(both()).message


def test_a_run_that_has_lost_its_lock_leaves_the_others_alone(place: StateDir) -> None:
    """CO-12"""

    async def both() -> None:
        async with TargetLock(place, "first") as first, TargetLock(place, "second", take=True) as second:
            await first.__aexit__(None, None, None)
            second.check()
            await taken(place)

    assert "run second)" in refused(both()).message


def test_a_lock_that_has_gone_is_not_ours_any_more(place: StateDir) -> None:
    async def without() -> None:
        async with TargetLock(place, "first") as lock:
            (place.lock / "owner.json").unlink()
            lock.check()

    refused(without())


def test_two_targets_have_two_locks(tmp_path: Path) -> None:
    """CO-17"""

    async def both() -> None:
        async with TargetLock(StateDir.of(tmp_path, "one"), "r"), TargetLock(StateDir.of(tmp_path, "two"), "r"):
            pass

    asyncio.run(both())


def test_a_folder_that_cannot_be_written_is_reported_with_the_way_out(tmp_path: Path) -> None:
    """FI-25"""
    (tmp_path / ".contentsync").write_text("a file")
    with pytest.raises(Unwritable) as raised:
        asyncio.run(taken(StateDir.of(tmp_path, "local")))
    assert "--state-dir" in raised.value.hint
