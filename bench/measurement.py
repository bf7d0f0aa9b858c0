"""How long a command takes beside another one, and how much memory it needs."""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

Timed = Callable[[], float]  # does the work once; seconds

CONTENTSYNC = str(Path(sys.executable).parent / "contentsync")
_MEGABYTE = 1_000_000
_PAUSE = 0.005  # seconds between two looks at the memory


@dataclass(frozen=True)
class Comparison:
    """Medians of interleaved runs; `ratio` is the median of each pair's own ratio."""

    ours: float  # seconds
    yardstick: float
    ratio: float


@dataclass(frozen=True)
class Peak:
    """The most memory that a command held at once."""

    largest: float  # MB, of the largest process
    together: float  # MB, of all processes: the first one, and what each other one has for itself


@dataclass(frozen=True)
class _Held:
    most: int  # bytes that the process ever held
    now: int
    own: int  # not shared with another process


def compare(ours: Timed, yardstick: Timed, runs: int) -> Comparison:
    """Run both in turn, so that a machine that changes its speed changes both."""
    pairs = [(ours(), yardstick()) for _ in range(runs + 1)]
    pairs = pairs[1:] or pairs  # the first pair warms up
    mine, theirs = (statistics.median(times) for times in zip(*pairs, strict=True))
    return Comparison(mine, theirs, statistics.median(one / other for one, other in pairs))


def seconds(command: list[str], folder: Path | None = None, status: int = 0) -> float:
    """How long a command takes that must end with the exit status."""
    began = time.perf_counter()
    _output(command, folder, status)
    return time.perf_counter() - began


def processor_seconds(command: list[str], folder: Path | None = None) -> float:
    """The processor time of a command, and of the processes that it has waited for; other programs change it little."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _output(command, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def reported_seconds(command: list[str], folder: Path) -> float:
    """How long a part of a command takes, which it prints itself."""
    return float(_output(command, folder))


def peak(command: list[str], folder: Path) -> Peak:
    """The peak memory of a command and its processes; needs Linux's /proc."""
    largest = together = 0
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            first, *others = [_memory(number) for number in _family(process.pid)]
            largest = max(largest, first.most, *(other.most for other in others))
            together = max(together, first.now + sum(other.own for other in others))
            time.sleep(_PAUSE)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} fails in {folder}")
    return Peak(largest / _MEGABYTE, together / _MEGABYTE)


def peak_so_far(process: int) -> float:
    """The most memory that a running process has held, in MB; needs Linux's /proc."""
    return _memory(process).most / _MEGABYTE


def _output(command: list[str], folder: Path | None, status: int = 0) -> str:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode != status:
        raise SystemExit(f"{' '.join(command)} ends with {ended.returncode} in {folder}:\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def _family(process: int) -> Iterator[int]:
    yield process
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:  # it has just ended
        return
    for child in children:
        yield from _family(int(child))


def _memory(process: int) -> _Held:
    try:
        status = Path(f"/proc/{process}/status").read_text()
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:  # it has just ended
        return _Held(0, 0, 0)
    own = _bytes(rollup, "Private_Clean:") + _bytes(rollup, "Private_Dirty:")
    return _Held(_bytes(status, "VmHWM:"), _bytes(status, "VmRSS:"), own)


def _bytes(text: str, name: str) -> int:
    return next((int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith(name)), 0)


def bench_dir() -> Path:
    """The folder for what is measured, outside the repository: BENCH_DIR, or below the system's temporary folder."""
    folder = Path(os.environ.get("BENCH_DIR") or Path(tempfile.gettempdir()) / "contentsync-bench")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def load() -> float:
    """How many processes wanted a processor in the last minute, on average: over `cores` they waited for one."""
    return os.getloadavg()[0]


def cores() -> int:
    """The processors that a command may use here."""
    return len(os.sched_getaffinity(0))
