"""The session of a command: the folder, its target, and the plans that are made from them.

The modules that make a plan are imported when one is made: a recalled plan (decision 18) needs none of them.
"""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console

from .. import __version__
from ..content.config.config import ADDRESS_HINT, missing_address, read_config
from ..content.config.config_tables import Target
from ..content.folder.load import Content, gc_paused, load_content, require_valid, validate_folder
from ..errors import ContentError, UsageError, pluralize
from ..model import RECORDS, Entry, Kind
from ..model.filled_fields import Completeness
from ..printed_commands import PrintedCommands
from ..remote.pacing import Pacer
from ..remote.record_reader import KnownLists
from ..remote.remote import Remote
from ..report.document_parts import Destination
from ..sync.comparing.base import UNKNOWN_BASE, AppliedEntry, Base
from ..sync.comparing.change import Action, kinds_referring_to
from ..sync.planning.plan import Plan, Policy, Selection
from ..sync.state.state_dir import StateDir, running_owner
from ..sync.state.state_file import read_state
from ..sync.state.synced_entries import SyncedEntries
from ..value_text import printable
from .plan_options import PlanOptions, limits_of_sources, revision_of
from .progress import read_progress, show_warnings, wait_messages
from .target_connection import choose_target, connect, has_local_files, make_pacer, open_publisher, target_address

if TYPE_CHECKING:
    from ..exchange.publish.publisher import Publisher
    from ..sync.state.git_revision import Revision
    from ..sync.state.recovery import UnfinishedRuns
    from ..sync.state.saved_plan import PlanContext


class ConnectedPlan(NamedTuple):
    """A plan and the connection to the server to apply it to."""

    plan: Plan
    remote: Remote
    replan: Callable[[Base], Awaitable[Plan]]  # reads the server again; returns a new plan for the present base
    publisher: "Publisher | None" = None  # of the files that the plan uploads; None without an asset store
    content: Content | None = None  # that the plan was made from; None if it was made from no folder
    measure: Callable[[], Sequence[Completeness]] = tuple  # returns the completeness of the folder, if it is known


