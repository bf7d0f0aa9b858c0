"""A folder and its target: what plan, sync, status and pull begin with."""

import os
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from .. import __version__
from ..content.config import Target
from ..content.folder import Content, load
from ..content.workers import without_collector
from ..errors import ContentError
from ..model import RECORDS, Entry, Kind
from ..remote import Remote
from ..report.plan import Destination
from ..report.problems import problems_text
from ..sync import UNKNOWN, Applied, Base, Place, Plan, Policy, Selection, prepare, used_locales
from ..sync.change import Action
from ..sync.losses import losers
from ..sync.memory.recovery import Unfinished
from ..sync.memory.revision import revision
from ..sync.memory.runs import run_named
from ..sync.memory.saved import Saved, Terms, files_of
from ..sync.memory.state import read_state
from ..sync.undo import undo_plan
from .options import Options, revision_of
from .progress import reading
from .targets import address, choose, connect, require_synced


@dataclass(frozen=True, slots=True)
class Session:
    """What a command about a folder and a server works on."""

    content: Content
    target: Target
    selection: Selection
    policy: Policy
    base: str  # `state`, or `git:REF`
    place: Place  # where what must be remembered of the target is kept
    console: Console  # for people

    @classmethod
    def open(cls, folder: Path, options: Options, console: Console) -> "Session":
        """Reads the folder and chooses the target. Raises ContentError if anything in the folder is wrong."""
        options.check()
        content = load(folder)
        if content.errors:
            raise ContentError(content.problems, folder)
        console.print(problems_text(content.problems, folder, console.width), end="")
        return cls.of(content, options, console)

    @classmethod
    def of(cls, content: Content, options: Options, console: Console) -> "Session":
        """The same for a folder that was read and is without errors."""
        config = content.config
        target = choose(config.targets, config.default_target, options.target, os.environ)
        place = Place.of(content.folder, target.name, options.state_dir)
        return cls(content, target, options.selection, options.policy(target), options.base, place, console)

    def bound_to(self, saved: Saved) -> "Session":
        """The same session with what a saved plan was made with."""
        return replace(self, selection=saved.selection, policy=saved.policy, base=saved.base)

    @property
    def destination(self) -> Destination:
        """The target as reports name it."""
        pace = None if self.target.embedded else self.target.requests_per_minute
        secret = "" if self.target.embedded else os.environ.get(self.target.token_env, "").strip()
        return Destination(self.target.name, address(self.target), pace, secret)

    @property
    def terms(self) -> Terms:
        """What a saved plan holds for."""
        files = files_of(self.content.config, self.target, self.content.entries)
        return Terms(__version__, self.target, self.selection, self.policy, self.base, files)

    @asynccontextmanager
    async def planned(self) -> AsyncIterator[tuple[Plan, Remote]]:
        """The plan, and the server to apply it to."""
        ref = revision_of(self.base)
        past = None if ref is None else revision(self.content.folder, ref)
        if ref is not None and past is not None:
            require_synced(self.target, past.config, ref, os.environ)
        with without_collector():
            state = UNKNOWN if ref is not None else read_state(self.place.state, self.target)
        unfinished = Unfinished(()) if ref is not None else Unfinished.of(self.place, self.target)

        def base(actual: Sequence[Entry]) -> Base:
            return unfinished.settled(state, actual) if past is None else past.base(actual, self.target.user_ids)

        entries = [*self.content.entries, *(past.entries if past else ())]
        used = used_locales(entries, [*state.values(), *unfinished.lines])
        leaving = self._leaving(past.entries if past else (), state)
        if any(RECORDS[kind].translated for kind in leaving):  # an undo restores the texts in every language
            used.update(self.content.config.site.locales)
        async with self._server() as remote:
            with reading(self.console) as heard, without_collector():
                try:
                    plan = await prepare(
                        self.content.entries,
                        remote,
                        locales=[locale for locale in self.content.config.site.locales[1:] if locale in used],
                        user_ids=self.target.user_ids,
                        selection=self.selection,
                        also=unfinished.kinds | losers(leaving),
                        heard=heard,
                        base=base,
                        policy=self.policy,
                        moved=past.moved if past else {},
                        is_left_out=self.is_left_out,
                        token=self.destination.secret,
                    )
                except ContentError as error:
                    raise ContentError(error.problems, self.content.folder) from error
            yield plan, remote

    @asynccontextmanager
    async def undoing(self, name: str) -> AsyncIterator[tuple[Plan, Remote]]:
        """The plan that takes a run back, and the server to apply it to."""
        run = run_named(self.place, self.target, name)
        kinds = {step.kind for step in run.steps}
        kinds |= losers(step.kind for step in run.steps if step.action is not Action.UPDATE)
        kinds |= {kind for step in run.steps for kind in step.ids or ()}
        async with self.read(kinds) as (actual, base, remote):
            yield undo_plan(run, actual, base, self.policy), remote

    @asynccontextmanager
    async def read(self, kinds: Collection[Kind]) -> AsyncIterator[tuple[list[Entry], Base, Remote]]:
        """All that the server has of some kinds, in every language; what was applied last; and the server."""
        state = read_state(self.place.state, self.target)
        unfinished = Unfinished.of(self.place, self.target)
        async with self._server() as remote:
            with reading(self.console) as heard, without_collector():
                actual = await remote.fetch({*kinds, *unfinished.kinds}, self.content.config.site.locales[1:], heard)
            yield actual, unfinished.settled(state, actual), remote

    async def plan(self) -> Plan:
        """The plan alone."""
        async with self.planned() as (plan, _):
            return plan

    def _leaving(self, past: Sequence[Entry], state: Base) -> set[Kind]:
        """The kinds of which the plan may delete entries."""
        if not self.policy.prune:
            return set()
        here = {(entry.kind, entry.key) for entry in self.content.entries}
        before = {(entry.kind, entry.key) for entry in past} | state.keys()
        return {kind for kind, key in before - here if self.selection.covers(kind, key)}

    def _server(self) -> AbstractAsyncContextManager[Remote]:
        return connect(self.target, self.content, place=self.place, waiting=self._tell_wait)

    def _tell_wait(self, seconds: float) -> None:
        if seconds >= 1:  # shorter ones nobody notices
            self.console.print(f"waiting {seconds:.0f} s: the server takes no more requests until then", style="dim")

    def is_left_out(self, applied: Applied) -> bool:
        """Whether the file of an applied entry is no content by the config as it is now (faults.md PL-07)."""
        folder = self.content.config.content[applied.kind]
        inside = applied.path == folder.path or applied.path.startswith(f"{folder.path}/")
        return bool(applied.path) and (not inside or folder.excludes(applied.path))
