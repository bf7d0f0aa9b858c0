"""Pictures of a folder in an asset store: the command, a real server and a real S3 server."""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.pictures.published_names import published_names

from ..content.pictures.picture_bytes import png
from ..exchange.publish.s3_server import SECRET, S3Server, s3_server
from ..exit_codes import CONTENT_ERRORS, PARTLY_DONE, REFUSED
from ..served import Served
from .conftest import Ran, contentsync

BASE = "https://cdn.example.org/pictures/"
CONFIG = f"""
[site]
name = "Pictures"
[assets]
store = "s3://bucket/pictures"
store_url = "{BASE}"
"""


@pytest.fixture(scope="module")
def server() -> Iterator[S3Server]:
    with s3_server() as server:
        yield server


@pytest.fixture
def s3(server: S3Server) -> S3Server:
    """The server with one empty bucket."""
    status, listing, _ = server.ask("GET", "/bucket")
    for key in re.findall(r"<Key>(.*?)</Key>", listing.decode()) if status == 200 else ():
        server.ask("DELETE", f"/bucket/{key}")
    server.make_bucket("bucket")
    server.requests.clear()
    server.refuses = lambda method, path: False
    return server


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Two articles with a picture each, and one that has the first one's picture in its text."""
    folder = tmp_path / "site"
    (folder / "articles").mkdir(parents=True)
    (folder / "img").mkdir()
    (folder / "contentsync.toml").write_text(CONFIG, encoding="utf-8")
    for name, size in (("bench", 3), ("shelf", 4)):
        (folder / f"img/{name}.png").write_bytes(png(size, size))
        text = f"---\ntitle: {name}\nthumbnail_url: /img/{name}.png\nthumbnail_alt_text: A\n---\nText.\n"
        (folder / f"articles/{name}.md").write_text(text, encoding="utf-8")
    (folder / "articles/text.md").write_text("---\ntitle: text\n---\n![A](../img/bench.png)\n", encoding="utf-8")
    return folder


class Run:
    """Runs commands on the folder, with the credentials of the S3 server and the target of the other one."""

    def __init__(self, site: Path, s3: S3Server, served: Served) -> None:
        self.env = {**served.env, **s3.environ}
        self.site = site
        self.served = served

    def __call__(self, *arguments: object, exit_code: int = 0) -> Ran:
        ran = contentsync(*arguments, cwd=self.site, env=self.env)
        assert ran.code == exit_code, ran.out + ran.err
        assert SECRET not in ran.out + ran.err
        return ran

    def names(self) -> set[str]:
        """The files that articles on the server name."""
        return set(published_names(self.served.get("articles")["data"], BASE))


@pytest.fixture
def run(site: Path, s3: S3Server, served: Served) -> Run:
    """Return the function that runs a command with the site, its S3 bucket and its server."""
    return Run(site, s3, served)


def stored(s3: S3Server) -> set[str]:
    """Return the names of the files in the bucket."""
    listing = s3.ask("GET", "/bucket?prefix=pictures/")[1].decode()
    return {key.rpartition("/")[2] for key in re.findall(r"<Key>(.*?)</Key>", listing)}


def uploads(document: Any) -> list[str]:
    return [upload["path"] for upload in document.get("uploads", ())]


def test_pictures_are_published_once_and_named_by_their_addresses(run: Run, s3: S3Server) -> None:
    plan = run("plan", "--format=json").document
    assert uploads(plan) == ["img/bench.png", "img/shelf.png"]
    assert [upload["bytes"] for upload in plan["uploads"]] == [len(png(3, 3)), len(png(4, 4))]
    assert "2 files (114 bytes) to publish" in run("plan").out
    assert "publishing 2 files" in run("sync", "--yes").err
    assert run.names() == stored(s3) == {upload["name"] for upload in plan["uploads"]}
    s3.requests.clear()
    run("plan", "--detailed-exitcode")
    run("sync", "--yes")
    assert s3.requests == []


def test_a_changed_picture_gets_a_new_address_and_the_old_file_stays_for_undo(run: Run, s3: S3Server) -> None:
    run("sync", "--yes")
    before = run.names()
    (run.site / "img/bench.png").write_bytes(png(9, 9))
    plan = run("plan", "--format=json").document
    assert uploads(plan) == ["img/bench.png"]
    assert [(change["key"], *change["fields"]) for change in plan["changes"]] == [
        ("bench", "thumbnail_url"),
        ("text", "markdown"),
    ]
    run("sync", "--yes")
    assert run.names() <= stored(s3)
    s3.requests.clear()
    run("undo", "--yes")
    assert run.names() == before <= stored(s3)
    assert s3.uploads == []


def test_an_entry_is_not_written_before_its_picture_is_published(run: Run, s3: S3Server) -> None:
    s3.refuses = lambda method, path: method == "PUT" and "bench" in path
    failed = run("sync", "--yes", "--format=json", exit_code=PARTLY_DONE)
    statuses = {result["key"]: result["status"] for result in failed.document["results"]}
    assert statuses["bench"] == statuses["text"] == "failed"
    assert run.names() <= stored(s3)
    assert "1 file was not published: img/bench.png" in failed.err
    assert "check the credentials of the store in the environment" in failed.err
    s3.refuses = lambda method, path: False
    run("sync", "--yes")
    assert run.names() == stored(s3)
    run("plan", "--detailed-exitcode")


def test_a_plan_without_its_cache_asks_the_store_and_sends_nothing(run: Run, s3: S3Server) -> None:
    run("sync", "--yes")
    shutil.rmtree(run.site / ".contentsync/cache")
    s3.requests.clear()
    run("plan", "--detailed-exitcode")
    assert {request.method for request in s3.requests} == {"HEAD"}
    assert len(s3.requests) == 2


