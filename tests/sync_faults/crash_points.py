"""Syncs that die, and the one more run that has to make good for each (PL-10)."""

import os
import random
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..forked import CONTEXT, become_command
from ..in_process import environment, run_command
from .killable import Ended, run_killable
from .stage import Stage
from .workspace import TARGET, Checkout, Workspace

KILLED = -signal.SIGKILL


def synced(workspace: Checkout) -> None:
    """One whole run of the command, which must succeed."""
    assert not [*_ended_well(workspace, arguments(workspace.folder))]


def moments(workspace: Workspace) -> tuple[str, ...]:
    """The moments at which a run can die."""
    workspace.reset()
    return _sync(workspace).moments


def crash_at_point(workspace: Workspace, moment: int) -> Iterator[str]:
    """Yield the faults after a run that dies at a moment (from 1), and after one more."""
    workspace.reset()
    ended = _sync(workspace, crash_at=moment)
    if ended.code != KILLED:  # requests that are in flight together come in any order, so there may be fewer moments
        yield from _failed(ended.code, ended.said)
    yield from workspace.judge.disturbed(workspace.records(), ())
    yield from _recovers(workspace)


@dataclass(frozen=True)
class Killing:
    """When a process is killed: some time after the service has got so many requests."""

    requests: int
    seconds: float

    @classmethod
    def drawn(cls, chance: random.Random, requests: int) -> "Killing":
        return cls(chance.randint(1, requests), chance.uniform(0, 0.02))


def kill(workspace: Workspace, stage: Stage, killing: Killing) -> Iterator[str]:
    """Yield the faults after the command is killed from outside, and after one more run."""
    workspace.reset()
    stage.requests = 0
    lived = (arguments(workspace.folder), {**os.environ, **workspace.environ}, str(Path.cwd()), os.devnull, os.devnull)
    process = CONTEXT.Process(target=become_command, args=lived)
    process.start()
    while process.is_alive() and stage.requests < killing.requests:
        time.sleep(0.001)
    time.sleep(killing.seconds)
    process.kill()
    process.join()
    yield from workspace.judge.disturbed(workspace.records(), ())
    yield from _recovers(workspace)


def _recovers(workspace: Workspace) -> Iterator[str]:
    yield from _ended_well(workspace, arguments(workspace.folder))
    yield from workspace.judge.converged(workspace.records())
    yield from _ended_well(workspace, ["plan", str(workspace.folder), "--target", TARGET, "--detailed-exitcode"])


def _ended_well(workspace: Checkout, command: list[str]) -> Iterator[str]:
    """Run a command that nothing kills, in this process; yield what it says if it fails."""
    code, *said = run_command(command, environment(workspace.environ))
    yield from _failed(code, "".join(said))


def _failed(code: int, said: str) -> Iterator[str]:
    if code != 0:
        yield f"ended with {code}: {said}"


def _sync(workspace: Checkout, *, crash_at: int | None = None) -> Ended:
    return run_killable(arguments(workspace.folder), workspace.environ, crash_at=crash_at)


def arguments(folder: Path) -> list[str]:
    """Return the arguments to sync a folder of a workspace."""
    return ["sync", str(folder), "--target", TARGET, "--yes", "--quiet"]
