"""The profiles of random histories, which `python -m tests.histories` plays."""

import gc
from collections.abc import Mapping
from functools import cache

from ..torture.pool import opened
from .convergence import CONVERGENCE
from .engine import Played, Profile
from .failures import failures
from .ordinary import ordinary
from .plans import PLANS
from .proposals import PROPOSALS
from .pulls import pulled_renames, pulls
from .renames import renames
from .server import Server, serving
from .syncs import SYNCS
from .undos import UNDOS
from .watches import WATCHES

PROFILES: Mapping[str, Profile] = {
    "convergence": CONVERGENCE,
    "failures": failures(),
    "failures-of-two-writers": failures(second_writer=True),
    "ordinary": ordinary(),
    "plans": PLANS,
    "proposals": PROPOSALS,
    "pulls": pulls(),
    "pulls-of-renames": pulled_renames(),
    "renames": renames(has_ids=True),
    "renames-without-ids": renames(has_ids=False),
    "syncs": SYNCS,
    "undos": UNDOS,
    "watches": WATCHES,
}


def play(name: str, seed: int, route: str) -> Played:
    """Play a history of a profile, with the server of this process."""
    return PROFILES[name].play(_server(), seed, route)


@cache
def _server() -> Server:
    gc.collect()
    gc.freeze()  # as in tests/conftest.py: a watch collects garbage after each round, which took half of its time
    return opened(serving())
