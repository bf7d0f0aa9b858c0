"""Two equal folders with a server each: one is watched with shortcuts, the other without."""

import asyncio
import io
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from contentsync.cli.find_plan import PlanFinder
from contentsync.cli.options import WITHOUT_SHORTCUTS
from contentsync.cli.plan_options import ApplyOptions, PlanOptions
from contentsync.cli.watch_loop import Watcher, WatchLog
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.errors import ContentsyncError
from contentsync.sync.planning.delayed_deletes import DelayedDeletes
from contentsync.sync.state.folder_reading import Reading
from contentsync.watch import FolderChange, FolderChanges

from .engine import History, Profile
from .plan_changes import CHANGES
from .plan_history import MARGIN, TICK, PlanHistory, environment
from .syncs import MEDDLING, OPTIONS, TIME, Twin, begin_twins, leave_alone, taking, twins_of

_CLOCK = re.compile(r"\d\d:\d\d:\d\d")
_RUN = re.compile(r"\"(at|run)\": ?\"[^\"]*\"")
PAUSES = (0.0, 0.0, 6.0)  # seconds from one round to the next: deletes wait for 5 s


class Rounds(FolderChanges):
    """The changes of a folder that the test reports, one for each round."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._changes: asyncio.Queue[FolderChange] = asyncio.Queue()
        self._asked = asyncio.Semaphore(0)  # how often the watch has asked for a change

    @property
    def folder_exists(self) -> bool:
        return True

    async def __aenter__(self) -> Self:
        return self

    async def __anext__(self) -> FolderChange:
        self._asked.release()
        return await self._changes.get()

    async def play(self, watching: "asyncio.Task[int]") -> None:
        """Report a change, and wait until the watch has handled it, or has ended."""
        self._changes.put_nowait(FolderChange(everything=True))
        await self.wait(watching)

    async def wait(self, watching: "asyncio.Task[int]") -> None:
        """Wait until the watch waits for a change, or has ended."""
        asked = asyncio.ensure_future(self._asked.acquire())
        await asyncio.wait([asked, watching], return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()


@dataclass
class Watching:
    """A watched folder and its server."""

    twin: Twin
    options: PlanOptions = field(default_factory=PlanOptions)
    now: float = 1_000.0
    reduced: int = 0  # rounds that left out listings
    meddle: Callable[[], None] = lambda: None
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    rounds: Rounds | None = None
    task: "asyncio.Task[int] | None" = None

    def play(self, options: PlanOptions) -> str:
        """Play a round with the options, and return everything that the watch says; it begins again if it has ended."""
        printed, errors = io.StringIO(), io.StringIO()
        with ExitStack() as stack:
            stack.enter_context(redirect_stdout(printed))
            stack.enter_context(redirect_stderr(errors))
            stack.enter_context(environment("CONTENTSYNC_TOKEN", self.twin.planned.served.token))
            if not self.twin.has_shortcuts:
                stack.enter_context(environment(WITHOUT_SHORTCUTS, "1"))
            if self.rounds is None or self.task is None or options != self.options:
                self.stop()
                self._begin(options)
            assert self.rounds and self.task
            self.loop.run_until_complete(self.rounds.play(self.task))
            if self.task.done():
                try:
                    print(f"ended: {self.task.result()}")
                except ContentsyncError as error:
                    print(f"ended: {error}")
                self.stop()
        said = printed.getvalue() + errors.getvalue()
        said = said.replace(self.twin.server.url, "").replace(str(self.twin.planned.folder.parent), "")
        return _CLOCK.sub("", _RUN.sub("", TIME.sub("", said)))

    def stop(self) -> None:
        """End the watch."""
        if tasks := asyncio.all_tasks(self.loop):
            for task in tasks:
                task.cancel()
            self.loop.run_until_complete(asyncio.wait(tasks))
        self.rounds = self.task = None

    def _begin(self, options: PlanOptions) -> None:
        self.options, folder = options, self.twin.planned.folder
        deletes = DelayedDeletes("sync", clock=lambda: self.now, report=print)
        applying = ApplyOptions(yes=True, concurrency=1, before_write=lambda: self.meddle())
        watcher = _Counting(folder, options, WatchLog(as_json=True), InMemoryCache(MARGIN), deletes, applying)
        watcher.watching = self
        watcher.read_first()
        self.rounds = Rounds(folder)
        self.task = self.loop.create_task(watcher.run(self.rounds))
        self.loop.run_until_complete(self.rounds.wait(self.task))


class _Counting(Watcher):
    """A watcher that counts the rounds in which listings were left out."""

    watching: Watching

    def _take_reading(self, *, whole: bool) -> tuple[PlanFinder, Reading]:
        finder, reading = super()._take_reading(whole=whole)
        self.watching.reduced += reading.synced is not None
        return finder, reading


def _begin(history: History) -> str:
    begin_twins(history)
    history.notes["watching"] = watching = [Watching(twin) for twin in twins_of(history)]
    for each in watching:
        history.cleanup.callback(each.loop.close)
        history.cleanup.callback(each.stop)
    return "begin"


def watches_are_equal(history: History) -> Iterator[str]:
    """A round of a watch says, writes and leaves the same with and without shortcuts."""
    watching: list[Watching] = history.notes["watching"]
    first, second = watching
    if "options" not in history.notes or history.dice.random() < 0.1:
        history.notes["options"] = history.dice.choice(OPTIONS)
    for repeated in (False, True):
        pause, seed = history.dice.choice(PAUSES), history.dice.randrange(1000)
        meddle = leave_alone if repeated else history.dice.choice(MEDDLING)
        time.sleep(TICK * 2)
        options = replace(first.twin.planned.options, **history.notes["options"])
        history.story.append(f"  a round with {history.notes['options']}, while another user: {meddle.__name__}")
        said = []
        for each in watching:
            each.now += pause
            each.meddle = _meddling(meddle, each.twin.planned, seed)
            said.append(each.play(options))
        if said[0] != said[1]:
            yield f"says something else: {said[0]} instead of {said[1]}"
        if first.twin.records() != second.twin.records():
            yield f"leaves other records: {first.twin.records()} instead of {second.twin.records()}"
        if first.twin.state() != second.twin.state():
            yield f"leaves another state: {first.twin.state()} instead of {second.twin.state()}"
    history.counts["reduced"] = first.reduced


def _meddling(meddle: Callable[[PlanHistory], object], planned: PlanHistory, seed: int) -> Callable[[], None]:
    def take() -> None:
        planned.random.seed(seed)
        meddle(planned)

    return take


WATCHES = Profile(
    begin=_begin,
    steps={taking(change): CHANGES.count(change) for change in dict.fromkeys(CHANGES) if change.__name__ != "sync"},
    oracles=(watches_are_equal,),
    length=(8, 8),
    seeds=1_000,
)
