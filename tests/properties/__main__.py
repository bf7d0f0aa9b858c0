"""The long form: `python -m tests.properties --rounds 500`; exit code 1 if a promise was broken.

`pulls.json` says how many random pulls each test of `test_pull` made, from which seed, and which tests failed.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import pytest


class _Outcomes:
    """Collects the outcome of each test, a failed one with its report."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.wrong: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note one phase of a test."""
        name = report.nodeid.rpartition("::")[2]
        if report.failed:
            self.wrong[name] = report.longreprtext
        elif report.when == "call":
            self.seconds[name] = round(report.duration, 1)


def main() -> int:
    """Make random changes in a folder and on a server, pull them, and write the report."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties", description=__doc__)
    parser.add_argument("--rounds", type=int, default=500, help="of each test")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the rounds; default: the clock")
    parser.add_argument("--out", type=Path, default=Path(".hypothesis/torture"), help="where the report goes")
    options = parser.parse_args()
    print(f"from seed {options.seed}", flush=True)
    os.environ["PULL_ROUNDS"] = str(options.rounds)  # read by test_pull
    outcomes = _Outcomes()
    words = ["-q", "-n", str(os.cpu_count() or 1), f"--hypothesis-seed={options.seed}"]
    code = pytest.main([*words, str(Path(__file__).parent / "test_pull.py")], plugins=[outcomes])
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "pulls.json"
    report = {"seed": options.seed, "rounds": options.rounds, "seconds": outcomes.seconds, "wrong": outcomes.wrong}
    file.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(f"{len(outcomes.wrong)} wrong: {file}")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
