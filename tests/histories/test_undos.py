"""An undo of a run restores the server; 500 longer histories in `make torture`."""

import pytest

from ..sampling import sampled
from .server import Server
from .undos import UNDOS


@pytest.mark.parametrize("seed", sampled(range(3), every=3))
def test_an_undo_straight_after_a_run_restores_the_server(server: Server, seed: int) -> None:
    assert UNDOS.play(server, seed, length=(1, 1)).report == []
