"""The long form: `make torture`, or `python -m tests.histories --only renames`; exit code 1 if an oracle was wrong.

`python -m tests.histories --only renames --seed 17 --share 0` plays one history again and prints its story.
`histories.json` has what was wrong, and the seeds.
"""

import argparse
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ..torture.pool import play_cases, write_report
from .engine import Played
from .profiles import PROFILES, play


def main() -> int:
    """Play random histories of each profile, and write the report."""
    parser = argparse.ArgumentParser(prog="python -m tests.histories", description=__doc__)
    parser.add_argument("--only", action="append", choices=PROFILES, help="a profile; may be repeated; default: all")
    parser.add_argument("--share", type=float, default=1.0, help="of the histories; 0: one of each route")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first history; default: the clock")
    parser.add_argument("--out", type=Path, default=Path(".hypothesis/torture"), help="where the report goes")
    options = parser.parse_args()
    print(f"from seed {options.seed}", flush=True)
    report: dict[str, Any] = {"seed": options.seed}
    # A pool's own processes may have children, which is where commands die.
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for name in options.only or PROFILES:
            report[name] = _play(pool, name, max(1, round(PROFILES[name].seeds * options.share)), options.seed)
    return write_report(options.out / "histories.json", report)


def _play(pool: ProcessPoolExecutor, name: str, seeds: int, first: int) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    by_kind: Counter[str] = Counter()

    def errors(played: Played) -> list[str]:
        counts.update(played.counts)
        by_kind.update({line.partition(":")[0] for line in played.report if not line.startswith(" ")})
        return played.report

    cases = [(name, first + number, route) for number in range(seeds) for route in PROFILES[name].routes]
    return {"counts": counts, "by_kind": by_kind} | play_cases(pool, name, play, cases, errors)


if __name__ == "__main__":
    sys.exit(main())
