"""`sync --format jsonl`: each event on a line, as it happens."""

import json
from pathlib import Path
from typing import Any

import pytest

from ..exit_codes import CONTENT_ERRORS, REFUSED
from .conftest import Ran, contentsync

DOCUMENTED = Path(__file__).parent.parent.parent / "docs/reference/json.md"


def events(ran: Ran) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.out.splitlines()]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Two pages of which none was synced."""
    folder = tmp_path / "site"
    (folder / "pages").mkdir(parents=True)
    (folder / "contentsync.toml").touch()
    for title in ("About", "Jobs"):
        (folder / f"pages/{title.lower()}.md").write_text(f"---\ntitle: {title}\n---\n")
    return folder


def test_a_sync_reports_the_plan_then_each_result_then_the_end(site: Path) -> None:
    ran = contentsync("sync", site, "--yes", "--format", "jsonl")
    plan, *results, end = events(ran)
    assert ran.code == 0
    assert (plan["event"], plan["summary"]["create"], plan["target"]) == ("plan", 2, "local")
    assert sorted((each["event"], each["key"], each["status"]) for each in results) == [
        ("result", "about", "done"),
        ("result", "jobs", "done"),
    ]
    assert (end["event"], end["summary"]["done"], bool(end["run"])) == ("end", 2, True)
    assert {event["version"] for event in events(ran)} == {1}


def test_an_undo_reports_its_events_too(site: Path) -> None:
    contentsync("sync", site, "--yes")
    (site / "pages/about.md").write_text("---\ntitle: About us\n---\n")
    contentsync("sync", site, "--yes")
    plan, result, end = events(contentsync("undo", site, "--yes", "--format", "jsonl"))
    assert (plan["summary"]["update"], result["key"], end["summary"]["done"]) == (1, "about", 1)


def test_a_refused_plan_ends_without_a_run(site: Path) -> None:
    contentsync("sync", site, "--yes")
    for file in (site / "pages").iterdir():
        file.unlink()
    ran = contentsync("sync", site, "--yes", "--prune", "--format", "jsonl")
    plan, end = events(ran)
    assert (ran.code, end["run"], bool(end["refused"])) == (REFUSED, None, True)
    assert plan["refused"] == end["refused"]


def test_an_error_is_an_event_on_one_line(site: Path) -> None:
    (site / "pages/about.md").write_text("---\ntitel: About\n---\n")
    ran = contentsync("sync", site, "--yes", "--format=jsonl")
    (error,) = events(ran)
    assert (ran.code, error["event"]) == (CONTENT_ERRORS, "error")
    assert [problem["code"] for problem in error["problems"]] == ["unknown-key"]


def test_each_event_has_the_keys_that_are_documented(site: Path) -> None:
    """docs/reference/json.md, Events"""
    documented = DOCUMENTED.read_text(encoding="utf-8").partition("## Events")[2].splitlines()
    keys = {event["event"]: event.keys() for line in documented if line[:1] == "{" for event in [json.loads(line)]}
    assert keys.keys() == {"plan", "result", "end", "error"}
    ran = events(contentsync("sync", site, "--yes", "--format", "jsonl"))
    (site / "pages/about.md").write_text("---\ntitel: About\n---\n")
    ran += events(contentsync("sync", site, "--yes", "--format", "jsonl"))
    assert {event["event"]: event.keys() for event in ran} == keys
