"""One process of the long form: rounds of examples until the time is over, and what they broke."""

import faulthandler
import resource
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from typing import IO

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisWarning

from .crowd import SIZE, check_crowd
from .examples import EXAMPLES, Example
from .promises import check, check_again, check_commands, emptied, write

ROUND = 200  # examples of one strategy from one seed
ASIDE_EVERY = 10  # examples: the commands, and the same folder written in other ways
MEGABYTES = 200  # that one folder may need at most, over what the process held before
STUCK = 300  # seconds in code that no alarm interrupts, also on a machine that is busy; and for a crowd
SHRINKING = 60  # seconds that making a failing example smaller may take
SLOWEST = 5

_LIMIT = 4 * 2**30  # bytes; beyond it a MemoryError comes before the machine suffers


@dataclass(frozen=True, slots=True)
class Failure:
    """A broken promise: the smallest example that was found, and how to find it again."""

    strategy: str
    seed: int
    error: str  # the last lines of the traceback
    files: Example


@dataclass(slots=True)
class Record:
    """The counts and failures of one process."""

    examples: Counter[str] = field(default_factory=Counter)
    sound: Counter[str] = field(default_factory=Counter)  # of them, folders without errors
    slowest: list[tuple[float, str, Example]] = field(default_factory=list)  # seconds, strategy, files
    megabytes: float = 0.0  # that an example needed at most
    seeds: list[int] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    again: Counter[str] = field(default_factory=Counter)  # examples that broke a promise in a way already recorded


class Campaign:
    """Runs examples in a folder of its own."""

    def __init__(self, folder: Path, stack: IO[str], ends: float) -> None:
        self.record = Record()
        self._folder = folder
        self._stack = stack  # where the stack goes when the process is stuck
        self._ends = ends  # by time.monotonic
        self._known: set[str] = set()
        self._articles: list[bytes] = []

    def run(self, seeds: Iterator[int]) -> Record:
        """Until the time is over; a round a seed."""
        warnings.simplefilter("ignore", HypothesisWarning)  # examples are larger than it likes to show
        resource.setrlimit(resource.RLIMIT_AS, (_LIMIT, _LIMIT))
        for name in cycle(EXAMPLES):
            if time.monotonic() >= self._ends:
                return self.record
            self._round(name, next(seeds))
            if len(self._articles) >= SIZE:
                self._crowd()
        raise AssertionError("there are no strategies")

    def _round(self, name: str, number: int) -> None:
        smallest: list[tuple[str, str, Example]] = []
        enough = self._ends

        @settings(
            max_examples=ROUND,
            deadline=None,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        )
        @seed(number)
        @given(EXAMPLES[name])
        def hold(files: Example) -> None:
            nonlocal enough
            if time.monotonic() >= enough:
                return
            try:
                self._one(name, files)
            except Exception as error:
                reported = _place_of(error)
                if reported in self._known:
                    self.record.again[reported] += 1
                    return
                if not smallest:
                    enough = min(enough, time.monotonic() + SHRINKING)
                smallest[:] = [(reported, "".join(traceback.format_exception(error, limit=-4)), files)]
                raise

        self.record.seeds.append(number)
        with suppress(Exception):  # what an example raised is kept; Hypothesis calls it flaky when the time was over
            hold()
        for reported, error, files in smallest:
            self._known.add(reported)
            self.record.failures.append(Failure(name, number, error, files))

    def _crowd(self) -> None:
        emptied(self._folder)
        try:
            check_crowd(self._articles, self._folder, STUCK)
        except Exception:  # noqa: BLE001  # as above
            files = {f"articles/a{number}.md": data for number, data in enumerate(self._articles)}
            self.record.failures.append(Failure("crowd", -1, traceback.format_exc(), files))
        self.record.examples["crowd"] += 1
        self._articles.clear()

    def _one(self, name: str, files: Example) -> None:
        emptied(self._folder)
        write(files, self._folder)
        faulthandler.dump_traceback_later(STUCK, exit=True, file=self._stack)
        before = _start_of_memory()
        try:
            content, taken = check(files, self._folder)
            needed = (_memory("VmHWM:") - before) / 1024
            if self.record.examples[name] % ASIDE_EVERY == 0:
                check_commands(content)
                check_again(content, files)
        finally:
            faulthandler.cancel_dump_traceback_later()
        self.record.examples[name] += 1
        if "articles/a.md" in files and "articles/a.fr.md" not in files:
            self._articles.append(files["articles/a.md"])
        self.record.sound[name] += not content.errors
        self.record.slowest = sorted([*self.record.slowest, (taken, name, files)], key=_seconds)[-SLOWEST:]
        self.record.megabytes = max(self.record.megabytes, needed)
        assert needed <= MEGABYTES, f"needed {needed:.0f} MB"


def work(folder: Path, seconds: float, first: int, step: int) -> Record:
    """Run the campaign of one process in its own empty folder, with every `step`th seed."""
    (folder / "content").mkdir(parents=True)
    with (folder / "stack.txt").open("w", encoding="utf-8") as stack:
        return Campaign(folder / "content", stack, time.monotonic() + seconds).run(count(first, step))


def _seconds(slow: tuple[float, str, Example]) -> float:
    return slow[0]


def _place_of(error: Exception) -> str:
    """Return the type and the place of an error, which identify its kind of failure."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"


def _start_of_memory() -> int:
    """Kilobytes held now; from here on the peak is measured again. Linux only, elsewhere 0."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return 0
    return _memory("VmRSS:")


def _memory(name: str) -> int:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(name))
