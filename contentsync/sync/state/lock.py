"""TODO."""

import asyncio
import getpass
import os
import platform
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, NamedTuple, Self

import orjson
from filelock import FileLock, Timeout

from ...content.files.writing import put
from ...content.own_folder import hide_from_git
from ...errors import Refused
from ...model.instant import instant_text, parse_instant
from .state_dir import Place, unreadable, unwritable

_PAUSE = 0.1  # seconds between two looks at a lock that somebody else holds


_FLAG = "--take-lock takes it over, once you know that nothing runs there"


class Owner(NamedTuple):
    """Who holds a lock, in words for people; only `run` and `host` decide anything."""

    run: str
    host: str
    pid: int
    user: str
    since: str

    @classmethod
    def this(cls, run: str) -> "Owner":
        """This process."""
        try:
            user = getpass.getuser()
        except (KeyError, OSError):  # a container's user need not have a name
            user = str(os.getuid())
        return cls(run, platform.node(), os.getpid(), user, instant_text(datetime.now(UTC)))

    def __str__(self) -> str:
        return f"{self.user} on {self.host} (process {self.pid}, run {self.run}) since {self.since}{self._age()}"

    def _age(self) -> str:
        try:
            seconds = (datetime.now(UTC) - parse_instant(self.since, UTC)).total_seconds()
        except ValueError:
            return ""
        return f", {seconds / 60:,.0f} minutes ago" if seconds >= 60 else ""


class TargetLock:
    """A target's lock, held inside `async with`.

    Processes of one machine are kept apart by the operating system, which lets go of what a dead one held;
    machines that share the folder by the owner's name beside it. `take` takes the lock from whoever holds it:
    that run notices before its next write. Raises Refused if it is held for longer than `wait` seconds, and
    Unwritable.
    """

    def __init__(
        self,
        place: Place,
        run: str,
        *,
        take: bool = False,
        wait: float = 0,
        waiting: Callable[[str], None] = lambda why: None,
    ) -> None:
        self._folder = place.lock
        self._me = Owner.this(run)
        self._take = take
        self._wait = wait
        self._waiting = waiting
        self._held: FileLock | None = None

    async def __aenter__(self) -> Self:
        try:
            hide_from_git(self._folder)
            self._folder.mkdir(parents=True, exist_ok=True)
            await self._acquire()
        except OSError as error:
            self._release()
            raise unwritable(self._folder, error) from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with suppress(OSError):  # an owner's name that stays does no harm: a run of this machine takes it over
            if self._is_mine():
                self._owner_file.unlink(missing_ok=True)
        self._release()

    def check(self) -> None:
        """Raises Refused if another run has taken the lock (docs/faults.md CO-12); to be asked before each write.

        Raises Unwritable if that cannot be found out.
        """
        try:
            is_mine = self._is_mine()
        except OSError as error:
            raise unreadable(self._owner_file, error) from error
        if not is_mine:
            message = f"the lock of this run was taken over by {self._whoever()}"
            raise Refused(message, "what was written is recorded; run again when the other run has ended")

    @property
    def _owner_file(self) -> Path:
        return self._folder / "owner.json"

    async def _acquire(self) -> None:
        deadline = monotonic() + self._wait
        told = False
        while not self._try():
            if self._take:
                # The holder keeps the file that it locked; under this name there is a new one.
                (self._folder / "lock").unlink(missing_ok=True)
            elif monotonic() >= deadline:
                raise Refused(f"another run holds the lock of this target: {self._whoever()}", f"wait for it; {_FLAG}")
            else:
                if not told:
                    self._waiting(f"waiting for {self._whoever()}")
                    told = True
                await asyncio.sleep(_PAUSE)
        put(self._owner_file, orjson.dumps(self._me._asdict()))

    def _try(self) -> bool:
        """Whether the lock is ours now: free here, and not left to a run on another machine."""
        self._held = FileLock(self._folder / "lock")
        try:
            self._held.acquire(timeout=0)
        except Timeout:
            self._held = None
            return False
        if self._take or self._is_left_by_this_host():
            return True
        self._release()
        return False

    def _is_left_by_this_host(self) -> bool:
        # The operating system would not have given us the lock if a process of this machine still had it.
        owner = self._owner()
        return owner is None or (isinstance(owner, Owner) and owner.host == self._me.host)

    def _release(self) -> None:
        if self._held is not None:
            self._held.release()
            self._held = None

    def _is_mine(self) -> bool:
        owner = self._owner()
        return isinstance(owner, Owner) and (owner.run, owner.host, owner.pid) == (
            self._me.run,
            self._me.host,
            self._me.pid,
        )

    def _whoever(self) -> str:
        owner = self._owner()
        return str(owner) if isinstance(owner, Owner) else f"somebody whom {self._owner_file} does not tell"

    def _owner(self) -> Owner | bytes | None:
        """Who holds the lock: nobody, or a text that names no owner."""
        try:
            text = self._owner_file.read_bytes()
        except FileNotFoundError:
            return None
        try:
            found: dict[str, Any] = orjson.loads(text)
            return Owner(**found)
        except (ValueError, TypeError):
            return text
