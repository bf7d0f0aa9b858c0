"""One random history of commits and failures, and what must hold at its end.

Nothing is lost, doubled or left behind: the server has exactly what the last commit says, after at most two more runs
that nothing disturbs, and a third run has nothing to write. With one writer no run ever refuses because of a conflict.
With a second writer, and `on_drift = "fail"`, no run ever changes what that writer has edited.
"""

import random
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp

from contentsync.content.folder.load import load_content

from ..properties.folders import CONFIG
from ..sync_faults.records import Records
from . import content, troubles
from .commits import Author
from .routes import ROUTES, ByHand, Route, Said
from .second_writer import SecondWriter
from .server import Server
from .troubles import Trouble

MORE_RUNS = 2
SHOWN = 300  # characters of what a run said


def play(
    server: Server, seed: int, route: str, *, second_writer: bool = False, rounds: tuple[int, int] = (3, 7)
) -> list[str]:
    """Return what is wrong, and after that the story of how it came to be; nothing if nothing is wrong.

    A round is some commits and a sync; how many there are is drawn from between the two `rounds`.
    """
    with beginning(server, route, f"{seed} {route} {second_writer}") as history:
        if second_writer:
            history.second_writer = SecondWriter(server, history.chance)
        wrong = list(history.run(*rounds))
        return [*wrong, *(f"  {line}" for line in history.story)] if wrong else []


@contextmanager
def beginning(server: Server, route: str, seed: object) -> "Iterator[History]":
    """Begin a history with an empty server and an empty repository."""
    home = Path(mkdtemp(prefix="history-", dir=server.home))
    try:
        server.begin()
        yield History(server, ROUTES[route](server, home), random.Random(str(seed)))
    finally:
        troubles.end(server)
        shutil.rmtree(home)


