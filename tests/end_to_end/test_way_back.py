"""Deletes, renames, other bases and the way back, as they are typed."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ..exit_codes import CONTENT_ERRORS, REFUSED, WRONG_USAGE
from ..sampling import sampled
from .conftest import Ran, contentsync


def write(folder: Path, slug: str, title: str) -> None:
    (folder / f"pages/{slug}.md").write_text(f"---\ntitle: {title}\n---\nText of {title}.\n", encoding="utf-8")


@pytest.fixture
def site(folder: Path) -> Path:
    """A folder of three pages that was synced."""
    for slug in ("one", "two"):
        write(folder, slug, slug.title())
    assert sync(folder).code == 0
    return folder


def sync(folder: Path, *options: str) -> Ran:
    return contentsync("sync", "--yes", "--format", "json", *options, folder)


def changes(folder: Path, *options: str) -> list[tuple[str, str]]:
    planned = contentsync("plan", "--format", "json", *options, folder)
    assert planned.code == 0, planned.err
    return [(change["action"], change["key"]) for change in planned.document["changes"]]


def test_an_undo_reverts_a_run(site: Path) -> None:
    (site / "pages/one.md").unlink()
    write(site, "two", "Other")
    assert sync(site).document["summary"]["done"] == 2
    back = contentsync("undo", "--yes", "--format", "json", site)
    assert (back.code, [change["action"] for change in back.document["changes"]]) == (0, ["create", "update"])
    assert changes(site) == [("update", "two"), ("delete", "one")]


def test_an_undo_restores_values_of_listings_that_the_run_did_not_write(site: Path) -> None:
    """The listings are read for that, whatever kinds the run was about."""
    (site / "tags.yaml").write_text("- {title: One}\n- {title: Two}\n", encoding="utf-8")
    (site / "custom_fields.yaml").write_text("- {name: price, label: Price, type: number}\n", encoding="utf-8")
    (site / "listings").mkdir()
    listings = site / "listings/all.csv"
    listings.write_text("name,url,tags,price\nL,https://l.example,one,7\n", encoding="utf-8")
    assert sync(site).code == 0
    listings.unlink()
    assert contentsync("forget", "listing/https://l.example", site).code == 0
    (site / "custom_fields.yaml").write_text("- {name: other, label: Other, type: text}\n", encoding="utf-8")
    (site / "tags.yaml").write_text("- {title: Two}\n", encoding="utf-8")
    assert sync(site).code == 0
    back = contentsync("undo", "--yes", "--format", "json", site).document["changes"]
    assert [set(change["fields"]) for change in back if change["kind"] == "listing"] == [{"price", "tags"}]


@pytest.mark.parametrize("number", ["-1", ""], ids=["numbered", "of-an-earlier-version"])
def test_an_undo_finds_the_last_run_after_the_clock_was_set_back(site: Path, number: str) -> None:
    write(site, "one", "Other")
    first = sync(site).document["run"]
    journals = site / ".contentsync/journal/local"
    for journal in journals.iterdir():
        ahead = f"20991231T235959Z-00000{'1' if first in journal.name else '0'}{number}"
        journal.rename(journals / f"{ahead}.jsonl")
    write(site, "two", "Other")
    second = sync(site).document["run"]
    assert contentsync("status", "--format", "json", site).document["last_run"]["run"] == second
    back = contentsync("undo", "--yes", "--format", "json", site).document
    assert [change["key"] for change in back["changes"]] == ["two"]


def test_a_second_undo_completes_one_that_was_cut_after_its_last_write(site: Path) -> None:
    """The third one then undoes the undo."""
    write(site, "one", "Other")
    assert sync(site).code == 0
    run = contentsync("undo", "--yes", "--format", "json", site).document["run"]
    journal = site / f".contentsync/journal/local/{run}.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    assert f"contentsync undo {site} continues it" in contentsync("status", site).out
    changed = [contentsync("undo", "--yes", "--format", "json", site).document["changes"] for _ in range(2)]
    assert [[change["key"] for change in changes] for changes in changed] == [[], ["one"]]
    assert changes(site) == []


MISTAKES = {
    "front-matter": lambda site: (site / "pages/one.md").write_text("---\ntitle: [\n---\n"),
    "duplicate": lambda site: (site / "pages/other.md").write_text("---\ntitle: One\nslug: one\n---\n"),
    "table": lambda site: (site / "tags.yaml").write_text("- ]"),
    "unreadable": lambda site: (site / "tags.yaml").mkdir(),
    "binary": lambda site: (site / "pages/one.md").write_bytes(b"---\ntitle: \xff\xfe\n---\n"),
}


@pytest.mark.parametrize("make", sampled(MISTAKES.values(), every=2), ids=MISTAKES)
def test_a_run_is_undone_although_a_file_has_a_mistake(site: Path, make: Callable[[Path], object]) -> None:
    write(site, "two", "Other")
    assert sync(site).code == 0
    make(site)
    assert contentsync("plan", site).code == CONTENT_ERRORS
    back = contentsync("undo", "--yes", site)
    assert (back.code, back.out.splitlines()[-1]) == (0, "1 done")
    shows = f"contentsync validate {site} shows them"
    assert re.match(rf"the content has \d errors?, which this command ignores: {shows}", back.err)


def test_a_mistake_in_the_settings_stops_an_undo(site: Path) -> None:
    (site / "contentsync.toml").write_text("[targets.x]\nurl = 7\n", encoding="utf-8")
    back = contentsync("undo", "--yes", site)
    assert (back.code, "contentsync.toml:2" in back.err) == (CONTENT_ERRORS, True)


def with_prices(site: Path, price: int) -> None:
    (site / "custom_fields.yaml").write_text("- {name: price, label: Price, type: number}\n", encoding="utf-8")
    (site / "listings").mkdir(exist_ok=True)
    (site / "listings/all.csv").write_text(f"name,url,price\nL,https://l.example,{price}\n", encoding="utf-8")


def test_the_value_of_a_custom_field_is_restored_though_the_run_wrote_no_definition(site: Path) -> None:
    with_prices(site, 7)
    assert sync(site).code == 0
    with_prices(site, 8)
    assert sync(site, "--only", "listing").document["summary"]["done"] == 1
    assert changes(site) == []
    back = contentsync("undo", "--yes", "--format", "json", site)
    fields = [change["fields"] for change in back.document["changes"]]
    assert (back.code, fields) == (0, [{"price": {"from": 8, "to": 7}}])
    with_prices(site, 7)
    assert changes(site) == []


def test_an_undo_lists_later_edits_that_it_keeps_before_and_after(site: Path) -> None:
    write(site, "one", "Other")
    write(site, "two", "Other")
    run = sync(site).document["run"]
    write(site, "one", "Third")  # after the run to undo
    assert sync(site).code == 0
    back = ("undo", "--run", run, "--yes", site)
    assert contentsync(*back).code == REFUSED
    undone = contentsync(*back, "--on-conflict", "theirs")
    kept_edit = "left as it is page one (markdown, title: changed on the server since)"
    assert (undone.code, undone.out.count(kept_edit)) == (0, 2)  # in the plan, and at the end
    again = contentsync(*back, "--on-conflict", "theirs", "--format", "json")  # page two is undone already
    assert (again.code, again.document["changes"], len(again.document["theirs"])) == (0, [], 1)


def test_a_forgotten_entry_stays_on_the_server(site: Path) -> None:
    (site / "pages/one.md").unlink()
    assert contentsync("forget", "page/one", site).code == 0
    assert changes(site) == []
    assert contentsync("forget", "page/one", site).code == WRONG_USAGE


def test_an_entry_that_the_folder_still_has_is_not_forgotten(site: Path) -> None:
    """The next sync would take it for its own again."""
    refused = contentsync("forget", "page/one", site)
    assert (refused.code, "the folder has page/one" in refused.err) == (REFUSED, True)
    one = site / "pages/one.md"
    one.write_text(one.read_text("utf-8").replace("title: One", "title: One\nsync: {skip: true}"), "utf-8")
    assert contentsync("forget", "page/one", site).code == 0
    assert sync(site).code == 0
    one.unlink()
    assert changes(site) == []


def test_the_last_page_is_not_deleted_without_consent(site: Path) -> None:
    """PL-01"""
    for page in (site / "pages").iterdir():
        page.unlink()
    (site / "tags.yaml").write_text("- title: T\n", encoding="utf-8")
    refused = sync(site)
    assert (refused.code, refused.document["results"]) == (REFUSED, [])
    assert [reported["flag"] for reported in refused.document["refused"]] == ["--allow-deletes 3"]
    assert sync(site, "--allow-deletes", "3").code == 0


def test_values_that_listings_lose_count_although_no_listing_is_selected(folder: Path) -> None:
    """PL-01"""
    (folder / "categories.yaml").write_text("- {title: One}\n- {title: Two}\n", encoding="utf-8")
    rows = "".join(f"L{number},https://{number}.example,one\n" for number in range(12))
    (folder / "listings").mkdir()
    (folder / "listings/all.csv").write_text(f"name,url,categories\n{rows}", encoding="utf-8")
    assert sync(folder).code == 0
    (folder / "categories.yaml").write_text("- {title: Two}\n", encoding="utf-8")
    (folder / "listings/all.csv").write_text(f"name,url\n{rows}".replace(",one\n", "\n"), encoding="utf-8")
    refused = sync(folder, "--only", "category")
    assert (refused.code, [reported["code"] for reported in refused.document["refused"]]) == (REFUSED, ["deletes"])
    whole = sync(folder)  # the table names the category no more either, which clears as much
    assert (whole.code, [reported["flag"] for reported in whole.document["refused"]]) == (
        REFUSED,
        ["--allow-clears 12"],
    )
    assert sync(folder, "--allow-clears", "12").code == 0


def test_an_emptied_folder_deletes_nothing_although_all_deletes_are_allowed(site: Path) -> None:
    """PL-02, FI-26"""
    texts = {page: page.read_bytes() for page in (site / "pages").iterdir()}
    for page in texts:
        page.unlink()
    assert sync(site, "--allow-deletes", str(len(texts))).code == REFUSED
    for page, text in texts.items():
        page.write_bytes(text)
    assert changes(site) == [], "the server still has all pages"


def test_a_new_checkout_neither_overwrites_nor_deletes(site: Path) -> None:
    """PL-17, CO-17"""
    write(site, "one", "Other")
    (site / "pages/two.md").unlink()
    elsewhere = ("--state-dir", str(site.parent / "state"))
    refused = sync(site, *elsewhere)
    assert (refused.code, [reported["code"] for reported in refused.document["refused"]]) == (REFUSED, ["adoption"])
    assert [change["action"] for change in refused.document["changes"]] == ["update"]
    assert sync(site, *elsewhere, "--adopt").code == 0
    assert changes(site, *elsewhere) == []


def test_a_commit_as_the_base_gives_the_same_plan_as_the_state(site: Path) -> None:
    """PL-17"""
    for words in (["init", "--quiet"], ["add", "pages", "contentsync.toml"], ["commit", "--quiet", "--message=x"]):
        subprocess.run(["git", "-C", site, *words], check=True)
    write(site, "one", "Other")
    (site / "pages/two.md").rename(site / "pages/deux.md")
    with_state = changes(site)
    (site / ".contentsync/state/local.jsonl").unlink()
    assert changes(site, "--base", "git:HEAD") == with_state == [("update", "deux"), ("update", "one")]


def test_a_run_with_a_commit_as_its_base_leaves_the_state_unchanged(site: Path) -> None:
    """It knows no ids, and not what was left out of it."""
    for words in (["init", "--quiet"], ["add", "pages", "contentsync.toml"], ["commit", "--quiet", "--message=x"]):
        subprocess.run(["git", "-C", site, *words], check=True)
    write(site, "one", "Other")
    state = site / ".contentsync/state/local.jsonl"
    before = state.read_bytes()
    assert sync(site, "--base", "git:HEAD").document["summary"]["done"] == 1
    assert state.read_bytes() == before
    back = contentsync("undo", "--yes", "--format", "json", site)
    assert [(change["action"], change["key"]) for change in back.document["changes"]] == [("update", "one")]


def test_a_damaged_state_is_refused_and_not_taken_for_an_empty_one(site: Path) -> None:
    """FI-32"""
    state = site / ".contentsync/state/local.jsonl"
    state.write_bytes(state.read_bytes()[:-40])
    (site / "pages/one.md").unlink()
    planned = contentsync("plan", site)
    assert planned.code == REFUSED
    assert "local.jsonl" in planned.err


def test_a_saved_plan_refuses_options_that_it_already_contains(site: Path) -> None:
    write(site, "one", "Other")
    saved = site.parent / "plan.json"
    assert contentsync("plan", "--out", saved, site).code == 0
    assert sync(site, "--plan", str(saved), "--adopt").code == WRONG_USAGE
    assert sync(site, "--plan", str(saved)).document["summary"]["done"] == 1
    assert sync(site, "--plan", str(saved)).code == REFUSED


def test_a_sync_deletes_the_journals_that_the_target_does_not_keep(folder: Path) -> None:
    target = 'url = "embedded:.contentsync/site.db"\nkeep_runs = { days = 0, count = 2 }\n'
    (folder / "contentsync.toml").write_text(f"[targets.local]\n{target}", encoding="utf-8")
    for number in range(4):
        (folder / "pages/about.md").write_text(f"---\ntitle: About {number}\n---\n", encoding="utf-8")
        assert contentsync("sync", folder, "--yes").code == 0
    journals = sorted(file.stem.rpartition("-")[2] for file in (folder / ".contentsync/journal/local").iterdir())
    assert journals == ["3", "4"]
    assert contentsync("undo", folder, "--yes").code == 0
