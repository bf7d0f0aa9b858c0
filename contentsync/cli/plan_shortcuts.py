"""What earlier plans have stored, and the plan of what has changed since (docs/decisions/0018)."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from rich.console import Console

from ..content.config.config import read_config
from ..content.folder.index_use import WHOLE_INDEX
from ..content.folder.load import Content, gc_paused, load_content
from ..content.formats.table_rows import SyncedRows
from ..errors import ContentError, ContentsyncError, Problem, Refused, RemoteError
from ..model import Kind
from ..remote.remote import Remote
from ..remote.synced_records import NotSynced
from ..sync.comparing.base import Base
from ..sync.comparing.change import Action
from ..sync.planning.plan import Plan
from ..sync.state.plan_cache import (
    CachedPlan,
    PlanInputs,
    digest_inputs,
    is_cacheable,
    read_cached_plan,
    write_cached_plan,
)
from ..sync.state.referred_entries import ReferredEntries
from ..sync.state.state_file import digest_lines, digest_listings
from ..sync.state.synced_listings import (
    RowDigests,
    StoredRows,
    SyncedListings,
    SyncedRow,
    concerns_others,
    find_synced_rows,
    read_synced_rows,
    select_synced_listings,
    write_synced_rows,
)
from .plan_options import STATE_BASE, PlanOptions
from .progress import read_progress, show_warnings
from .session import ConnectedPlan, Session
from .target_connection import known_files, open_store
from .tracked_content import check_tracking

LoadContent = Callable[[Path, SyncedRows | None], Content]  # without the listings of the synced rows


class ChangedContent(NamedTuple):
    """The content of a folder without the listings that are as they were."""

    content: Content
    rows: SyncedRows
    found: Mapping[str, SyncedRow]  # the rows of these listings, by digest
    synced: SyncedListings


@dataclass(frozen=True)
class PlanShortcuts:
    """What is stored of earlier plans, and how to use it for the inputs of a command."""

    session: Session  # without entries: it must not make a plan
    inputs: PlanInputs
    settings: str  # a digest of the inputs without the state, and of the config
    cached: CachedPlan | None  # the plan of the present folder and the present state
    rows: SyncedRows  # gets the digests of rows when the whole folder is read
    stamp_margin: int
    load: LoadContent

    @classmethod
    def open(
        cls, folder: Path, options: PlanOptions, console: Console, stamp_margin: int, load: LoadContent
    ) -> "PlanShortcuts | None":
        """Return the shortcuts to a plan; None if there are none (decision 18), or if an error prevents them.

        Two changes of a file within `stamp_margin` nanoseconds may leave the same stamp. `load` reads what has changed.
        """
        if options.only or options.attempts or options.base != STATE_BASE or options.index is None:
            return None
        config, problems = read_config(folder)
        if any(problem.is_error for problem in problems):
            return None
        try:
            content = Content(folder, problems=(), files=0, counts={}, config=config, entries=())
            session = Session.from_content(content, options, console)
            inputs = _digest_inputs(session)
        except ContentsyncError:  # Session.open raises it again
            return None
        if inputs is None or session.target.is_embedded:
            return None
        # The config has the levels of warnings: a row with an ignored one is left out.
        settings = sha256(f"{inputs.settings}\n{config.text}".encode()).hexdigest()
        return cls(session, inputs, settings, None, SyncedRows(), stamp_margin, load)

    def with_cached_plan(self) -> "PlanShortcuts":
        """Return the shortcuts with the cached plan of the present folder and the present state, if there is one."""
        cached = read_cached_plan(self.session.state_dir)
        is_current = cached and cached.inputs == self.inputs and cached.folder.is_current(self.session.content.folder)
        return replace(self, cached=cached if is_current else None)

    @property
    def exist(self) -> bool:
        """Whether the plan may be found without reading the whole folder."""
        return self.cached is not None or self._stored is not None

    @property
    def stores_rows(self) -> bool:
        """Whether rows may be left out.

        With an asset store they may not: the pictures of each listing may have to be uploaded, and their addresses
        depend on more than its row. Nor with a unique value, because another row may have the one of a row left out.
        """
        config = self.session.content.config
        return not (config.assets or any(rule.unique for rule in config.rules.get(Kind.LISTING, ())))

    @cached_property
    def _stored(self) -> StoredRows | None:
        """The rows that were synced under the present settings."""
        if not self.stores_rows:
            return None
        with gc_paused():
            stored = read_synced_rows(self.session.state_dir)
        return stored if stored and stored.settings == self.settings else None

    @asynccontextmanager
    async def compare_changed(self, read: Callable[[], Session], *, to_apply: bool) -> AsyncIterator[ConnectedPlan]:
        """Yield the cached plan if nothing has changed, else one without the listings that are as they were.

        Raise NotSynced if it may differ from the plan of everything, or if that one is needed to apply it.
        """
        self._check_inputs()
        session, cached = self.session, self.cached
        async with AsyncExitStack() as stack:
            remote = await stack.enter_async_context(session.connect())
            warnings = cached.warnings if cached else self._require_rows().warnings
            with _showing_warnings(session, warnings):
                known = cached.directory.lists[Kind.LISTING] if cached else self._require_rows().record_list
                with read_progress(session.console) as on_progress:
                    records = await remote.records.digest_listings(known, partial(on_progress, Kind.LISTING))
                # An organizer contains its listings, so its list may have changed with theirs.
                others = cached.directory.without(Kind.LISTING) if cached and records is None else None
                if cached and others and await remote.records.has_version(others):
                    planned = ConnectedPlan(cached.plan, remote, _replanning(read, remote, session))
                else:
                    if records is None and self._require_rows().etag != known.etag:
                        raise NotSynced
                    changed = self.read_changed(records)
                    planned = await stack.enter_async_context(self.compare(changed, read, to_apply=to_apply))
            yield planned

    def _require_rows(self) -> StoredRows:
        """Return the stored rows. Raise NotSynced if there are none."""
        if self._stored is None:
            raise NotSynced
        return self._stored

    def read_changed(self, records: Collection[str] | None) -> ChangedContent:
        """Read the folder without the synced listings. Raise NotSynced if the plan of it may differ from the whole one.

        `records` are the digests of the present listings on the server; None if they are as they were, or not known.
        """
        session, stored = self.session, self._require_rows()
        still_synced = stored.still_synced(digest_lines(session.state_dir.state), records)
        rows = SyncedRows(still_synced.keys())
        content = self.load(session.content.folder, rows)
        found = [still_synced[digest] for digest in rows.found]
        synced = select_synced_listings(found, stored.unknown, content.entries, content.former_addresses)
        if synced is None or content.problems != stored.warnings or content.config != session.content.config:
            raise NotSynced
        return ChangedContent(content, rows, dict(zip(rows.found, found, strict=True)), synced)

    def reduced_session(self, changed: ChangedContent) -> Session:
        """Return the session for what has changed."""
        # The versions are used up by this plan, and the plan of the whole folder needs them too.
        known_lists = replace(self.session.known_lists, confirmed={**self.session.known_lists.confirmed})
        return replace(self.session, content=changed.content, synced_listings=changed.synced, known_lists=known_lists)

    @asynccontextmanager
    async def compare(
        self, changed: ChangedContent, read: Callable[[], Session], *, to_apply: bool
    ) -> AsyncIterator[ConnectedPlan]:
        """Yield the plan without the listings that are as they were. Raise NotSynced as `compare_changed` does.

        It also raises NotSynced if one of their records has changed on the server.
        """
        self._check_inputs()
        session, content = self.reduced_session(changed), changed.content
        async with AsyncExitStack() as stack:
            try:
                planned = await stack.enter_async_context(session.open_plan(publishes=False))
            except ContentError as error:  # the plan of the whole folder reports all errors
                raise NotSynced from error
            plan = planned.plan
            referred = ReferredEntries.find(content.entries, plan)
            if not self._require_rows().referred.are_extended_by(referred) or concerns_others(plan):
                raise NotSynced
            # A wrong digest can only delay a change: what is to be deleted is looked for in the whole folder.
            if to_apply and plan.count(Action.DELETE):
                raise NotSynced
            if not plan:
                self.store(content, planned, changed.rows, changed.found)
            # Only now, because the plan of the whole folder would print it again.
            plan = check_tracking(plan, content, session.target, session.console)
            yield planned._replace(plan=plan, replan=_replanning(read, planned.remote, session))

    def _check_inputs(self) -> None:
        """Raise NotSynced if another command has changed the state, or has stopped, since this one began."""
        if _digest_inputs(self.session) != self.inputs:
            raise NotSynced

    def store(
        self,
        content: Content,
        planned: ConnectedPlan,
        rows: SyncedRows,
        known: Mapping[str, SyncedRow] = MappingProxyType({}),
    ) -> None:
        """Cache a new plan if it is empty, and the rows with which it has nothing to do.

        Store nothing if the state or the config has changed since the command began. `known` are the rows that were
        left out.
        """
        state_dir, plan, remote = self.session.state_dir, planned.plan, planned.remote
        lines = digest_listings(state_dir.state)
        has_changed = content.config != self.session.content.config or _digest_inputs(self.session) != self.inputs
        if has_changed or not (plan.base.is_known and plan.base.is_saved):
            return
        directory = remote.fetched_version()
        if directory is not None and is_cacheable(plan) and content.dependencies:
            folder = content.dependencies.version(content.folder, self.stamp_margin)
            if folder is not None:  # no file has changed since it was read, or just before
                write_cached_plan(state_dir, CachedPlan(plan, content.problems, self.inputs, folder, directory))
        listings = remote.fetched_list(Kind.LISTING)
        records = remote.records.cached_list(Kind.LISTING)
        if records is None or records.etag is None or records.etag != listings.etag:  # an older list is cached
            return
        digests = RowDigests(rows.others, records.lines.digests_by_id(), lines)
        found = find_synced_rows(content.entries, content.problems, plan, digests)
        stored = StoredRows(
            {**known, **found},
            self.settings,
            ReferredEntries.find(content.entries, plan),
            content.problems,
            records.etag,
            listings.total,
            remote.converter.unknown.get(Kind.LISTING, frozenset()),
        )
        write_synced_rows(state_dir, stored)


def load_with_index(folder: Path, rows: SyncedRows | None) -> Content:
    return load_content(folder, index=WHOLE_INDEX, synced=rows)


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


@contextmanager
def _showing_warnings(session: Session, warnings: tuple[Problem, ...]) -> Iterator[None]:
    """Show the warnings of the folder after the block, also if a request fails."""
    content = replace(session.content, problems=warnings)
    try:
        yield
    except RemoteError:
        show_warnings(session.console, content, session.state_dir, session.commands)
        raise
    show_warnings(session.console, content, session.state_dir, session.commands)


def _digest_inputs(session: Session) -> PlanInputs | None:
    store = open_store(session.content.config, session.content.folder)
    published = known_files(store, session.content.folder).digest if store else None
    return digest_inputs(session.target, session.policy, session.destination.secret, session.state_dir, published)
