"""schemathesis with all its checks against a server in a process of its own; `make fuzz-api` looks further."""

from pathlib import Path

import pytest

from .fuzzing.campaign import run

SECONDS = 20
SEED = 1
FEWEST = 100  # cases of a machine that has much else to do


@pytest.mark.whole
def test_no_schemathesis_check_fails(tmp_path: Path) -> None:
    outcome = run(tmp_path, SECONDS, SEED)
    assert outcome.code == 0, outcome.said
    assert (outcome.report["failures"], outcome.report["errors"]) == ([], [])
    assert outcome.cases >= FEWEST
    print(f"schemathesis: {outcome.cases} cases, 0 failures")
