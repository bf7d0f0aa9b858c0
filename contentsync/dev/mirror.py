"""Sync the folder into the database of `dev`: planned and applied as in every sync, in one running process.

This process is the only writer, and nothing in the database can be lost, because all of it was applied from this
folder. So the actual entries are the base, no gate stops a delete, and the journal is deleted after each run.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from glob import escape
from pathlib import Path

from ..content.config.config_tables import SiteSettings
from ..content.folder.unit_cache import InMemoryCache
from ..content.links.former_addresses import merged_slugs
from ..errors import ContentError, ContentsyncError, Problem, Where
from ..model import REFERRED_KINDS, Entry, EntryKey, Kind
from ..remote.remote import Remote
from ..remote.synced_records import NotSynced
from ..server.site.page_paths import page_path
from ..sync.applying.apply import apply
from ..sync.comparing.base import Base, applied_entry
from ..sync.comparing.change import Result, Status
from ..sync.planning.plan import Plan, Policy, Selection
from ..sync.planning.prepare import BaseSource, PlanSource, prepare_plan
from ..sync.state.folder_reading import Reading
from ..sync.state.journal import Journal
from ..sync.state.run_history import start_text
from ..sync.state.state_dir import StateDir
from ..sync.state.synced_entries import concerns_others
from .known_entries import KnownEntries, is_same, write_known
from .preview_database import TARGET
from .preview_reading import known_after, read_preview, settings_digest

MAX_SELECTED = 10  # changed entries; with more of them, a plan of all entries is as fast

_KINDS_USED_BY_OTHERS = frozenset({*REFERRED_KINDS, Kind.CUSTOM_FIELD})
_POLICY = Policy(prune=True, on_drift="overwrite", on_conflict="ours", adopt=True, of_folder=False)


@dataclass(frozen=True, slots=True)
class SyncSummary:
    """The result of one sync: the problems in the folder, and the changes to the site."""

    problems: tuple[Problem, ...] = ()
    write_count: int = 0  # entries created, updated or deleted
    changed: bool = False  # whether the site may look different
    page: str = ""  # the path of the only written entry, below the site's address; else ""
    failure: Exception | None = None  # an unexpected exception: a bug in contentsync

    @property
    def error_count(self) -> int:
        """The number of problems that keep the site from showing the folder's content."""
        return sum(problem.is_error for problem in self.problems)