@dataclass
class History:
    """Commits and syncs; each sync may meet a trouble."""

    server: Server
    route: Route
    chance: random.Random
    second_writer: SecondWriter | None = None
    story: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._author = Author(self.chance)

    def run(self, fewest: int, most: int) -> Iterator[str]:
        """Play a random history, and yield what is wrong."""
        self.start()
        troubled = self.chance.random() < 0.3
        yield from self._sync_maybe(troubled=troubled)
        for _ in range(self.chance.randint(fewest, most)):
            if self.second_writer and self.chance.random() < 0.6:
                self.story.append(self.second_writer.act())
            for _ in range(self.chance.choice((1, 1, 2, 3))):
                self._change(reverting=0.4 if troubled else 0.1)
            troubled = self.chance.random() < 0.6
            yield from self._sync_maybe(troubled=troubled)
            alone = self.second_writer is None and not troubled
            if isinstance(self.route, ByHand) and alone and self.chance.random() < 0.3:
                yield from self._undo(self.route)
        yield from self.end()

    def start(self) -> None:
        """Make the first commit."""
        on_drift = "fail" if self.second_writer else "keep"
        self.route.site.mkdir()
        (self.route.site / "contentsync.toml").write_text(CONFIG + self.server.config(on_drift), encoding="utf-8")
        self.save(content.first(), "first")
        self.route.first()

    def save(self, site: content.Site, what: str) -> None:
        """Commit what the content folder is to hold."""
        content.write(site, self.route.site)
        self.route.tree.git("add", "--all", ".")
        self.route.tree.git("commit", "--quiet", "--allow-empty", f"--message={what}")

    def sync(self, trouble: Trouble | None = None) -> Iterator[str]:
        """Sync, and yield what is wrong by then."""
        if trouble:
            trouble.begin(self.server)
        said = self.route.deliver()
        troubles.end(self.server)
        self.story.append(f"sync, trouble: {trouble or 'none'}: {_end_of(said)}")
        yield from self._judged(said)

    def end(self) -> Iterator[str]:
        """Let the server be healthy, and yield what is wrong in the end."""
        if self.second_writer:
            self.second_writer.take_back()
            self.story.append("the second writer takes the edits back")
        for _ in range(MORE_RUNS):
            said = self.route.again()
            self.story.append(f"sync again: {_end_of(said)}")
            if self.second_writer is None:
                yield from self._judged(said)
        expected, records = self.server.expected(self.route.site), self.server.records()
        yield from _differing(records, expected, self.second_writer)
        self.server.stage.proxy.requests.clear()
        self.route.tree.git("commit", "--quiet", "--allow-empty", "--message=empty")
        self.route.deliver()
        requests = self.server.stage.proxy.requests
        writes = [f"{method} {path}" for method, path in requests if method != "GET"]
        if writes or not requests:
            yield f"not empty: {MORE_RUNS} more runs leave something to write: {writes or 'nothing was even read'}"

    def _sync_maybe(self, *, troubled: bool) -> Iterator[str]:
        yield from self.sync(troubles.drawn(self.chance) if troubled else None)

    def _judged(self, said: Said) -> Iterator[str]:
        if self.second_writer is None:
            if said.refused:
                yield f"refused: with one writer, a run refused: {_end_of(said)}"
        else:
            yield from self.second_writer.overwritten()

    def _undo(self, route: ByHand) -> Iterator[str]:
        """Make a commit, sync it, take the run back, and sync again."""
        earlier = self.server.records()
        self._change(reverting=0.0)
        said = route.deliver()
        self.story.append(f"sync: {_end_of(said)}")
        if self.server.records() == earlier:  # there was nothing to do, so an undo takes back an earlier run
            return
        said = route.undo()
        self.story.append(f"undo: {_end_of(said)}")
        for problem in _differing(self.server.records(), earlier, None):
            yield f"undo: {problem}"
        said = route.deliver()
        self.story.append(f"sync after the undo: {_end_of(said)}")
        yield from self._judged(said)

    def _change(self, *, reverting: float) -> None:
        """Make a commit whose content is without errors; or none, where git or the content does not allow it."""
        tree, start = self.route.tree, self.route.tree.git("rev-parse", "HEAD")
        kind = self.chance.random()
        if kind < reverting and tree.commits > 1:
            back = self.chance.choice((0, 0, 0, 1, 2)) if tree.commits > 3 else 0
            done = tree.run("revert", "--no-edit", f"HEAD~{back}")
            what = f"revert HEAD~{back}"
            if done.returncode:
                tree.run("revert", "--abort")
        elif kind > 0.88:
            what = self._merge()
        else:
            what = self._author_commits()
        if load_content(self.route.site).errors:
            tree.git("reset", "--quiet", "--hard", start)
            what += " (taken back: it would be an error)"
        self.story.append(f"commit: {what}")

    def _merge(self) -> str:
        tree = self.route.tree
        tree.git("checkout", "--quiet", "-b", "side")
        side = self._author_commits(documents_only=True)
        tree.git("checkout", "--quiet", "main")
        here = self._author_commits()
        done = tree.run("merge", "--quiet", "--no-ff", "--no-edit", "side")
        if done.returncode:
            tree.git("merge", "--abort")
        tree.git("branch", "--quiet", "-D", "side")
        return f"merge ({side}) into ({here}){', which git refuses' if done.returncode else ''}"

    def _author_commits(self, *, documents_only: bool = False) -> str:
        site = content.read(self.route.site)
        what = self._author.commit(site, documents_only=documents_only)
        self.save(site, what)
        return what


def _differing(records: Records, expected: Records, writer: SecondWriter | None) -> Iterator[str]:
    """Yield each record that is not as expected, without the pages of a second writer.

    Nor is a record left behind that a second writer has edited: after a run that did not finish, it has no longer
    exactly the values of the commit, so it is not ours any more (docs/evidence.md 2).
    """
    made, edited = (writer.made, writer.edited) if writer else (frozenset(), set())
    for key in sorted(records.keys() | expected.keys()):
        if key[1] in made:
            continue
        if key not in expected and (key[0].collection, records[key].id) in edited:
            continue
        if key not in records:
            yield f"lost: {key[0]} {key[1]}"
        elif key not in expected:
            yield f"left behind: {key[0]} {key[1]}"
        elif records[key].content != expected[key].content:
            now, wanted = records[key].content, expected[key].content
            names = [name for name in wanted if now.get(name) != wanted[name]]
            yield f"wrong: {key[0]} {key[1]}: " + "; ".join(f"{n} {now.get(n)}, not {wanted[n]}" for n in names)


def _end_of(said: Said) -> str:
    """Return the last words, without what git says of the push."""
    lines = [line for line in said.text.splitlines() if not re.match(r"To /| [*+ ] |   +[0-9a-f]+\.\.", line)]
    text = " ".join(" ".join(lines).split())
    refused = text.rfind("refused ")
    return text[refused:][:SHOWN] if said.refused and refused >= 0 else text[-SHOWN:]