@dataclass(frozen=True, slots=True)
class Session:
    """The folder, the target and the options of a command."""

    content: Content
    target: Target
    selection: Selection
    policy: Policy
    base: str  # `state`, or `git:REF`
    attempts: tuple[str, ...]  # commits that runs began to apply since git:REF
    state_dir: StateDir  # where the state of the target is stored
    known_lists: KnownLists  # of the server
    console: Console  # for messages
    pacer: Pacer | None  # None if the target has no rate limit
    commands: PrintedCommands  # of messages
    synced_entries: SyncedEntries | None = None  # what is left out on all sides
    all_locales: bool = False  # read also the languages that neither the folder nor the base has

    @classmethod
    def open(
        cls,
        folder: Path,
        options: PlanOptions,
        console: Console,
        content: Content | None = None,
        *,
        may_break_rules: bool = False,
    ) -> "Session":
        """Read the folder, unless this is its `content`, and choose the target. Raise ContentError if it has errors.

        A plan that is applied must not be made of entries that break house rules (`may_break_rules`).
        """
        options.check(folder)
        content = content or load_content(folder, index=options.index, may_break_rules=may_break_rules)
        require_valid(content, may_break_rules=may_break_rules)
        session = cls.from_content(content, options, console)
        show_warnings(console, content, session.state_dir, session.commands)
        return session

    @classmethod
    def open_without_entries(cls, folder: Path, options: PlanOptions, console: Console) -> "Session":
        """Read only the config, for a command that needs no entries. Raise ContentError if the config has errors.

        Other errors in the folder are only counted: they must not stop an undo.
        """
        options.check(folder)
        config, problems = read_config(folder)
        report = validate_folder(folder)
        if not folder.is_dir() or any(problem.is_error for problem in problems):
            raise ContentError(report.problems, folder)
        content = Content(folder, tuple(problems), files=0, counts={}, config=config, entries=())
        session = cls.from_content(content, options, console)
        if report.errors:
            errors, shows = pluralize(len(report.errors), "error"), f"{session.commands('validate')} shows them"
            console.print(f"the content has {errors}, which this command ignores: {shows}", markup=False)
        return session

    @classmethod
    def from_content(cls, content: Content, options: PlanOptions, console: Console) -> "Session":
        """Return the session for content without errors."""
        config = content.config
        target = choose_target(config.targets, config.default_target, options.target, os.environ)
        if not target.is_embedded and has_local_files(content):  # CONTENTSYNC_URL has replaced an embedded target
            raise UsageError(missing_address(target.name), ADDRESS_HINT)
        state_dir = StateDir.for_target(content.folder, target.name, options.state_dir)
        selection, policy = options.selection(content.folder, content.entries), options.policy(target)
        pacer, commands, base = make_pacer(target), options.commands(content.folder), options.base
        lists, attempts = KnownLists(state_dir.cache), options.attempts
        return cls(content, target, selection, policy, base, attempts, state_dir, lists, console, pacer, commands)

    @property
    def destination(self) -> Destination:
        """The target as reports name it, with the rate limit as far as it is known."""
        pace = None if self.pacer is None else self.pacer.limit
        secret = "" if self.target.is_embedded else os.environ.get(self.target.token_env, "").strip()
        return Destination(self.target.name, target_address(self.target), pace, secret, self.commands)

    @property
    def plan_context(self) -> "PlanContext":
        """The values that must be unchanged when a saved plan is applied; an attempt is a commit whose sync began."""
        from ..sync.state.saved_plan import PlanContext, folder_digests  # most plans are not saved

        files = folder_digests(self.content.config, self.target, self.content.entries)
        if self.synced_entries:
            files |= self.synced_entries.entries
        return PlanContext(
            __version__, self.target, self.selection, self.policy, self.base, files, attempts=self.attempts
        )

    @asynccontextmanager
    async def open_plan(self, *, only_must_match: bool = False, publishes: bool = True) -> AsyncIterator[ConnectedPlan]:
        """Yield the plan, and the server to apply it to.

        With `only_must_match`, raise UsageError for an `--only` that matches no entry. Without `publishes`, do not ask
        the asset store which files it lacks, nor git which ones it ignores. Raise NotSynced if a plan without some
        listings may differ from the whole one.
        """
        from .tracked_content import check_tracking

        if owner := running_owner(self.state_dir):
            message = f"{owner} is running on this target: it may change what the plan is made from"
            self.console.print(printable(message), style="dim", markup=False)
        ref = revision_of(self.base)
        past: Revision | None = None
        if ref is not None:
            from .past_revision import read_past_revision  # most plans have the base of the state file

            past = read_past_revision(self.content.folder, ref, self.attempts, self.target, self.console)
        base, unfinished = self._load_state(ref)
        publisher = open_publisher(self.content) if publishes else None

        async with self.connect() as remote:

            async def replan(applied: Base) -> Plan:
                return await self.replan(remote, past, publisher, applied)

            changes = await self._prepare(remote, past, base, unfinished)
            plan = await self._add_uploads(changes, publisher)
            if publishes:
                plan = check_tracking(plan, self.content, self.target, self.console)
            if only_must_match:
                self.require_matches(plan.actual, plan.base)
            yield ConnectedPlan(plan, remote, replan, publisher, self.content)

    async def replan(
        self,
        remote: Remote,
        past: "Revision | None" = None,
        publisher: "Publisher | None" = None,
        applied: Base = UNKNOWN_BASE,
    ) -> Plan:
        """Return a new plan, for a server and a state that a run may have changed since the first one.

        The state has what was applied meanwhile; if a commit is the base (`past`), `applied` is used. Raise
        IndexDiffers as `confirm_plan` does.
        """
        from ..sync.planning.confirmed_files import confirm_plan
        from .tracked_content import check_tracking

        base, unfinished = self._load_state(revision_of(self.base))
        plan = await self._prepare(remote, past, base, unfinished, applied)
        plan = check_tracking(await self._add_uploads(plan, publisher), self.content, self.target)
        return confirm_plan(self.content, plan)

    async def _add_uploads(self, plan: Plan, publisher: "Publisher | None") -> Plan:
        """Return the plan with the files to publish; the plan itself without an asset store (None)."""
        if publisher is None:
            return plan
        selected = (entry for entry in self.content.entries if entry in self.selection and not entry.notes.skip)
        return await publisher.add_uploads(plan, selected)

    def require_matches(self, actual: Iterable[Entry], base: Base) -> None:
        """Raise UsageError for an `--only` that matches no entry of the folder, the server or the last sync."""
        if self.selection.patterns:
            entries = [(entry.kind, entry.key) for entry in (*self.content.entries, *actual)]
            self.selection.require_matches([*entries, *base.keys()], self.content.entries)

    def _load_state(self, ref: str | None) -> "tuple[Base, UnfinishedRuns]":
        """Return the base of the state file, and the unfinished runs.

        If a commit (`ref`) is the base, the state file is not used: return an unknown base, and no runs. Raise
        NotSynced if the state concerns a listing that is left out.
        """
        from ..sync.state.recovery import UnfinishedRuns

        if ref is not None:
            return UNKNOWN_BASE, UnfinishedRuns(())
        with gc_paused():
            left_out = self.synced_entries.lines if self.synced_entries else ()
            base = read_state(self.state_dir.state, self.target, left_out)
            if self.synced_entries:
                self.synced_entries.check(base)
            return base, UnfinishedRuns.read(self.state_dir, self.target)

    async def _prepare(
        self,
        remote: Remote,
        past: "Revision | None",
        state: Base,
        unfinished: "UnfinishedRuns",
        applied: Base = UNKNOWN_BASE,
    ) -> Plan:
        """Make the plan, without uploads.

        The base is that of the state file with the `unfinished` runs, or with `git:REF` that of the commit (`past`). If
        the run has already `applied` entries when it plans again, these replace the commit's base.
        """
        from ..sync.history.reverted_fields import RevertedFields
        from ..sync.planning.plan_builder import PlanFacts
        from ..sync.planning.prepare import BaseSource, PlanSource, prepare_plan, used_locales

        def find_base(actual: Sequence[Entry]) -> Base:
            """Return the base for these records of the server: of the state file, of this run, or of the commit."""
            if past is None:
                return unfinished.recover_base(state, actual)
            if applied.is_known:
                return applied
            return past.compute_base(actual, self.target.user_ids)

        past_entries = [*past.all_entries] if past else []
        deleted_kinds = self._deleted_kinds(past_entries, state)
        used = used_locales([*self.content.entries, *past_entries], [*state.values(), *unfinished.applied_entries])
        used |= self.synced_entries.locales if self.synced_entries else set()
        deletes_texts = any(RECORDS[kind].translated for kind in deleted_kinds)
        if self.all_locales or deletes_texts:  # an undo of a delete restores the texts in every language
            used.update(self.content.config.site.locales[1:])
        # Recovery needs the records of all unfinished writes, and a delete those of the entries that refer to it.
        needed_kinds = unfinished.kinds | kinds_referring_to(deleted_kinds)
        with read_progress(self.console) as on_progress, gc_paused():
            try:
                plan = await prepare_plan(
                    PlanSource(
                        self.content.entries,
                        sorted(used),
                        self.target.user_ids,
                        PlanFacts(
                            renamed_files=past.renamed_files if past else {},
                            is_excluded=self.is_excluded,
                            source_limits=limits_of_sources(self.content.config),
                            command=self.destination.command,
                        ),
                        token=self.destination.secret,
                        left_out=self.synced_entries.keys if self.synced_entries else frozenset(),
                        find_reverted=RevertedFields(self.content, revision_of(self.base), self.state_dir),
                    ),
                    remote,
                    self.selection,
                    on_progress,
                    base=BaseSource(find_base, needed_kinds),
                    policy=self.policy,
                )
            except ContentError as error:
                raise ContentError(error.problems, self.content.folder) from error
        if past is not None:
            from ..sync.planning.commit_gate import check_commit_base

            plan = check_commit_base(plan, [*past.all_unread], past.trailers, self.policy)
        return await self._check_languages(plan, remote)

    @asynccontextmanager
    async def open_undo_plan(self, name: str | None) -> AsyncIterator[ConnectedPlan]:
        """Yield the plan that undoes a run, and the server to apply it to.

        Without a name, undo the last run. If the last run is an undo that did not complete, continue that undo.
        """
        # Imported here, because most plans undo nothing.
        from ..sync.state.run_history import find_run_to_undo
        from ..sync.undo.undo_plan import undo_plan

        run = find_run_to_undo(self.state_dir, self.target, name)
        if run.unfinished_undo is not None:
            self.console.print(
                f"the last undo did not complete: continuing the undo of run {printable(run.name)}\n"
                f"  to undo only what it did so far: {self.commands('undo', '--run', run.unfinished_undo.name)}",
                markup=False,
            )
        kinds = {step.kind for step in run.steps}
        # Creates and deletes also change the entries that refer to the created or deleted one.
        kinds |= kinds_referring_to(step.kind for step in run.steps if step.action is not Action.UPDATE)
        for step in run.steps:
            kinds.update(step.ids or ())  # `ids` are those of referred entries, by kind
        base, unfinished = self._load_state(ref=None)
        publisher = open_publisher(self.content)
        # Delete what the run created, even if the target does not prune; the limits for deletes apply.
        policy = replace(self.policy, prune=True)
        async with self.connect() as remote:

            async def make_plan(state: Base, unfinished: "UnfinishedRuns") -> Plan:
                actual, recovered_base = await self._read_server(remote, kinds, state, unfinished)
                undo = replace(undo_plan(run, actual, recovered_base, policy), undone_run=run.name)
                return await self._add_uploads(await self._check_languages(undo, remote), publisher)

            async def replan(_applied: Base) -> Plan:
                # The state file and this run's journal, which are read again, have the applied entries.
                return await make_plan(*self._load_state(ref=None))

            yield ConnectedPlan(await make_plan(base, unfinished), remote, replan, publisher)

    @asynccontextmanager
    async def read(self, kinds: Collection[Kind]) -> AsyncIterator[tuple[list[Entry], Base]]:
        """Yield the server's entries of the kinds and of kinds that these refer to, in all languages, and the base."""
        state = self._load_state(ref=None)
        async with self.connect() as remote:
            yield await self._read_server(remote, kinds, *state)

    async def _read_server(
        self, remote: Remote, kinds: Collection[Kind], state: Base, unfinished: "UnfinishedRuns"
    ) -> tuple[list[Entry], Base]:
        """Return the server's entries of the kinds, as `read_server` does, in all languages, and their base.

        They include the entries of kinds to which the kinds refer. The base is `state`, that of the state file, with
        the writes of the `unfinished` runs.
        """
        from ..sync.planning.prepare import read_server, used_locales

        all_kinds = {*kinds, *unfinished.kinds}
        locales = {
            *self.content.config.site.locales[1:],  # without the default language
            *used_locales(entries=(), base=[*state.values(), *unfinished.applied_entries]),
        }
        with read_progress(self.console) as on_progress, gc_paused():
            return await read_server(
                remote, all_kinds, sorted(locales), on_progress, lambda actual: unfinished.recover_base(state, actual)
            )

    async def plan(self) -> Plan:
        """Return the plan without uploads; close the connection to the server."""
        async with self.open_plan(publishes=False) as planned:
            return planned.plan

    async def _check_languages(self, plan: Plan, remote: Remote) -> Plan:
        """Return the plan, refused if the server has other languages; a plan without changes needs no request."""
        from ..sync.planning.server_checks import language_refusals

        if not plan:
            return plan
        folder_locales = self.content.config.site.locales
        # An embedded directory has the languages of the config.
        server_locales = folder_locales if self.target.is_embedded else await remote.languages()
        return replace(plan, refusals=(*plan.refusals, *language_refusals(plan, folder_locales, server_locales)))

    def _deleted_kinds(self, past: Sequence[Entry], state: Base) -> set[Kind]:
        """Return the kinds of the entries that the plan may delete."""
        if not self.policy.prune:
            return set()
        folder_entries = {(entry.kind, entry.key) for entry in self.content.entries}
        managed_entries = {(entry.kind, entry.key) for entry in past} | state.keys()
        return {kind for kind, key in managed_entries - folder_entries if self.selection.covers(kind, key)}

    def connect(self) -> AbstractAsyncContextManager[Remote]:
        """Connect to the directory, whose lists then lack the `synced_entries`; report waits on the console."""
        return connect(
            self.target,
            self.content,
            known=replace(self.known_lists, synced=self.synced_entries.records if self.synced_entries else {}),
            pacer=self.pacer,
            reports=wait_messages(self.target, self.pacer, self.console),
        )

    def is_excluded(self, applied: AppliedEntry) -> bool:
        """Return whether the present config excludes the file of an applied entry (docs/faults.md PL-07)."""
        if not applied.path:  # its file is not known
            return False
        config = self.content.config
        return applied.kind not in config.kinds_at(applied.path) or config.excludes(applied.kind, applied.path)
