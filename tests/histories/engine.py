"""The engine of random histories: a content folder in git, a real server, steps drawn from a seed, and oracles.

A profile says which steps a history takes, how often each of them is drawn, and what must be true after each step and
at the end. A history stops at the first step after which an oracle finds something wrong.
"""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

from ..end_to_end.conftest import Ran, contentsync
from ..sync_faults.records import Records
from . import troubles
from .routes import ROUTES, Route, Said
from .server import Server
from .site import Draw


@dataclass
class History:
    """A content folder that is synced to a server by a route, and what has happened to both.

    `said` is the output of the last run that may have written, `before` has the server's records before it. A step and
    an oracle that belong together share `notes`; `counts` are summed up over histories.
    """

    server: Server
    route: Route
    draw: Draw
    story: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    said: Said | None = None
    before: Records = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    cleanup: ExitStack = field(default_factory=ExitStack)

    @property
    def folder(self) -> Path:
        """The content folder."""
        return self.route.site

    @property
    def dice(self) -> random.Random:
        """The source of all random choices."""
        return self.draw.dice

    def configure(self, config: str, settings: str) -> None:
        """Write the config of the folder, with more settings of its target."""
        self.folder.mkdir(exist_ok=True)
        (self.folder / "contentsync.toml").write_text(config + self.server.target(settings), encoding="utf-8")

    def commit(self, message: str) -> None:
        """Commit all files."""
        self.route.tree.git("add", "--all", ".")
        self.route.tree.git("commit", "--quiet", "--allow-empty", f"--message={message}")

    def sync(self) -> Said:
        """Sync what is committed by the route."""
        self.before, self.said = self.server.records(), self.route.deliver()
        return self.said

    def run(self, *words: str) -> Ran:
        """Run a command in the content folder; any exit code but 0 is wrong."""
        ran = self.attempt(*words)
        if ran.code:
            self.wrong.append(f"{words[0]}: exit code {ran.code}: {' '.join(words)}: {ran.out}{ran.err}")
        return ran

    def attempt(self, *words: str) -> Ran:
        """Run a command in the content folder, which may fail."""
        return contentsync(*words, cwd=self.folder, env={"CONTENTSYNC_TOKEN": self.server.token})


class Played(NamedTuple):
    """The outcome of a history: what is wrong, with the story of how it came to be, and what was counted."""

    report: list[str]  # empty if nothing is wrong
    counts: Counter[str]


Step = Callable[[History], str]  # takes the step and returns what was done; "" if nothing could be done
Oracle = Callable[[History], Iterable[str]]  # yields what is wrong


@dataclass(frozen=True)
class Profile:
    """A kind of histories: its steps, and its oracles."""

    begin: Step
    steps: Mapping[Step, int]  # how often each is drawn
    oracles: tuple[Oracle, ...] = ()  # after each step
    last: tuple[Step, ...] = ()  # steps after the drawn ones
    ending: tuple[Oracle, ...] = ()  # after the last step
    length: tuple[int, int] = (10, 20)  # drawn steps
    names: tuple[str, ...] = ()  # the only keys of entries
    routes: tuple[str, ...] = ("folder",)
    seeds: int = 200  # histories in the long form, on each route

    def play(self, server: Server, seed: int, route: str = "folder", length: tuple[int, int] | None = None) -> Played:
        """Play a random history."""
        with beginning(server, route, f"{seed} {route}", self.names) as history:
            self.take(history, self.begin)
            number = history.dice.randint(*(length or self.length))
            steps = history.dice.choices([*self.steps], [*self.steps.values()], k=number)
            for step in steps:
                if not history.wrong:
                    self.take(history, step)
            self.finish(history)
            report = [*history.wrong, *(f"  {line}" for line in history.story)] if history.wrong else []
            return Played(report, history.counts)

    def take(self, history: History, step: Step) -> None:
        """Take a step, and ask the oracles."""
        if done := step(history):
            history.story.append(done)
            history.wrong += [problem for oracle in self.oracles for problem in oracle(history)]

    def finish(self, history: History) -> None:
        """Take the last steps, and ask the oracles of the end."""
        for step in self.last:
            if not history.wrong:
                self.take(history, step)
        if not history.wrong:
            history.wrong += [problem for oracle in self.ending for problem in oracle(history)]


@contextmanager
def beginning(server: Server, route: str, seed: object, names: tuple[str, ...] = ()) -> Iterator[History]:
    """Begin a history with an empty server and an empty repository."""
    home = Path(mkdtemp(prefix="history-", dir=server.home))
    try:
        server.begin()
        with ExitStack() as cleanup:
            draw = Draw(random.Random(str(seed)), names)
            yield History(server, ROUTES[route](server, home), draw, cleanup=cleanup)
    finally:
        troubles.end(server)
        shutil.rmtree(home)
