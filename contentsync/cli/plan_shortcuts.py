"""What earlier plans have stored, and the plan of what has changed since (docs/decisions/0018)."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from rich.console import Console

from ..content.config.config import read_config
from ..content.folder.load import Content, gc_paused
from ..errors import ContentsyncError
from ..model import Entry, EntryKey, Kind
from ..model.custom_field import definitions_of
from ..remote.record_reader import DirectoryVersion
from ..remote.synced_records import NotSynced
from ..sync.planning.plan import Plan
from ..sync.state.folder_reading import LoadContent, Reading, read_changed
from ..sync.state.plan_cache import (
    CachedPlan,
    PlanInputs,
    digest_inputs,
    is_cacheable,
    read_cached_plan,
    write_cached_plan,
)
from ..sync.state.referred_entries import ReferredEntries
from ..sync.state.state_dir import running_owner
from ..sync.state.state_file import digest_entries, digest_lines
from ..sync.state.synced_entries import (
    LEFT_OUT_KINDS,
    RowDigests,
    StoredEntries,
    SyncedEntry,
    concerns_others,
    find_synced_entries,
    may_leave_out_rows,
    read_synced_entries,
    write_synced_entries,
)
from .plan_options import STATE_BASE, PlanOptions
from .session import ConnectedPlan, Session
from .target_connection import known_files, open_store


@dataclass(frozen=True)
class PlanShortcuts:
    """What is stored of earlier plans, and how to use it for the inputs of a command."""

    session: Session  # without entries: it must not make a plan
    inputs: PlanInputs
    settings: str  # a digest of the inputs without the state, and of the config
    stamp_margin: int

    @classmethod
    def open(cls, folder: Path, options: PlanOptions, console: Console, stamp_margin: int) -> "PlanShortcuts | None":
        """Return the shortcuts to a plan; None if there are none (decision 18), or if an error prevents them.

        Two changes of a file within `stamp_margin` nanoseconds may leave the same stamp.
        """
        if options.only or options.base != STATE_BASE or options.index is None:
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
        return cls(session, inputs, settings, stamp_margin)

    @cached_property
    def cached(self) -> CachedPlan | None:
        """The cached plan, if it is one of the present folder and the present state."""
        if running_owner(self.session.state_dir):  # a plan that is made says so
            return None
        cached = read_cached_plan(self.session.state_dir)
        is_current = cached and cached.inputs == self.inputs and cached.folder.is_current(self.session.content.folder)
        return cached if is_current else None

    @property
    def exist(self) -> bool:
        """Whether the plan may be found without reading the whole folder."""
        return self.cached is not None or self._stored is not None

    @property
    def stores_rows(self) -> bool:
        """Whether rows may be left out."""
        return may_leave_out_rows(self.session.content.config)

    @cached_property
    def _stored(self) -> StoredEntries | None:
        with gc_paused():
            stored = read_synced_entries(self.session.state_dir)
        return stored if stored and stored.settings == self.settings else None

    @property
    def stored(self) -> StoredEntries:
        """The rows that were synced under the present settings. Raise NotSynced if there are none."""
        if self._stored is None:
            raise NotSynced
        return self._stored

    def read_changed(
        self, load: LoadContent, records: Mapping[Kind, Collection[str] | None], *, to_pull: bool = False
    ) -> Reading:
        """Read the folder without the synced entries. Raise NotSynced if the plan of it may differ from the whole one.

        `records` are the digests of the present records on the server; None if they are as they were, or not known.
        With `to_pull`, read also the entries with which a pull may have something to do.
        """
        session, stored = self.session, self.stored
        still_synced = stored.still_synced(digest_lines(session.state_dir.state), records)
        if to_pull:
            still_synced = {digest: row for digest, row in still_synced.items() if row.is_pulled}
        reading = read_changed(session.content.folder, load, stored, still_synced)
        if reading.content.config != session.content.config:
            raise NotSynced
        return reading

    def reduced_session(self, changed: Reading) -> Session:
        """Return the session for what has changed."""
        # The versions are used up by this plan, and the plan of the whole folder needs them too.
        known_lists = replace(self.session.known_lists, confirmed={**self.session.known_lists.confirmed})
        return replace(self.session, content=changed.content, synced_entries=changed.synced, known_lists=known_lists)

    def check_inputs(self) -> None:
        """Raise NotSynced if another command has changed the state, or has stopped, since this one began."""
        if _digest_inputs(self.session) != self.inputs:
            raise NotSynced

    def check_plan(self, reading: Reading, planned: ConnectedPlan) -> None:
        """Raise NotSynced if the plan of what has changed may differ from the one of everything."""
        referred = ReferredEntries.find(reading.content.entries, planned.plan)
        if not self.stored.referred.are_extended_by(referred) or concerns_others(planned.plan):
            raise NotSynced
        remote, stored = planned.remote, self.stored
        # The server may lack a new language, which only records show if it does not report its languages.
        if remote.fetched_lists().locales != stored.directory.locales:
            raise NotSynced
        # Only now, when it is known which languages the server lacks: texts in these are compared with nothing.
        if any(remote.converter.unknown_in(kind) != names for kind, names in stored.unknown.items()):
            raise NotSynced

    def store(self, reading: Reading, planned: ConnectedPlan, *, is_recallable: bool) -> None:
        """Cache a new plan if it is empty and `is_recallable`, and the rows with which it has nothing to do.

        Store nothing if the state or the config has changed since the command began, or if the folder breaks rules.
        """
        content, plan, remote = reading.content, planned.plan, planned.remote
        state_dir = self.session.state_dir
        lines = digest_entries(state_dir.state)
        has_changed = content.config != self.session.content.config or _digest_inputs(self.session) != self.inputs
        if has_changed or content.errors or not (plan.base.is_known and plan.base.is_saved):
            return
        rows = {**reading.found, **self._store_rows(reading, planned, lines)}
        directory = remote.fetched_version()
        if is_recallable and directory is not None and is_cacheable(plan) and content.dependencies:
            folder = content.dependencies.version(content.folder, self.stamp_margin)
            if folder is not None:  # no file has changed since it was read, or just before
                whole = reading.with_found(rows)
                reports = whole.completeness, _is_pulled(whole, plan)
                cached = CachedPlan(plan, content.problems, self.inputs, folder, directory, *reports)
                write_cached_plan(state_dir, cached)

    def _store_rows(
        self, reading: Reading, planned: ConnectedPlan, lines: Mapping[EntryKey, str]
    ) -> Mapping[str, SyncedEntry]:
        """Store the synced rows, and return those that were read; `lines` are the digests of the state."""
        content, plan, remote = reading.content, planned.plan, planned.remote
        fetched = remote.fetched_lists()
        lists = {kind: cached for kind in LEFT_OUT_KINDS if (cached := remote.records.cached_list(kind))}
        versions = {
            kind: version
            for kind, each in lists.items()  # an older list may be cached
            if (each.etag, each.translated) == ((version := fetched.lists[kind]).etag, version.translated)
        }
        if reading.rows is None or not versions:
            return {}
        records = {kind: lists[kind].lines.digests_by_id() for kind in versions}
        digests = RowDigests(reading.rows.others, records, lines)
        found = find_synced_entries(content.entries, content.problems, plan, digests, _pull_finder(content, plan))
        stored = StoredEntries(
            {**reading.found, **found},
            self.settings,
            ReferredEntries.find(content.entries, plan),
            content.problems,
            DirectoryVersion(fetched.locales, versions),
            {kind: remote.converter.unknown_in(kind) for kind in versions},
        )
        write_synced_entries(self.session.state_dir, stored)
        return found


def _pull_finder(content: Content, plan: Plan) -> Callable[[Entry, Entry], bool]:
    """Return whether a pull has nothing to do with an entry that is equal to its record, as a function."""
    from ..sync.planning.unset_fields import unset_fields  # a recalled plan needs it not

    definitions, locales = definitions_of(content.entries, plan.actual), content.config.site.locales[1:]
    return lambda entry, record: not (plan.folder_keys or any(unset_fields(entry, record, definitions, locales)))


def _is_pulled(whole: Reading, plan: Plan) -> bool:
    """Return whether a pull has nothing to do, if a plan has nothing to do."""
    if plan.unmanaged or not all(row.is_pulled for row in whole.found.values()):
        return False
    is_pulled = _pull_finder(whole.content, plan)
    # By the base, because the server may have another key, as after a conflict in which its key was left.
    records = {(record.kind, record.id): record for record in plan.actual}
    entries = (
        (entry, plan.base.get((entry.kind, entry.key))) for entry in whole.content.entries if not entry.notes.skip
    )
    pairs = ((entry, applied and records.get((entry.kind, applied.id))) for entry, applied in entries)
    return all(record is not None and is_pulled(entry, record) for entry, record in pairs)


def _digest_inputs(session: Session) -> PlanInputs | None:
    store = open_store(session.content.config, session.content.folder)
    published = known_files(store, session.content.folder).digest if store else None
    return digest_inputs(session.target, session.policy, session.destination.secret, session.state_dir, published)
