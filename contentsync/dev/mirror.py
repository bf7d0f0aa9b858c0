"""Sync the folder into the database of `dev`: planned and applied as in every sync, in one running process.

This process is the only writer, and nothing in the database can be lost, because all of it was applied from this
folder. So the actual entries are the base, no gate stops a delete, and the journal is deleted after each run.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from glob import escape
from pathlib import Path

from ..content.config.config import read_local_config
from ..content.config.config_tables import SiteSettings
from ..content.folder.load import Content, load_content
from ..content.folder.unit_cache import InMemoryCache
from ..content.links.former_addresses import merged_slugs
from ..errors import ContentError, ContentsyncError, Problem, Where
from ..model import REFERRED_KINDS, Entry, EntryKey, Kind
from ..remote.remote import Remote
from ..server.site.page_paths import page_path
from ..sync.applying.apply import apply
from ..sync.comparing.base import Base, applied_entry
from ..sync.comparing.change import Result, Status
from ..sync.planning.plan import Plan, Policy, Selection
from ..sync.planning.prepare import BaseSource, PlanSource, prepare_plan
from ..sync.state.journal import Journal
from ..sync.state.run_history import start_text
from ..sync.state.state_dir import StateDir
from .preview_database import TARGET

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
    gets the slugs of merged entries after each sync (`EmbeddedService.redirect_merged`).
    """

    def __init__(
        self,
        folder: Path,
        remote: Remote,
        state_dir: StateDir,
        cache: InMemoryCache,
        apply_settings: Callable[[SiteSettings], bool],
        redirect_merged: Callable[[Collection[tuple[Kind, str, str]]], None] = lambda merges: None,
    ) -> None:
        self._folder = folder
        self._remote = remote
        self._state_dir = state_dir
        self._apply_settings = apply_settings
        self._redirect_merged = redirect_merged
        self._site: SiteSettings | None = None  # the settings that were applied last
        self._cache = cache
        self._base: Base | None = None  # None: the entries of the database are the base
        self._entries: dict[EntryKey, Entry] | None = None  # all entries in the directory; None if unknown

    def load_content(self) -> Content:
        """Load the folder; read only files that have changed since the last call."""
        return load_content(self._folder, self._cache, single_process=True, read_config=read_local_config)

    async def sync_content(self, content: Content, on_write: Callable[[], None] = lambda: None) -> SyncSummary:
        """Sync the directory to the content if it has no errors. Call `on_write` after each change."""
        if content.errors:
            return SyncSummary(content.problems)
        previous, self._entries = self._entries, None  # unknown until this sync has succeeded
        entries = map(_preview_entry, content.entries)
        current = {(entry.kind, entry.key): entry for entry in entries if not entry.notes.skip}
        try:
            has_new_settings = False
            if content.config.site != self._site:
                has_new_settings = self._apply_settings(content.config.site)
                self._site = content.config.site
            selected: Collection[EntryKey] = ()  # all
            only_selected = False
            if previous is not None:
                selected = _select_changed_entries(previous, current)
                only_selected = bool(selected) and _are_edits(selected, previous, current)
            plan = await self._plan(content.config.site, current, selected, only_selected=only_selected)
            results, stopped = await self._apply(plan, on_write, only_selected=only_selected)
        except ContentError as error:
            return SyncSummary((*content.problems, *error.problems))
        except ContentsyncError as error:
            self._base = None  # something may have been written
            return SyncSummary((*content.problems, _problem(error)), changed=True)
        written = [result for result in results if result.status is Status.DONE]
        failed = [_failure(result) for result in results if result.status is not Status.DONE]
        problems = [*content.problems, *failed]
        if stopped:
            problems.append(_problem(stopped))
        if not failed and not stopped:
            self._entries = current
            self._redirect_merged([*merged_slugs(current.values())])
        page = _page(content.config.site, written)
        return SyncSummary(tuple(problems), len(written), changed=has_new_settings or bool(written), page=page)

    async def _plan(
        self,
        site: SiteSettings,
        entries: Mapping[EntryKey, Entry],
        selected: Collection[EntryKey],
        *,
        only_selected: bool,
    ) -> Plan:
        """Return the plan of the selected entries, or of all if `selected` is empty.

        With `only_selected`, compare only these entries and those to which entries may refer, which is faster.
        """
        known_base = self._base

        def is_needed(identity: EntryKey) -> bool:
            kind, _key = identity
            return kind in _KINDS_USED_BY_OTHERS or identity in selected

        if only_selected and known_base:
            entries = {identity: entry for identity, entry in entries.items() if is_needed(identity)}
            known_base = Base((identity, applied) for identity, applied in known_base.items() if is_needed(identity))

        def find_base(actual: Iterable[Entry]) -> Base:
            """Return the known base; without one, the server's records, which were all applied from this folder."""
            return known_base or Base.from_entries(applied_entry(record, actual=record) for record in actual)

        return await prepare_plan(
            PlanSource(
                [*entries.values()],
                locales=site.locales[1:],  # the first language is the default
                user_ids={},  # `_preview_entry` removes the users
            ),
            self._remote,
            Selection(tuple((kind, escape(key)) for kind, key in selected)),  # its keys are patterns
            on_progress=lambda kind, count: None,
            base=BaseSource(find_base),
            policy=_POLICY,
        )

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
        if only_selected and self._base:
            self._base = self._base.with_updates(base.values())
        else:
            self._base = base


def _select_changed_entries(
    previous: Mapping[EntryKey, Entry], current: Mapping[EntryKey, Entry]
) -> Collection[EntryKey]:
    """Return the added, removed and changed entries to plan; () to plan all, if there are none or too many."""
    identities = previous.keys() | current.keys()
    changed = {identity for identity in identities if _differ(previous.get(identity), current.get(identity))}
    return changed if len(changed) <= MAX_SELECTED else ()


def _differ(previous: Entry | None, current: Entry | None) -> bool:
    if previous is None or current is None:
        return True
    return (previous.fields, previous.notes) != (current.fields, current.notes)


def _are_edits(
    changed: Collection[EntryKey], previous: Mapping[EntryKey, Entry], current: Mapping[EntryKey, Entry]
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


def _preview_entry(entry: Entry) -> Entry:
    """Return the entry without what only concerns a real server: its `user_id`, and `protect`.

    The preview's database does not have the server's users, and `protect` would keep removed entries in the preview.
    """
    if "user_id" not in entry.fields and not entry.notes.protect:
        return entry
    fields = {name: value for name, value in entry.fields.items() if name != "user_id"}
    return replace(entry, fields=fields, notes=entry.notes._replace(protect=False))


def _failure(result: Result) -> Problem:
    entry = result.change.entry
    where = entry.source.where("") if entry.source else Where("")
    message = f"{result.change} {result.status}: {result.error}"
    return Problem("not-written", message, where, kind=entry.kind, key=entry.key)


def _problem(error: ContentsyncError) -> Problem:
    return Problem("not-written", error.message, Where(""))  # the hints are about options of sync
