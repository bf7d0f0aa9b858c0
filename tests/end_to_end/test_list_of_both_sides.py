"""`contentsync list` with the entries of a real server."""

import csv
from pathlib import Path

import pytest

from ..exit_codes import WRONG_USAGE
from ..served import Served
from .conftest import Ran, contentsync

PAGE = "---\ntitle: {}\n---\n\nText.\n"


@pytest.fixture
def site(tmp_path: Path, served: Served) -> Path:
    """A synced folder of four pages and a listing with a custom field; then both sides change."""
    folder = tmp_path / "site"
    (folder / "pages").mkdir(parents=True)
    (folder / "listings").mkdir()
    for title in ("About", "Jobs", "Team", "Terms", "Gone"):
        (folder / f"pages/{title.lower()}.md").write_text(PAGE.format(title))
    (folder / "custom_fields.yaml").write_text("- {label: Price, type: number}\n")
    (folder / "listings/all.csv").write_text("name,url,price\nOne,https://one.example.org/,12\n")
    (folder / "contentsync.toml").write_text(
        f'[targets.live]\nurl = "{served.recorder.url}"\ndirectory = {served.directory}\nrequests_per_minute = 60000\n'
    )
    assert contentsync("sync", folder, "--yes", env=served.env).code == 0
    ids = {each["slug"]: each["id"] for each in served.get("pages")["data"]}
    served.update(f"pages/{ids['about']}", {"slug": "about", "title": "About `us`", "markdown": "Text."})
    served.delete(f"pages/{ids['jobs']}")
    served.create("pages", {"slug": "news", "title": "News"})
    (folder / "pages/team.md").write_text(PAGE.format("Crew"))
    (folder / "pages/gone.md").unlink()
    return folder


def rows(ran: Ran) -> list[list[str]]:
    assert ran.code == 0, ran.err
    return [*csv.reader(ran.out.splitlines())]


def test_both_sides_are_listed_with_the_status_of_each_entry(site: Path, served: Served) -> None:
    ran = contentsync("list", "page", site, "--both", "--format", "csv", env=served.env)
    header, *entries = rows(ran)
    assert header == ["_key", "title", "_status"]
    assert {(key, title): status for key, title, status in entries} == {
        ("about", "About"): "drifted",
        ("jobs", "Jobs"): "only here",
        ("team", "Crew"): "changed here",
        ("terms", "Terms"): "in sync",
        ("gone", "Gone"): "removed here",
        ("news", "News"): "unmanaged",
    }


def test_entries_are_found_by_their_status_and_nothing_is_written(site: Path, served: Served) -> None:
    before = [*served.recorder.writes]
    words = ("--both", "--where", "_status = unmanaged", "--columns", "_key,_file")
    assert contentsync("list", "page", site, *words, env=served.env).out == "_key  _file\nnews\n\n1 of 6 pages\n"
    assert served.recorder.writes == before


def test_the_server_is_listed_with_its_values_also_of_custom_fields(site: Path, served: Served) -> None:
    (site / "pages/bad.md").write_text("---\ntitel: Bad\n---\n")  # errors in entries do not matter
    ran = contentsync("list", "page", site, "--server", "--columns=title", "--format=csv", env=served.env)
    assert rows(ran) == [["title"], ["About `us`"], ["Gone"], ["News"], ["Team"], ["Terms"]]
    words = ("--server", "--where", "price > 9", "--columns", "name,price")
    ran = contentsync("list", "listing", site, *words, env=served.env)
    assert ran.out == "name  price\nOne   12\n\n1 listing\n"


def test_one_side_is_chosen_at_a_time(site: Path) -> None:
    ran = contentsync("list", "page", site, "--server", "--both")
    assert (ran.code, ran.out) == (WRONG_USAGE, "")


def test_the_folder_alone_has_no_status(site: Path, served: Served) -> None:
    requests = len(served.recorder.requests)
    ran = contentsync("list", "page", site, "--where", "_status = drifted", env=served.env)
    assert (ran.code, len(served.recorder.requests)) == (WRONG_USAGE, requests)
