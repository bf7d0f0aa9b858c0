"""Settings and fixtures of the whole test run."""

import gc
import importlib
import os
import shutil
import signal
import tempfile
from collections.abc import Generator, Iterator
from contextlib import suppress
from multiprocessing.util import Finalize
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from .forked import program_file
from .served import running, served

__all__ = ["running", "served"]

TESTS = Path(__file__).parent

# Tests wait for a disk a quarter of their time: SQLite, journals and states are flushed at each write. In a container,
# the file system in memory may be small, or forbid to run programs.
MEMORY = Path("/dev/shm")
IN_MEMORY = (
    "TMPDIR" not in os.environ  # also false in the workers, which get that of their controller
    and MEMORY.is_dir()
    and shutil.disk_usage(MEMORY).free > 4 << 30
    and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
)
if IN_MEMORY:
    os.environ["TMPDIR"] = tempfile.tempdir = tempfile.mkdtemp(prefix="tests-", dir=MEMORY)
    Path(tempfile.tempdir).chmod(0o755)  # PostgreSQL runs as another user

# The settings of the machine would change what git does; without ours, each commit would start a second process of git.
os.environ |= {"GIT_CONFIG_GLOBAL": str(TESTS / "gitconfig"), "GIT_CONFIG_NOSYSTEM": "1"}

# A job in the background ignores SIGINT, and so would every command that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A slow or busy machine is no failure.
settings.register_profile(
    "contentsync",
    deadline=None,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("contentsync")


@pytest.fixture(scope="session")
def program() -> Iterator[Path]:
    """Yield the command as a program file."""
    with program_file() as file:
        yield file


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect without a search for garbage: there is little, and it took a sixth of the time."""
    gc.disable()
    try:
        if worker := getattr(session.config, "workerinput", None):
            import_from(int(worker["workerid"].removeprefix("gw")), worker["workercount"])
        return (yield)
    finally:
        gc.enable()


def import_from(number: int, workers: int) -> None:
    """Import the test modules in another order in each process, so that none is compiled by all of them.

    Compiling the assertions of a fresh clone takes half of the time to collect its tests, and pytest stores the result.
    """
    modules = sorted(TESTS.rglob("test_*.py"))
    first = len(modules) * number // workers
    for module in [*modules[first:], *modules[:first]]:
        with suppress(Exception, pytest.skip.Exception):  # collection reports it
            importlib.import_module(".".join(module.relative_to(TESTS.parent).with_suffix("").parts))


def pytest_sessionfinish(exitstatus: int) -> None:
    """Free the memory at the end of the process, unless a failed test has left files to look at."""
    if IN_MEMORY and exitstatus != pytest.ExitCode.TESTS_FAILED:
        # multiprocessing removes a directory of its own there, at -100
        Finalize(None, shutil.rmtree, (tempfile.gettempdir(), True), exitpriority=-200)


def pytest_collection_finish() -> None:
    """Exclude ten thousand tests from later garbage collections, and from the memory that forked processes copy."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 100)  # a test leaves few objects, and each search takes longer than what it frees
