"""The long form: `make fuzz-api`, or `python -m tests.contract.fuzzing --seconds 600`; exit code 1 on any finding.

Each process has a server, a seed and a folder of its own, in which `report.json` holds the failures with the requests
that show them; the one `report.json` above them has the seeds, the number of cases and all failures.
"""

import argparse
import json
import os
import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from .campaign import run


def main() -> int:
    """Runs the processes, then writes the report."""
    parser = argparse.ArgumentParser(prog="make fuzz-api", description=__doc__)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--processes", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="each with a server")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first process; default: the clock")
    parser.add_argument("--out", type=Path, default=Path(".hypothesis/fuzz-api"), help="where the report goes")
    options = parser.parse_args()
    print(f"{options.seconds} seconds, {options.processes} processes, from seed {options.seed}", flush=True)
    shutil.rmtree(options.out, ignore_errors=True)

    folders = [options.out.resolve() / str(place + 1) for place in range(options.processes)]
    seeds = range(options.seed, options.seed + options.processes)
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        outcomes = list(pool.map(run, folders, repeat(options.seconds), seeds))
    report = {
        "seconds": options.seconds,
        "seeds": [outcome.report["seed"] for outcome in outcomes],
        "cases": sum(outcome.cases for outcome in outcomes),
        "failures": [failure for outcome in outcomes for failure in outcome.report["failures"]],
        "errors": [error for outcome in outcomes for error in outcome.report["errors"]],
    }
    (options.out / "report.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    for outcome in outcomes:
        if outcome.code:
            print(outcome.said)
    print(f"{report['cases']:,} cases, {len(report['failures'])} failures: {options.out}/report.json")
    return max(outcome.code for outcome in outcomes)


if __name__ == "__main__":
    sys.exit(main())