class Mirror:
    """Keeps the directory of a `remote` equal to the folder.

    `apply_settings` sets the site's settings on the directory, and returns whether they changed. `redirect_merged`
    gets the slugs of merged entries after each sync (`EmbeddedService.redirect_merged`). `known` is what the directory
    has of the folder, if that is certain.
    """

    def __init__(
        self,
        folder: Path,
        remote: Remote,
        state_dir: StateDir,
        cache: InMemoryCache,
        apply_settings: Callable[[SiteSettings], bool],
        redirect_merged: Callable[[Collection[tuple[Kind, str, str]]], None] = lambda merges: None,
        known: KnownEntries | None = None,
    ) -> None:
        self._folder = folder
        self._remote = remote
        self._state_dir = state_dir
        self._apply_settings = apply_settings
        self._redirect_merged = redirect_merged
        self._site: SiteSettings | None = None  # the settings that were applied last
        self._cache = cache
        self._base = Base()  # without the listings that are left out; it may lack others, too
        self._known = known
        if known:
            remote.leave_out({*known.listing_ids}, known.rows.directory.lists[Kind.LISTING])

    def read(self) -> Reading:
        """Read what has changed in the folder since the last sync."""
        return read_preview(self._folder, self._cache, self._known)

    async def sync(self, reading: Reading, on_write: Callable[[], None] = lambda: None) -> SyncSummary:
        """Sync the directory to the folder as it was read, if it has no errors. Call `on_write` after each change."""
        if reading.content.errors:
            return SyncSummary(reading.content.problems)
        site = reading.content.config.site
        has_new_settings = False
        known, self._known = self._known, None  # unknown until this sync has succeeded
        try:
            if site != self._site:
                has_new_settings = self._apply_settings(site)
                self._site = site
            try:
                results, stopped = await self._sync(reading, known, on_write)
            except NotSynced:  # nothing was written
                self._remote.forget_synced()
                reading = await asyncio.to_thread(read_preview, self._folder, self._cache, None)
                if reading.content.errors:
                    return SyncSummary(reading.content.problems, changed=has_new_settings)
                results, stopped = await self._sync(reading, None, on_write)
        except ContentError as error:  # of a plan, so nothing was written
            self._known = known
            return SyncSummary((*reading.content.problems, *error.problems))
        except ContentsyncError as error:
            self._base = Base()  # something may have been written
            return SyncSummary((*reading.content.problems, _problem(error)), changed=True)
        written = [result for result in results if result.status is Status.DONE]
        failed = [_failure(result) for result in results if result.status is not Status.DONE]
        problems = [*reading.content.problems, *failed]
        if stopped:
            problems.append(_problem(stopped))
        if not failed and not stopped:
            self._redirect_merged([*merged_slugs(reading.content.entries)])
        page = _page(site, written)
        return SyncSummary(tuple(problems), len(written), changed=has_new_settings or bool(written), page=page)

    def save_known(self) -> None:
        """Store what the directory has, for the next start. The database is closed, and the lock is not released."""
        if self._known:
            write_known(self._state_dir, self._known, self._remote.leave_out(self._known.row_ids))

    async def _sync(
        self, reading: Reading, known: KnownEntries | None, on_write: Callable[[], None]
    ) -> tuple[list[Result], ContentsyncError | None]:
        """Sync what has changed since the directory was as `known`; return the results, and why it stopped early.

        Without a failure, it is known again. Raise NotSynced if the whole folder must be compared.
        """
        if known and known.rows.settings != settings_digest(reading.content.config):
            known = None
        if reading.synced and not known:
            raise NotSynced
        entries = {(entry.kind, entry.key): entry for entry in reading.content.entries}
        left_out = reading.synced.records[Kind.LISTING].ids if reading.synced else frozenset()
        selected: Collection[EntryKey] = ()  # all
        only_selected = False
        if known:
            lost = {(Kind.LISTING, row.key): row.entry for row in known.rows.rows.values() if row.id not in left_out}
            previous = {**known.others, **lost} if lost else known.others
            selected = {each for each, entry in entries.items() if not is_same(previous.get(each), entry)}
            selected |= previous.keys() - entries.keys()
            if not selected:
                self._known = known._replace(rows=known.rows._replace(warnings=reading.content.problems))
                return [], None
            only_selected = _are_edits(selected, previous, entries)
            if len(selected) > MAX_SELECTED:
                selected, only_selected = (), False
        self._remote.leave_out(left_out)
        plan = await self._plan(reading, entries, selected, only_selected=only_selected)
        results, stopped = await self._apply(plan, on_write, only_selected=only_selected)
        if not stopped and all(result.status is Status.DONE for result in results):
            self._known = known_after(reading, entries, self._base)
            for identity in entries.keys() - self._known.others.keys():
                del self._base[identity]
            self._remote.leave_out(self._known.row_ids)
        return results, stopped

    async def _plan(
        self,
        reading: Reading,
        entries: Mapping[EntryKey, Entry],
        selected: Collection[EntryKey],
        *,
        only_selected: bool,
    ) -> Plan:
        """Return the plan of the selected entries, or of all if `selected` is empty.

        With `only_selected`, compare only these entries and those to which entries may refer, which is faster. Raise
        NotSynced if the plan without the listings that are left out may differ.
        """

        def is_needed(kind: Kind, key: str) -> bool:
            return not only_selected or kind in _KINDS_USED_BY_OTHERS or (kind, key) in selected

        def find_base(actual: Iterable[Entry]) -> Base:
            """Return the known base with the server's other records, which were all applied from this folder."""
            base = Base(item for item in self._base.items() if is_needed(*item[0]))
            ids = {(applied.kind, applied.id) for applied in base.values()}
            needed = [record for record in actual if is_needed(record.kind, record.key)]
            new = [applied_entry(each, actual=each) for each in needed if (each.kind, each.id) not in ids]
            base.update((applied.identity, applied) for applied in new)
            return base

        plan = await prepare_plan(
            PlanSource(
                [entry for identity, entry in entries.items() if is_needed(*identity)],
                locales=reading.content.config.site.locales[1:],  # the first language is the default
                user_ids={},  # the entries of a preview have no users
                left_out=reading.synced.keys if reading.synced else frozenset(),
            ),
            self._remote,
            Selection(tuple((kind, escape(key)) for kind, key in selected)),  # its keys are patterns
            on_progress=lambda kind, count: None,
            base=BaseSource(find_base),
            policy=_POLICY,
        )
        if reading.synced:
            reading.synced.records[Kind.LISTING].check(each for each in plan.actual if each.kind is Kind.LISTING)
            if concerns_others(plan):
                raise NotSynced
        return plan

    async def _apply(
        self, plan: Plan, on_write: Callable[[], None], *, only_selected: bool
    ) -> tuple[list[Result], ContentsyncError | None]:
        """Apply a plan; return the result of each change, and the error that stopped the run, else None.

        If the server refuses a change, the run continues. With `only_selected`, the plan has only these entries.
        """
        results: list[Result] = []
        if not plan:
            base = plan.base.with_updates(plan.base_updates, plan.base_removals)
            self._update_base(base, only_selected=only_selected)
            return results, None

        def on_result(result: Result) -> None:
            results.append(result)
            on_write()

        run = start_text(datetime.now(UTC))
        journal = Journal(self._state_dir, TARGET, run, plan, keeps_state=False, durable=False)
        try:
            stopped = await apply(plan, self._remote, on_result, journal=journal)
        finally:
            journal.close()
            journal.file.unlink(missing_ok=True)
            self._update_base(journal.state.base, only_selected=only_selected)
        return results, stopped

    def _update_base(self, base: Base, *, only_selected: bool) -> None:
        """Store the base after a plan. With `only_selected`, it has only these entries: keep the others."""
        if only_selected:
            self._base = self._base.with_updates(base.values())
        else:
            self._base = base


