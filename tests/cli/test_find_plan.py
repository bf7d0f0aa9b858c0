"""contentsync.cli.find_plan: a plan from the cache is the plan that would be made, or it is not used."""

import asyncio
import io
import json
import random
import shutil
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, redirect_stdout
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from contentsync.cli import run
from contentsync.cli.find_plan import PlanFinder, find_plan
from contentsync.cli.options import WITHOUT_SHORTCUTS, OnDrift, SyncFormat
from contentsync.cli.plan_options import ApplyOptions, OutputOptions, PlanOptions
from contentsync.cli.session import ConnectedPlan, Session
from contentsync.cli.sync_command import sync
from contentsync.content.files.folder_signatures import STAMP_MARGIN
from contentsync.content.folder.load import Content
from contentsync.errors import ContentError, RemoteError
from contentsync.exchange.publish.asset_store import KNOWN_FILES
from contentsync.model import Entry, Kind
from contentsync.remote.list_reader import RecordList
from contentsync.remote.synced_records import NotSynced
from contentsync.report.plan_text import unmanaged_lines
from contentsync.sync.comparing.change import Action
from contentsync.sync.state.folder_reading import LoadContent
from contentsync.sync.state.state_dir import StateDir
from contentsync.sync.state.state_file import decode_line, encode_line
from contentsync.sync.state.synced_entries import read_synced_entries, write_synced_entries

from ..content.folder.test_git_facts import commit, git
from ..content.pictures.picture_bytes import png
from ..histories.plan_changes import delete_the_state
from ..histories.plan_history import CONFIG, MARGIN, TICK, PlanHistory, environment, noting_whole
from ..sampling import sampled
from ..served import Served

LISTS = 7  # one for each kind
UNCHANGED = 11  # entries of the first folder


@pytest.fixture
def history(tmp_path: Path, served: Served, monkeypatch: pytest.MonkeyPatch) -> PlanHistory:
    """Return a folder that was just synced."""
    monkeypatch.setenv("CONTENTSYNC_TOKEN", served.token)
    history = PlanHistory(tmp_path / "site", served, random.Random(0))
    history.begin()
    time.sleep(TICK * 2)
    return history


def begin(
    history: PlanHistory, *, to_apply: bool, load: LoadContent | None = None
) -> tuple[Session, AbstractAsyncContextManager[ConnectedPlan]]:
    """Return the session and the plan of a command that has only begun."""
    finder = PlanFinder.open(history.folder, history.options, Console(file=io.StringIO()), MARGIN, load)
    return finder.begin(to_apply=to_apply)


def requests(history: PlanHistory) -> int:
    """Make the plan; return the number of requests."""
    before = len(history.served.recorder.requests)
    history.plan()
    return len(history.served.recorder.requests) - before


def test_the_plan_of_an_unchanged_folder_is_recalled_with_one_request_per_list(history: PlanHistory) -> None:
    first = history.plan()
    assert history.recalled == 0
    assert requests(history) == LISTS
    assert (history.plan(), history.recalled) == (first, 2)


def test_a_recalled_plan_reports_unmanaged_and_retained_entries(history: PlanHistory) -> None:
    history.served.create("pages", {"slug": "theirs", "title": "Theirs"})
    (history.folder / "articles/news.md").unlink()
    time.sleep(TICK * 2)
    history.plan()
    plan, _ = find_plan(history.folder, history.options, Console(file=io.StringIO()), MARGIN)
    assert not plan.actual
    assert [*unmanaged_lines(plan)] == [
        "  · page theirs  on the server only, left alone",
        "  · article news  no longer in the folder, left: prune is off",
    ]


def test_a_plan_that_only_reports_drift_reports_it_again(history: PlanHistory) -> None:
    history.options = PlanOptions("live", on_drift=OnDrift.KEEP)
    page = next(each for each in history.served.get("pages")["data"] if each["slug"] == "jobs")
    history.served.update(f"pages/{page['id']}", {"title": "Theirs", "slug": "jobs"})
    first = history.plan()
    assert [json.loads(first)[0]["summary"][name] for name in ("update", "drift")] == [0, 1]
    assert history.plan() == first


def test_a_change_on_the_server_costs_as_few_requests_as_without_cache(history: PlanHistory) -> None:
    """The lists that were just found to be current, and the one that was read, are not requested again."""
    history.plan()
    history.served.create("pages", {"slug": "theirs", "title": "Theirs"})
    assert requests(history) == LISTS


def test_a_change_in_the_folder_is_found_without_a_request(history: PlanHistory) -> None:
    history.plan()
    history.write("pages/about.md", "---\ntitle: Other\n---\n")
    assert requests(history) == LISTS + len(["languages of the directory"])
    assert json.loads(history.plan())[0]["summary"]["update"] == 1


def test_a_file_that_has_just_changed_is_not_cached(history: PlanHistory) -> None:
    """The next change could have the same stamp."""
    for _ in range(2):
        find_plan(history.folder, history.options, Console(file=io.StringIO()), STAMP_MARGIN)
    assert not [*history.private.glob("cache/plan/*")]


def test_the_empty_plan_of_some_entries_is_not_recalled_for_all(history: PlanHistory) -> None:
    history.write("pages/about.md", "---\ntitle: Other\n---\n")
    time.sleep(TICK * 2)
    for only, updates in ((("page/jobs",), 0), ((), 1)):
        history.options = PlanOptions("live", only=only)
        assert json.loads(history.plan())[0]["summary"]["update"] == updates
    assert history.recalled == 0


