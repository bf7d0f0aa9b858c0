"""`contentsync watch` towards a real server, while real files change (CO-13)."""

import asyncio
import os
import re
import shutil
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from contentsync.server.store import connect_database, tokens
from contentsync.sync.state.state_dir import StateDir, TargetLock

from ..served import Served, recording
from ..serving import Serving, make_tenant
from ..watch.test_git_activity import git
from .conftest import UNHURRIED, contentsync
from .watching import until, watch

PAGES = 12
CONFIG = '[site]\nname = "Site"\n' + UNHURRIED


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A few pages."""
    site = tmp_path / "site"
    (site / "pages").mkdir(parents=True)
    (site / "contentsync.toml").write_text(CONFIG, encoding="utf-8")
    for number in range(PAGES):
        write(site, f"page-{number}", f"Page {number}")
    return site


def write(site: Path, slug: str, title: str) -> None:
    (site / f"pages/{slug}.md").write_text(f"---\ntitle: {title}\n---\nText of {slug}\n", encoding="utf-8")


def titles(served: Served) -> dict[str, str]:
    """Return the titles of the pages on the server, by slug."""
    return {page["slug"]: page["title"] for page in served.get("pages")["data"]}


def test_each_save_is_synced_and_reported_on_a_line(site: Path, served: Served) -> None:
    """CO-13"""
    with watch(site, served.env) as watching:
        assert re.fullmatch(
            rf"\d\d:\d\d:\d\d {PAGES} changes: page/page-0 created, .* and 9 more  \d+\.\d\d s", watching.line(1)
        )
        write(site, "page-1", "New")
        assert re.fullmatch(r"\d\d:\d\d:\d\d page/page-1 updated  \d+\.\d\d s", watching.line(2))
        assert titles(served)["page-1"] == "New"
        (site / "pages/page-1.md").rename(site / "pages/moved.md")
        assert re.fullmatch(r".* page/moved \(was page-1\) updated  .*", watching.line(3))
        assert len(titles(served)) == PAGES
        assert watching.stop(signal.SIGINT) == 130
        assert "interrupted" not in watching.stderr_text


def test_no_request_is_sent_while_no_content_changes(site: Path, served: Served) -> None:
    """CO-13"""
    with watch(site, served.env) as watching:
        watching.line(1)
        asked = len(served.recorder.requests)
        (site / "pages/page-0.md").touch()
        (site / "pages/page-1.md").read_bytes()
        (site / ".contentsync/note").write_text("mine", encoding="utf-8")
        time.sleep(0.4)
        assert len(served.recorder.requests) == asked
        assert len(watching.lines) == 1


def test_a_save_that_changes_only_the_notation_of_a_row_sends_nothing(site: Path, served: Served) -> None:
    """CO-13"""
    rows = "name,url\nOne,https://one.example.org/\nTwo,https://two.example.org/\n"
    table = site / "listings/all.csv"
    table.parent.mkdir()
    table.write_text(rows, encoding="utf-8")
    contentsync("sync", "--yes", cwd=site, env=served.env)
    contentsync("plan", cwd=site, env=served.env)  # stores that the rows are synced
    with watch(site, served.env) as watching:
        assert "nothing to do" in watching.line(1)
        asked = len(served.recorder.requests)
        table.write_text(rows.replace("One", '"One"'), encoding="utf-8")
        time.sleep(0.4)
        assert len(served.recorder.requests) == asked
        table.write_text(rows.replace("One", "Uno"), encoding="utf-8")
        assert re.fullmatch(r".* listing/https://one.example.org updated  .*", watching.line(2))
        assert {each["name"] for each in served.get("projects")["data"]} == {"Uno", "Two"}


def test_errors_are_reported_and_nothing_is_sent_until_they_are_fixed(site: Path, served: Served) -> None:
    """CO-13"""
    with watch(site, served.env) as watching:
        watching.line(1)
        writes = len(served.recorder.writes)
        (site / "pages/page-0.md").write_text("---\ntitle: [\n---\n", encoding="utf-8")
        watching.said(r"pages/page-0\.md:2:9: yaml-syntax")
        watching.said("the content has 1 error: nothing is sent until that is fixed")
        write(site, "page-1", "Sound")
        watching.said("(?s)nothing is sent.*nothing is sent")
        assert len(served.recorder.writes) == writes
        write(site, "page-0", "Corrected")
        assert "2 changes: page/page-0 updated, page/page-1 updated" in watching.line(2)


def test_a_switch_of_branches_deletes_nothing_and_switching_back_writes_nothing(site: Path, served: Served) -> None:
    """CO-13"""
    with (site / "contentsync.toml").open("a", encoding="utf-8") as config:
        config.write("prune = true\n")  # of which watch takes no notice
    (site / ".gitignore").write_text(".contentsync\n", encoding="utf-8")
    git(site, "init", "--quiet", "--initial-branch=main")
    git(site, "add", ".")
    git(site, "commit", "--quiet", "--message=all")
    git(site, "switch", "--quiet", "--create=half")
    for number in range(PAGES // 2):
        (site / f"pages/page-{number}.md").unlink()
    write(site, "page-11", "On the branch")
    git(site, "commit", "--quiet", "--all", "--message=half")
    git(site, "switch", "--quiet", "main")
    with watch(site, served.env) as watching:
        watching.line(1)
        writes = len(served.recorder.writes)
        git(site, "switch", "--quiet", "half")
        assert "page/page-11 updated" in watching.line(2)
        watching.said(
            r"6 entries that are no longer in the folder are left alone: prune is off \(--prune deletes them\)"
        )
        git(site, "switch", "--quiet", "main")
        assert "page/page-11 updated" in watching.line(3)
        assert len(served.recorder.writes) == writes + 2
        assert titles(served) == {f"page-{number}": f"Page {number}" for number in range(PAGES)}


def test_many_deletes_with_prune_wait_and_are_then_refused(site: Path, served: Served) -> None:
    """CO-13"""
    options = ("--on-drift", "overwrite", "--on-conflict", "ours", "--adopt")
    with watch(site, served.env, "--prune", "--only", "page", *options) as watching:
        watching.line(1)
        for number in range(5):
            (site / f"pages/page-{number}.md").unlink()
        watching.said("5 deletes wait for 5 s: page/page-0, ")
        watching.said("nothing was written: 5 of 12 managed pages would be deleted")
        repeated = f"--prune --only page {' '.join(options)} --allow-deletes 5"
        watching.said(f"if that is right: contentsync sync {site} {repeated}")
        assert len(titles(served)) == PAGES
        for number in range(5):
            write(site, f"page-{number}", f"Page {number}")
        assert "nothing to do" in watching.line(2)


def test_a_folder_that_disappears_for_a_while_deletes_nothing(site: Path, served: Served) -> None:
    """CO-13"""
    with watch(site, served.env, "--prune") as watching:
        watching.line(1)
        site.rename(site.parent / "elsewhere")
        watching.said("is gone: waiting until it is back")
        write(site.parent / "elsewhere", "page-0", "New")
        (site.parent / "elsewhere").rename(site)
        assert "page/page-0 updated" in watching.line(2)
        assert len(titles(served)) == PAGES


def test_a_server_that_is_away_is_reported_once_and_gets_every_change_later(
    site: Path, served: Served, running: tuple[str, Serving]
) -> None:
    """CO-13, HT-01"""
    with ExitStack() as stack:
        with recording(running[1].port) as gone:
            watching = stack.enter_context(watch(site, {**served.env, "CONTENTSYNC_URL": gone.url}))
            watching.line(1)
        write(site, "page-0", "While it was away")
        watching.said("retrying until it works")
        write(site, "page-1", "While it was away")
        with recording(running[1].port, at=int(gone.url.rpartition(":")[2])):
            assert "2 changes: page/page-0 updated, page/page-1 updated" in watching.line(2)
        assert watching.stderr_text.count("retrying until it works") == 1


def test_a_failed_write_is_sent_again_automatically(site: Path, served: Served) -> None:
    """CO-13, HT-13"""
    with watch(site, served.env, "--prune") as watching:
        watching.line(1)
        served.recorder.fails = lambda method, path: method == "PUT"
        write(site, "page-0", "New")
        assert "1 unknown" in watching.line(2)
        watching.said("1 unknown; the rest is retried")
        served.recorder.fails = lambda method, path: False
        assert "page/page-0 updated" in watching.line(3)


def test_a_delete_whose_record_could_not_be_read_is_retried(site: Path, served: Served) -> None:
    """CO-13, HT-13"""
    with watch(site, served.env, "--prune") as watching:
        watching.line(1)
        (site / "pages/page-0.md").unlink()
        watching.said("1 delete waits for 5 s: page/page-0")
        served.recorder.requests.clear()
        served.recorder.fails = lambda method, path: (
            "/pages" in path and served.recorder.requests.count((method, path)) > 1
        )
        assert "1 skipped" in watching.line(2)
        watching.said("delete page page-0: not deleted: .* failed on the server: 503")
        served.recorder.fails = lambda method, path: False
        assert "page/page-0 deleted" in watching.line(3)
        assert "page-0" not in titles(served)


def test_an_expired_token_ends_the_watch(site: Path, running: tuple[str, Serving]) -> None:
    """CO-13, HT-14"""
    url, server = running
    directory, token = make_tenant(url, "ending")
    env = {"CONTENTSYNC_URL": server.address, "CONTENTSYNC_DIRECTORY": str(directory), "CONTENTSYNC_TOKEN": token}
    with watch(site, env, "--format=json") as watching:
        assert watching.document(1)["summary"]["done"] == PAGES
        database = connect_database(url)
        (number,) = (row["id"] for row in database.run_read(tokens.list_tokens) if row["user"] == "ending@example.org")
        database.run_write(tokens.revoke_token, number)
        database.close()
        write(site, "page-0", "New")
        assert watching.ended() == 4
        assert "refused" in watching.document(2)["error"]["message"]


def test_a_refused_plan_is_reported_and_not_applied(site: Path, served: Served, running: tuple[str, Serving]) -> None:
    """CO-13"""

    def in_the_dashboard(title: str) -> None:
        headers = {"Authorization": f"Bearer {served.token}", "Content-Type": "application/json"}
        path = f"/api/directories/{served.directory}/pages/{number}"
        assert running[1].ask("PUT", path, {"title": title, "slug": "page-0"}, **headers)[0] == 200

    with watch(site, served.env) as watching:
        watching.line(1)
        (number,) = (page["id"] for page in served.get("pages")["data"] if page["slug"] == "page-0")
        in_the_dashboard("Theirs")
        write(site, "page-0", "Ours")
        write(site, "page-1", "New")
        watching.said("(?s)nothing was written.*--on-conflict")
        assert titles(served)["page-1"] == "Page 1"
        in_the_dashboard("Ours")
        write(site, "page-2", "New")
        assert "2 changes: page/page-1 updated, page/page-2 updated" in watching.line(2)


def test_a_refused_write_is_not_sent_again(site: Path, served: Served) -> None:
    """CO-13"""
    (site / "organizers").mkdir()
    text = "---\nname: A\nuser_id: 999999999\n---\n"  # there is no such user
    (site / "organizers/a.md").write_text(text, encoding="utf-8")
    with watch(site, served.env) as watching:
        assert "1 failed" in watching.line(1)
        writes = len(served.recorder.writes)
        time.sleep(1.5)  # the first try again would come after a second
        assert len(served.recorder.writes) == writes
        (site / "organizers/a.md").write_text("---\nname: A\n---\n", encoding="utf-8")
        assert "organizer/a created" in watching.line(2)


def test_an_edit_of_the_config_is_reported_and_does_not_end_the_watch(site: Path, served: Served) -> None:
    """CO-13"""
    target = f'[targets.here]\nurl = "{served.env["CONTENTSYNC_URL"]}"\nrequests_per_minute = 60000\ndirectory = '
    config = site / "contentsync.toml"
    directory = served.env["CONTENTSYNC_DIRECTORY"]
    config.write_text(f"{target}{directory}\n", encoding="utf-8")
    env = {name: value for name, value in served.env.items() if name == "CONTENTSYNC_TOKEN"}
    with watch(site, env) as watching:
        watching.line(1)
        config.write_text(f"{target}{directory}77\n", encoding="utf-8")
        watching.said(rf"watching .* directory {directory}77\)")
        watching.said("nothing is sent until that is fixed")
        config.write_text(f'{target}{directory}\ntoken_env = "NONE"\n', encoding="utf-8")
        watching.said("there is no token .*: nothing is sent until that is fixed")
        write(site, "page-0", "Corrected")
        config.write_text(f"{target}{directory}\n", encoding="utf-8")
        assert "page/page-0 updated" in watching.line(2)


def test_the_config_is_read_again(site: Path, served: Served) -> None:
    """CO-13"""
    with watch(site, served.env) as watching:
        watching.line(1)
        shutil.copytree(site / "pages", site / "sites")
        write(site, "../sites/extra", "Extra")
        (site / "contentsync.toml").write_text("[content\n", encoding="utf-8")
        watching.said("contentsync.toml:1:")
        (site / "contentsync.toml").write_text(f'[content.pages]\npath = "sites"\n{UNHURRIED}', encoding="utf-8")
        assert "page/extra created" in watching.line(2)


def test_a_signal_finishes_and_records_the_requests_in_flight(site: Path, served: Served) -> None:
    """CO-13, CO-14"""
    served.recorder.gate.clear()
    with watch(site, served.env) as watching:
        until(lambda: len(served.recorder.writes) == 4)
        os.kill(watching.process.pid, signal.SIGTERM)
        time.sleep(0.1)
        served.recorder.gate.set()
        assert watching.ended() == 130
        assert re.search(rf" 4 changes: .*; {PAGES - 4} skipped  ", watching.line(1))
    again = contentsync("sync", site, "--yes", "--format=json", env=served.env)
    assert again.document["summary"]["done"] == PAGES - 4
    assert len(titles(served)) == PAGES


def test_the_watch_waits_for_another_run(site: Path, served: Served) -> None:
    """CO-13"""

    async def hold() -> None:
        async with TargetLock(StateDir.for_target(site, "environment"), "r0"):
            watching.said("another run holds the lock of this target: .*: retrying until it works")

    with ExitStack() as stack:
        watching = stack.enter_context(watch(site, served.env))
        watching.line(1)
        write(site, "page-0", "New")
        asyncio.run(hold())
        assert "page/page-0 updated" in watching.line(2)
