"""The long form: `make torture-ci`, or `python -m tests.ci --runs 500`: the scheduled job when nothing has changed.

It writes a JSON report; the exit code is 1 if a run has pushed a branch or written anything at a forge.
"""

import argparse
import json
import signal
import sys
import tempfile
import time
from pathlib import Path

from ..forked import program_file
from ..served import tenant
from ..serving import make_tenant, serving
from .conftest import new_project
from .pull_forge import Dialect
from .scheduled import runs_without_change, scheduled

DIALECTS: tuple[Dialect, ...] = ("github", "forgejo", "gitlab")


def main() -> int:
    """Run the job at each forge; write the report."""
    parser = argparse.ArgumentParser(prog="python -m tests.ci", description=__doc__)
    parser.add_argument("--runs", type=int, default=500, help="of the job, at each forge")
    parser.add_argument("--forge", choices=DIALECTS, action="append", help="default: all of them")
    parser.add_argument("--out", type=Path, default=Path("test-output/proposals.json"), help="where the report goes")
    options = parser.parse_args()
    report = {}
    for dialect in options.forge or DIALECTS:
        began = time.monotonic()
        report[dialect] = {**_runs(dialect, options.runs), "seconds": round(time.monotonic() - began, 1)}
        print(f"{dialect}: {report[dialect]}", flush=True)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 1 if any(part["pushes"] or part["writes"] for part in report.values()) else 0


def _runs(dialect: Dialect, runs: int) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder, program_file() as program:
        url = f"sqlite:///{folder}/server.db"
        make_tenant(url)
        with serving(url, "--rate-limit", "0", "--log-level", "warning") as server:
            with (
                tenant((url, server)) as served,
                scheduled(new_project(Path(folder), served, program), dialect) as made,
            ):
                report = runs_without_change(made, runs)
            server.stop(signal.SIGTERM)
    return report


if __name__ == "__main__":
    sys.exit(main())