# The name of a change, the text of the table that it replaces, the new one, and whether only changed rows are compared.
ROW_CHANGES = [
    ("an edit", "The first one", "Another text", True),
    ("another URL", "One,https://one.example.org/", "One,https://uno.example.org/", True),
    ("a new row", "Four,,four", "New,https://new.example.org/,new,,paid\nFour,,four", True),
    ("a deleted row", "Two,https://two.example.org/,second,,free|paid\n", "", True),
    ("the slug of another row", "One,https://one.example.org/,,", "One,https://one.example.org/,second,", False),
    ("the URL of another row", "Four,,four", "Two,https://two.example.org/,,,\nFour,,four", False),
    ("another slug", "second", "third", True),
    ("an unknown tag", "free|paid", "no such tag", False),
    ("a row with a warning", "The first one", "#NAME?", False),
    ("a quote that is not closed", 'lines",', "lines,", False),
    ("another header", "slug,description,tags", "slug,description,labels", False),
]


def test_only_changed_rows_are_compared_unless_other_rows_depend_on_them(history: PlanHistory) -> None:
    table = history.folder / "listings/all.csv"
    before = table.read_text(encoding="utf-8")
    for name, old, new, only_changed_rows in ROW_CHANGES:
        table.write_text(before, encoding="utf-8")
        time.sleep(TICK * 2)
        history.plan()
        history.recalled = 0
        table.write_text(before.replace(old, new, 1), encoding="utf-8")
        time.sleep(TICK * 2)
        changed = history.plan()
        assert (name, history.recalled) == (name, only_changed_rows)
        with environment(WITHOUT_SHORTCUTS, "1"):
            assert (name, changed) == (name, history.plan())


def test_changed_rows_are_compared_with_as_many_requests_as_without_cache(history: PlanHistory) -> None:
    history.plan()
    history.write("listings/more.tsv", "name\turl\nFive\thttps://five.example.org/\n")
    time.sleep(TICK * 2)
    assert requests(history) == LISTS
    assert history.recalled == 1


def test_a_listing_that_was_left_out_has_one_line_in_the_state(history: PlanHistory) -> None:
    """While a sync creates a listing, another user gives its URL to a record that is left out and otherwise equal."""
    history.plan()
    table = history.folder / "listings/more.tsv"
    table.write_text(table.read_text(encoding="utf-8") + "Five\thttps://new.example.org/\n", encoding="utf-8")
    time.sleep(TICK * 2)

    def move() -> None:
        history.served.update(f"projects/{_id_of(history, 'Five')}", {"url": "https://new.example.org/"})

    session, planning = PlanFinder.open(history.folder, history.options, Console(file=io.StringIO()), MARGIN).begin(
        to_apply=True
    )
    applying = ApplyOptions(yes=True, before_write=move)
    assert sync(session, planning, applying, OutputOptions(SyncFormat.JSON)) == 0
    moved = history.plan()
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert moved == history.plan()
    assert json.loads(moved)[0]["summary"]["create"] == len(["Five, whose record now is that of the new row"])


def test_a_second_plan_has_the_listings_that_the_first_one_left_out(history: PlanHistory) -> None:
    """Another user creates the new listing, with another name, just before the sync: its list of the server is old."""
    history.options = PlanOptions("live", adopt=True)
    history.plan()
    history.write("listings/new.csv", "name,url\nNew,https://new.example.org/\n")
    time.sleep(TICK * 2)

    def create() -> None:
        history.served.create("projects", {"name": "Theirs", "url": "https://new.example.org/"})

    session, planning = PlanFinder.open(history.folder, history.options, Console(file=io.StringIO()), MARGIN).begin(
        to_apply=True
    )
    applying = ApplyOptions(yes=True, before_write=create)
    assert sync(session, planning, applying, OutputOptions(SyncFormat.JSON)) == 0
    assert json.loads(history.plan())[0]["summary"]["unchanged"] == len(["New"]) + UNCHANGED


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("contentsync.toml", "[targets.live]\n", "[targets.live]\nprune = true\n"),
        ("contentsync.toml", 'name = "Tools"', 'name = "Tools", timezone = "Europe/Paris"'),
        ("contentsync.toml", "[targets.live]\n", "[rules.listing]\nrequire = ['name']\n[targets.live]\n"),
        ("listings/all.csv", "Two,https://two.example.org/,second,,free|paid\n", ""),
    ],
    ids=["another option", "another setting", "a setting that changes no entry", "a file that is being saved"],
)
def test_a_second_plan_is_refused_after_a_change_of_the_folder(
    history: PlanHistory, capsys: pytest.CaptureFixture[str], path: str, old: str, new: str
) -> None:
    """It could delete what is only absent for a moment, or be for another target."""
    history.options = PlanOptions("live", adopt=True, prune=path != "contentsync.toml" or None)
    history.plan()
    history.write("listings/new.csv", "name,url\nNew,https://new.example.org/\n")
    time.sleep(TICK * 2)

    def create_and_edit() -> None:
        history.served.create("projects", {"name": "Theirs", "url": "https://new.example.org/"})
        file = history.folder / path
        file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")

    session, planning = PlanFinder.open(history.folder, history.options, Console(file=io.StringIO()), MARGIN).begin(
        to_apply=True
    )
    applying = ApplyOptions(yes=True, before_write=create_and_edit)
    assert sync(session, planning, applying, OutputOptions(SyncFormat.JSON)) != 0
    assert _id_of(history, "Two")
    assert "the folder has changed since the run began" in capsys.readouterr().err


