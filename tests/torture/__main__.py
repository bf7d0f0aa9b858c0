"""The long form: `make torture-server`, or `python -m tests.torture --kills 50`; exit code 1 when a promise was broken.

`report.json` says what was done, from which seeds, and what was wrong.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ..postgresql import running
from .differential import compare
from .kills import torture
from .pool import write_report


def main() -> int:
    """Kills on each database, then comparisons; writes the report."""
    parser = argparse.ArgumentParser(prog="make torture-server", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="of the server, on each database")
    parser.add_argument("--seconds", type=float, default=300, help="of comparing the databases")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="default: the clock")
    parser.add_argument("--out", type=Path, default=Path(".hypothesis/torture"), help="where the report goes")
    options = parser.parse_args()
    print(f"{options.kills} kills, {options.seconds:.0f} seconds of comparing, from seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, running(f"torture-{options.seed}") as cluster:
        report = {
            "sqlite": torture(f"sqlite:///{folder}/killed.db", options.kills, options.seed, _say("sqlite")),
            "postgresql": torture(cluster.database(), options.kills, options.seed, _say("postgresql")),
            "differential": compare(
                (f"sqlite:///{folder}/compared.db", cluster.database()), options.seconds, options.seed, _say("both")
            ),
        }
    for part in report.values():
        for error in part["wrong"]:
            print(error)
    return write_report(options.out / "report.json", report)


def _say(part: str) -> Callable[[str], None]:
    return lambda text: print(f"{part}: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
