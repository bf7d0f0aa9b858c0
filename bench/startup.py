"""Start-up of the command beside the interpreter's own: `make bench-startup`."""

import sys
from functools import partial

from .measurement import CONTENTSYNC, compare, seconds

RUNS = 31
YARDSTICK = [sys.executable, "-c", "pass"]
TARGETS = {"--version": 3, "--help": 12}  # times the yardstick, at most


def main() -> None:
    """Prints the ratio of each option."""
    for option, aim in TARGETS.items():
        found = compare(partial(seconds, [CONTENTSYNC, option]), partial(seconds, YARDSTICK), RUNS)
        verdict = "met" if found.ratio <= aim else "MISSED"
        times = f"{found.ours * 1000:6.1f} ms, python -c pass {found.yardstick * 1000:5.1f} ms"
        print(f"{option:10} {times}: {found.ratio:4.1f} times (aim {aim}: {verdict})")


if __name__ == "__main__":
    main()
