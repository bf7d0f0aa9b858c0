"""A folder and its target: what plan, sync, status and pull begin with."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from .. import __version__
from ..content.config import Target, read_config
from ..content.folder import Content, load, survey
from ..content.workers import without_collector
from ..errors import ContentError
from ..model import RECORDS, Entry, Kind
from ..remote import SILENCE, Pacer, Remote
from ..report.plan import Destination
from ..report.words import counted, printable
from ..sync import (
    UNKNOWN,
    AppliedEntry,
    Base,
    BaseSource,
    Plan,
    PlanSource,
    Policy,
    Selection,
    StateDir,
    prepare,
    used_locales,
)
from ..sync.change import Action, kinds_referring_to
from ..sync.gates import language_refusals
from ..sync.prepare import read_server
from ..sync.saved_plan import PlanContext, SavedPlan, folder_digests
from ..sync.state.git_revision import Revision, read_revision
from ..sync.state.recovery import UnfinishedRuns
from ..sync.state.run_history import run_to_undo
from ..sync.state.state_file import read_state
from ..sync.undo_plan import undo_plan
from .options import Options, revision_of
from .progress import reading
from .targets import address, choose, connect, is_synced, pacer_for, require_synced
from .warned import show_warnings


class Planned(NamedTuple):
    """A plan and the server to apply it to."""

    plan: Plan
    remote: Remote
    again: Callable[[Base], Awaitable[Plan]]  # the plan from what the server has by then, and what was applied by then


@dataclass(frozen=True, slots=True)
class Session:
    """What a command about a folder and a server works on."""

    content: Content
    target: Target
    selection: Selection
    policy: Policy
    base: str  # `state`, or `git:REF`
    attempts: tuple[str, ...]  # commits that runs have begun to apply since git:REF
    place: StateDir  # where what must be remembered of the target is kept
    console: Console  # for people
    pacer: Pacer | None  # None where there is no limit to keep to

    @classmethod
    def open(cls, folder: Path, options: Options, console: Console) -> "Session":
        """Reads the folder and chooses the target. Raises ContentError if anything in the folder is wrong."""
        options.check()
        content = load(folder)
        if content.errors:
            raise ContentError(content.problems, folder)
        session = cls.of(content, options, console)
        show_warnings(console, content, session.place)
        return session

    @classmethod
    def open_settings(cls, folder: Path, options: Options, console: Console) -> "Session":
        """Read the settings alone, for a command that needs no entries. Raise ContentError if they have errors.

        Other errors in the folder are only mentioned: they must not stop an undo.
        """
        options.check()
        config, problems = read_config(folder)
        found = survey(folder)
        if not folder.is_dir() or any(problem.is_error for problem in problems):
            raise ContentError(found.problems, folder)
        if found.errors:
            errors = counted(len(found.errors), "error")
            console.print(f"the content has {errors}, which this command ignores: contentsync validate shows them")
        return cls.of(Content(folder, tuple(problems), 0, {}, config, ()), options, console)

    @classmethod
    def of(cls, content: Content, options: Options, console: Console) -> "Session":
        """The same for a folder that was read and is without errors."""
        config = content.config
        target = choose(config.targets, config.default_target, options.target, os.environ)
        place = StateDir.of(content.folder, target.name, options.state_dir)
        policy, base, attempts = options.policy(target), options.base, options.attempts
        pacer = pacer_for(target)
        return cls(content, target, options.selection, policy, base, attempts, place, console, pacer)

    def bound_to(self, saved: SavedPlan) -> "Session":
        """The same session with what a saved plan was made with."""
        selection, policy = saved.selection, saved.policy
        return replace(self, selection=selection, policy=policy, base=saved.base, attempts=saved.attempts)

    @property
    def destination(self) -> Destination:
        """The target as reports name it, with the pace that is known by now."""
        pace = None if self.pacer is None else self.pacer.limit
        secret = "" if self.target.embedded else os.environ.get(self.target.token_env, "").strip()
        return Destination(self.target.name, address(self.target), pace, secret)

    @property
    def terms(self) -> PlanContext:
        """What a saved plan holds for."""
        files = folder_digests(self.content.config, self.target, self.content.entries)
        return PlanContext(
            __version__, self.target, self.selection, self.policy, self.base, files, attempts=self.attempts
        )

    @asynccontextmanager
    async def planned(self, *, must_match: bool = False) -> AsyncIterator[Planned]:
        """Yield the plan, and the server to apply it to.

        With `must_match`, raise UsageError for an `--only` that matches no entry.
        """
        ref = revision_of(self.base)
        past = None if ref is None else self._past(ref)
        kept = self._kept(ref)
        async with self._server() as remote:
            plan = await self._prepared(remote, past, *kept)
            if must_match:
                self.require_matches(plan.actual, plan.base)
            yield Planned(
                plan,
                remote,
                lambda applied: self._prepared(remote, past, *self._kept(ref), applied),
            )

    def require_matches(self, actual: Iterable[Entry], base: Base) -> None:
        """Raise UsageError for an `--only` that matches no entry of the folder, the server or the last sync."""
        if self.selection.patterns:
            entries = [(entry.kind, entry.key) for entry in (*self.content.entries, *actual)]
            self.selection.require_matches([*entries, *base])

    def _kept(self, ref: str | None) -> tuple[Base, UnfinishedRuns]:
        """Return what is kept beside the content: nothing of it counts where the base is a commit."""
        if ref is not None:
            return UNKNOWN, UnfinishedRuns(())
        with without_collector():
            return read_state(self.place.state, self.target), UnfinishedRuns.of(self.place, self.target)

    async def _prepared(
        self, remote: Remote, past: Revision | None, state: Base, unfinished: UnfinishedRuns, applied: Base = UNKNOWN
    ) -> Plan:
        def base(actual: Sequence[Entry]) -> Base:
            if past is None:
                return unfinished.recover_base(state, actual)
            return applied if applied.known else past.base(actual, self.target.user_ids)

        before = [*past.all_entries] if past else []
        leaving = self._leaving(before, state)
        used = used_locales([*self.content.entries, *before], [*state.values(), *unfinished.applied_entries])
        if any(RECORDS[kind].translated for kind in leaving):  # an undo restores the texts in every language
            used.update(self.content.config.site.locales[1:])
        with reading(self.console) as heard, without_collector():
            try:
                plan = await prepare(
                    PlanSource(
                        self.content.entries,
                        sorted(used),
                        self.target.user_ids,
                        renamed_files=past.renamed_files if past else {},
                        is_excluded=self.is_excluded,
                        token=self.destination.secret,
                    ),
                    remote,
                    self.selection,
                    heard,
                    base=BaseSource(base, unfinished.kinds | kinds_referring_to(leaving)),
                    policy=self.policy,
                )
            except ContentError as error:
                raise ContentError(error.problems, self.content.folder) from error
        return await self._in_languages(plan, remote)

    def _past(self, ref: str) -> Revision | None:
        """The folder as of a commit, without the attempts to write to another directory: they prove nothing here.

        Raises Refused where the commit itself was synced to another one.
        """
        past = read_revision(self.content.folder, ref, self.attempts)
        if past is None:
            return None
        if past.config is not None:
            require_synced(self.target, past.config, ref, os.environ)
        for module in past.submodules:
            said = f"{module} is a submodule, and what it held at {ref} is not known: nothing is deleted that was in it"
            self.console.print(printable(said), markup=False)
        attempts = tuple(one for one in past.attempts if is_synced(self.target, one.config, os.environ))
        if attempts:
            commits = "1 commit was" if len(attempts) == 1 else f"{len(attempts)} commits were"
            self.console.print(
                f"{commits} begun after {ref} and not finished: what the server has exactly as they say counts as ours",
                style="dim",
                markup=False,
            )
        return replace(past, attempts=attempts)

    @asynccontextmanager
    async def undoing(self, name: str | None) -> AsyncIterator[Planned]:
        """Yield the plan that undoes a run, and the server to apply it to.

        Without a name, undo the last run. If that is an undo which did not complete, go on with it.
        """
        run = run_to_undo(self.place, self.target, name)
        if run.unfinished_undo is not None:
            self.console.print(
                f"the last undo did not complete: continuing the undo of run {printable(run.name)}\n"
                f"  to undo only what it did so far: contentsync undo --run {printable(run.unfinished_undo.name)}",
                markup=False,
            )
        kinds = {step.kind for step in run.steps}
        kinds |= kinds_referring_to(step.kind for step in run.steps if step.action is not Action.UPDATE)
        kinds |= {kind for step in run.steps for kind in step.ids or ()}
        kept = self._kept(None)
        async with self._server() as remote:

            async def plan(state: Base, unfinished: UnfinishedRuns) -> Plan:
                actual, base = await self._actual(remote, kinds, state, unfinished)
                undo = replace(undo_plan(run, actual, base, self.policy), undoes=run.name)
                return await self._in_languages(undo, remote)

            yield Planned(await plan(*kept), remote, lambda applied: plan(*self._kept(None)))

    @asynccontextmanager
    async def read(self, kinds: Collection[Kind]) -> AsyncIterator[tuple[list[Entry], Base]]:
        """All that the server has of some kinds, in every language, and what was applied last."""
        kept = self._kept(None)
        async with self._server() as remote:
            yield await self._actual(remote, kinds, *kept)

    async def _actual(
        self, remote: Remote, kinds: Collection[Kind], state: Base, unfinished: UnfinishedRuns
    ) -> tuple[list[Entry], Base]:
        wanted = {*kinds, *unfinished.kinds}
        locales = {
            *self.content.config.site.locales[1:],
            *used_locales((), [*state.values(), *unfinished.applied_entries]),
        }
        with reading(self.console) as heard, without_collector():
            return await read_server(
                remote, wanted, sorted(locales), heard, lambda actual: unfinished.recover_base(state, actual)
            )

    async def plan(self) -> Plan:
        """The plan alone."""
        async with self.planned() as planned:
            return planned.plan

    async def _in_languages(self, plan: Plan, remote: Remote) -> Plan:
        """The plan, refused if the server's languages do not fit; a plan without changes costs no request."""
        if not plan:
            return plan
        ours = self.content.config.site.locales
        there = ours if self.target.embedded else await remote.languages()  # an embedded directory has the config's
        return replace(plan, refusals=(*plan.refusals, *language_refusals(plan, ours, there)))

    def _leaving(self, past: Sequence[Entry], state: Base) -> set[Kind]:
        """The kinds of which the plan may delete entries."""
        if not self.policy.prune:
            return set()
        here = {(entry.kind, entry.key) for entry in self.content.entries}
        before = {(entry.kind, entry.key) for entry in past} | state.keys()
        return {kind for kind, key in before - here if self.selection.covers(kind, key)}

    def _server(self) -> AbstractAsyncContextManager[Remote]:
        return connect(
            self.target,
            self.content,
            place=self.place,
            pacer=self.pacer,
            waiting=self._tell_wait,
            paced=self._report_pace,
            overdue=self._report_silence,
        )

    def _tell_wait(self, seconds: float) -> None:
        if seconds >= 1:  # shorter ones nobody notices
            self.console.print(f"waiting {seconds:.0f} s: the server takes no more requests until then", style="dim")

    def _report_pace(self) -> None:
        pacer = self.pacer
        if pacer is None:
            return
        source = (
            "requests_per_minute of the target"
            if self.target.requests_per_minute == pacer.limit
            else "the limit that the server reports"
            if pacer.is_reported
            else "as the server reports no limit; requests_per_minute of the target sets another"
        )
        self.console.print(f"sending at most {pacer.limit} requests a minute ({source})", style="dim", markup=False)

    def _report_silence(self, seconds: float) -> None:
        limit = f"the run stops after {SILENCE:.0f} s without one"
        self.console.print(
            f"waiting for an answer from {self.target.url}, {seconds:.0f} s so far: {limit}", style="dim"
        )

    def is_excluded(self, applied: AppliedEntry) -> bool:
        """Whether the file of an applied entry is no content by the config as it is now (docs/faults.md PL-07)."""
        folder = self.content.config.content[applied.kind]
        inside = applied.path == folder.path or applied.path.startswith(f"{folder.path}/")
        return bool(applied.path) and (not inside or folder.excludes(applied.path))
