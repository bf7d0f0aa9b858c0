"""tests.in_process and tests.forked: a command has the environment of its test, and does not hang."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from .forked import CommandProcess
from .in_process import environment, run_command
from .served import Served
from .sync_faults.killable import run_killable

Run = Callable[[list[str], Mapping[str, str]], object]


def run_forked(arguments: list[str], environ: Mapping[str, str]) -> object:
    return CommandProcess(arguments, environ).end()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    assert run_command(["init", str(folder)], environment())[0] == 0
    return folder


@pytest.mark.parametrize("run", [run_command, run_forked, run_killable])
def test_a_command_counts_its_requests_in_its_own_temporary_folder(
    site: Path, served: Served, tmp_path: Path, run: Run
) -> None:
    """Two tests never share a rate limit."""
    run(["plan", str(site)], environment({**served.env, "TMPDIR": str(tmp_path)}))
    assert [*tmp_path.glob("contentsync-*/*")] != []


def test_a_command_can_have_the_whole_environment_of_the_test(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTENTSYNC_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("CONTENTSYNC_DIRECTORY", "1")
    monkeypatch.setenv("CONTENTSYNC_TOKEN", "t")
    ended = run_command(["plan", str(site)], os.environ)
    assert "cannot reach http://127.0.0.1:1" in ended.err
    assert os.environ["CONTENTSYNC_TOKEN"] == "t"


def test_a_command_that_does_not_end_is_stopped(site: Path, served: Served) -> None:
    served.recorder.gate.clear()
    with pytest.raises(AssertionError, match="did not end"):
        run_command(["sync", "--yes", str(site)], environment(served.env), seconds=1)
    served.recorder.gate.set()
    assert run_command(["sync", "--yes", str(site)], environment(served.env))[0] == 0
