"""Two runs at once: of one checkout, and of two that know nothing of each other."""

import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path

from contentsync.model import Kind

from ..exit_codes import REFUSED
from ..in_process import environment, run_command
from .crash_points import arguments
from .killable import Ended, run_killable
from .scenario import grown
from .workspace import Workspace


def together(workspace: Workspace, folders: Sequence[Path]) -> list[Ended]:
    """Sync all folders at once, and return how each run ended."""
    with ThreadPoolExecutor(len(folders)) as threads:
        return list(threads.map(lambda folder: run_killable(arguments(folder), workspace.environ), folders))


def test_two_runs_of_one_checkout_succeed_or_one_reports_the_lock(crash_workspace: Workspace) -> None:
    """CO-05"""
    crash_workspace.reset()
    ended = together(crash_workspace, [crash_workspace.folder] * 2)
    assert sorted(run.code for run in ended) in ([0, 0], [0, 3])
    assert all("another run holds the lock" in run.said for run in ended if run.code == REFUSED)
    assert list(crash_workspace.judge.converged(crash_workspace.records())) == []


def test_two_checkouts_leave_each_entry_in_the_version_of_one_of_them(
    crash_workspace: Workspace, tmp_path: Path
) -> None:
    """CO-05, CO-17"""
    crash_workspace.reset()
    other = shutil.copytree(crash_workspace.folder, tmp_path / "other")
    (_, mine), (_, theirs) = grown(1), deepcopy(grown(1))
    for pages in (mine["pages"], theirs["pages"]):
        assert pages[0]["slug"] == "about"
    theirs["pages"][0]["body"] = "Theirs."
    theirs["pages"].append({"slug": "theirs", "title": "Theirs", "body": "Only there."})
    crash_workspace.put(theirs, other)

    codes = {run.code for run in together(crash_workspace, [crash_workspace.folder, other])}
    assert codes <= {0, 5}  # 5: an entry was written by the other one in between, and is left so
    records = crash_workspace.records()
    about = records[Kind.PAGE, "about"].content["data"]["markdown"]
    assert about in ("Who we are.", "Theirs.")
    assert {key for key in records if key != (Kind.PAGE, "theirs")} == set(crash_workspace.judge.wanted)

    for folder in (other, crash_workspace.folder):
        # By default, a checkout keeps what the other one has written since its last sync.
        overwriting = [*arguments(folder), "--on-drift", "overwrite"]
        last = run_command(overwriting, environment(crash_workspace.environ))
        assert last.code == 0, last
    records = crash_workspace.records()
    assert records.pop((Kind.PAGE, "theirs")).content["data"]["markdown"] == "Only there."
    assert list(crash_workspace.judge.converged(records)) == []