@pytest.mark.parametrize("change", [{"path": "other.csv"}, {"key": "https://other.example.org"}], ids=["key", "id"])
def test_a_state_that_a_merge_has_damaged_is_reported_as_without_cache(
    history: PlanHistory, change: dict[str, str]
) -> None:
    """It has two lines about one listing."""
    history.plan()
    file = history.private / "state/live.jsonl"
    first, *lines, last = file.read_bytes().splitlines(keepends=True)
    document = next(decode_line(line) for line in lines if b"one.example.org" in line)
    file.write_bytes(b"".join([first, *lines, encode_line({**document, **change}), last]))
    damaged = history.plan()
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert damaged == history.plan()
    assert damaged.startswith("Damaged")


def change_a_listing(history: PlanHistory) -> None:
    history.served.update(f"projects/{_id_of(history, 'Five')}", {"description": "Theirs"})


def change_a_slug(history: PlanHistory) -> None:
    history.served.update(f"projects/{_id_of(history, 'Six')}", {"slug": "other"})


def add_a_listing(history: PlanHistory) -> None:
    history.served.create("projects", {"name": "Theirs", "url": "https://theirs.example.org/", "slug": "theirs"})


def delete_a_listing(history: PlanHistory) -> None:
    history.served.delete(f"projects/{_id_of(history, 'Two')}")


def _id_of(history: PlanHistory, name: str) -> int:
    return int(next(each["id"] for each in history.served.get("projects")["data"] if each["name"] == name))


def test_a_changed_list_of_listings_is_read_with_its_progress(history: PlanHistory) -> None:
    history.plan()
    add_a_listing(history)
    terminal = io.StringIO()
    find_plan(history.folder, history.options, Console(file=terminal, force_terminal=True), MARGIN)
    assert "reading the server … 7 listings" in terminal.getvalue()


CHANGES = [change_a_listing, change_a_slug, add_a_listing, delete_a_listing]


# The sample has each change, by turns alone and with one in the folder.
@pytest.mark.parametrize(
    ("change", "here"),
    sampled([(change, (number + turn) % 2 == 1) for number, change in enumerate(CHANGES) for turn in (0, 1)], every=2),
)
def test_only_changed_records_are_compared(
    history: PlanHistory, change: Callable[[PlanHistory], None], here: bool
) -> None:
    history.plan()
    change(history)
    if here:
        table = history.folder / "listings/all.csv"
        table.write_text(table.read_text(encoding="utf-8").replace("The first one", "Ours"), encoding="utf-8")
        time.sleep(TICK * 2)
    count = requests(history)
    assert history.recalled == 1
    changed = history.plan()
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert changed == history.plan()
        assert count == requests(history)


def test_the_rows_of_a_plan_with_changes_can_be_skipped_in_the_next_plan(history: PlanHistory) -> None:
    history.delete(".contentsync/cache")
    table = history.folder / "listings/all.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("The first one", "Ours"), encoding="utf-8")
    change_a_slug(history)
    time.sleep(TICK * 2)
    first = history.plan()
    assert history.recalled == 0
    assert (history.plan(), history.recalled) == (first, 1)
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert first == history.plan()


def compared(history: PlanHistory) -> int:
    """Return the number of listings that the next plan compares. It must be the plan that is made without shortcuts."""
    return sum(record.kind is Kind.LISTING for record in compared_records(history))


def compared_texts(history: PlanHistory) -> list[str]:
    """Return the pages and articles that the next plan compares, as `compared` does."""
    return sorted(str(record) for record in compared_records(history) if record.kind in (Kind.PAGE, Kind.ARTICLE))


def compared_records(history: PlanHistory) -> tuple[Entry, ...]:
    time.sleep(TICK * 2)
    plan, _ = find_plan(history.folder, history.options, Console(file=io.StringIO()), MARGIN)
    shown = history.plan()
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert shown == history.plan()
    return plan.actual


def test_rows_are_skipped_after_a_change_of_other_entries(history: PlanHistory) -> None:
    history.plan()
    history.write("pages/about.md", "---\ntitle: Other\n---\n")
    assert compared(history) == len(["Four, which has a link"])
    history.served.create("pages", {"slug": "theirs", "title": "Theirs"})
    assert compared(history) == len(["Four, which has a link"])


def test_pages_and_articles_are_skipped_after_a_change_of_other_entries(history: PlanHistory) -> None:
    history.plan()
    history.write("pages/about.md", "---\ntitle: Other\n---\n")
    assert compared_texts(history) == ["page about"]
    history.served.create("pages", {"slug": "theirs", "title": "Theirs"})
    assert compared_texts(history) == ["page about", "page theirs"]


def test_a_page_that_another_user_has_changed_is_compared(history: PlanHistory) -> None:
    history.plan()
    page = next(each for each in history.served.get("pages")["data"] if each["slug"] == "jobs")
    history.served.update(f"pages/{page['id']}", {"title": "Theirs", "slug": "jobs"})
    assert compared_texts(history) == ["page jobs"]


def test_an_unchanged_text_is_compared_if_a_link_in_it_leads_elsewhere(history: PlanHistory) -> None:
    history.write("articles/linking.md", "---\ntitle: Linking\n---\nSee [jobs](../pages/jobs.md).\n")
    history.sync()
    history.plan()
    history.write("pages/jobs.md", "---\ntitle: Jobs\nslug: work\nsync: {previous: [jobs]}\n---\nText.\n")
    assert "article linking" in compared_texts(history)
    assert json.loads(history.plan())[0]["summary"]["update"] == len(["the page", "the article"])


