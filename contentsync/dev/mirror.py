"""The folder in a database of its own, for `dev`: planned and applied as every sync is, in one process that stays warm.

Nobody else writes there, and nothing in it can be lost: what it has was applied from this folder, or is not wanted. So
its own entries are the base, no gate holds a delete up, and a run's journal goes with the run.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from glob import escape
from pathlib import Path

from ..content.config import Site
from ..content.folder import Content, load
from ..content.kept import Kept
from ..errors import ContentError, ContentsyncError, Problem, Where
from ..model import Entry
from ..remote import Remote
from ..sync import (
    Base,
    BaseSource,
    Journal,
    Plan,
    PlanSource,
    Policy,
    Result,
    Selection,
    StateDir,
    Status,
    applied_entry,
    apply,
    prepare,
)
from ..sync.comparing.entry_fields import Identity
from .addresses import page_of
from .database import TARGET
from .news import News

FEW = 10  # entries that are planned for by themselves: that is quicker, and what others are is known

_POLICY = Policy(prune=True, on_conflict="ours", adopt=True, of_folder=False)


class Mirror:
    """Makes the directory of a `remote` what the folder says, as often as it is asked to.

    `settle` gives the directory the site's settings, and says whether it had others.
    """

    def __init__(
        self, folder: Path, remote: Remote, place: StateDir, kept: Kept, settle: Callable[[Site], bool]
    ) -> None:
        self._folder = folder
        self._remote = remote
        self._place = place
        self._settle = settle
        self._site: Site | None = None  # whose settings the directory has
        self._kept = kept
        self._base: Base | None = None  # None where only the database knows
        self._shown: dict[Identity, Entry] | None = None  # what all of the directory is; None where that is not known

    def read(self) -> Content:
        """The folder as it is now: only what has changed since the last time is read."""
        return load(self._folder, self._kept, alone=True)

    async def show(self, content: Content, written: Callable[[], None] = lambda: None) -> News:
        """Brings the directory to the content, unless that has errors; `written` is called after each change."""
        if content.errors:
            return News(content.problems)
        before, self._shown = self._shown, None
        now = {(entry.kind, entry.key): entry for entry in map(_unowned, content.entries) if not entry.notes.skip}
        try:
            settled = content.config.site != self._site and self._settle(content.config.site)
            self._site = content.config.site
            plan = await self._planned(content.config.site, now, _differing(before, now))
            results, stopped = await self._applied(plan, written)
        except ContentError as error:
            return News((*content.problems, *error.problems))
        except ContentsyncError as error:
            self._base = None  # whatever has been written by then
            return News((*content.problems, _problem(error)), changed=True)
        done = [result for result in results if result.status is Status.DONE]
        failed = [_failure(result) for result in results if result.status is not Status.DONE]
        problems = (*content.problems, *failed, *([_problem(stopped)] if stopped else []))
        self._shown = None if failed or stopped else now
        return News(problems, len(done), changed=settled or bool(done), page=_page(content.config.site, done))

    async def _planned(self, site: Site, entries: Mapping[Identity, Entry], selection: Selection) -> Plan:
        return await prepare(
            PlanSource([*entries.values()], site.locales[1:], {}),
            self._remote,
            selection,
            lambda kind, count: None,
            base=BaseSource(lambda actual: self._base or Base.of(applied_entry(entry, entry) for entry in actual)),
            policy=_POLICY,
        )

    async def _applied(self, plan: Plan, written: Callable[[], None]) -> tuple[list[Result], ContentsyncError | None]:
        """What became of each change, and what stopped the run. Refusals are no reason to stop here."""
        results: list[Result] = []
        if not plan:
            self._base = plan.base.with_updates(plan.base_updates, plan.base_removals)
            return results, None

        def told(result: Result) -> None:
            results.append(result)
            written()

        run = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ-%f}"
        journal = Journal.open(self._place, TARGET, run, plan, keeps_state=False)
        try:
            stopped = await apply(plan, self._remote, told, journal=journal, check_lock=lambda: None)
        finally:
            journal.close()
            journal.file.unlink(missing_ok=True)
            self._base = journal.state.base
        return results, stopped


def _differing(before: Mapping[Identity, Entry] | None, now: Mapping[Identity, Entry]) -> Selection:
    """The few entries that have come, gone or changed; everything where they are more, or nobody knows."""
    if before is None:
        return Selection()
    found = [
        identity
        for identity in before.keys() | now.keys()
        if (old := before.get(identity)) is None
        or (new := now.get(identity)) is None
        or (old.fields, old.notes) != (new.fields, new.notes)
    ]
    return Selection(tuple((kind, escape(key)) for kind, key in found)) if len(found) <= FEW else Selection()


def _page(site: Site, done: Sequence[Result]) -> str:
    """The page of the one entry that was written, in the language that was; else none."""
    if len(done) != 1 or (applied := done[0].applied) is None:
        return ""
    locales = {name.split(".")[1] if name.startswith("translations.") else "" for name in done[0].change.fields}
    locale = locales.pop() if len(locales) == 1 else ""
    path = page_of(applied.kind, applied.slug or applied.key, site.organizers.prefix)
    return f"{path}?locale={locale}" if path and locale else path


def _unowned(entry: Entry) -> Entry:
    """The entry without its user, whom only a real target knows, and unprotected: here nothing can be lost."""
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
    return Problem("not-written", error.message, Where(""))  # hints name options of sync
