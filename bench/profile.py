"""Where the time of `validate` goes, for the rows that miss their aim."""

import subprocess
import sys
from pathlib import Path

LINES = 8

# On one processor, so that everything happens in the process that is looked at, imports included.
_PROFILED = """
import cProfile, contextlib, os, pathlib, pstats, sys
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
def validate():
    from contentsync.cli import run
    run(["validate"])
profiler = cProfile.Profile()
with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
    profiler.runcall(validate)
found = pstats.Stats(profiler)
own = sorted(((timing[2], place) for place, timing in found.stats.items()), reverse=True)
for taken, (file, line, name) in own[:int(sys.argv[1])]:
    where = "/".join(pathlib.Path(file).with_suffix("").parts[-2:]) + "." if line else ""
    print(f"{taken / found.total_tt:.0%} {where}{name}")
"""


def profile(tree: Path) -> tuple[str, ...]:
    """The functions with the most time of their own, and their shares of the whole, in one process."""
    command = [sys.executable, "-c", _PROFILED, str(LINES)]
    ended = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    return tuple(ended.stdout.splitlines())
