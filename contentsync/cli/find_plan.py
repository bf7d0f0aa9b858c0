"""Find the plan of a whole folder: recall it, make it of what has changed, or of everything (docs/decisions/0018)."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rich.console import Console

from ..content.files.folder_signatures import STAMP_MARGIN
from ..content.folder.load import Content, load_content
from ..content.formats.table_rows import SyncedRows
from ..errors import ContentError, LocalFileError, Problem, Refused, RemoteError
from ..model import Kind
from ..remote.remote import Remote
from ..remote.synced_records import NotSynced
from ..report.document_parts import Destination
from ..sync.comparing.base import Base
from ..sync.comparing.change import Action
from ..sync.planning.plan import Plan, Policy
from ..sync.state.folder_reading import LoadContent, Reading
from ..sync.state.plan_cache import CachedPlan
from ..sync.state.synced_entries import LEFT_OUT_KINDS
from . import run_coroutine
from .plan_options import PlanOptions
from .plan_shortcuts import PlanShortcuts
from .progress import read_progress, show_warnings
from .session import ConnectedPlan, Session
from .tracked_content import check_tracking


def find_plan(
    folder: Path,
    options: PlanOptions,
    console: Console,
    stamp_margin: int = STAMP_MARGIN,
    load: LoadContent | None = None,
) -> tuple[Plan, Destination]:
    """Return the plan of a folder, which is not applied, and its target. The parameters are those of `PlanFinder`.

    Raise ContentError if the folder has errors. Raise UsageError if an `--only` matches no entry. Raise RemoteError.
    """
    planned, session = PlanFinder.open(folder, options, console, stamp_margin, load).find()
    return planned.plan, session.destination


@dataclass(frozen=True, slots=True)
class PlanFinder:
    """The ways to the plan of a folder.

    All commands but `watch` `begin`: they ask the server before they read. `watch` reads first: `read`, then `compare`.
    """

    folder: Path
    options: PlanOptions
    console: Console
    _load: LoadContent
    _shortcuts: PlanShortcuts | None  # None if such a plan is never made by a shortcut
    _is_report: bool = False
    _policy: Policy | None = None  # in place of that of the options
    _check_pull: Callable[[Session, Plan], None] | None = None

    @classmethod
    def open(
        cls,
        folder: Path,
        options: PlanOptions,
        console: Console,
        stamp_margin: int = STAMP_MARGIN,
        load: LoadContent | None = None,
    ) -> "PlanFinder":
        """Find out whether the plan may be made by a shortcut. Without `load`, the folder is read with its index.

        A plan is cached only if the last change of a file was more than `stamp_margin` nanoseconds ago: then the next
        change of a file has another stamp.
        """
        load = load or partial(_load_with_index, options)
        return cls(folder, options, console, load, PlanShortcuts.open(folder, options, console, stamp_margin))

    def for_report(self, policy: Policy | None = None, *, of_all_records: bool = False) -> "PlanFinder":
        """Return the finder of a plan that is only reported: the folder may break rules, and need not be published.

        The plan may have a `policy` of its own. It is made of everything if the report is `of_all_records`.
        """
        shortcuts = None if of_all_records else self._shortcuts
        return replace(self, _shortcuts=shortcuts, _is_report=True, _policy=policy)

    def for_pull(self, check: Callable[[Session, Plan], None]) -> "PlanFinder":
        """Return the finder of a plan by which a pull has nothing to write.

        `check` raises NotSynced if a pull would write something, by the plan of what has changed.
        """
        return replace(self, _is_report=True, _check_pull=check)

    def find(self) -> tuple[ConnectedPlan, Session]:
        """Return the plan, whose connection is closed, and its session. Raise the errors of `begin` and of the plan."""
        session, planning = self.begin(to_apply=False)

        async def find() -> ConnectedPlan:
            async with planning as planned:
                return planned

        return run_coroutine(find()), session

    def begin(self, *, to_apply: bool) -> tuple[Session, AbstractAsyncContextManager[ConnectedPlan]]:
        """Return the session, and the shortest way to the plan, which may be applied only if it was made `to_apply`.

        The folder is read at once if nothing that is stored is of use; else the session has no entries. Raise
        ContentError if the folder has errors. The plan may also raise it, and UsageError if an `--only` matches no
        entry, and RemoteError.
        """
        self.options.check(self.folder)
        if self._shortcuts and self._shortcuts.exist:
            return self._shortcuts.session, self._take_shortcut(self._shortcuts, to_apply=to_apply)
        session, reading = self._read_all()
        return session, self.compare(session, reading, self._read_session, only_must_match=not self._is_report)

    def begin_shortcut(self) -> tuple[Session, AbstractAsyncContextManager[ConnectedPlan]] | None:
        """Return the session, and a plan that raises NotSynced in place of reading the whole folder; None without one.

        The plan may raise RemoteError.
        """
        if self._shortcuts and self._shortcuts.exist:
            return self._shortcuts.session, self._ask_and_compare(self._shortcuts, to_apply=False)
        return None

    def read(self, *, whole: bool = False) -> Reading:
        """Read the folder, without the listings that are as they were. With `whole`, read all of it."""
        if self._shortcuts and not whole:
            with suppress(NotSynced, LocalFileError):  # the plan of the whole folder raises LocalFileError again
                return self._shortcuts.read_changed(self._load, records={})
        rows = SyncedRows() if self._shortcuts and self._shortcuts.stores_rows else None  # else `load` may cache tables
        return Reading(self._load(self.folder, rows), rows)

    def open_session(self, reading: Reading) -> Session:
        """Return the session for what was read without errors. Raise errors as `Session.from_content` does."""
        if self._shortcuts and reading.synced:
            return self._adapted(self._shortcuts.reduced_session(reading))
        return self._adapted(Session.from_content(reading.content, self.options, self.console))

    @asynccontextmanager
    async def compare(
        self,
        session: Session,
        reading: Reading,
        read: Callable[[], Session],
        *,
        to_apply: bool = False,
        only_must_match: bool = False,
    ) -> AsyncIterator[ConnectedPlan]:
        """Yield the plan of the session for what was read, and the server; store what later plans need.

        `read` returns the session for the whole folder, if only a part was read and a second plan is needed. Raise
        NotSynced if the plan of this part may differ from that of everything, or deletes and is made `to_apply`. Raise
        RemoteError.
        """
        shortcuts, is_reduced = self._shortcuts, reading.synced is not None
        if shortcuts and is_reduced:
            shortcuts.check_inputs()
        elif shortcuts:
            session = replace(session, known_lists=shortcuts.session.known_lists)
        async with AsyncExitStack() as stack:
            publishes = not (is_reduced or self._is_report)
            planning = session.open_plan(only_must_match=only_must_match, publishes=publishes)
            try:
                planned = await stack.enter_async_context(planning)
            except ContentError as error:
                if is_reduced:  # the plan of the whole folder reports all errors
                    raise NotSynced from error
                raise
            if shortcuts and is_reduced:
                shortcuts.check_plan(reading, planned)
                # A wrong digest can only delay a change: what is to be deleted is looked for in the whole folder.
                if to_apply and planned.plan.count(Action.DELETE):
                    raise NotSynced
                if self._check_pull:
                    self._check_pull(session, planned.plan)
            if shortcuts and not (is_reduced and planned.plan):
                is_whole = publishes or is_reduced or not session.content.config.publishes  # else it lacks uploads
                shortcuts.store(reading, planned, is_recallable=is_whole and not self._policy)
            planned = planned._replace(measure=lambda: reading.completeness)
            if is_reduced and not self._is_report:
                # Only now, because the plan of the whole folder would print it again.
                plan = check_tracking(planned.plan, session.content, session.target, session.console)
                planned = planned._replace(plan=plan, replan=_replanning(read, planned.remote, session))
            yield planned

    @asynccontextmanager
    async def _take_shortcut(self, shortcuts: PlanShortcuts, *, to_apply: bool) -> AsyncIterator[ConnectedPlan]:
        """Yield the cached plan if nothing has changed, else that of what has changed, if it is the one of all."""
        async with AsyncExitStack() as stack:
            try:
                planned = await stack.enter_async_context(self._ask_and_compare(shortcuts, to_apply=to_apply))
            except NotSynced:
                session, reading = self._read_all()
                planned = await stack.enter_async_context(self.compare(session, reading, self._read_session))
            yield planned

    @asynccontextmanager
    async def _ask_and_compare(self, shortcuts: PlanShortcuts, *, to_apply: bool) -> AsyncIterator[ConnectedPlan]:
        """Yield the plan as `_take_shortcut` does. Raise NotSynced if the whole folder is needed."""
        shortcuts.check_inputs()
        session, cached = shortcuts.session, shortcuts.cached
        if cached and not self._may_recall(cached):
            cached = None
        known = cached.directory if cached else shortcuts.stored.directory
        if self._check_pull and {*known.locales} != {*session.content.config.site.locales[1:]}:
            raise NotSynced  # a pull reads all languages of the site
        async with session.connect() as remote, AsyncExitStack() as stack:
            with self._showing_warnings(session, cached.warnings if cached else shortcuts.stored.warnings):
                # An organizer contains its listings, so its list may have changed with theirs: they are asked first.
                records: dict[Kind, set[str] | None] = {}
                for kind in (each for each in LEFT_OUT_KINDS if each in known.lists):
                    with read_progress(session.console) as on_progress:
                        asked = known.lists[kind], known.locales, partial(on_progress, kind)
                        records[kind] = await remote.records.digest_records(kind, *asked)
                unchanged = [kind for kind, each in records.items() if each is None]
                others = cached.directory.without(*unchanged) if cached and len(unchanged) == len(records) else None
                if cached and others and await remote.records.has_version(others):
                    planned = ConnectedPlan(cached.plan, remote, _replanning(self._read_session, remote, session))
                    planned = planned._replace(measure=lambda: cached.completeness)
                else:
                    stored = shortcuts.stored.directory.lists
                    if any(stored[kind].etag != known.lists[kind].etag for kind in unchanged if kind in stored):
                        raise NotSynced
                    changed = shortcuts.read_changed(self._load, records, to_pull=self._check_pull is not None)
                    planning = self.compare(self.open_session(changed), changed, self._read_session, to_apply=to_apply)
                    planned = await stack.enter_async_context(planning)
            yield planned

    @contextmanager
    def _showing_warnings(self, session: Session, warnings: tuple[Problem, ...]) -> Iterator[None]:
        """Show the warnings of the folder after the block.

        If a request fails, read the folder first: without what is stored, its errors are found before any request.
        """
        try:
            yield
        except RemoteError:
            self._read_all()
            raise
        show_warnings(session.console, replace(session.content, problems=warnings), session.state_dir, session.commands)

    def _read_session(self) -> Session:
        return self._read_all()[0]

    def _read_all(self) -> tuple[Session, Reading]:
        """Read the whole folder, and show its warnings. Raise ContentError if it has errors."""
        reading = self.read(whole=True)
        opened = self.folder, self.options, self.console, reading.content
        return self._adapted(Session.open(*opened, may_break_rules=self._is_report)), reading

    def _adapted(self, session: Session) -> Session:
        return replace(session, policy=self._policy or session.policy, all_locales=self._check_pull is not None)

    def _may_recall(self, cached: CachedPlan) -> bool:
        """Return whether the report of an empty plan needs no values of entries."""
        if self._check_pull:
            return cached.is_pulled
        submissions = self._policy and self._shortcuts and self._shortcuts.session.content.config.submissions
        return not (self._policy and cached.plan.unmanaged) and not submissions


def _load_with_index(options: PlanOptions, folder: Path, rows: SyncedRows | None) -> Content:
    return load_content(folder, index=options.index, synced=rows, may_break_rules=True)


def _replanning(read: Callable[[], Session], remote: Remote, first: Session) -> Callable[[Base], Awaitable[Plan]]:
    """Return the function that makes a second plan, of the whole folder and all records.

    It raises Refused if the folder or the target differs from that of the `first` plan: a file may be half-written.
    """

    async def replan(_applied: Base) -> Plan:
        session = read()
        if session.content.config != first.content.config or session.plan_context != first.plan_context:
            raise Refused("the folder has changed since the run began", "run again")
        remote.forget_synced()
        return await session.replan(remote)

    return replan
