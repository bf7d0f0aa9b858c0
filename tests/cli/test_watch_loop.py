import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from contentsync.cli.plan_options import ApplyOptions, PlanOptions
from contentsync.cli.session import Session
from contentsync.cli.sync_command import SyncOutcome
from contentsync.cli.terminal import stderr
from contentsync.cli.watch_loop import Watcher, WatchLog
from contentsync.content.folder.load import load_content
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.errors import Refused, Unreachable
from contentsync.model import Kind
from contentsync.sync.comparing.change import Result, Status
from contentsync.sync.planning.delayed_deletes import DelayedDeletes
from contentsync.sync.planning.plan_builder import make_plan

from ..end_to_end.test_watch_saves import Script
from ..histories.plan_history import MARGIN, PlanHistory
from ..report.test_kept_edits import plan_with_drift
from ..served import Served
from ..sync.entries import desired

PLAN = make_plan([desired(Kind.PAGE, "p", title="T")], [])
SIX = "name\turl\tdescription\nFive\thttps://five.example.org/\t\nSix\thttps://six.example.org/\t{}\n"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Return a session in an empty content folder."""
    (tmp_path / "contentsync.toml").touch()
    return Session.from_content(load_content(tmp_path), PlanOptions(), stderr())


def outcome(status: Status, error: str = "") -> SyncOutcome:
    return SyncOutcome(PLAN, "run", [Result(PLAN.changes[0], status, error)])


def test_watch_does_not_repeat_an_unchanged_failure(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    log = WatchLog(as_json=False)
    for _ in range(3):
        log.log_sync(session, outcome(Status.FAILED, "the title is bad"), 0.1)
    reported = capsys.readouterr()
    assert (reported.out.count("1 failed"), reported.err.count("the title is bad")) == (1, 1)
    log.log_sync(session, outcome(Status.FAILED, "the slug is bad"), 0.1)
    assert "the slug is bad" in capsys.readouterr().err
    log.log_sync(session, outcome(Status.DONE), 0.1)
    log.log_sync(session, outcome(Status.FAILED, "the slug is bad"), 0.1)
    assert "the slug is bad" in capsys.readouterr().err


def test_watch_reports_kept_edits_after_their_number_has_changed(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    log = WatchLog(as_json=False)
    for edited in (1, 1, 2, 2, 0, 2):
        log.log_sync(session, SyncOutcome(plan_with_drift(edited, deleted=0)), 0.1)
    lines = [line for line in capsys.readouterr().err.splitlines() if "kept:" in line]
    assert ["1 edit" in line for line in lines] == [True, False, False]


def test_watch_reports_an_unreachable_server_again_after_a_success(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    log = WatchLog(as_json=False)
    for _ in range(2):
        log.log_failure(Unreachable("cannot reach it", "is it running?"))
    assert capsys.readouterr().err.count("is it running?") == 1
    log.log_sync(session, outcome(Status.DONE), 0.1)
    log.log_failure(Unreachable("cannot reach it"))
    assert "cannot reach it: retrying until it works" in capsys.readouterr().err


def test_watch_reports_a_lock_once_without_the_option_to_take_it(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    log = WatchLog(as_json=False)
    for run in (1, 2):
        log.log_failure(Refused(f"another run holds the lock: run {run}", "--take-lock takes it over"))
    reported = capsys.readouterr().err
    assert (reported.count("another run holds"), reported.count("--take-lock")) == (1, 0)


def test_watch_reports_the_target_again_only_after_it_has_changed(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    log = WatchLog(as_json=False)
    elsewhere = replace(session, target=session.target.model_copy(update={"url": "embedded:other.db"}))
    for each in (session, session, elsewhere):
        log.log_start(each)
    reported = capsys.readouterr().err
    assert (reported.count("watching"), reported.count("other.db")) == (2, 1)


def test_watch_reports_each_warning_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "contentsync.toml").touch()
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/note.txt").touch()
    log = WatchLog(as_json=False)
    for _ in range(2):
        log.log_warnings(load_content(tmp_path))
    assert capsys.readouterr().err.count("ignored-file") == 1
    (tmp_path / "pages/other.txt").touch()
    log.log_warnings(load_content(tmp_path))
    reported = capsys.readouterr().err
    assert (reported.count("ignored-file"), "other.txt" in reported) == (1, True)


def test_watch_does_not_repeat_a_warning_whose_line_has_moved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "contentsync.toml").touch()
    (tmp_path / "pages").mkdir()
    page = tmp_path / "pages/about.md"
    log = WatchLog(as_json=False)
    for body in ("[Team](team.md)", "We.\n\n[Team](team.md)"):
        page.write_text(f"---\ntitle: About\n---\n{body}\n", encoding="utf-8")
        log.log_warnings(load_content(tmp_path))
    assert capsys.readouterr().err.count("relative-link") == 1


def test_an_edit_before_a_second_plan_is_synced_in_the_next_round(
    tmp_path: Path, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another user creates a new listing just before the watch does, so the folder is read again."""
    monkeypatch.setenv("CONTENTSYNC_TOKEN", served.token)
    history = PlanHistory(tmp_path / "site", served, Random(0), options=PlanOptions("live", adopt=True))
    history.begin()
    meddling: list[Callable[[], None]] = []

    def meddle() -> None:
        served.create("projects", {"name": "Theirs", "url": "https://new.example.org/"})
        history.write("listings/more.tsv", SIX.format("second"))

    def descriptions() -> dict[str, str]:
        return {each["name"]: each["description"] for each in served.get("projects")["data"]}

    def steps() -> Iterator[None]:
        yield
        history.write("listings/more.tsv", SIX.format("first"))
        history.write("listings/new.csv", "name,url\nNew,https://new.example.org/\n")
        meddling.append(meddle)
        yield
        assert descriptions()["Six"] == "first"
        yield
        assert descriptions()["Six"] == "second"
        history.write("listings/more.tsv", SIX.format("first"))
        yield
        assert descriptions()["Six"] == "first"

    def before_write() -> None:
        while meddling:
            meddling.pop()()

    applying = ApplyOptions(yes=True, concurrency=1, before_write=before_write)
    deletes = DelayedDeletes("sync")
    watcher = Watcher(history.folder, history.options, WatchLog(as_json=True), InMemoryCache(MARGIN), deletes, applying)
    asyncio.run(watcher.run(Script(history.folder, steps())))


def test_an_edit_after_the_first_reading_is_synced_in_the_first_round(
    tmp_path: Path, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No event may report it, because they are read only afterwards."""
    monkeypatch.setenv("CONTENTSYNC_TOKEN", served.token)
    history = PlanHistory(tmp_path / "site", served, Random(0))
    history.begin()
    deletes, applying = DelayedDeletes("sync"), ApplyOptions(yes=True)
    watcher = Watcher(history.folder, history.options, WatchLog(as_json=True), InMemoryCache(MARGIN), deletes, applying)
    watcher.read_first()
    history.write("pages/about.md", "---\ntitle: Later\n---\n")

    def steps() -> Iterator[None]:
        yield
        assert "Later" in {page["title"] for page in served.get("pages")["data"]}

    asyncio.run(watcher.run(Script(history.folder, steps())))
