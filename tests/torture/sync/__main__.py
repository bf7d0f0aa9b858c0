"""The long form: `make torture`, or `python -m tests.torture.sync`; exit code 1 when a promise was broken.

`sync.json` says what was done, from which seeds, and what was wrong.
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROUND = 20  # folders that are drawn from one seed


def main() -> int:
    """Faults, deaths, kills, random folders, and undos; writes the report."""
    parser = argparse.ArgumentParser(prog="make torture", description=__doc__)
    parser.add_argument(
        "--deaths", type=int, default=2_000, help="moments of a plan of 300 operations at which it dies"
    )
    parser.add_argument("--kills", type=int, default=100, help="of the command, at random")
    parser.add_argument(
        "--faults", type=int, default=0, help="on the wire; default: every kind at every request, both ways"
    )
    parser.add_argument("--folders", type=int, default=1_000, help="random folders, bases and servers")
    parser.add_argument("--undos", type=int, default=500, help="of random runs, and of those undos")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="default: the clock")
    parser.add_argument("--out", type=Path, default=Path(".hypothesis/torture"), help="where the report goes")
    options = parser.parse_args()
    print(f"from seed {options.seed}", flush=True)
    # A pool's own processes may have children, which is where commands die.
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        report = {
            "seed": options.seed,
            "faults": _faults(pool, options.faults, options.seed),
            "deaths": _deaths(pool, options.deaths, options.seed),
            "kills": _kills(pool, options.kills, options.seed),
            "convergence": _convergence(pool, options.folders, options.seed),
            "undo": _undo(pool, options.undos, options.seed),
        }
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "sync.json"
    file.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    wrong = [error for part in report.values() if isinstance(part, dict) for error in part["wrong"]]
    print(f"{len(wrong)} wrong: {file}")
    return 1 if wrong else 0


def _faults(pool: ProcessPoolExecutor, most: int, seed: int) -> dict[str, Any]:
    from ...sync_faults.faults import KINDS
    from . import workshop

    requests = pool.submit(workshop.count_requests).result()
    every = [
        (kind.name, number, forever) for kind in KINDS for number in range(1, requests + 1) for forever in (False, True)
    ]
    if most:
        every = random.Random(seed).sample(every, min(most, len(every)))
    return {"kinds": len(KINDS), "requests": requests} | _done(pool, "faults", workshop.meet, every)


def _deaths(pool: ProcessPoolExecutor, most: int, seed: int) -> dict[str, Any]:
    from . import workshop

    moments = pool.submit(workshop.count_moments).result()
    drawn = sorted(random.Random(seed).sample(range(1, moments + 1), min(most, moments)))
    return {"moments": moments} | _done(pool, "deaths", workshop.die, [(moment,) for moment in drawn])


def _kills(pool: ProcessPoolExecutor, count: int, seed: int) -> dict[str, Any]:
    from . import workshop

    return _done(pool, "kills", workshop.kill, [(seed + number,) for number in range(count)])


def _convergence(pool: ProcessPoolExecutor, folders: int, seed: int) -> dict[str, Any]:
    from .convergence import look

    rounds = [(seed + number, ROUND) for number in range(-(-folders // ROUND))]
    return _done(pool, "convergence", look, rounds)


def _undo(pool: ProcessPoolExecutor, histories: int, seed: int) -> dict[str, Any]:
    from .undo import look

    rounds = [(seed + number, ROUND) for number in range(-(-histories // ROUND))]
    return _done(pool, "undo", look, rounds)


def _done(
    pool: ProcessPoolExecutor, what: str, task: Callable[..., list[str]], cases: Iterable[tuple[Any, ...]]
) -> dict[str, Any]:
    """The report of one part: what was wrong in each case."""
    began = time.monotonic()
    waiting = {pool.submit(task, *case): case for case in cases}
    wrong = []
    for number, future in enumerate(as_completed(waiting), 1):
        case = waiting[future]
        error = future.exception()
        found = [f"{type(error).__name__}: {error}"] if error else future.result()
        if found:
            wrong.append({"case": [what, *case], "wrong": found})
            print(what, *case, *found, sep="\n  ", flush=True)
        if number % 50 == 0 or number == len(waiting):
            print(f"{what}: {number} of {len(waiting)}, {len(wrong)} wrong", flush=True)
    wrong.sort(key=lambda one: str(one["case"]))
    return {"cases": len(waiting), "seconds": round(time.monotonic() - began, 1), "wrong": wrong}


if __name__ == "__main__":
    sys.exit(main())
