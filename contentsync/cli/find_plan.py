"""Make the plan of a folder, as far as an earlier command has not made it already (docs/decisions/0018)."""

import asyncio
import os
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rich.console import Console

from ..content.config.config import Config, read_config
from ..content.files.folder_signatures import STAMP_MARGIN
from ..content.folder.load import Content, load_content
from ..content.formats.table_rows import SyncedRows
from ..errors import ContentError, ContentsyncError, RemoteError
from ..model import Kind
from ..remote import Remote
from ..remote.synced_records import NotSynced
from ..report.document_parts import Destination
from ..sync import Plan
from ..sync.state.plan_cache import CachedPlan, digest_inputs, is_cacheable, read_cached_plan, write_cached_plan
from ..sync.state.synced_listings import (
    NO_ROWS,
    EqualListings,
    StoredRows,
    concerns_others,
    digest_organizers,
    find_synced_rows,
    read_synced_rows,
    select_synced_listings,
)
from .plan_options import STATE_BASE, PlanOptions
from .progress import read_progress, show_warnings
from .session import Session
from .target_connection import known_files, open_store

SWITCH = "_CONTENTSYNC_WITHOUT_SHORTCUTS"  # for tests, which compare plans with and without shortcuts


def find_plan(
    folder: Path,
    options: PlanOptions,
    console: Console,
    stamp_margin: int = STAMP_MARGIN,
    open_session: Callable[[Path, PlanOptions, Console], Session] = Session.open,
) -> tuple[Plan, Destination]:
    """Return the plan of a folder, from the cache if nothing has changed, and its target.

    A plan is cached only if the last change of a file was more than `stamp_margin` nanoseconds ago: then the next
    change of a file has another stamp. `open_session` is called if the whole folder must be read.
    Raise ContentError if the folder has errors. Raise UsageError if an `--only` matches no entry. Raise RemoteError.
    """
    cache = _CommandPlanCache.open(folder, options, console, stamp_margin)
    cached_plan = asyncio.run(cache.find_plan()) if cache else None
    if cache and cached_plan is not None:
        return cached_plan, cache.session.destination
    session = open_session(folder, options, console)
    return asyncio.run(_make_plan(session, cache)), session.destination


async def _make_plan(session: Session, cache: "_CommandPlanCache | None") -> Plan:
    """Make the plan of the whole folder, and store it in the cache if there is one.

    If possible, make it without the equal listings, which takes less memory.
    """
    if cache is None:  # there is no cache for plans with `--only`, so only here it must match an entry
        async with session.open_plan(only_must_match=True) as planned:
            return planned.plan
    etags = cache.session.confirmed_etags
    # With an asset store, pictures of equal listings may have to be uploaded too, so the plan needs all listings.
    if not session.content.config.assets:
        with suppress(NotSynced):
            etags_for_once = {**etags}  # reading the lists uses the ETags up
            reduced_session = replace(session, confirmed_etags=etags_for_once, leaves_out_equal_listings=True)
            return await cache.make_plan(reduced_session)
    return await cache.make_plan(replace(session, confirmed_etags=etags))


