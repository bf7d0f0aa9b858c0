"""Ordinary work passes the gates, and converges; 200 longer histories in `make torture`."""

import pytest

from ..sampling import sampled
from .ordinary import play


@pytest.mark.parametrize("seed", sampled(range(6), every=5))
def test_ordinary_work_is_synced_without_a_refusal(seed: int) -> None:
    history = play(seed, commits=(2, 2), scale=0.2)
    assert (history.wrong, history.refused) == ([], []), history.acts
