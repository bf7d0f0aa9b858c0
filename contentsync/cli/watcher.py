"""The loop of `contentsync watch`: what has changed is read, planned and applied, and what stands in the way waits."""

import asyncio
from pathlib import Path
from time import monotonic

from ..content.config import Target
from ..content.folder import Content, load
from ..content.kept import Kept
from ..errors import ContentError, ContentsyncError, Damaged, Denied, Refused, Unwritable, UsageError
from ..sync.saved_plan import PlanContext
from ..watch import FolderChange, FolderChanges
from . import INTERRUPTED
from .interruption import interruptible
from .options import Options
from .session import Session
from .sync import Manner, Telling, carried_out
from .terminal import talk
from .watch_log import WatchLog

_FIRST, _LONGEST = 1.0, 60.0  # seconds before what failed is tried again
_RAREST = 3600.0  # seconds: a try that reaches the server leaves a journal
_LAG = 0.01  # seconds until the system has told who wrote while the folder was read
_AT_ONCE = Manner(yes=True)
_SILENT = Telling(quiet=True)


class Watcher:
    """Keeps a target as a folder is, of which something may have been `kept`."""

    def __init__(self, folder: Path, options: Options, log: WatchLog, kept: Kept) -> None:
        self._folder = folder
        self._options = options
        self._log = log
        self._kept = kept
        self._began = False
        self._settled: PlanContext | None = None  # for which there is nothing left to do
        self._pause: float | None = None  # before the next try, where the last one failed
        self._proven: Target | None = None  # the last one with which a sync went through
        self._coming: asyncio.Task[FolderChange] | None = None

    async def run(self) -> int:
        """Until somebody ends it; the exit code. Raises Denied, and at the beginning what is wrong with the options."""
        try:
            with interruptible():
                async with FolderChanges(self._folder, report=self._log.say) as changes:
                    while True:
                        change = await self._next(changes)
                        content = await asyncio.to_thread(load, self._folder, self._kept, alone=True)
                        await asyncio.sleep(_LAG)
                        if change.settled and changes.is_writing:
                            continue  # half a file may have been read
                        session = self._session(content, change)
                        if session and (terms := session.terms) != self._settled:
                            await self._sync(session, terms)
        except asyncio.CancelledError:
            return INTERRUPTED

    async def _next(self, changes: FolderChanges) -> FolderChange:
        """The next change, or none where it is time to try again."""
        while True:
            self._coming = self._coming or asyncio.ensure_future(anext(changes))
            await asyncio.wait([self._coming], timeout=self._pause)
            if self._coming.done():
                change, self._coming = self._coming.result(), None
                return change
            if changes.folder_exists:
                return FolderChange()

    def _session(self, content: Content, change: FolderChange) -> Session | None:
        """What to sync with; None as long as that has errors."""
        if content.errors:
            if change.settled or any(error.where.path not in change.paths for error in content.errors):
                self._log.paused(ContentError(content.problems, self._folder))
            self._rest(None)
            return None
        self._log.warned(content)
        try:
            session = Session.of(content, self._options, talk())
        except (UsageError, Refused) as error:  # the config does not say where to
            if not self._began:
                raise
            self._log.paused(error)
            self._rest(None)
            return None
        except Unwritable as error:
            if not self._began:
                raise
            self._log.failed(error)
            self._try_again()
            return None
        self._began = True
        self._log.begun(session)
        return session

    async def _sync(self, session: Session, terms: PlanContext) -> None:
        began = monotonic()
        try:
            outcome = await carried_out(session, session.planned(), _AT_ONCE, _SILENT)
        except ContentsyncError as error:
            return self._failed(session, error, terms)
        self._log.synced(session, outcome, monotonic() - began)
        if outcome.interrupted:
            raise asyncio.CancelledError
        if outcome.stopped:
            return self._failed(session, outcome.stopped, terms)
        self._proven = session.target
        if any(result.is_open for result in outcome.results):
            return self._try_again(_RAREST)
        return self._rest(terms)

    def _failed(self, session: Session, error: ContentsyncError, terms: PlanContext) -> None:
        """Has it tried again, or waits until something is mended here; raises what ends the watch."""
        edited = self._proven not in (None, session.target)  # and perhaps not to the end
        if isinstance(error, ContentError) or (edited and isinstance(error, Denied | UsageError | Damaged)):
            self._log.paused(error)
            self._rest(terms)
        elif isinstance(error, Denied | UsageError):
            raise error
        else:
            self._log.failed(error)
            self._try_again()

    def _rest(self, settled: PlanContext | None) -> None:
        self._settled, self._pause = settled, None

    def _try_again(self, longest: float = _LONGEST) -> None:
        self._settled, self._pause = None, min(2 * self._pause if self._pause else _FIRST, longest)
