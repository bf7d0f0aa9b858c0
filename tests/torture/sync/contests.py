"""Wrong answers at every request of both kinds of service, while others edit there, under each `on_drift`."""

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import get_args

from contentsync.sync.planning.plan import OnDrift

from ...simulator import LIKE_OURS, STRICT
from ...sync_faults.contest import Contest, consenting
from ...sync_faults.others import OTHERS, folders
from ...sync_faults.workspace import Workspace
from ...sync_faults.wrong_answers import ANSWERS
from .workshop import stage

# The answer, the service, what others do, on_drift, the request, and whether for ever.
Case = tuple[str, str, str, OnDrift, int, bool]

SERVICES = {"ours": LIKE_OURS, "strict": replace(STRICT, per_minute=None)}  # the second one has no ETags


def cases(service: str, others: str) -> list[Case]:
    """Return every case of a service and of what others do."""
    return list(_cases(service, others))


def meet(answer: str, service: str, others: str, on_drift: OnDrift, number: int, forever: bool) -> list[str]:
    """Return what is wrong after a wrong answer to a request."""
    return list(contest(service, others).meet(ANSWERS[answer], number, on_drift, forever=forever))


@cache
def contest(service: str, others: str) -> Contest:
    """Return the workspace of this process in which others have edited."""
    serving = stage(SERVICES[service])
    home = Path(tempfile.mkdtemp(prefix="contentsync-torture-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    sync, act = (lambda checkout: consenting(checkout, serving)), OTHERS[others].act
    workspace = Workspace(serving, serving.proxy.url, home, folders(), sync, act)
    return Contest(workspace, serving, OTHERS[others])


def _cases(service: str, others: str) -> Iterator[Case]:
    for on_drift in get_args(OnDrift):
        requests = contest(service, others).undisturbed(on_drift).requests
        for name, answer in ANSWERS.items():
            if service == "strict" and not answer.without_etags:
                continue
            for number, request in enumerate(requests, 1):
                if answer.meets(*request):
                    yield from ((name, service, others, on_drift, number, forever) for forever in (False, True))
