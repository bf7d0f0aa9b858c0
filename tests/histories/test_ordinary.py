"""Ordinary work passes the gates, and converges; 200 longer histories in `make torture`."""

import pytest

from ..sampling import sampled
from .ordinary import ordinary
from .server import Server


@pytest.mark.parametrize("seed", sampled(range(6), every=6))
def test_ordinary_work_is_synced_without_a_refusal(server: Server, seed: int) -> None:
    played = ordinary(scale=0.2).play(server, seed, length=(2, 2))
    assert (played.report, played.counts["refused"]) == ([], 0)