def _are_edits(
    changed: Collection[EntryKey], previous: Collection[EntryKey], current: Mapping[EntryKey, Entry]
) -> bool:
    """Return whether only values of the entries have changed, so that their plan depends on no other entries.

    An added, removed or renamed entry may be matched with any record. The plan of other entries may depend on a changed
    category, tag, organizer or custom field.
    """
    if not all(identity in previous and identity in current for identity in changed):
        return False
    entries = [current[identity] for identity in changed]
    return not any(entry.kind in _KINDS_USED_BY_OTHERS or entry.notes.previous for entry in entries)


def _page(site: SiteSettings, written: Sequence[Result]) -> str:
    """Return the path of the only written entry, or "" if there are several or none.

    If only texts in one other language than the default were written, the path opens the page in this language.
    """
    if len(written) != 1 or (applied := written[0].applied) is None:
        return ""
    names = written[0].change.fields  # such as "title", "translations.de.title"
    locales = {name.split(".")[1] if name.startswith("translations.") else "" for name in names}
    locale = locales.pop() if len(locales) == 1 else ""
    path = page_path(applied.kind, applied.slug or applied.key, site.organizers.prefix)
    return f"{path}?locale={locale}" if path and locale else path


def _failure(result: Result) -> Problem:
    entry = result.change.entry
    where = entry.source.where("") if entry.source else Where("")
    message = f"{result.change} {result.status}: {result.error}"
    return Problem("not-written", message, where, kind=entry.kind, key=entry.key)


def _problem(error: ContentsyncError) -> Problem:
    return Problem("not-written", error.message, Where(""))  # the hints are about options of sync
