"""`contentsync plan`, `status` and saved plans, as they are typed."""

import json
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from contentsync.cli import run
from contentsync.cli.plan_command import show_plan

from ..exit_codes import CONTENT_ERRORS, REFUSED, WRONG_USAGE
from ..report.plans import THERE, many_sorts

Ran = tuple[int, str, str]
Command = Callable[..., Ran]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], folder: Path) -> Command:
    """Return a function that runs a command on the folder and returns its exit code, stdout and stderr."""

    def command(name: str, *arguments: object) -> Ran:
        code = run([name, str(folder), *map(str, arguments)])
        return code, *capsys.readouterr()

    return command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with five pages."""
    site = tmp_path / "site"
    (site / "pages").mkdir(parents=True)
    (site / "contentsync.toml").write_text('site = { name = "Tools" }\n', encoding="utf-8")
    for name in ("about", "imprint", "jobs", "press", "team"):
        write(site, name, name.title())
    return site


def write(folder: Path, name: str, title: str) -> None:
    (folder / f"pages/{name}.md").write_text(f"---\ntitle: {title}\n---\nText.\n", encoding="utf-8")


def document(ran: Ran) -> Any:
    """Return the JSON document that a command has printed."""
    return json.loads(ran[1])


def test_a_plan_prints_the_summary_first_and_changes_nothing(command: Command) -> None:
    """PL-14"""
    code, out, _ = command("plan")
    assert code == 0
    assert out.startswith("5 to create on local (embedded:.contentsync/site.db): 5 requests\n\nkind ")
    assert command("plan", "--detailed-exitcode")[1] == out


def test_a_long_plan_repeats_the_summary_at_the_end(command: Command, folder: Path) -> None:
    """PL-20"""
    rows = "".join(f"- title: Tag {number}\n" for number in range(30))
    (folder / "tags.yaml").write_text(rows, encoding="utf-8")
    _code, out, _err = command("plan", "--full")
    lines = out.splitlines()
    assert lines[0] == lines[-1] != ""


def test_a_plan_of_500_changes_fits_into_40_lines() -> None:
    """PL-20"""
    screen = StringIO()
    show_plan(Console(file=screen, width=120, soft_wrap=True), many_sorts(), THERE, full=False, verbose=False)
    assert 30 < len(screen.getvalue().splitlines()) <= 40


def test_a_markdown_plan_begins_with_a_marker_and_folds_its_changes(command: Command) -> None:
    """By the marker, a program finds the comment with the last plan for the target, to replace it."""
    code, out, _ = command("plan", "--format", "markdown")
    assert code == 0
    assert out.startswith("<!-- contentsync plan: local -->\n\n### contentsync plan for `local`\n")
    assert "<details><summary>5 to create</summary>" in out


def test_a_whole_plan_is_written_only_if_lines_were_omitted(command: Command, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "whole.md"
    arguments = ("plan", "--format", "markdown", "--whole", file)
    assert command(*arguments)[0] == 0
    assert not file.exists()
    (folder / "tags.yaml").write_text("".join(f"- title: Tag {number}\n" for number in range(60)), encoding="utf-8")
    code, out, _ = command(*arguments)
    assert code == 0
    assert "are not shown here" in out
    whole = file.read_text(encoding="utf-8")
    assert all(f"- tag `tag-{number}` " in whole for number in range(60))
    assert command("plan", "--format", "markdown", "--full")[1] == f"{whole}\n"


def test_a_whole_plan_does_not_replace_a_file(command: Command, folder: Path) -> None:
    (folder / "tags.yaml").write_text("".join(f"- title: Tag {number}\n" for number in range(60)), encoding="utf-8")
    page = folder / "pages/about.md"
    before = page.read_bytes()
    code, _, err = command("plan", "--format", "markdown", "--whole", page)
    assert code == CONTENT_ERRORS
    assert err.endswith("about.md cannot be written: File exists\n  name another file with --whole\n")
    assert page.read_bytes() == before


def test_a_whole_plan_requires_the_markdown_format(command: Command, tmp_path: Path) -> None:
    code, _, err = command("plan", "--whole", tmp_path / "whole.md")
    assert code == WRONG_USAGE
    assert "--whole needs --format markdown" in err


def test_a_refused_plan_ends_with_the_reason_and_the_option(command: Command, folder: Path) -> None:
    """PL-01"""
    assert command("sync", "--yes")[0] == 0
    for name in ("about", "imprint", "jobs", "press"):
        (folder / f"pages/{name}.md").unlink()
    code, out, err = command("plan")
    assert (code, err) == (REFUSED, "contentsync: the plan is refused\n")
    assert out.splitlines()[0].endswith("; refused")
    assert out.splitlines()[-2:] == [
        "refused 4 of 5 managed pages would be deleted (80 %; the limits are 20 % and 10): about, imprint, jobs, press",
        "  --allow-deletes 4 consents to it",
    ]
    (refused,) = document(command("plan", "--format", "json"))["refused"]
    assert (refused["code"], refused["flag"]) == ("deletes", "--allow-deletes 4")


@pytest.mark.parametrize("format_", ["json", "markdown"])
def test_a_refused_plan_prints_its_reasons_on_stderr(command: Command, folder: Path, format_: str) -> None:
    assert command("sync", "--yes")[0] == 0
    for name in ("about", "imprint", "jobs", "press"):
        (folder / f"pages/{name}.md").unlink()
    code, out, err = command("plan", "--format", format_, "--detailed-exitcode")
    assert code == REFUSED
    assert "4 of 5 managed pages would be deleted" in out
    assert "the plan is refused: 4 of 5 managed pages would be deleted" in err
    assert "if that is right: --allow-deletes 4" in err


def test_a_saved_plan_is_applied_once(command: Command, folder: Path, tmp_path: Path) -> None:
    """PL-06, PL-11"""
    file = tmp_path / "plan.json"
    code, out, _ = command("plan", "--out", file, "--format", "json")
    assert code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text(encoding="utf-8"))["plan"] == json.loads(out)
    assert command("sync", "--plan", file, "--yes")[0] == 0

    code, _, err = command("sync", "--plan", file, "--yes")
    assert code == REFUSED
    assert "no longer holds: what was last applied has changed" in err
    assert command("plan", "--detailed-exitcode")[0] == 0


def test_a_saved_plan_is_refused_after_a_file_has_changed(command: Command, folder: Path, tmp_path: Path) -> None:
    """PL-06"""
    file = tmp_path / "plan.json"
    assert command("plan", "--out", file)[0] == 0
    write(folder, "about", "Something else")
    code, _, err = command("sync", "--plan", file, "--yes")
    assert code == REFUSED
    assert "the folder has changed (page about)" in err
    assert document(command("plan", "--format", "json"))["summary"]["create"] == 5


def test_a_saved_plan_needs_the_consent_that_its_options_contained(
    command: Command, folder: Path, tmp_path: Path
) -> None:
    """PL-01"""
    refused, consented = tmp_path / "refused.json", tmp_path / "consented.json"
    command("sync", "--yes")
    for name in ("about", "imprint", "jobs", "press"):
        (folder / f"pages/{name}.md").unlink()
    assert command("plan", "--out", refused)[0] == 3
    assert command("plan", "--out", consented, "--allow-deletes", 4)[0] == 0
    code, out, _ = command("sync", "--plan", refused, "--yes")
    assert (code, "--allow-deletes 4" in out) == (REFUSED, True)
    code, _, err = command("sync", "--plan", consented, "--yes")
    assert code == 0, err


@pytest.mark.parametrize(
    "options", [["--only", "page"], ["--prune"], ["--allow-deletes", "4"], ["--adopt"], ["--on-drift", "keep"]], ids=str
)
def test_options_of_a_saved_plan_cannot_be_repeated(command: Command, options: list[str]) -> None:
    code, _, err = command("sync", "--plan", "plan.json", *options)
    assert code == WRONG_USAGE
    assert "a saved plan has its own options" in err


def test_status_shows_the_last_sync_and_the_differences(command: Command, folder: Path) -> None:
    assert "last sync: there is no journal of one here" in command("status")[1]
    command("sync", "--yes")
    write(folder, "about", "Something else")
    _code, out, _err = command("status")
    lines = out.splitlines()
    assert lines[0] == "Tools: local, embedded:.contentsync/site.db"
    assert lines[1].startswith("last sync: 20")
    assert ", 5 done (run 20" in lines[1]
    assert lines[-1].startswith("1 to update on local")
    assert len(lines) < 25
    reported = document(command("status", "--format", "json"))
    assert (reported["last_run"]["done"], reported["last_run"]["ended"], reported["in_sync"]) == (5, True, False)


def test_a_plan_lists_the_entries_that_appear_until_a_time(command: Command, folder: Path) -> None:
    (folder / "articles").mkdir()
    (folder / "articles/later.md").write_text("---\ntitle: Later\npublished_at: 9990-06-01\n---\nText.\n")
    code, out, _ = command("plan", "--at", "9999-01-01")
    assert code == 0
    assert out.startswith("6 to create")
    assert '  + article later  "Later"  appears 9990-06-01 00:00 UTC  articles/later.md:1\n' in out
    at = document(command("plan", "--at", "9999-01-01", "--format", "json"))["at"]
    assert ([event["key"] for event in at["events"]], at["current"]["page"]) == (["later"], 5)
    assert document(command("plan", "--at", "9999-01-01", "--only", "page", "--format", "json"))["at"]["events"] == []
    assert (
        "with this plan applied: 1 entry appears**" in command("plan", "--at", "9999-01-01", "--format", "markdown")[1]
    )
    assert "at" not in document(command("plan", "--format", "json"))


def test_the_time_of_a_plan_must_be_in_the_future(command: Command) -> None:
    code, _, err = command("plan", "--at", "2020-01-01")
    assert (code, "is not in the future" in err) == (WRONG_USAGE, True)


def test_status_lists_the_entries_that_appear_on_the_server(command: Command, folder: Path) -> None:
    soon = f"{datetime.now(UTC) + timedelta(days=2):%Y-%m-%dT%H:%M:%SZ}"
    (folder / "articles").mkdir()
    (folder / "articles/later.md").write_text(f"---\ntitle: Later\npublished_at: {soon}\n---\nText.\n")
    assert document(command("status", "--upcoming", "30d", "--format", "json"))["upcoming"]["events"] == []
    assert command("sync", "--yes")[0] == 0
    (event,) = document(command("status", "--upcoming", "30d", "--format", "json"))["upcoming"]["events"]
    assert (event["key"], event["event"], event["path"]) == ("later", "appears", "articles/later.md")
    assert "as the server is now: 1 entry appears\n" in command("status", "--upcoming", "30d")[1]
    assert "nothing appears" in command("status", "--upcoming", "1d")[1]
    assert "upcoming" not in document(command("status", "--format", "json"))
