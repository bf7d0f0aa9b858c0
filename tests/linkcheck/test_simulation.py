"""Real lychee checks simulated hosts of every behaviour, on several days; `make simulate-links` has 1,000 of them."""

import sys
from pathlib import Path

import pytest

from .simulated_hosts import BEHAVIOURS
from .simulation import simulate

SEED = 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all addresses of 127.0.0.0/8")
def test_no_live_host_is_called_dead_and_every_dead_one_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    verdicts = simulate(tmp_path, len(BEHAVIOURS), SEED, days=(0, 3, 5, 6, 12, 13))
    assert verdicts.wrong == []
    assert verdicts.missed == []
    assert {*verdicts.moved} == {"moved, 301", "moved, 308", "410 for six days, after a move"}
