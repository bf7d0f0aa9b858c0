"""What each process of the long form has: a service, a proxy, and grounds to begin again from."""

import atexit
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path

from ...simulator import LIKE_OURS, Manners
from ...sync_faults import crash_points, wire
from ...sync_faults.faults import KINDS
from ...sync_faults.scenario import grown
from ...sync_faults.stage import Stage
from ...sync_faults.workspace import Workspace

OPERATIONS = 17  # of each of three actions on each of six kinds: over 300


def count_moments() -> int:
    """Return how many moments a run of the long plan has."""
    return len(crash_points.moments(_long()))


def die(moment: int) -> list[str]:
    """Return the faults after the run that dies at this moment."""
    return list(crash_points.crash_at_point(_long(), moment))


def kill(seed: int) -> list[str]:
    """Return the faults after a kill at random."""
    killing = crash_points.Killing.drawn(random.Random(seed), _long_requests())
    return list(crash_points.kill(_long(), stage(), killing))


def count_requests() -> int:
    """Return how many requests the short plan takes."""
    return len(wire.clean(_short(), stage()))


def meet(name: str, number: int, forever: bool) -> list[str]:
    """Return the faults after a run in which a request meets a fault of this kind."""
    kind = next(kind for kind in KINDS if kind.name == name)
    return list(wire.meet(_short(), stage(), kind, number, forever=forever))


@cache
def stage(manners: Manners = LIKE_OURS) -> Stage:
    """Return the service of this process that behaves so."""
    opened = Stage(manners).__enter__()
    atexit.register(opened.__exit__, None, None, None)
    return opened


@cache
def _long() -> Workspace:
    return _ground(stage().url, OPERATIONS)


@cache
def _short() -> Workspace:
    return _ground(stage().proxy.url, 0)


def _ground(url: str, scale: int) -> Workspace:
    home = Path(tempfile.mkdtemp(prefix="contentsync-torture-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    return Workspace(stage(), url, home, grown(scale), crash_points.synced)


@cache
def _long_requests() -> int:
    stage().requests = 0
    crash_points.moments(_long())
    return stage().requests
