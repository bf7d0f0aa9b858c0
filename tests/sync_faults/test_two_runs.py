"""Two runs at once: of one checkout, and of two that know nothing of each other."""

import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path

from contentsync.model import Kind

from .deaths import arguments
from .ground import Ground
from .mortal import Ended, run_mortal
from .scenario import grown


def together(ground: Ground, folders: Sequence[Path]) -> list[Ended]:
    """What became of a sync of each folder, all begun at once."""
    with ThreadPoolExecutor(len(folders)) as threads:
        return list(threads.map(lambda folder: run_mortal(arguments(folder), ground.environ), folders))


def test_of_two_runs_of_one_checkout_the_second_is_told_who_is_at_it(killing_ground: Ground) -> None:
    """CO-05"""
    killing_ground.reset()
    ended = together(killing_ground, [killing_ground.folder] * 2)
    assert sorted(run.code for run in ended) in ([0, 0], [0, 3])
    assert all("another run holds the lock" in run.said for run in ended if run.code == 3)
    assert list(killing_ground.judge.converged(killing_ground.records())) == []


def test_two_checkouts_leave_each_entry_as_one_of_them_has_it(killing_ground: Ground, tmp_path: Path) -> None:
    """CO-05, CO-17"""
    killing_ground.reset()
    other = shutil.copytree(killing_ground.folder, tmp_path / "other")
    (_, mine), (_, theirs) = grown(1), deepcopy(grown(1))
    for pages in (mine["pages"], theirs["pages"]):
        assert pages[0]["slug"] == "about"
    theirs["pages"][0]["body"] = "Theirs."
    theirs["pages"].append({"slug": "theirs", "title": "Theirs", "body": "Only there."})
    killing_ground.put(theirs, other)

    codes = {run.code for run in together(killing_ground, [killing_ground.folder, other])}
    assert codes <= {0, 5}  # 5: an entry was written by the other one in between, and is left so
    records = killing_ground.records()
    about = records[Kind.PAGE, "about"].content["data"]["markdown"]
    assert about in ("Who we are.", "Theirs.")
    assert {key for key in records if key != (Kind.PAGE, "theirs")} == set(killing_ground.judge.wanted)

    for folder in (other, killing_ground.folder):
        last = run_mortal(arguments(folder), killing_ground.environ)
        assert last.code == 0, last.said
    records = killing_ground.records()
    assert records.pop((Kind.PAGE, "theirs")).content["data"]["markdown"] == "Only there."
    assert list(killing_ground.judge.converged(records)) == []
