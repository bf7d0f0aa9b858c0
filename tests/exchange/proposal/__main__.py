"""The long form: `python -m tests.exchange.proposal --kills 500`; exit code 1 if a promise was broken.

`proposals.json` says what was done, from which seeds, and what was wrong.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from ...torture.pool import play_cases, write_report
from . import workshop
from .killed import SCENES


def main() -> int:
    """Let runs die at each moment, and kill others at random; write the report."""
    parser = argparse.ArgumentParser(prog="python -m tests.exchange.proposal", description=__doc__)
    parser.add_argument("--kills", type=int, default=500, help="of a git and its run; default: 500, 0 omits deaths too")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first kill; default: the clock")
    parser.add_argument("--out", type=Path, default=Path(".hypothesis/torture"), help="where the report goes")
    options = parser.parse_args()
    print(f"from seed {options.seed}", flush=True)
    scenes = SCENES if options.kills else ()
    # One more than there are cores, because each waits for other processes.
    with ProcessPoolExecutor(1 + (os.cpu_count() or 1), mp_context=get_context("spawn")) as pool:
        moments = dict(zip(scenes, pool.map(workshop.count_moments, scenes), strict=True))
        deaths = [(name, moment) for name, count in moments.items() for moment in range(1, count + 1)]
        kills = [(SCENES[number % len(SCENES)], options.seed + number) for number in range(options.kills)]
        report = {
            "deaths": play_cases(pool, "death", workshop.die, deaths),
            "kills": play_cases(pool, "kill", workshop.kill, kills),
        }
    return write_report(options.out / "proposals.json", {"seed": options.seed, **report})


if __name__ == "__main__":
    sys.exit(main())
