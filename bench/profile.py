"""Where the time of what misses its aim goes."""

import collections
import pstats
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

LINES = 10

# On one processor, so that everything happens in the process that is looked at, imports included.
_VALIDATE = """
import cProfile, contextlib, os, sys
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
def validate():
    from contentsync.cli import run
    run(["validate"])
profiler = cProfile.Profile()
with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
    profiler.runcall(validate)
profiler.dump_stats(sys.argv[1])
"""


def profile(tree: Path) -> tuple[str, ...]:
    """`validate` of a folder by `modules`, in one process."""
    with tempfile.NamedTemporaryFile() as stats:
        command = [sys.executable, "-c", _VALIDATE, stats.name]
        subprocess.run(command, cwd=tree, capture_output=True, check=True)
        return modules(Path(stats.name))


def modules(stats: Path) -> tuple[str, ...]:
    """The modules with the most time of their own in what cProfile has written, and their shares of the whole."""
    found: Any = pstats.Stats(str(stats))
    shares: collections.Counter[str] = collections.Counter()
    for (file, _, _), (_, _, own, _, callers) in found.stats.items():
        inside = file == "~" and callers  # what is not Python counts for what called it
        for caller, taken in [(place[0], timing[2]) for place, timing in callers.items()] if inside else [(file, own)]:
            shares["/".join(Path(caller).with_suffix("").parts[-2:])] += taken
    return tuple(f"{taken / found.total_tt:.0%} {name}" for name, taken in shares.most_common(LINES))
