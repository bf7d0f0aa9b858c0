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
TAB = ["env", "_CONTENTSYNC_COMPLETE=complete_bash", "COMP_WORDS=contentsync log page/", "COMP_CWORD=2"]
# What each command does, as the shell starts it, and how many times the yardstick it may take.
COMMANDS = {
    "--version": ([CONTENTSYNC, "--version"], 3),
    "--help": ([CONTENTSYNC, "--help"], 12),
    "plan": ([CONTENTSYNC, "plan"], 12),  # of the example
    "Tab": ([*TAB, CONTENTSYNC], 8),  # completes an entry of the example
}


def main() -> None:
    """Prints the ratio of each command."""
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "example"
        shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".contentsync"))
        seconds([CONTENTSYNC, "sync", "--yes", "--quiet"], folder)
        for name, (command, aim) in COMMANDS.items():
            found = compare(partial(seconds, command, folder), partial(seconds, YARDSTICK), RUNS)
            verdict = "met" if found.ratio <= aim else "MISSED"
            times = f"{found.ours * 1000:6.1f} ms, python -c pass {found.yardstick * 1000:5.1f} ms"
            print(f"{name:10} {times}: {found.ratio:4.1f} times (aim {aim}: {verdict})")


if __name__ == "__main__":
    main()
