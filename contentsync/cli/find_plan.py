"""Find the plan of a whole folder: recall it, make it of what has changed, or of everything (docs/decisions/0018)."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rich.console import Console

from ..content.files.folder_signatures import STAMP_MARGIN
from ..content.folder.load import Content
from ..content.formats.table_rows import SyncedRows
from ..errors import LocalFileError
from ..remote.synced_records import NotSynced
from ..report.document_parts import Destination
from ..sync.planning.plan import Plan
from .plan_options import PlanOptions
from .plan_shortcuts import ChangedContent, LoadContent, PlanShortcuts, load_with_index
from .session import ConnectedPlan, Session

OpenSession = Callable[[Path, PlanOptions, Console, SyncedRows | None], Session]


def find_plan(
    folder: Path,
    options: PlanOptions,
    console: Console,
    stamp_margin: int = STAMP_MARGIN,
    open_session: OpenSession = Session.open,
) -> tuple[Plan, Destination]:
    """Return the plan of a folder, which is not applied, and its target. The parameters are those of `PlanFinder`.

    Raise ContentError if the folder has errors. Raise UsageError if an `--only` matches no entry. Raise RemoteError.
    """
    finder = PlanFinder.open(folder, options, console, stamp_margin, open_session)

    async def find() -> Plan:
        async with finder.open_plan(to_apply=False) as planned:
            return planned.plan

    return asyncio.run(find()), finder.session.destination


@dataclass(frozen=True, slots=True)
class PlanFinder:
    """The ways to the plan of a folder, the shortest first.

    `session` has no entries if the folder may not have to be read.
    """

    session: Session
    _shortcuts: PlanShortcuts | None  # None if such a plan is never made by a shortcut
    _read: Callable[[], Session]

    @classmethod
    def open(
        cls,
        folder: Path,
        options: PlanOptions,
        console: Console,
        stamp_margin: int = STAMP_MARGIN,
        open_session: OpenSession = Session.open,
    ) -> "PlanFinder":
        """Read what earlier commands have stored; if it is of no use, read the folder.

        A plan is cached only if the last change of a file was more than `stamp_margin` nanoseconds ago: then the next
        change of a file has another stamp. `open_session` is called if the whole folder must be read. Raise
        ContentError if the folder has errors.
        """
        shortcuts = PlanShortcuts.open(folder, options, console, stamp_margin, load_with_index)
        if shortcuts:
            shortcuts = shortcuts.with_cached_plan()
        read = partial(open_session, folder, options, console, shortcuts.rows if shortcuts else None)
        if shortcuts and shortcuts.exist:
            return cls(shortcuts.session, shortcuts, read)
        session = read()
        return cls(session, shortcuts, lambda: session)

    @asynccontextmanager
    async def open_plan(self, *, to_apply: bool) -> AsyncIterator[ConnectedPlan]:
        """Yield the plan and the server, to which it may be applied only if it was made `to_apply`.

        Raise ContentError if the folder has errors. Raise UsageError if an `--only` matches no entry. Raise
        RemoteError.
        """
        shortcuts, planned = self._shortcuts, None
        async with AsyncExitStack() as stack:
            if shortcuts and shortcuts.exist:
                with suppress(NotSynced):
                    planned = await stack.enter_async_context(shortcuts.compare_changed(self._read, to_apply=to_apply))
            if planned is None:
                planned = await stack.enter_async_context(_compare_all(self._read(), shortcuts, only_must_match=True))
            yield planned


@dataclass(frozen=True, slots=True)
class FolderReading:
    """What `watch` has read of the folder before it asks the server: all of it, or only what has changed.

    If `content` has errors, it is that of the whole folder.
    """

    content: Content
    _shortcuts: PlanShortcuts | None
    _changed: ChangedContent | None  # None if all of the folder was read

    @classmethod
    def read(
        cls, folder: Path, options: PlanOptions, console: Console, load: LoadContent, *, whole: bool = False
    ) -> "FolderReading":
        """Read the folder with `load`, without the listings that are as they were. With `whole`, read all of it."""
        shortcuts = PlanShortcuts.open(folder, options, console, STAMP_MARGIN, load)
        if shortcuts and not whole:
            with suppress(NotSynced, LocalFileError):  # the plan of the whole folder raises LocalFileError again
                changed = shortcuts.read_changed(records=None)
                return cls(changed.content, shortcuts, changed)
        rows = shortcuts.rows if shortcuts and shortcuts.stores_rows else None  # without rows, `load` may cache tables
        return cls(load(folder, rows), shortcuts, None)

    @property
    def is_reduced(self) -> bool:
        """Whether listings are left out."""
        return self._changed is not None

    @property
    def is_current(self) -> bool:
        """Whether the folder certainly is as it was read."""
        dependencies = self.content.dependencies
        return dependencies is not None and dependencies.version(self.content.folder) is not None

    def open_session(self, options: PlanOptions, console: Console) -> Session:
        """Return the session for the content. Raise errors as `Session.from_content` does."""
        if self._shortcuts and self._changed:
            return self._shortcuts.reduced_session(self._changed)
        return Session.from_content(self.content, options, console)

    def open_plan(self, session: Session, read: Callable[[], Session]) -> AbstractAsyncContextManager[ConnectedPlan]:
        """Yield the plan of this session, and the server to which it may be applied.

        The deletes of a reduced plan must not be applied. `read` returns the session for the whole folder, if a second
        plan is needed. Raise NotSynced if the first plan needs the whole folder, and only a part was read. Raise
        RemoteError.
        """
        if self._shortcuts and self._changed:
            return self._shortcuts.compare(self._changed, read, to_apply=False)
        return _compare_all(session, self._shortcuts)


@asynccontextmanager
async def _compare_all(
    session: Session, shortcuts: PlanShortcuts | None, *, only_must_match: bool = False
) -> AsyncIterator[ConnectedPlan]:
    """Yield the plan of the whole folder, and store what later plans need."""
    if shortcuts is None:  # only here, the options may have an `--only`, which must match an entry
        async with session.open_plan(only_must_match=only_must_match) as planned:
            yield planned
        return
    async with replace(session, known_lists=shortcuts.session.known_lists).open_plan() as planned:
        shortcuts.store(session.content, planned, shortcuts.rows)
        yield planned
