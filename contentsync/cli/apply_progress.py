"""The progress of a run that applies a plan."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from ..remote.pacing import Pacer
from ..sync.comparing.change import Result, Status
from ..sync.planning.plan import Plan

LINE_SECONDS = 30.0  # between two lines about what remains
_MIN_SECONDS = 5.0  # of a run, before the time that remains is estimated


def remaining_text(done: int, total: int, seconds: float, limited_seconds: float = 0.0) -> str:
    """Return how many changes remain after `seconds` of a run, and about how long they take.

    They take as long as at the same pace, and at least the `limited_seconds` that the rate limit needs for them: the
    pace of the first minute is that of a burst.
    """
    left = f"{total - done:,} left"
    if not 0 < done < total or seconds < _MIN_SECONDS:  # too early for an estimate
        return left
    minutes = max(seconds / done * (total - done), limited_seconds) / 60
    return f"{left}, about {minutes:,.0f} min" if minutes >= 1 else f"{left}, less than a minute"


class RequestPace:
    """How the rate limit slows down a run that begins now; without a pacer, not at all."""

    def __init__(self, pacer: Pacer | None = None) -> None:
        self._pacer = pacer
        self._taken_before = pacer.taken if pacer else 0

    @property
    def is_waiting(self) -> bool:
        """Return whether a request waits for the rate limit now."""
        return self._pacer is not None and self._pacer.is_waiting

    def seconds_for(self, done: int, left: int) -> float:
        """Return how long the limit needs for `left` changes, if each needs as many requests as the `done` ones."""
        if self._pacer is None or not done:
            return 0.0
        return self._pacer.seconds_for((self._pacer.taken - self._taken_before) / done * left)


class _RemainingColumn(ProgressColumn):
    """What remains of a run, and whether it waits for the rate limit."""

    def __init__(self, pace: RequestPace) -> None:
        super().__init__()
        self._pace = pace

    def render(self, task: Task) -> Text:
        """Return the text of the column."""
        done, total = int(task.completed), int(task.total or 0)
        text = remaining_text(done, total, task.elapsed or 0.0, self._pace.seconds_for(done, total - done))
        return Text(f"{text} · waiting for the rate limit" if self._pace.is_waiting else text)


class ApplyProgress:
    """Collects the results of a run and shows its progress: a bar on a terminal, else lines.

    The lines are one for each kind, and one each LINE_SECONDS. `clock` returns the seconds of a clock.
    """

    def __init__(
        self,
        plan: Plan,
        console: Console,
        *,
        quiet: bool,
        pacer: Pacer | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.results: list[Result] = []
        self._total = len(plan.changes)
        self._pace = RequestPace(pacer)
        self._clock = clock
        self._began = self._last_line = clock()
        self._remaining = Counter(change.kind for change in plan.changes)
        self._console = console
        self._prints_lines = not quiet and not console.is_terminal
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            _RemainingColumn(self._pace),
            console=console,
            disable=quiet or not console.is_terminal,
            transient=True,
        )
        self._task = self._bar.add_task("applying", total=len(plan.changes))

    def __enter__(self) -> "ApplyProgress":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Hide the bar while something else is shown."""
        self._bar.stop()
        yield
        self._bar.start()

    def extend(self, plan: Plan) -> None:
        """Add the changes of a second plan to the expected results."""
        self._remaining = Counter(change.kind for change in plan.changes)
        self._total = len(self.results) + len(plan.changes)
        self._bar.update(self._task, total=self._total)

    def add_result(self, result: Result) -> None:
        """Add the result of one change."""
        self.results.append(result._replace(applied=None))  # the applied entry is in the run's state, in less memory
        kind = result.change.kind
        self._remaining[kind] -= 1
        if not self._bar.disable:  # for speed: a hidden bar would be updated too
            self._bar.update(self._task, advance=1, description=f"applying {kind.plural}")
        if not self._prints_lines:
            return
        if not self._remaining[kind]:
            results = [result for result in self.results if result.change.kind is kind]
            done = sum(result.status is Status.DONE for result in results)
            self._console.print(f"  {kind.plural}: {done} of {len(results)}")
        elif (now := self._clock()) - self._last_line >= LINE_SECONDS:
            self._last_line = now
            done, left = len(self.results), self._total - len(self.results)
            text = remaining_text(done, self._total, now - self._began, self._pace.seconds_for(done, left))
            self._console.print(f"  {text}{', waiting for the rate limit' if self._pace.is_waiting else ''}")
