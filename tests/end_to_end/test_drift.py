"""`contentsync drift`: what others changed on a real server since the last sync."""

import json
from pathlib import Path

import pytest

from ..exit_codes import CHANGES
from ..served import Served
from .conftest import Ran, contentsync

PAGE = "---\ntitle: {}\n---\n\nText.\n"
TABLE = "name,url,description\nOne,https://one.example.org/,First\nTwo,https://two.example.org/,Second\n"


@pytest.fixture
def site(tmp_path: Path, served: Served) -> Path:
    """A synced folder of three pages and two listings."""
    folder = tmp_path / "site"
    (folder / "pages").mkdir(parents=True)
    (folder / "listings").mkdir()
    for title in ("About", "Jobs", "Team"):
        (folder / f"pages/{title.lower()}.md").write_text(PAGE.format(title))
    (folder / "listings/all.csv").write_text(TABLE)
    (folder / "contentsync.toml").write_text(
        f'[targets.live]\nurl = "{served.recorder.url}"\ndirectory = {served.directory}\nrequests_per_minute = 60000\n'
    )
    assert contentsync("sync", folder, "--yes", env=served.env).code == 0
    return folder


def drift(site: Path, served: Served, *words: str) -> Ran:
    """Run `contentsync drift` against the server."""
    return contentsync("drift", site, *words, env=served.env)


def change_everything(served: Served) -> None:
    """Change, delete and create entries as other users do."""
    ids = {each["slug"]: each["id"] for each in served.get("pages")["data"]}
    one = next(each["id"] for each in served.get("projects")["data"] if each["name"] == "One")
    served.update(f"pages/{ids['about']}", {"slug": "about", "title": "About `us`", "markdown": "Text.\n\nMore."})
    served.update(f"projects/{one}", {"description": "Theirs"})
    served.delete(f"pages/{ids['jobs']}")
    served.create("pages", {"slug": "news", "title": "News"})
    served.create("projects", {"name": "Sent in", "url": "https://sent.example.org/", "is_active": False})


def test_nothing_is_reported_after_a_sync(site: Path, served: Served) -> None:
    ran = drift(site, served, "--detailed-exitcode")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith(" since the last sync: no change\n")


def test_changed_deleted_new_and_submitted_entries_are_reported_with_the_values_of_both_sides(
    site: Path, served: Served
) -> None:
    change_everything(served)
    ran = drift(site, served, "--detailed-exitcode")
    assert ran.code == CHANGES
    assert "since the last sync: 2 changed, 1 deleted, 1 new, 1 submitted" in ran.out
    assert 'description: "First" → "Theirs"' in ran.out
    assert "listings/all.csv:2" in ran.out
    assert "        +More." in ran.out
    assert '  - page jobs  "Jobs"  deleted on the server' in ran.out
    assert '  + page news  "News"  on the server only' in ran.out
    assert '  ? listing https://sent.example.org  "Sent in"  submitted' in ran.out


def test_the_json_report_has_the_same_changes(site: Path, served: Served) -> None:
    change_everything(served)
    document = drift(site, served, "--format", "json").document
    about, one = sorted(document["changed"], key=lambda each: each["kind"], reverse=True)
    assert about["fields"]["title"] == {"here": "About", "there": "About `us`"}
    assert one["fields"] == {"description": {"here": "First", "there": "Theirs"}}
    assert (one["path"], one["line"], one["removed_here"]) == ("listings/all.csv", 2, False)
    assert one["changed_at"].startswith("20")
    names = {section: [each["key"] for each in document[section]] for section in ("deleted", "new", "submitted")}
    assert names == {"deleted": ["jobs"], "new": ["news"], "submitted": ["https://sent.example.org"]}


def test_the_markdown_report_shows_values_as_code(site: Path, served: Served) -> None:
    change_everything(served)
    ran = drift(site, served, "--format", "markdown")
    assert '- page `about` `"About"`' in ran.out
    assert "```diff" in ran.out
    assert '+ "About `us`"' in ran.out


def test_a_local_edit_is_no_drift_and_a_local_delete_hides_no_drift(site: Path, served: Served) -> None:
    change_everything(served)
    (site / "pages/about.md").unlink()
    (site / "pages/team.md").write_text(PAGE.format("Crew"))
    changed = drift(site, served, "--only", "page", "--format", "json").document["changed"]
    (about,) = changed
    assert (about["key"], about["removed_here"]) == ("about", True)
    assert about["fields"]["title"] == {"here": None, "there": "About `us`"}


def test_a_field_that_both_sides_changed_is_called_a_conflict(site: Path, served: Served) -> None:
    change_everything(served)
    (site / "listings/all.csv").write_text(TABLE.replace("First", "Ours"))
    shown = drift(site, served).out
    assert 'description: "Ours"  on the server: "Theirs"  conflict: changed in the folder too' in shown
    about, one = drift(site, served, "--format", "json").document["changed"][::-1]
    assert (one["fields"]["description"], one["conflicts"]) == ({"here": "Ours", "there": "Theirs"}, ["description"])
    assert about["conflicts"] == []
    markdown = drift(site, served, "--format", "markdown").out
    assert 'description (conflict: changed in the folder too):\n- "Ours"\n+ "Theirs"' in markdown


def test_a_new_record_under_the_key_of_a_deleted_one_is_a_change(site: Path, served: Served) -> None:
    about = next(each["id"] for each in served.get("pages")["data"] if each["slug"] == "about")
    served.delete(f"pages/{about}")
    served.create("pages", {"slug": "about", "title": "Theirs"})
    ran = drift(site, served, "--detailed-exitcode")
    assert ran.code == CHANGES
    assert "since the last sync: 1 changed" in ran.out
    assert 'title: "About" → "Theirs"' in ran.out


def test_a_drift_report_writes_nothing(site: Path, served: Served) -> None:
    change_everything(served)
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file() and "cache" not in path.parts}
    writes = len(served.recorder.writes)
    drift(site, served)
    after = {path: path.read_bytes() for path in site.rglob("*") if path.is_file() and "cache" not in path.parts}
    assert after == before
    assert len(served.recorder.writes) == writes


def test_every_entry_on_the_server_is_new_before_the_first_sync(tmp_path: Path, site: Path, served: Served) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "contentsync.toml").write_text((site / "contentsync.toml").read_text())
    ran = drift(other, served, "--format", "json")
    document = json.loads(ran.out)
    assert (document["synced"], len(document["new"]), document["changed"]) == (False, 5, [])
    assert "nothing was synced to live" in drift(other, served).out
