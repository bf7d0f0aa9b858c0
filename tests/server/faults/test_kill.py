"""Kills of the server under load, the short form of `make torture-server`."""

import signal

from ...torture.kills import Victim, torture


def test_a_server_killed_under_load_has_stored_acknowledged_writes(empty_url: str) -> None:
    """CO-15, DB-01."""
    report = torture(empty_url, kills=3, seed=1)
    assert report["wrong"] == []
    assert report["acknowledged"] > 3


def test_a_server_stopped_under_load_has_stored_acknowledged_writes(empty_url: str) -> None:
    """CO-15."""
    assert Victim(empty_url, seed=2).round(signal.SIGTERM) == []
