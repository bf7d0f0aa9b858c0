"""contentsync.sync.state.state_dir: where a sync stores its state, and the lock that one run at a time has."""

import asyncio
import json
import os
import platform
import subprocess
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from contentsync.errors import Refused, Unwritable
from contentsync.sync.state.state_dir import StateDir, TargetLock, running_owner


@pytest.mark.parametrize(
    "link", [".contentsync", ".contentsync/lock", ".contentsync/cache/server", ".contentsync/state/production.jsonl"]
)
def test_state_is_not_written_through_a_link(tmp_path: Path, link: str) -> None:
    """FI-14: a commit can contain a link, for example to the folder of the hooks."""
    (tmp_path / "elsewhere").mkdir()
    folder = tmp_path / "site"
    (folder / link).parent.mkdir(parents=True)
    (folder / link).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="is a link"):
        StateDir.for_target(folder, "production")
    assert StateDir.for_target(folder, "production", tmp_path / "kept").root.parent == tmp_path / "kept"


def test_a_folder_reached_through_a_link_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "site/.contentsync/lock").mkdir(parents=True)
    (tmp_path / "link").symlink_to("site")
    assert StateDir.for_target(tmp_path / "link", "production").root == tmp_path / "link/.contentsync"


@pytest.fixture
def state_dir(tmp_path: Path) -> StateDir:
    return StateDir.for_target(tmp_path, "local")


def owned(state_dir: StateDir, **changed: Any) -> None:
    """Create the lock of a run that has ended."""
    owner = {"run": "r0", "host": platform.node(), "pid": 1, "user": "ada", "since": "2026-01-15T10:30:00.000000Z"}
    state_dir.lock.mkdir(parents=True)
    (state_dir.lock / "owner.json").write_text(json.dumps(owner | changed))


async def taken(state_dir: StateDir, **options: Any) -> None:
    """Take the lock of a target, check it, and release it."""
    async with TargetLock(state_dir, "r1", **options) as lock:
        lock.check()


def refused(attempt: Coroutine[Any, Any, None]) -> Refused:
    with pytest.raises(Refused) as raised:
        asyncio.run(attempt)
    return raised.value


def test_a_second_run_reports_the_owner_of_the_lock(state_dir: StateDir) -> None:
    """CO-05, CO-11"""

    async def both() -> None:
        async with TargetLock(state_dir, "first"):
            await taken(state_dir)

    error = refused(both())
    assert f"on {platform.node()} (process " in error.message
    assert "run first) since 20" in error.message
    assert "--take-lock" in error.hint


def test_a_second_run_can_wait_for_the_first(state_dir: StateDir) -> None:
    """CO-05"""
    order: list[str] = []

    async def first() -> None:
        async with TargetLock(state_dir, "first"):
            order.append("first")
            await asyncio.sleep(0.15)
            order.append("first ends")

    async def second() -> None:
        await asyncio.sleep(0.01)
        async with TargetLock(state_dir, "second", wait=10, on_wait=order.append):
            order.append("second")

    async def both() -> None:
        await asyncio.gather(first(), second())

    asyncio.run(both())
    assert order[0] == "first"
    assert order[1].startswith("waiting for ")
    assert order[2:] == ["first ends", "second"]


def test_the_lock_is_released_after_a_run(state_dir: StateDir) -> None:
    asyncio.run(taken(state_dir))
    asyncio.run(taken(state_dir))


def test_the_lock_of_a_dead_local_run_is_taken_over(state_dir: StateDir) -> None:
    """CO-11: the process number proves nothing, because another program may have it by now."""
    owned(state_dir)
    asyncio.run(taken(state_dir))


def test_the_lock_of_a_run_on_another_machine_is_explained(state_dir: StateDir) -> None:
    """CO-11"""
    owned(state_dir, host="elsewhere")
    error = refused(taken(state_dir))
    assert "ada on elsewhere (process 1, run r0) since 2026-01-15T10:30:00.000000Z, " in error.message
    assert " minutes ago" in error.message
    asyncio.run(taken(state_dir, take=True))


def test_a_lock_with_an_unreadable_owner_is_refused(state_dir: StateDir) -> None:
    owned(state_dir)
    (state_dir.lock / "owner.json").write_text("{")
    assert "does not name" in refused(taken(state_dir)).message
    asyncio.run(taken(state_dir, take=True))


def test_a_run_detects_that_its_lock_was_taken_over(state_dir: StateDir) -> None:
    """CO-12"""

    async def both() -> None:
        async with TargetLock(state_dir, "first") as first, TargetLock(state_dir, "second", take=True) as second:
            second.check()
            first.check()

    assert "taken over by" in refused(both()).message


def test_a_run_that_lost_its_lock_does_not_release_it(state_dir: StateDir) -> None:
    """CO-12"""

    async def both() -> None:
        async with TargetLock(state_dir, "first") as first, TargetLock(state_dir, "second", take=True) as second:
            await first.__aexit__(None, None, None)
            second.check()
            await taken(state_dir)

    assert "run second)" in refused(both()).message


def test_a_run_detects_that_its_lock_was_deleted(state_dir: StateDir) -> None:
    async def without() -> None:
        async with TargetLock(state_dir, "first") as lock:
            (state_dir.lock / "owner.json").unlink()
            lock.check()

    refused(without())


def test_two_targets_have_separate_locks(tmp_path: Path) -> None:
    """CO-17"""

    async def both() -> None:
        async with (
            TargetLock(StateDir.for_target(tmp_path, "one"), "r"),
            TargetLock(StateDir.for_target(tmp_path, "two"), "r"),
        ):
            pass

    asyncio.run(both())


def test_an_unwritable_folder_suggests_another_state_folder(tmp_path: Path) -> None:
    """FI-25"""
    (tmp_path / ".contentsync").write_text("a file")
    with pytest.raises(Unwritable) as raised:
        asyncio.run(taken(StateDir.for_target(tmp_path, "local")))
    assert "--state-dir" in raised.value.hint


def owned_by(state_dir: StateDir, pid: int, host: str) -> None:
    state_dir.lock.mkdir(parents=True, exist_ok=True)
    owner = {"run": "r1", "host": host, "pid": pid, "user": "ada", "since": "2026-03-01T12:00:00Z"}
    (state_dir.lock / "owner.json").write_text(json.dumps(owner), encoding="utf-8")


def test_a_running_process_is_named_as_the_owner(state_dir: StateDir) -> None:
    assert running_owner(state_dir) is None
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        owned_by(state_dir, other.pid, platform.node())
        assert f"ada on {platform.node()} (process {other.pid}, run r1)" in str(running_owner(state_dir))
        other.communicate(b"\n")
    assert running_owner(state_dir) is None  # the process has ended


def test_this_process_or_a_damaged_owner_file_is_no_running_owner(state_dir: StateDir) -> None:
    owned_by(state_dir, os.getpid(), platform.node())
    assert running_owner(state_dir) is None
    (state_dir.lock / "owner.json").write_bytes(b"{")
    assert running_owner(state_dir) is None


def test_an_owner_on_another_machine_may_be_running(state_dir: StateDir) -> None:
    owned_by(state_dir, 1, "another.example")
    assert "another.example" in str(running_owner(state_dir))
