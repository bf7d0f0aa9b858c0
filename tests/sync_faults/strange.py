"""A simulated service on a port of its own, and folders that the command syncs to it."""

import asyncio
import json
import threading
from pathlib import Path
from typing import Any, Self

import pytest
import uvicorn

from contentsync.cli import run
from contentsync.server.asgi import create_app
from contentsync.server.store import accounts, connect_database

from ..properties.folders import Files, write
from ..serving import make_tenant
from ..simulator import LIKE_OURS, Manners, Simulator
from .proxy import bind

CONFIG = """
[site]
name = "Tools"
locales = [{locales}]

[targets.strange]
url = "{url}"
directory = {directory}
requests_per_minute = 1000000
prune = true
on_drift = "keep"
max_deletes = {{ percent = 100, count = 1000 }}
"""


class Strange:
    """A context manager: the service, its database, and the command in this process."""

    def __init__(
        self,
        home: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        manners: Manners = LIKE_OURS,
        locales: tuple[str, ...] = ("en", "fr"),
    ) -> None:
        url = f"sqlite:///{home / 'service.db'}"
        self.home = home
        self.directory, token = make_tenant(url, locales=locales)
        self.database = connect_database(url)
        self.simulator = Simulator(create_app(self.database), manners)
        monkeypatch.setenv("CONTENTSYNC_TOKEN", token)
        monkeypatch.setattr("tempfile.tempdir", str(home))  # in which the command counts its requests
        self._capsys = capsys
        self._socket = bind()
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(self.simulator, interface="asgi3", ws="none", lifespan="off", log_config=None)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=asyncio.run, args=(self._server.serve([self._socket]),), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()
        self.database.close()

    def folder(self, name: str, files: Files, locales: tuple[str, ...] = ("en", "fr")) -> Path:
        """Write a folder with the service as its target; what a sync keeps beside the files stays."""
        folder = self.home / name
        for path in folder.rglob("*"):
            if path.is_file() and ".contentsync" not in path.parts:
                path.unlink()
        folder.mkdir(exist_ok=True)
        quoted = ", ".join(f'"{locale}"' for locale in locales)
        config = CONFIG.format(locales=quoted, url=self.url, directory=self.directory)
        return write({"contentsync.toml": config, **files}, folder)

    def speak(self, *locales: str) -> None:
        """Set the languages of the directory."""
        self.database.run_write(accounts.update_directory, self.directory, locales=locales)

    def command(self, *words: object) -> tuple[int, str]:
        """Run a command; its exit code and what it printed."""
        self._capsys.readouterr()
        code = run([*map(str, words)])
        printed = self._capsys.readouterr()
        return code, printed.out + printed.err

    def done(self, *words: object) -> str:
        """Run a command that must succeed; what it printed."""
        code, text = self.command(*words)
        assert code == 0, text
        return text

    def sync(self, folder: Path, *words: object) -> str:
        """Sync a folder, which must succeed."""
        return self.done("sync", folder, "--yes", *words)

    def changes(self, folder: Path) -> list[Any]:
        """The changes of the next plan, which must not be refused."""
        document = json.loads(self.done("plan", folder, "--format", "json"))
        assert not document["refused"], document
        changes: list[Any] = document["changes"]
        return changes
