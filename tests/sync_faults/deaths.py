"""Syncs that die, and the one more run that has to make good for each (PL-10)."""

import os
import random
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..forked import CONTEXT, live
from .ground import TARGET, Checkout, Ground
from .mortal import Ended, run_mortal
from .stage import Stage

KILLED = -signal.SIGKILL


def synced(ground: Checkout) -> None:
    """One whole run of the command, which must succeed."""
    ended = _sync(ground)
    assert ended.code == 0, ended.said


def moments(ground: Ground) -> tuple[str, ...]:
    """The moments at which a run can die."""
    ground.reset()
    return _sync(ground).moments


def die_at(ground: Ground, moment: int) -> Iterator[str]:
    """What is wrong after a run that dies at a moment (from 1), and after one more."""
    ground.reset()
    ended = _sync(ground, dies_at=moment)
    if ended.code != KILLED:  # requests that are in flight together come in any order, so there may be fewer moments
        yield from _ended_well(ended)
    yield from ground.judge.disturbed(ground.records(), ())
    yield from _made_good(ground)


@dataclass(frozen=True)
class Killing:
    """When a process is killed: some time after the service has got so many requests."""

    requests: int
    seconds: float

    @classmethod
    def drawn(cls, chance: random.Random, requests: int) -> "Killing":
        return cls(chance.randint(1, requests), chance.uniform(0, 0.02))


def kill(ground: Ground, stage: Stage, killing: Killing) -> Iterator[str]:
    """What is wrong after the command is killed from outside, and after one more run."""
    ground.reset()
    stage.requests = 0
    lived = (arguments(ground.folder), {**os.environ, **ground.environ}, str(Path.cwd()), os.devnull, os.devnull)
    process = CONTEXT.Process(target=live, args=lived)
    process.start()
    while process.is_alive() and stage.requests < killing.requests:
        time.sleep(0.001)
    time.sleep(killing.seconds)
    process.kill()
    process.join()
    yield from ground.judge.disturbed(ground.records(), ())
    yield from _made_good(ground)


def _made_good(ground: Ground) -> Iterator[str]:
    yield from _ended_well(_sync(ground))
    yield from ground.judge.converged(ground.records())
    plan = ["plan", str(ground.folder), "--target", TARGET, "--detailed-exitcode"]
    yield from _ended_well(run_mortal(plan, ground.environ))


def _ended_well(ended: Ended) -> Iterator[str]:
    if ended.code != 0:
        yield f"ended with {ended.code}: {ended.said}"


def _sync(ground: Checkout, *, dies_at: int | None = None) -> Ended:
    return run_mortal(arguments(ground.folder), ground.environ, dies_at=dies_at)


def arguments(folder: Path) -> list[str]:
    """What is typed to sync a folder of a ground."""
    return ["sync", str(folder), "--target", TARGET, "--yes", "--quiet"]