def test_a_sync_checks_the_store_itself_before_it_writes_an_entry(run: Run, s3: S3Server) -> None:
    run("sync", "--yes")
    for name in stored(s3):
        s3.ask("DELETE", f"/bucket/pictures/{name}")
    text = run.site / "articles/text.md"
    text.write_text(text.read_text() + "\n![B](/img/shelf.png)\n", encoding="utf-8")
    run("sync", "--yes")
    assert set(published_names(run.served.get("articles?search=text")["data"], BASE)) <= run.names() == stored(s3)


def test_a_plan_that_would_name_a_missing_file_is_refused(run: Run) -> None:
    name = f"gone-{'0' * 32}.png"
    (run.site / "articles/lost.md").write_text(f"---\ntitle: Lost\n---\n![A]({BASE}{name})\n", encoding="utf-8")
    refused = run("sync", "--yes", exit_code=REFUSED)
    assert f"article lost would name the file {name}" in refused.err + refused.out
    assert run.names() == set()


def test_a_saved_plan_is_refused_after_a_picture_changes(run: Run, s3: S3Server) -> None:
    run("plan", "--out", "saved.plan")
    (run.site / "img/bench.png").write_bytes(png(9, 9))
    run("sync", "--plan", "saved.plan", "--yes", exit_code=REFUSED)
    assert stored(s3) == run.names() == set()


def test_a_pull_writes_the_paths_of_published_pictures(run: Run) -> None:
    run("sync", "--yes")
    texts = {path: path.read_text() for path in (run.site / "articles").iterdir()}
    shutil.rmtree(run.site / "articles")
    (run.site / "articles").mkdir()
    run("pull", "--yes")
    shelf = (run.site / "articles/shelf.md").read_text()
    assert 'thumbnail_url: "/img/shelf.png"\n' in shelf
    assert "](" in texts[run.site / "articles/text.md"]
    assert BASE not in "".join(path.read_text() for path in (run.site / "articles").iterdir())
    run("plan", "--detailed-exitcode")


def test_the_pictures_of_a_commit_are_those_of_that_commit(run: Run) -> None:
    """Or a sync in CI would take every entry with a changed picture for a conflict."""
    (run.site / ".gitignore").write_text(".contentsync\n")
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run(["git", *arguments], cwd=run.site, check=True)
    run("sync", "--yes")
    shutil.rmtree(run.site / ".contentsync")
    run("plan", "--base=git:HEAD", "--detailed-exitcode")
    (run.site / "img/bench.png").write_bytes(png(9, 9))
    plan = run("plan", "--base=git:HEAD", "--format=json").document
    assert [(change["action"], change["key"]) for change in plan["changes"]] == [
        ("update", "bench"),
        ("update", "text"),
    ]
    run("sync", "--base=git:HEAD", "--yes")
    run("plan", "--detailed-exitcode")


def test_credentials_in_the_config_are_refused_and_not_shown(run: Run) -> None:
    config = run.site / "contentsync.toml"
    config.write_text(CONFIG.replace("s3://bucket", f"s3://me:{SECRET}@bucket"), encoding="utf-8")
    refused = run("validate", exit_code=CONTENT_ERRORS)
    assert "assets.store must be a folder, or begin with s3://, gs:// or az://" in refused.out + refused.err


def test_unused_files_are_listed_and_deleted_only_on_request(site: Path, tmp_path: Path) -> None:
    targets = '[targets.one]\nurl = "embedded:one.db"\n[targets.two]\nurl = "embedded:two.db"\n'
    text = CONFIG.replace("s3://bucket/pictures", "../published") + targets
    (site / "contentsync.toml").write_text(f'default_target = "one"\n{text}', encoding="utf-8")

    def command(*arguments: object, exit_code: int = 0) -> Ran:
        ran = contentsync(*arguments, cwd=site)
        assert ran.code == exit_code, ran.out + ran.err
        return ran

    def unused() -> list[str]:
        return [file["name"].partition("-")[0] for file in command("assets", "--format=json").document["unused"]]

    published = tmp_path / "published"
    command("sync", "--yes", "--target=one")
    command("sync", "--yes", "--target=two")
    (published / f"foreign-{'0' * 32}.png").write_bytes(b"")
    (published / "notes.txt").write_text("not ours")
    assert unused() == []  # too young
    old = time.time() - 3 * 86_400
    for file in published.iterdir():
        os.utime(file, (old, old))
    assert unused() == ["foreign"]
    for name in ("bench", "text"):
        (site / f"articles/{name}.md").unlink()
    command("sync", "--yes", "--target=one", "--prune", "--allow-deletes=2")
    assert unused() == ["foreign"]  # the other target names the picture, and undo may need it
    command("sync", "--yes", "--target=two", "--prune", "--allow-deletes=2")
    assert unused() == ["foreign"]
    shutil.rmtree(site / ".contentsync/journals", ignore_errors=True)
    for journals in (site / ".contentsync").rglob("journal*"):
        shutil.rmtree(journals, ignore_errors=True)
    assert sorted(unused()) == ["bench", "foreign"]
    command("assets", "--delete", exit_code=REFUSED)  # there is no terminal to ask on
    assert len([*published.iterdir()]) == 4
    assert json.loads(command("assets", "--delete", "--yes", "--format=json").out)["deleted"] is True
    assert {file.name.partition("-")[0] for file in published.iterdir()} == {"shelf", "notes.txt"}
    command("plan", "--target=one", "--detailed-exitcode")
