"""What each process of the long form has: a server, and a scene of each kind to begin again from."""

import atexit
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path

from ...served import tenant
from ...torture.pool import opened, running_server
from .killed import Scene


def count_moments(name: str) -> int:
    """Return how many moments a run of a scene has."""
    return len(_scene(name).moments())


def die(name: str, moment: int) -> list[str]:
    """Return what is wrong after the run that dies at a moment."""
    return list(_scene(name).die(moment))


def kill(name: str, seed: int) -> list[str]:
    """Return what is wrong after a run whose git is killed at random, and the run with it."""
    return list(_scene(name).kill(random.Random(seed)))


@cache
def _scene(name: str) -> Scene:
    home = Path(tempfile.mkdtemp(prefix="contentsync-proposal-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    return Scene(opened(tenant(running_server())), home, name)
