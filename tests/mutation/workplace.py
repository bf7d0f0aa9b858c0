"""A copy of the repository, in which modules are changed and tests run."""

import contextlib
import importlib
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from .mutants import Mutant

# Imported once, as each run is forked from this process: it would take longer than most tests.
WARM = (
    *("hypothesis", "pydantic", "yaml", "frontmatter", "markdown_it", "httpx", "orjson", "rich.console", "typer"),
    *("starlette", "alembic.command", "filelock", "xdist.plugin", "anyio._backends._asyncio"),
)
LEFT_OUT = (".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "test-output")


@dataclass(frozen=True)
class Workplace:
    """The copy at `root` of the repository at `original`."""

    original: Path
    root: Path
    sound: set[str] = field(default_factory=set)  # test files that pass without a change

    @classmethod
    def make(cls, original: Path, folder: Path) -> "Workplace":
        """Copy the repository into a folder that does not exist yet."""
        shutil.copytree(original, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
        # Checked by the hash of the source: a change within a second of another would not be seen by the time.
        compiling = ["-m", "compileall", "-q", "--invalidation-mode", "checked-hash", "contentsync"]
        subprocess.run([sys.executable, *compiling], cwd=folder, check=True)
        for name in WARM:
            importlib.import_module(name)
        return cls(original, folder)

    def passes(self, files: list[str]) -> bool:
        """Return whether the tests pass without a change; each file is run for it once."""
        new = [file for file in files if file not in self.sound]
        if new and not self._run(new, 1800):
            return False
        self.sound.update(new)
        return True

    def survives(self, mutant: Mutant, files: list[str], timeout: float) -> bool:
        """Return whether the tests pass all the same. A run that takes longer than the timeout in seconds does not."""
        module = self.root / mutant.module.relative_to(self.original)
        before = module.read_bytes()
        module.write_bytes(mutant.source())
        try:
            return self._run(files, timeout)
        finally:
            module.write_bytes(before)

    def _run(self, files: list[str], timeout: float) -> bool:
        child = os.fork()
        if child == 0:
            self._become(files)
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                break
            time.sleep(0.05)
        else:
            status = 1
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # with the commands that it has started
        if not ended:
            os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status) == 0

    def _become(self, files: list[str]) -> None:
        """Run the tests in this process, and end it."""
        code = 70
        try:
            os.setsid()
            os.chdir(self.root)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            os.environ.update(PYTHONPATH=str(self.root), PYTHONDONTWRITEBYTECODE="1")
            sys.dont_write_bytecode = True
            sys.path.insert(0, str(self.root))
            for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", "contentsync")]:
                del sys.modules[name]
            # pytest warns of plugins that were imported before it, and the project makes errors of warnings.
            warm = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
            code = int(pytest.main(["-x", "--no-header", "--tb=no", *warm, *files]))
        finally:
            os._exit(code)
