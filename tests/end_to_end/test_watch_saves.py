"""`contentsync watch --prune` while files are saved in every way: no record is deleted or created again."""

import asyncio
import gc
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

import pytest

from contentsync.cli.plan_options import PlanOptions
from contentsync.cli.session import Session
from contentsync.cli.terminal import stderr
from contentsync.cli.watch_loop import Watcher, WatchLog
from contentsync.content.folder.load import load_content
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.model import Kind
from contentsync.sync.planning.delayed_deletes import DelayedDeletes
from contentsync.sync.planning.plan import Plan
from contentsync.watch import FolderChange, FolderChanges

from ..sampling import sampled
from ..served import Served
from .conftest import UNHURRIED
from .saves import (
    GAPS,
    PAGES,
    ROWS,
    WAYS,
    WITH_ERRORS,
    Steps,
    checkout_of_another_branch_and_back,
    git,
    make_site,
    page,
)
from .watching import until, watch

PRUNE = PlanOptions(prune=True)


class Script(FolderChanges):
    """Changes of a folder that the test makes: one after each step; after the last one, the watch ends."""

    def __init__(self, folder: Path, steps: Steps) -> None:
        super().__init__(folder)
        self._steps = steps

    @property
    def folder_exists(self) -> bool:
        return True

    async def __aenter__(self) -> Self:
        return self

    async def __anext__(self) -> FolderChange:
        try:
            next(self._steps)
        except StopIteration:
            raise asyncio.CancelledError from None
        return FolderChange(everything=True)


class Clock:
    """A clock that stands still until the test moves it."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def watch_steps(folder: Path, steps: Steps, clock: Clock) -> list[str]:
    """Watch a folder with `--prune` while the steps change it; return the messages about deletes."""
    messages: list[str] = []
    deletes = DelayedDeletes("contentsync sync --prune", clock=clock, report=messages.append)
    gc.collect()
    gc.freeze()  # the watch collects garbage after each sync, among all objects of the tests before
    watcher = Watcher(folder, PRUNE, WatchLog(as_json=True), InMemoryCache(), deletes)
    asyncio.run(watcher.run(Script(folder, steps)))
    return messages


def plan(folder: Path) -> Plan:
    """The plan of a sync after the watch."""
    return asyncio.run(Session.from_content(load_content(folder), PRUNE, stderr()).plan())


def written(capsys: pytest.CaptureFixture[str], *actions: str) -> list[tuple[str, str]]:
    """The actions and keys of the results since the last call."""
    documents: list[Any] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    results = [result for document in documents for result in document.get("results", ())]
    return [(each["action"], each["key"]) for each in results if each["action"] in actions]


@pytest.mark.parametrize("gaps", sampled(([0, 4], [1, 2, 3]), 2))
def test_no_method_of_saving_deletes_or_creates_records(
    gaps: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """CO-18: each method saves other files."""
    site, clock = make_site(tmp_path / "site"), Clock()
    wrong: dict[str, list[tuple[str, str]]] = {}

    def steps() -> Steps:
        yield
        capsys.readouterr()
        for way in sorted(WAYS, key=lambda way: way is not checkout_of_another_branch_and_back):  # needs a clean folder
            for gap in gaps:
                for _ in way(site, f"edit-{gap}"):
                    yield
                    clock.now += gap
                clock.now += 6
                yield
            wrong[way.__name__] = written(capsys, "create", "delete")

    watch_steps(site, steps(), clock)
    assert wrong == {way.__name__: [] for way in WAYS}
    after = plan(site)
    assert not after
    assert len([entry for entry in after.actual if entry.kind is Kind.PAGE]) == PAGES
    assert len([entry for entry in after.actual if entry.kind is Kind.LISTING]) == ROWS


def test_a_folder_that_a_cloud_drive_empties_file_by_file_stays_on_the_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """CO-19, PL-01"""
    site, clock = make_site(tmp_path / "site"), Clock()

    def steps() -> Steps:
        for number in range(PAGES - 1):
            yield
            page(site, number).unlink()
            clock.now += 20
            yield  # begins to wait
            clock.now += 6
        yield

    watch_steps(site, steps(), clock)
    printed = capsys.readouterr()
    documents = [json.loads(line) for line in printed.out.splitlines()]
    deleted = [each["key"] for document in documents for each in document["results"] if each["action"] == "delete"]
    assert deleted == ["page-0", "page-1", "page-2"]
    assert documents[-1]["refused"][0]["flag"] == "contentsync sync --prune --allow-deletes 8"


@pytest.mark.whole
@pytest.mark.parametrize("gap", GAPS)
def test_no_method_of_saving_deletes_or_creates_records_in_real_time(tmp_path: Path, served: Served, gap: int) -> None:
    """CO-18"""
    site = make_site(tmp_path / "site")
    with (site / "contentsync.toml").open("a", encoding="utf-8") as config:
        config.write(UNHURRIED)
    git(site, "commit", "--quiet", "--all", "--message=pace")

    # git switches only without changes, and no delete is sent while other files have errors.
    first, last = [checkout_of_another_branch_and_back], [*WITH_ERRORS]
    in_turn = first, [way for way in WAYS if way not in (*first, *last)], last

    def save(way: Callable[[Path, str], Steps]) -> None:
        for _ in way(site, "edit"):
            time.sleep(gap)

    with watch(site, served.env, "--prune") as watching:
        watching.line(1)
        created = len(served.recorder.writes)
        with ThreadPoolExecutor(len(WAYS)) as threads:
            for ways in in_turn:
                list(threads.map(save, ways))
        titles = {file.read_text(encoding="utf-8").splitlines()[1][7:] for file in (site / "pages").glob("*.md")}
        until(
            lambda: {each["title"] for each in served.get("pages?per_page=100")["data"]} == titles,
            lambda: f"{watching.lines}\n{watching.stderr_text}",
        )
        assert {method for method, _path in served.recorder.writes[created:]} == {"PUT"}
