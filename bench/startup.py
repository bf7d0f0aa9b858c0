"""Start-up of the command beside the interpreter's own: `make bench-startup`."""

import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

from .measurement import CONTENTSYNC, compare, seconds

RUNS = 31
YARDSTICK = [sys.executable, "-c", "pass"]
EXAMPLE = Path(__file__).parent.parent / "content-example"
TARGETS = {"--version": 3, "--help": 12, "plan": 12}  # times the yardstick, at most; the plan is that of the example


def main() -> None:
    """Prints the ratio of each command."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "example"
        shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".contentsync"))
        seconds([CONTENTSYNC, "sync", "--yes", "--quiet"], folder)
        for command, aim in TARGETS.items():
            found = compare(partial(seconds, [CONTENTSYNC, command], folder), partial(seconds, YARDSTICK), RUNS)
            verdict = "met" if found.ratio <= aim else "MISSED"
            times = f"{found.ours * 1000:6.1f} ms, python -c pass {found.yardstick * 1000:5.1f} ms"
            print(f"{command:10} {times}: {found.ratio:4.1f} times (aim {aim}: {verdict})")


if __name__ == "__main__":
    main()
