"""The long form: `make torture`, or `python -m tests.torture.sync`; exit code 1 when a promise was broken.

`sync.json` says what was done, from which seeds, and what was wrong.
"""

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ..pool import play_cases, write_report


def main() -> int:
    """Faults, wrong answers, deaths and kills; writes the report."""
    parser = argparse.ArgumentParser(prog="make torture", description=__doc__)
    parser.add_argument(
        "--deaths", type=int, default=2_000, help="moments of a plan of 300 operations at which it dies"
    )
    parser.add_argument("--kills", type=int, default=100, help="of the command, at random")
    parser.add_argument(
        "--faults", type=int, default=0, help="on the wire; default: every kind at every request, both ways"
    )
    parser.add_argument(
        "--wrong-answers", type=int, default=0, help="default: every kind at every request, under each on_drift"
    )
    parser.add_argument("--only", action="append", choices=PARTS, help="a part; may be repeated; default: all")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="default: the clock")
    parser.add_argument("--out", type=Path, default=Path(".hypothesis/torture"), help="where the report goes")
    options = parser.parse_args()
    print(f"from seed {options.seed}", flush=True)
    # A pool's own processes may have children, which is where commands die.
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        report = {"seed": options.seed}
        for part, (run, name) in PARTS.items():
            if not options.only or part in options.only:
                report[part] = run(pool, getattr(options, name), options.seed)
    return write_report(options.out / "sync.json", report)


def _faults(pool: ProcessPoolExecutor, most: int, seed: int) -> dict[str, Any]:
    from ...sync_faults.faults import KINDS
    from . import workshop

    requests = pool.submit(workshop.count_requests).result()
    every = [
        (kind.name, number, forever) for kind in KINDS for number in range(1, requests + 1) for forever in (False, True)
    ]
    if most:
        every = random.Random(seed).sample(every, min(most, len(every)))
    return {"kinds": len(KINDS), "requests": requests} | play_cases(pool, "faults", workshop.meet, every)


def _wrong_answers(pool: ProcessPoolExecutor, most: int, seed: int) -> dict[str, Any]:
    from ...sync_faults.others import OTHERS
    from ...sync_faults.wrong_answers import ANSWERS
    from . import contests

    made = [pool.submit(contests.cases, service, others) for service in contests.SERVICES for others in OTHERS]
    every = [case for future in made for case in future.result()]
    if most:
        every = random.Random(seed).sample(every, min(most, len(every)))
    report = play_cases(pool, "wrong answers", contests.meet, every)
    return {"kinds": len(ANSWERS), "by_kind": _by_kind(report["wrong"])} | report


def _deaths(pool: ProcessPoolExecutor, most: int, seed: int) -> dict[str, Any]:
    from . import workshop

    moments = pool.submit(workshop.count_moments).result()
    drawn = sorted(random.Random(seed).sample(range(1, moments + 1), min(most, moments)))
    return {"moments": moments} | play_cases(pool, "deaths", workshop.die, [(moment,) for moment in drawn])


def _kills(pool: ProcessPoolExecutor, count: int, seed: int) -> dict[str, Any]:
    from . import workshop

    return play_cases(pool, "kills", workshop.kill, [(seed + number,) for number in range(count)])


def _by_kind(wrong: list[dict[str, Any]]) -> Counter[str]:
    """Count the cases in which a kind of error occurs: its name is before the first colon."""
    errors = ({line.partition(":")[0] for line in one["wrong"] if not line.startswith(" ")} for one in wrong)
    return Counter(kind for kinds in errors for kind in kinds)


PARTS: dict[str, tuple[Callable[[ProcessPoolExecutor, int, int], dict[str, Any]], str]] = {
    "faults": (_faults, "faults"),  # and the option that says how many
    "wrong-answers": (_wrong_answers, "wrong_answers"),
    "deaths": (_deaths, "deaths"),
    "kills": (_kills, "kills"),
}

if __name__ == "__main__":
    sys.exit(main())
