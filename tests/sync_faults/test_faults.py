"""Every kind of fault that a request can meet, judged by the service's own records (HT-01 to HT-11, HT-13 to HT-22,
HT-27 to HT-29); at every request, and always both ways, in the long form, `make torture`."""

import random
from collections.abc import Iterator

import pytest

from ..sampling import sampled
from . import wire
from .faults import KINDS, FaultKind
from .stage import Stage
from .workspace import Workspace


@pytest.fixture(scope="module")
def requests(workspace: Workspace, stage: Stage) -> list[tuple[str, str]]:
    """The requests of a run that meets nothing."""
    return wire.clean(workspace, stage)


def cases() -> Iterator[tuple[FaultKind, bool]]:
    """Each kind the way that asks more: once where that is survived, else for ever. The first of an id meets both."""
    known: set[tuple[str, ...]] = set()
    for kind in KINDS:
        ways = [not kind.passes] if kind.ids in known else [False, True]
        known.add(kind.ids)
        yield from ((kind, forever) for forever in ways)


@pytest.mark.parametrize(
    ("kind", "forever"),
    sampled(
        (
            pytest.param(kind, forever, id=f"{'+'.join(kind.ids)}-{kind.name}-{'for-ever' if forever else 'once'}")
            for kind, forever in cases()
        ),
        every=12,
    ),
)
def test_one_more_run_recovers_from_a_fault_without_loss_or_duplicates(
    workspace: Workspace, stage: Stage, requests: list[tuple[str, str]], kind: FaultKind, forever: bool
) -> None:
    """HT-01 to HT-11, HT-13 to HT-22, HT-27 to HT-29; PL-08, where deletes fail"""
    met = [number for number, request in enumerate(requests, 1) if kind.meets(*request)]
    # A write where it can be: what only reads is easily made good.
    writes = [number for number in met if requests[number - 1][0] != "GET"]
    number = random.Random(f"{kind.name} {forever}").choice(writes or met)
    assert list(wire.meet(workspace, stage, kind, number, forever=forever)) == []
