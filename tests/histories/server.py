"""The service of the histories, a proxy before it, and what other people do there."""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from contentsync.model import Entry, Kind
from contentsync.remote import retry
from contentsync.remote.http_client import Service
from contentsync.remote.remote import Remote
from contentsync.server.store import accounts, connect_database

from ..ci.workflow import clean
from ..forked import program_file
from ..served import Recorder, Served
from ..serving import make_tenant
from ..sync_faults.killable import watch_moments
from ..sync_faults.records import Records, read_records
from ..sync_faults.run import over, run
from ..sync_faults.simulated import Simulated
from ..sync_faults.stage import Stage
from ..sync_faults.wire import POLICY, all_done

T = TypeVar("T")

TARGET = "production"
LOCALES = ("en", "fr", "de")
PID = "pid"  # the file that names the process of the last command


class Server:
    """One directory, which is empty at the beginning of each history."""

    def __init__(self, stage: Stage, home: Path, cleanup: ExitStack) -> None:
        self.stage = stage
        self.home = home
        self.is_healthy = True
        self._cleanup = cleanup
        self._empty = home / "empty"
        self._empty.mkdir()
        self.directory, self.token = make_tenant(f"sqlite:///{self._empty / 'site.db'}", locales=LOCALES)
        self._judging = Simulated()

    def begin(self) -> None:
        """Forget everything."""
        self.stage.close()
        shutil.rmtree(self.home / "backup", ignore_errors=True)
        self._restore("now")
        self.stage.open(self.home / "now" / "site.db")

    def back_up(self) -> None:
        """Copy the database, for `restore`."""
        self._copy("now", "backup")

    def restore(self) -> None:
        """Put the copied database back, if there is one."""
        if (self.home / "backup").exists():
            self._copy("backup", "now")

    def set_languages(self, locales: tuple[str, ...]) -> None:
        """Change the languages of the directory, as its owner may."""
        database = connect_database(self.home / "now" / "site.db")
        try:
            database.run_write(accounts.update_directory, self.directory, locales=locales)
        finally:
            database.close()

    @cached_property
    def program(self) -> Path:
        """The command as a program file, whose processes can be killed."""
        return self._cleanup.enter_context(program_file(partial(obey, self.home)))

    @property
    def url(self) -> str:
        return self.stage.proxy.url

    @property
    def served(self) -> Served:
        """The service itself, without the proxy."""
        return Served(Recorder(self.stage.url), self.token, self.token, self.directory)

    def target(self, settings: str) -> str:
        """Return the target of a folder that is synced here."""
        return (
            f'[targets.{TARGET}]\nurl = "{self.url}"\ndirectory = {self.directory}\n'
            f"requests_per_minute = 1000000\n{settings}"
        )

    def records(self) -> Records:
        """Return what the service has."""
        return read_records(self.home / "now" / "site.db")

    def expected(self, folder: Path) -> Records:
        """Return what the service would have if it had never had anything but this folder."""
        self._judging.close()
        self._restore("expected")
        copy = shutil.copytree(folder, self.home / "copy", ignore=shutil.ignore_patterns(".contentsync"))
        self._judging.open(self.home / "expected" / "site.db")
        try:
            outcome = run(copy, over(lambda: self._judging.service(self.token)), POLICY)
        finally:
            shutil.rmtree(copy)
        assert all_done(outcome), outcome
        return read_records(self.home / "expected" / "site.db")

    def crash_at_point(self, moment: int) -> None:
        """Let the next command die at a moment of its work."""
        self.is_healthy = False
        orders(self.home).write_text(str(moment), encoding="utf-8")

    def kill(self) -> None:
        """Kill the command that runs now."""
        with suppress(ProcessLookupError):
            os.kill(int((self.home / PID).read_text(encoding="utf-8")), signal.SIGKILL)

    def cancel_death(self) -> None:
        """Let the next command live; the last one may not have come so far."""
        orders(self.home).unlink(missing_ok=True)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request as another user does, and return the `data` of the answer."""
        status, document = self.served.ask(method, path, body)
        assert status in (200, 201, 404), document
        return document.get("data")

    def call(self, task: Callable[[Remote], Awaitable[T]]) -> T:
        """Return the result of a task of another user, who has a client of the service."""

        async def called() -> T:
            async with Service(self.stage.url, self.token) as service:
                return await task(Remote(service, self.directory))

        return asyncio.run(called())

    def entries(self) -> list[Entry]:
        """Return the entries of the service, with all translations."""
        return self.call(lambda remote: remote.fetch({*Kind}, LOCALES[1:]))

    def _copy(self, source: str, destination: str) -> None:
        """Copy the folder of a database over another one, while no process has a database open."""
        self.stage.close()
        shutil.rmtree(self.home / destination, ignore_errors=True)
        shutil.copytree(self.home / source, self.home / destination)
        self.stage.open(self.home / "now" / "site.db")

    def run_program(self, *arguments: str, **settings: str) -> "subprocess.CompletedProcess[str]":
        """Run the command in a process of its own, which can be killed."""
        return subprocess.run(
            [self.program, *arguments],
            env=clean({"CONTENTSYNC_TOKEN": self.token, **settings}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def _restore(self, name: str) -> None:
        shutil.rmtree(self.home / name, ignore_errors=True)
        shutil.copytree(self._empty, self.home / name)


@contextmanager
def serving() -> Iterator[Server]:
    """Serve, for as long as the histories last."""
    with TemporaryDirectory(prefix="contentsync-histories-") as home, Stage() as stage, ExitStack() as cleanup:
        yield Server(stage, Path(home), cleanup)


def orders(home: Path) -> Path:
    """Return the file that says when the next command dies."""
    return home / "dies-at"


def obey(home: Path) -> None:
    """Prepare the process of a command: it waits for nothing, and it may die."""
    retry.FIRST_BACKOFF = 0.0
    (home / PID).write_text(str(os.getpid()), encoding="utf-8")
    file = orders(home)
    if file.exists():
        moment = int(file.read_text(encoding="utf-8"))
        file.unlink()
        watch_moments(moment)