@dataclass(frozen=True, slots=True)
class _CommandPlanCache:
    """The plan cache for the inputs of a command."""

    session: Session  # without entries: it must not make a plan
    inputs: str
    stamp_margin: int

    @classmethod
    def open(
        cls, folder: Path, options: PlanOptions, console: Console, stamp_margin: int
    ) -> "_CommandPlanCache | None":
        """Return the plan cache; None if such a plan is never cached (decision 18), or if an error prevents it.

        Two changes of a file within `stamp_margin` nanoseconds may leave the same stamp.
        """
        if options.only or options.base != STATE_BASE or os.environ.get(SWITCH):
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
        return cls(session, inputs, stamp_margin)

    async def find_plan(self) -> Plan | None:
        """Return the folder's plan; None if anything besides listings has changed since the cached plan.

        If listings have changed, make a new plan, without the synced listings, which have not. Contact the server only
        if nothing besides listings has changed in the folder and in the state. Raise RemoteError.
        """
        session = self.session
        cached = read_cached_plan(session.state_dir)
        if cached is None or cached.inputs != self.inputs:
            return None
        changed_paths = cached.folder.changed_paths(session.content.folder)
        if not _are_of_listings(session.content.config, changed_paths):
            return None
        stored: StoredRows | None = None
        reduced_session: Session | None = None  # without synced listings; None while no listing has changed
        if changed_paths:
            stored = self._read_rows(cached)
            reduced_session = self._open_without_synced(cached, stored)
            if reduced_session is None:
                return None
        content = replace(session.content, problems=cached.warnings)
        try:
            async with session.connect() as remote:
                with read_progress(session.console) as on_progress:
                    listings = await remote.records.digest_listings(
                        cached.directory.lists[Kind.LISTING], partial(on_progress, Kind.LISTING)
                    )
                # An organizer contains its listings, so its list may have changed with theirs: it is compared below.
                others = cached.directory.without(Kind.LISTING, *([Kind.ORGANIZER] if listings else []))
                if not await remote.records.has_version(others):
                    return None
            if listings:
                stored = (stored or self._read_rows(cached)).with_listings(listings)
                reduced_session = self._open_without_synced(cached, stored)
                if reduced_session is None:
                    return None
            plan = cached.plan
            if reduced_session:
                etags = {**session.confirmed_etags}  # used up by this plan; the plan of the whole folder needs them too
                plan = await replace(reduced_session, confirmed_etags=etags).plan()
            if listings and stored and digest_organizers(plan.actual) != stored.organizers:
                return None
        except (ContentError, NotSynced):  # the whole plan reports all errors
            return None
        except RemoteError:
            show_warnings(session.console, content, session.state_dir, session.commands)
            raise
        show_warnings(session.console, content, session.state_dir, session.commands)
        return plan

    def _read_rows(self, cached: CachedPlan) -> StoredRows:
        return read_synced_rows(self.session.state_dir, cached.synced_rows) or NO_ROWS

    def _open_without_synced(self, cached: CachedPlan, stored: StoredRows) -> Session | None:
        """Return a session without the synced listings: those of the `stored` rows that the folder still has.

        Return None if there are none, or if anything besides listings has changed.
        """
        if self.session.content.config.assets:  # the address of a picture depends on more than its row
            return None
        found_rows = SyncedRows(stored.rows.keys())  # `load_content` adds the rows that it finds and leaves out
        content = load_content(self.session.content.folder, synced=found_rows)
        synced = select_synced_listings(found_rows, stored, content.entries)
        still_changed = cached.folder.changed_paths(content.folder)  # another file may have changed meanwhile
        if synced is None or content.problems != cached.warnings or not _are_of_listings(content.config, still_changed):
            return None
        return replace(self.session, content=content, synced_listings=synced)

    async def make_plan(self, session: Session) -> Plan:
        """Make the plan of the whole folder, and cache it if it is empty.

        Raise NotSynced if the plan leaves out equal listings and they may have to change too.
        """
        async with session.open_plan() as planned:
            if planned.equal_listings and concerns_others(planned.plan):
                raise NotSynced
            self._store(planned.plan, session.content, planned.remote, planned.equal_listings)
            return planned.plan

    def _store(self, plan: Plan, content: Content, remote: Remote, equal_listings: EqualListings | None) -> None:
        """Cache a new plan of the folder if the plan is empty, and if nothing has changed since the command began."""
        directory = remote.fetched_version()
        if directory is None or not is_cacheable(plan) or _digest_inputs(self.session) != self.inputs:
            return
        listings = remote.records.cached_digests()
        is_current = listings is not None and listings.etag == directory.lists[Kind.LISTING].etag
        fields_not_returned = remote.converter.unknown.get(Kind.LISTING, frozenset())
        rows = find_synced_rows(
            content,
            plan,
            record_digests=listings.of_records if listings and is_current else {},  # no digests of an older list
            unknown=fields_not_returned,
            equal=equal_listings.rows if equal_listings else {},
        )
        folder = content.dependencies.version(content.folder, self.stamp_margin) if content.dependencies else None
        if folder is not None:  # no file has changed since it was read, or just before
            cached = CachedPlan(plan, content.problems, self.inputs, folder, directory)
            write_cached_plan(self.session.state_dir, cached, rows)


def _are_of_listings(config: Config, paths: Collection[str]) -> bool:
    """Return whether only listings are at these paths; no, at the content folder itself."""
    return "" not in paths and all(config.kinds_at(path) == {Kind.LISTING} for path in paths)


def _digest_inputs(session: Session) -> str | None:
    store = open_store(session.content.config, session.content.folder)
    published = known_files(store, session.content.folder).digest if store else None
    return digest_inputs(session.target, session.policy, session.destination.secret, session.state_dir, published)