def test_a_moved_file_with_the_same_values_is_compared(history: PlanHistory) -> None:
    """The state has its path."""
    history.write("pages/about.md", "---\ntitle: About\nslug: about\n---\nText.\n")
    history.sync()
    history.plan()
    (history.folder / "pages/about.md").rename(history.folder / "pages/moved.md")
    assert "page about" in compared_texts(history)
    history.sync()
    assert '"pages/moved.md"' in (history.private / "state/live.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("note", ["slug: news", "sync: {previous: [news]}"])
def test_all_texts_are_compared_if_a_new_one_has_the_key_of_one(history: PlanHistory, note: str) -> None:
    history.plan()
    history.write("articles/more.md", f"---\ntitle: More\n{note}\n---\nText.\n")
    time.sleep(TICK * 2)
    shown = history.plan()
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert shown == history.plan()


def test_all_texts_are_compared_in_a_new_language(history: PlanHistory) -> None:
    config = history.folder / "contentsync.toml"
    config.write_text(config.read_text(encoding="utf-8").replace('"Tools" }', '"Tools", locales = ["en", "fr"] }'))
    history.write("articles/more.md", "---\ntitle: More\n---\nText.\n")
    history.sync()
    history.plan()
    history.write("articles/more.md", "---\ntitle: More\n---\nOther.\n")
    assert compared_texts(history) == ["article more"]
    history.write("articles/more.md", "---\ntitle: More\ntranslations: {fr: {title: Plus}}\n---\nText.\n")
    assert compared_texts(history) == ["article more", "article news", "page about", "page jobs"]
    history.sync()
    history.plan()
    history.write("pages/about.md", "---\ntitle: Other\n---\n")
    assert compared_texts(history) == ["page about"]


def test_rows_that_were_stored_with_another_list_are_compared(history: PlanHistory) -> None:
    history.plan()
    state_dir = StateDir.for_target(history.folder, "live")
    stored = read_synced_entries(state_dir)
    assert stored
    lists = {**stored.directory.lists, Kind.LISTING: RecordList("another")}
    write_synced_entries(state_dir, stored._replace(directory=stored.directory._replace(lists=lists)))
    history.served.create("pages", {"slug": "theirs", "title": "Theirs"})
    assert compared(history) == len(["One", "Two", "Three", "Four", "Five", "Six"])


def configure(history: PlanHistory, more: str) -> None:
    history.write("contentsync.toml", CONFIG.format(history.served.recorder.url, history.served.directory) + more)


def test_rows_are_skipped_after_a_change_of_settings_that_no_listing_depends_on(history: PlanHistory) -> None:
    history.plan()
    configure(history, '# More.\n[sources.tools]\nurl = "https://a.example.org"\nfile = "data/tools.csv"\n')
    assert compared(history) == len(["Four, which has a link"])
    configure(history, "[content.listings]\nurl_scheme = 'https'\n")
    assert compared(history) == len(["One", "Two", "Three", "Four", "Five", "Six"])


def test_a_row_with_a_link_that_the_config_makes_is_compared(history: PlanHistory) -> None:
    """The address of the link depends on the file of the page."""
    configure(history, '[[markdown.replace]]\nfind = "((jobs))"\nreplace = "[jobs](../pages/jobs.md)"\n')
    rows = "Five\thttps://five.example.org/\tSee ((jobs)).\nSix\thttps://six.example.org/\t\n"
    history.write("listings/more.tsv", f"name\turl\tcontent\n{rows}")
    history.sync()
    history.plan()
    history.write("pages/jobs.md", "---\ntitle: Jobs\nslug: work\n---\nSee [about](/pages/about/).\n")
    compared(history)
    assert json.loads(history.plan())[0]["summary"]["update"] == len(["the page", "Five"])


def test_a_link_to_a_listing_leads_to_no_entry_with_this_former_address(history: PlanHistory) -> None:
    history.write("pages/jobs.md", "---\ntitle: Jobs\n---\nSee [the second](/listings/second/).\n")
    history.sync()
    history.plan()
    history.write("pages/about.md", "---\ntitle: About\naliases: [/listings/second/]\n---\nText.\n")
    assert compared(history) == len(["One", "Two", "Three", "Four", "Five", "Six"])
    assert json.loads(history.plan())[0]["summary"]["update"] == 0


def test_a_warning_that_is_no_longer_ignored_is_shown_for_all_rows(history: PlanHistory) -> None:
    rows = "Five\thttps://five.example.org/\thttps://https://five.example.org/a.png\nSix\thttps://six.example.org/\t\n"
    history.write("listings/more.tsv", f"name\turl\timage_url\n{rows}")
    configure(history, '[warnings]\nignore = ["doubled-scheme"]\n')
    history.sync()
    history.plan()
    configure(history, '[warnings]\nignore = ["broken-link"]\n')
    time.sleep(TICK * 2)
    shown = io.StringIO()
    find_plan(history.folder, history.options, Console(file=shown), MARGIN)
    assert "doubled-scheme" in shown.getvalue()


def test_rows_without_a_warning_of_a_house_rule_are_skipped(history: PlanHistory) -> None:
    configure(history, '[rules.listing]\nrequire = ["url"]\nlevel = "warning"\n')
    history.sync()
    history.plan()
    history.write("pages/about.md", "---\ntitle: Other\n---\n")
    assert compared(history) == len(["Four, which has a link and no address"])
    configure(history, '[rules.listing]\nmin = { name = 4 }\nlevel = "warning"\n')
    assert compared(history) == len(["One", "Two", "Three", "Four", "Five", "Six"])
    history.write("pages/about.md", "---\ntitle: Another\n---\n")
    assert compared(history) == len(["One", "Two", "Four", "Six"])  # three of them have a short name


def test_all_rows_are_compared_if_a_house_rule_demands_unique_values(history: PlanHistory) -> None:
    configure(history, '[rules.listing]\nunique = ["name"]\nlevel = "warning"\n')
    history.sync()
    history.plan()
    history.write("listings/last.tsv", "name\turl\nOne\thttps://eleven.example.org/\n")
    shown = io.StringIO()
    find_plan(history.folder, history.options, Console(file=shown), MARGIN)
    assert "rule-unique" in shown.getvalue()
    assert compared(history) == len(["One", "Two", "Three", "Four", "Five", "Six"])


def test_nothing_is_stored_of_a_plan_during_which_the_config_changed(history: PlanHistory) -> None:
    """As if another branch was checked out meanwhile."""
    other = '[[markdown.replace]]\nfind = "Old"\nreplace = "New"\n'
    rows = "Five\thttps://five.example.org/\tOld\nSix\thttps://six.example.org/\t\n"
    history.write("listings/more.tsv", f"name\turl\tcontent\n{rows}")
    configure(history, other)
    history.sync()
    configure(history, "")
    time.sleep(TICK * 2)
    history.plan()
    _, planning = PlanFinder.open(history.folder, history.options, Console(file=io.StringIO()), MARGIN).begin(
        to_apply=False
    )
    configure(history, other)
    time.sleep(TICK * 2)

    async def find() -> int:
        async with planning as planned:
            return len(planned.plan.changes)

    assert asyncio.run(find()) == 0
    configure(history, "")
    compared(history)
    assert json.loads(history.plan())[0]["summary"]["update"] == len(["Five"])


def test_all_rows_are_compared_if_the_config_changes_before_they_are_read(history: PlanHistory) -> None:
    rows = "Five\thttps://five.example.org/\tOld\nSix\thttps://six.example.org/\t\n"
    history.write("listings/more.tsv", f"name\turl\tcontent\n{rows}")
    history.sync()
    history.plan()
    history.write("pages/about.md", "---\ntitle: Other\n---\n")
    time.sleep(TICK * 2)
    _, planning = PlanFinder.open(history.folder, history.options, Console(file=io.StringIO()), MARGIN).begin(
        to_apply=False
    )
    configure(history, '[[markdown.replace]]\nfind = "Old"\nreplace = "New"\n')

    async def find() -> int:
        async with planning as planned:
            return planned.plan.count(Action.UPDATE)

    assert asyncio.run(find()) == len(["the page", "Five"])


def test_options_that_contradict_each_other_are_refused_with_a_cached_plan(history: PlanHistory) -> None:
    history.plan()
    history.options = PlanOptions("live", attempts=("HEAD",))
    assert history.plan().startswith("UsageError --attempt needs --base")


def delete_the_tags(history: PlanHistory) -> None:
    history.delete("tags.yaml")


def swap_the_tags(history: PlanHistory) -> None:
    free, paid = (
        f"- {{title: {each[0]}, slug: {each[1]}, sync: {{previous: [{each[2]}]}}}}\n" for each in (FREE, PAID)
    )
    history.write("tags.yaml", free + paid)


FREE, PAID = ("Free", "paid", "free"), ("Paid", "free", "paid")


def retitle_a_tag_on_the_server(history: PlanHistory) -> None:
    tag = next(each for each in history.served.get("tags")["data"] if each["slug"] == "free")
    history.served.update(f"tags/{tag['id']}", {"title": "Gratis"})


@pytest.mark.parametrize("change", [delete_the_tags, swap_the_tags, retitle_a_tag_on_the_server])
def test_all_listings_are_compared_if_one_of_their_tags_has_changed(
    history: PlanHistory, change: Callable[[PlanHistory], None]
) -> None:
    history.options = PlanOptions("live", prune=True)
    history.plan()
    change(history)
    assert compared(history) == len(["One", "Two", "Three", "Four", "Five", "Six"])


def add_a_tag(history: PlanHistory) -> None:
    history.write("tags.yaml", "- title: Free\n- title: Paid\n- title: New\n")


def add_a_tag_on_the_server(history: PlanHistory) -> None:
    history.served.create("tags", {"title": "Theirs"})


def add_a_row_with_a_new_tag(history: PlanHistory) -> None:
    add_a_tag(history)
    history.write("listings/new.csv", "name,url,tags\nNew,https://new.example.org/,new\n")


@pytest.mark.parametrize("change", [add_a_tag, add_a_tag_on_the_server, add_a_row_with_a_new_tag])
def test_rows_are_skipped_if_tags_are_new(history: PlanHistory, change: Callable[[PlanHistory], None]) -> None:
    history.plan()
    change(history)
    assert compared(history) == len(["Four, which has a link"])
    with redirect_stdout(io.StringIO()):
        assert run(["sync", str(history.folder), "--target", "live", "--yes", "--quiet"]) == 0
    listings = compared(history)
    if change is add_a_tag_on_the_server:
        assert listings == 0  # nothing has changed, and the plan is recalled
    else:
        assert listings == len(["Four, which has a link"]) + (change is add_a_row_with_a_new_tag)


def add_a_tag_with_the_title_of_another(history: PlanHistory) -> None:
    history.write("tags.yaml", "- title: Free\n- title: Paid\n- {title: paid, slug: costly}\n")


def add_a_field(history: PlanHistory) -> None:
    history.write("custom_fields.yaml", "- {name: size, label: Size, type: text}\n")


@pytest.mark.parametrize("change", [add_a_tag_with_the_title_of_another, add_a_field])
def test_all_listings_are_compared_if_a_new_entry_may_concern_them(
    history: PlanHistory, change: Callable[[PlanHistory], None]
) -> None:
    history.plan()
    change(history)
    assert compared(history) == len(["One", "Two", "Three", "Four", "Five", "Six"])


@pytest.mark.parametrize("change", [delete_the_tags, swap_the_tags])
def test_all_listings_are_compared_while_the_plan_changes_one_of_their_tags(
    history: PlanHistory, change: Callable[[PlanHistory], None]
) -> None:
    history.options = PlanOptions("live", prune=True)
    change(history)
    for _ in range(2):  # the first plan stores its rows
        time.sleep(TICK * 2)
        assert compared(history) == len(["One", "Two", "Three", "Four", "Five", "Six"])


def test_the_listings_of_a_folder_with_an_asset_store_are_compared(history: PlanHistory) -> None:
    """A picture may change, and with it the address of a listing that is as it was in its row."""
    configure(history, '[assets]\nstore = "../store"\nstore_url = "https://cdn.example.org/"\n')
    five = {"name": "Five", "url": "https://five.example.org/", "image_url": "/five.png", "image_alt_text": "5"}
    six = ("Six", "https://six.example.org/", "", "")
    history.write("listings/more.tsv", "".join("\t".join(row) + "\n" for row in (five, five.values(), six)))
    (history.folder / "five.png").write_bytes(png(width=2))
    history.sync()
    history.plan()
    (history.folder / "five.png").write_bytes(png(width=3))
    time.sleep(TICK * 2)
    [change] = json.loads(history.plan())[0]["changes"]
    assert [*change["fields"]] == ["image_url"]


def test_a_plan_uploads_a_file_that_the_store_may_have_lost(history: PlanHistory) -> None:
    """As after the store lost it: the next sync uploads it again."""
    configure(history, '[assets]\nstore = "../store"\nstore_url = "https://cdn.example.org/"\n')
    (history.folder / "jobs.png").write_bytes(png())
    history.write("pages/jobs.md", "---\ntitle: Jobs\n---\n![Us](/jobs.png)\n")
    history.sync()
    first = history.plan()
    assert (history.plan(), history.recalled) == (first, 1)
    for folder in (history.folder / KNOWN_FILES, history.folder.parent / "store"):
        shutil.rmtree(folder)
    assert history.plan() != first
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert first != history.plan()


def test_a_plan_is_made_again_if_another_command_has_changed_the_state_meanwhile(history: PlanHistory) -> None:
    """A sync reads the caches before it waits for the lock."""
    history.plan()
    _, planning = PlanFinder.open(history.folder, history.options, Console(file=io.StringIO()), MARGIN).begin(
        to_apply=True
    )
    delete_the_state(history)

    async def find() -> int:
        async with planning as planned:
            return len(planned.plan.adopted)

    assert asyncio.run(find()) == len(json.loads(history.plan())[0]["adopted"]) > 0


@pytest.mark.parametrize("is_killed", [False, True], ids=["deleted", "not ended"])
def test_a_folder_that_was_read_before_another_command_is_read_again(history: PlanHistory, is_killed: bool) -> None:
    """A watch reads the folder before it waits for the lock."""
    history.plan()
    finder = PlanFinder.open(history.folder, history.options, Console(file=io.StringIO()), MARGIN)
    reading = finder.read()
    assert reading.synced
    if is_killed:
        journal = next((history.private / "journal/live").glob("*.jsonl"))
        journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    else:
        delete_the_state(history)
    with pytest.raises(NotSynced):
        asyncio.run(count_changes(finder.compare(finder.open_session(reading), reading, read_nothing)))


async def count_changes(planning: AbstractAsyncContextManager[ConnectedPlan]) -> int:
    async with planning as planned:
        return len(planned.plan.changes)


def read_nothing() -> Session:
    raise AssertionError("there is no second plan")


def test_a_plan_under_another_state_is_not_cached_for_the_one_before(history: PlanHistory) -> None:
    """As if another command had restored an older state meanwhile, in which a page is not managed."""
    state = history.private / "state/live.jsonl"
    older = state.read_bytes()
    history.write("pages/more.md", "---\ntitle: More\n---\n")
    history.sync()
    newer = state.read_bytes()
    history.delete("pages/more.md")
    history.options = PlanOptions("live", prune=True)
    time.sleep(TICK * 2)
    _, planning = PlanFinder.open(history.folder, history.options, Console(file=io.StringIO()), MARGIN).begin(
        to_apply=False
    )
    state.write_bytes(older)

    async def find() -> int:
        async with planning as planned:
            return planned.plan.count(Action.DELETE)

    assert asyncio.run(find()) == 0
    state.write_bytes(newer)
    assert json.loads(history.plan())[0]["summary"]["delete"] == len(["More"])


def test_listings_with_custom_field_values_can_be_skipped(history: PlanHistory) -> None:
    history.write("custom_fields.yaml", "- {name: colour, label: Colour, type: text}\n")
    history.write(
        "listings/more.tsv",
        "name\turl\tcolour\nFive\thttps://five.example.org/\tred\nSix\thttps://six.example.org/\tblue\n",
    )
    history.sync("--adopt")
    history.plan()
    history.write("pages/about.md", "---\ntitle: Other\n---\n")
    assert compared(history) == len(["Four, which has a link"])


@pytest.mark.parametrize("to_apply", [False, True])
def test_a_plan_that_deletes_is_made_of_the_whole_folder_if_it_is_applied(history: PlanHistory, to_apply: bool) -> None:
    """A listing that was left out by mistake would look deleted."""
    options = PlanOptions("live", prune=True)
    history.options = options
    history.plan()
    history.write("listings/more.tsv", "name\turl\nFive\thttps://five.example.org/\n")
    time.sleep(TICK * 2)
    whole: list[Content] = []

    async def deletes() -> int:
        finder = PlanFinder.open(
            history.folder, options, Console(file=io.StringIO()), MARGIN, noting_whole(whole, options)
        )
        _, planning = finder.begin(to_apply=to_apply)
        async with planning as planned:
            return planned.plan.count(Action.DELETE)

    assert asyncio.run(deletes()) == 1
    assert bool(whole) == to_apply


def test_the_pages_of_a_changed_list_are_read_only_once(history: PlanHistory) -> None:
    for number in range(120):
        history.served.create("projects", {"name": f"Theirs {number}", "url": f"https://{number}.example.org/"})
    history.plan()
    history.served.create("projects", {"name": "More", "url": "https://more.example.org/"})
    assert requests(history) == LISTS + len(["the second page"])
    assert requests(history) == LISTS
    _, first = history.served.recorder.requests[-LISTS]
    assert "/projects?" in first  # the listings are compared before the other lists


def test_records_with_swapped_keys_are_compared(history: PlanHistory) -> None:
    """Each record has the former key of the other one."""
    history.plan()
    history.served.update(f"projects/{_id_of(history, 'Two')}", {"url": "https://new.example.org/"})
    history.served.update(f"projects/{_id_of(history, 'One')}", {"url": "https://two.example.org/"})
    moved = history.plan()
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert moved == history.plan()


def test_a_plan_of_deleted_tables_is_the_same_with_and_without_cache(history: PlanHistory) -> None:
    for path in ("pages", "articles", "tags.yaml"):
        history.delete(path)
    history.sync()
    tables = {
        path: (history.folder / path).read_text(encoding="utf-8") for path in ("listings/all.csv", "listings/more.tsv")
    }
    options: list[dict[str, Any]] = [{}, {"prune": True}, {"prune": True, "allow_deletes": 8}]
    for each in options:
        history.options = PlanOptions("live", **each)
        for path, text in tables.items():
            history.write(path, text)
        time.sleep(TICK * 2)
        history.plan()
        for path in tables:
            history.delete(path)
        time.sleep(TICK * 2)
        emptied = history.plan()
        with environment(WITHOUT_SHORTCUTS, "1"):
            assert (each, emptied) == (each, history.plan())


def test_a_slug_that_the_server_changed_is_still_reserved_in_the_folder(history: PlanHistory) -> None:
    listing = next(each for each in history.served.get("projects")["data"] if each["slug"] == "second")
    history.served.update(f"projects/{listing['id']}", {"slug": "theirs"})
    table = history.folder / "listings/all.csv"
    text = table.read_text(encoding="utf-8").replace("second", "ours")
    table.write_text(text, encoding="utf-8")
    history.sync("--on-conflict", "theirs")
    history.plan()
    table.write_text(f"{text}New,https://new.example.org/,ours,,\n", encoding="utf-8")
    time.sleep(TICK * 2)
    assert "duplicate-identity" in history.plan()


def warnings_of_a_plan(history: PlanHistory) -> str:
    """Plan, and return the warnings without those that were shown before."""
    shown = io.StringIO()
    time.sleep(TICK * 2)
    find_plan(history.folder, history.options, Console(file=shown, width=300), MARGIN)
    return shown.getvalue()


def add_a_near_listing(history: PlanHistory, note: str) -> None:
    """Add a listing whose URL is nearly that of a synced row."""
    history.write("listings/near.csv", f"name,url,sync.distinct\nNear,http://www.six.example.org/index.html,{note}\n")


def test_a_new_listing_with_nearly_the_url_of_a_synced_row_is_reported(history: PlanHistory) -> None:
    history.plan()
    add_a_near_listing(history, "")
    assert "near.csv:2:6: warning: near-duplicate" in warnings_of_a_plan(history)


def test_a_note_names_a_synced_row(history: PlanHistory) -> None:
    history.plan()
    add_a_near_listing(history, "https://six.example.org")
    assert "near.csv" not in warnings_of_a_plan(history)
    history.sync()
    history.plan()
    history.write("pages/new.md", "---\ntitle: New\n---\n")
    time.sleep(TICK * 2)
    silenced = history.plan()
    assert history.recalled == 1  # the other rows are left out
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert silenced == history.plan()


@pytest.mark.parametrize("path", ["projects", ""], ids=["a list", "the languages"])
def test_warnings_are_shown_before_an_error_of_the_server(history: PlanHistory, path: str) -> None:
    history.plan()
    table = history.folder / "listings/all.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("One", "Uno"), encoding="utf-8")
    time.sleep(TICK * 2)
    recorder, shown = history.served.recorder, io.StringIO()
    at = f"/api/directories/{history.served.directory}"
    recorder.status = 403
    recorder.fails = lambda _, asked: asked.partition("?")[0] == (f"{at}/{path}" if path else at)
    with pytest.raises(RemoteError):
        find_plan(history.folder, history.options, Console(file=shown), MARGIN)
    assert "1 warning as before" in shown.getvalue()


def test_an_error_of_the_folder_is_reported_before_one_of_the_server(history: PlanHistory) -> None:
    history.plan()
    history.write("pages/bad.md", "---\ntitle: [\n---\n")
    time.sleep(TICK * 2)
    history.served.recorder.status = 403
    history.served.recorder.fails = lambda _method, _path: True
    with pytest.raises(ContentError) as raised:
        find_plan(history.folder, history.options, Console(file=io.StringIO()), MARGIN)
    assert [problem.where.path for problem in raised.value.problems if problem.is_error] == ["pages/bad.md"]


def test_warnings_are_shown_before_an_error_of_the_plan(history: PlanHistory) -> None:
    history.plan()
    history.write("pages/about.md", f"---\ntitle: About\n---\nNever publish {history.served.token}\n")
    time.sleep(TICK * 2)
    shown = io.StringIO()
    with pytest.raises(ContentError):
        find_plan(history.folder, history.options, Console(file=shown), MARGIN)
    assert "1 warning as before" in shown.getvalue()


@pytest.mark.parametrize(
    ("path", "skips"), [("cache/rows/live.json", False), ("cache/server/live/listing.jsonl", True)]
)
def test_a_damaged_file_of_the_last_plan_changes_no_plan(history: PlanHistory, path: str, skips: bool) -> None:
    """A damaged list is requested again; without the stored rows, all of them are compared."""
    first = history.plan()
    history.delete(".contentsync/cache/plan")
    history.write("listings/more.tsv", "name\turl\nFive\thttps://five.example.org/\n")
    file = history.private / path
    file.write_bytes(file.read_bytes().replace(b"second", b"secomd"))
    time.sleep(TICK * 2)
    changed = history.plan()
    assert history.recalled == skips
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert changed == history.plan() != first


DAMAGES: list[Callable[[bytes], bytes]] = [lambda data: data[::-1], lambda data: data[:-1], lambda data: b""]


def test_a_damaged_cached_plan_is_not_used(history: PlanHistory) -> None:
    for name, damage in product(["live.json", "live.seal"], DAMAGES):
        first = history.plan()
        history.delete(".contentsync/cache/rows")
        file = history.private / "cache/plan" / name
        file.write_bytes(damage(file.read_bytes()))
        history.recalled = 0
        assert (history.plan(), history.recalled) == (first, 0)


def test_a_cached_plan_from_a_git_checkout_is_not_used(history: PlanHistory) -> None:
    """A commit may contain any file, but not the inode and times of another one."""
    history.plan()
    for file in [*history.private.glob("cache/plan/*"), *history.private.glob("cache/rows/*")]:
        data = file.read_bytes()
        file.unlink()
        file.write_bytes(data)
    history.plan()
    assert history.recalled == 0


def test_a_plan_with_dates_of_git_is_made_again_after_a_commit(history: PlanHistory) -> None:
    configure(history, '[content.articles]\ndates = "git"\n')
    git(history.folder, "init", "--quiet")
    commit(history.folder, "2020-01-02T03:04:05Z")
    history.sync()
    history.plan()
    assert json.loads(history.plan())[0]["summary"]["update"] == 0
    git(history.folder, "commit", "--amend", "--quiet", "--no-edit", "--reset-author", date="2021-01-02T03:04:05Z")
    assert json.loads(history.plan())[0]["summary"]["update"] == len(["the article"])


def test_a_plan_without_the_index_is_made_again(history: PlanHistory) -> None:
    history.plan()
    history.options = PlanOptions("live", no_index=True)
    history.plan()
    assert history.recalled == 0


def test_a_plan_with_a_commit_as_base_is_made_again(history: PlanHistory) -> None:
    """The state has other values than the commit."""
    git(history.folder, "init", "--quiet")
    history.write("pages/about.md", "---\ntitle: Older\n---\nText.\n")
    commit(history.folder, "2020-01-02T03:04:05Z")
    history.write("pages/about.md", "---\ntitle: About\n---\nText.\n")
    time.sleep(TICK * 2)
    history.plan()
    history.plan()
    assert history.recalled == 1
    history.options = PlanOptions("live", base="git:HEAD")
    history.plan()
    assert history.recalled == 1


def test_a_plan_is_made_again_after_a_picture_appears_where_none_are_read(history: PlanHistory) -> None:
    (history.folder / "img").mkdir()
    keys = "thumbnail_url: /img/a.png\nthumbnail_alt_text: A\n"
    history.write("articles/news.md", f"---\ntitle: News\n{keys}---\nText.\n")
    history.sync()
    history.plan()
    assert "bad-url" not in history.plan()
    (history.folder / "img/a.png").write_bytes(png())
    assert "bad-url" in history.plan()


def test_a_plan_is_made_again_after_a_linked_file_appears(history: PlanHistory) -> None:
    text = (history.folder / "contentsync.toml").read_text(encoding="utf-8")
    base = 'name = "Tools", asset_base_url = "https://cdn.example.org/"'
    history.write("contentsync.toml", text.replace('name = "Tools"', base))
    history.write("pages/jobs.md", "---\ntitle: Jobs\n---\n![Us](../img/a.png)\n")
    history.delete("category.yaml")
    (history.folder / "img").mkdir()
    history.sync()
    history.plan()
    has_warning = json.loads(history.plan())[-1]
    (history.folder / "img/a.png").write_bytes(png())
    assert (has_warning, json.loads(history.plan())[-1]) == (True, False)


def test_a_plan_for_another_token_is_made_again(
    history: PlanHistory, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another user may not see the same records."""
    history.plan()
    monkeypatch.setenv("CONTENTSYNC_TOKEN", served.reader)
    history.plan()
    assert history.recalled == 0


def test_a_plan_after_an_unfinished_run_is_made_again(history: PlanHistory) -> None:
    history.plan()
    journal = next((history.private / "journal/live").glob("*.jsonl"))
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]))
    history.plan()
    assert history.recalled == 0


def test_the_warnings_of_a_recalled_plan_are_counted(history: PlanHistory) -> None:
    history.plan()
    shown = io.StringIO()
    find_plan(history.folder, history.options, Console(file=shown, width=500), MARGIN)
    words = f"1 warning as before: contentsync validate {history.folder} shows them"
    assert shown.getvalue().split() == words.split()
