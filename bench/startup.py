"""Start-up of the command beside the interpreter's own: `make bench-startup`.

Runs both in turn, so that a machine that changes its speed changes both, and prints the median ratio.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 31
COMMAND = str(Path(sys.executable).parent / "contentsync")
YARDSTICK = [sys.executable, "-c", "pass"]
TARGETS = {"--version": 3, "--help": 12}  # times the yardstick, at most


def seconds(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def main() -> None:
    for option, aim in TARGETS.items():
        pairs = [(seconds([COMMAND, option]), seconds(YARDSTICK)) for _ in range(RUNS)]
        ours, bare = (statistics.median(times) for times in zip(*pairs, strict=True))
        ratio = statistics.median(mine / theirs for mine, theirs in pairs)
        verdict = "met" if ratio <= aim else "MISSED"
        times = f"{ours * 1000:6.1f} ms, python -c pass {bare * 1000:5.1f} ms"
        print(f"{option:10} {times}: {ratio:4.1f} times (aim {aim}: {verdict})")


main()
