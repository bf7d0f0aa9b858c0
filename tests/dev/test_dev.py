"""`contentsync dev` as a process, without a browser: tests/browser/test_dev.py has one."""

import shutil
from pathlib import Path

from ..content.conftest import write
from ..end_to_end.conftest import contentsync
from ..exit_codes import REFUSED, WRONG_USAGE
from .dev_process import READY, start_dev

FILES = {
    "articles/a.md": "---\ntitle: First\n---\n\nText of a.\n",
    "pages/about.md": "---\ntitle: About\n---\n\nUs.\n",
}
BROKEN = "---\ntitel: First\n---\n\nText of a.\n"


def test_saves_errors_deletes_and_renames_reach_the_page(tmp_path: Path) -> None:
    folder = write(tmp_path / "site", FILES)
    with start_dev(folder) as dev:
        dev.wait_for_output(READY)
        with dev.events() as events:
            first = events.next()
            assert first["problems"] == []

            write(folder, {"articles/a.md": BROKEN})
            state = events.next()
            assert state["version"] == first["version"]
            [unknown] = state["problems"]
            assert (unknown["place"], unknown["excerpt"]) == ("articles/a.md:2:1", ["", "titel", ": First"])
            assert "First" in dev.ask("/sites/test/blog/a/")[1]

            write(folder, {"articles/a.md": FILES["articles/a.md"].replace("First", "Second")})
            state = events.next()
            assert (state["problems"], state["version"] == first["version"]) == ([], False)
            assert "Second" in dev.ask("/sites/test/blog/a/")[1]

            (folder / "articles/a.md").rename(folder / "articles/b.md")
            events.next()
            assert dev.ask("/sites/test/blog/b/")[0] == 200
            assert dev.ask("/sites/test/blog/a/") == dev.ask("/sites/test/blog/b/")  # a redirect

            (folder / "articles/b.md").unlink()
            events.next()
            assert dev.ask("/sites/test/blog/b/")[0] == 404

            shutil.rmtree(folder / ".contentsync")  # as git clean -fdx does
            write(folder, {"pages/about.md": "---\ntitle: About\n---\n\nStill here.\n"})
            events.next()
            assert "Still here." in dev.ask("/sites/test/pages/about/")[1]
        assert dev.stop() == 130
    assert "Traceback" not in dev.log


def test_a_folder_with_errors_is_served_and_shown_once_it_is_corrected(tmp_path: Path) -> None:
    folder = write(tmp_path / "site", {**FILES, "articles/a.md": BROKEN})
    with start_dev(folder, "--follow") as dev:
        assert "unknown-key" in dev.wait_for_output(READY)
        assert dev.ask("/")[0] == 200
        with dev.events() as events:
            assert [problem["code"] for problem in events.next()["problems"]] == ["unknown-key"]
            write(folder, FILES)
            assert events.next()["problems"] == []
            write(folder, {"pages/about.md": "---\ntitle: About\n---\n\nOthers.\n"})
            assert events.next()["page"] == "/sites/test/pages/about/"


def test_dev_serves_only_the_site_without_its_api(tmp_path: Path) -> None:
    folder = write(tmp_path / "site", FILES)
    opened = tmp_path / "opened"
    with start_dev(folder, "--open", BROWSER=f"sh -c 'echo $0 > {opened}' %s") as dev:
        dev.wait_for_output(READY)
        assert opened.read_text() == f"{dev.address}\n"
        assert dev.ask("/api/directories")[0] == 404
        assert dev.ask("/api/directories/1/pages", "POST")[0] == 404
        assert dev.ask("/sites/test/", Host="evil.example:8300")[0] == 400
        assert f'canonical" href="{dev.address}/sites/test/' in dev.ask("/")[1]

        # Beside it, in the same folder: no second one, and the target `local` is as it was.
        second = contentsync("dev", folder, "--port", 0)
        assert (second.code, "already running in this folder" in second.err) == (REFUSED, True)
        taken = contentsync("dev", folder, "--port", dev.port)
        assert (taken.code, "choose another --port" in taken.err) == (WRONG_USAGE, True)
        assert not (folder / ".contentsync/state").exists()
        assert contentsync("status", folder).code == 0


def test_a_missing_folder_is_not_created(tmp_path: Path) -> None:
    ran = contentsync("dev", tmp_path / "nothing")
    assert (ran.code, "there is no folder" in ran.err) == (WRONG_USAGE, True)
    assert not (tmp_path / "nothing").exists()


def test_pictures_of_the_folder_are_shown_before_they_are_published(tmp_path: Path) -> None:
    config = '[site]\nname = "Test"\nasset_base_url = "https://cdn.example.com/"\n[assets]\npath = "static"\n'
    keys = "thumbnail_url: /img/a.gif\nthumbnail_alt_text: A"
    files = {
        "contentsync.toml": config,
        "articles/a.md": f"---\ntitle: First\n{keys}\n---\n\n![A](../static/img/a.gif)\n",
    }
    folder = write(tmp_path / "site", files)
    with start_dev(folder) as dev:
        assert "missing-asset" in dev.wait_for_output(READY)
        with dev.events() as events:
            assert {problem["code"] for problem in events.next()["problems"]} == {"missing-asset"}
            write(folder, {"contentsync.toml": config, "static/img/a.gif": "GIF89a\1\0\1\0..."})
            assert events.next()["problems"] == [], "a new picture is a change of the folder"
        page = dev.ask("/sites/test/blog/a/")[1]
        address = f"{dev.address}/sites/test/_files/static/img/a.gif"
        assert page.count(f'src="{address}"') == 2
        assert dev.ask("/sites/test/_files/static/img/a.gif") == (200, "GIF89a\1\0\1\0...")
        assert dev.ask("/sites/test/_files/contentsync.toml")[0] == 404
