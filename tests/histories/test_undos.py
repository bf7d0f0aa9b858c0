"""An undo straight after a run restores the server; 500 histories in `make torture`."""

import pytest

from .server import Server
from .undos import undos


@pytest.mark.parametrize("on_drift", ["keep", "overwrite"])
def test_an_undo_straight_after_a_run_restores_the_server(server: Server, on_drift: str) -> None:
    for seed in range(2):
        assert undos(on_drift).play(server, seed).report == []
