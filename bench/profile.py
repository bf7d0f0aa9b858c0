"""Where the time of `validate` goes, for the rows that miss their aim."""

import subprocess
import sys
from pathlib import Path

LINES = 10

# On one processor, so that everything happens in the process that is looked at, imports included.
_PROFILED = """
import cProfile, collections, contextlib, os, pathlib, pstats, sys
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
def validate():
    from contentsync.cli import run
    run(["validate"])
profiler = cProfile.Profile()
with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
    profiler.runcall(validate)
found = pstats.Stats(profiler)
shares = collections.Counter()
for (file, _, _), (_, _, own, _, callers) in found.stats.items():
    inside = file == "~" and callers  # what is not Python counts for what called it
    for caller, taken in [(place[0], timing[2]) for place, timing in callers.items()] if inside else [(file, own)]:
        shares["/".join(pathlib.Path(caller).with_suffix("").parts[-2:])] += taken
for name, taken in shares.most_common(int(sys.argv[1])):
    print(f"{taken / found.total_tt:.0%} {name}")
"""


def profile(tree: Path) -> tuple[str, ...]:
    """The modules with the most time of their own, and their shares of the whole, in one process."""
    command = [sys.executable, "-c", _PROFILED, str(LINES)]
    ended = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    return tuple(ended.stdout.splitlines())
