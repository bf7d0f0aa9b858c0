"""Find the plan of a whole folder: recall it, make it of what has changed, or of everything (docs/decisions/0018)."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rich.console import Console

from ..content.files.folder_signatures import STAMP_MARGIN
from ..content.formats.table_rows import SyncedRows
from ..remote.synced_records import NotSynced
from ..report.document_parts import Destination
from ..sync.planning.plan import Plan
from .plan_options import PlanOptions
from .plan_shortcuts import PlanShortcuts
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
        async with finder.open_plan() as planned:
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
        shortcuts = PlanShortcuts.open(folder, options, console, stamp_margin)
        read = partial(open_session, folder, options, console, shortcuts.rows if shortcuts else None)
        if shortcuts and shortcuts.exist:
            return cls(shortcuts.session, shortcuts, read)
        session = read()
        return cls(session, shortcuts, lambda: session)

    @asynccontextmanager
    async def open_plan(self, *, to_apply: bool = False) -> AsyncIterator[ConnectedPlan]:
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
                planned = await stack.enter_async_context(self._compare_all())
            yield planned

    @asynccontextmanager
    async def _compare_all(self) -> AsyncIterator[ConnectedPlan]:
        """Yield the plan of the whole folder, and store what later plans need."""
        session, shortcuts = self._read(), self._shortcuts
        if shortcuts is None:  # only here, the options may have an `--only`, which must match an entry
            async with session.open_plan(only_must_match=True) as planned:
                yield planned
            return
        async with replace(session, known_lists=shortcuts.session.known_lists).open_plan() as planned:
            shortcuts.store(session.content, planned, shortcuts.rows)
            yield planned
