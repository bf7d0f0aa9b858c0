"""Wrong answers at every request, while others edit the server, under each `on_drift`."""

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

from contentsync.sync.policy import OnDrift

from ...sync_faults.contest import Contest, consenting
from ...sync_faults.ground import Ground
from ...sync_faults.others import OTHERS, folders
from ...sync_faults.wrong_answers import ANSWERS
from .workshop import stage

Case = tuple[str, str, OnDrift, int, bool]  # the answer, what others do, on_drift, the request, and whether for ever


def cases(others: str) -> list[Case]:
    """Return every case of what others do."""
    return list(_cases(others))


def meet(answer: str, others: str, on_drift: OnDrift, number: int, forever: bool) -> list[str]:
    """Return what is wrong after a wrong answer to a request."""
    return list(contest(others).meet(ANSWERS[answer], number, on_drift, forever=forever))


@cache
def contest(others: str) -> Contest:
    """Return the ground of this process on which others have edited."""
    home = Path(tempfile.mkdtemp(prefix="contentsync-torture-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    sync, act = (lambda checkout: consenting(checkout, stage())), OTHERS[others].act
    ground = Ground(stage(), stage().proxy.url, home, folders(), sync, act)
    return Contest(ground, stage(), OTHERS[others])


def _cases(others: str) -> Iterator[Case]:
    for on_drift in get_args(OnDrift):
        requests = contest(others).undisturbed(on_drift).requests
        for name, answer in ANSWERS.items():
            for number, request in enumerate(requests, 1):
                if answer.meets(*request):
                    yield from ((name, others, on_drift, number, forever) for forever in (False, True))
