"""contentsync.cli.plan_shortcuts: what is left out of plans, and what reports say of it."""

import io
import json
import shutil
import time
from pathlib import Path

import pytest
from rich.console import Console

from contentsync.cli.find_plan import PlanFinder
from contentsync.cli.options import WITHOUT_SHORTCUTS
from contentsync.cli.plan_options import PlanOptions
from contentsync.cli.plan_shortcuts import PlanShortcuts
from contentsync.cli.pull_command import find_nothing
from contentsync.content.folder.load import Content
from contentsync.content.formats.table_rows import SyncedRows
from contentsync.remote.record_reader import RecordReader
from contentsync.server.store import accounts, connect_database
from contentsync.sync.state.state_dir import Owner, StateDir

from ..histories.plan_changes import delete_the_state
from ..histories.plan_history import MARGIN, REPORTS, TICK, PlanHistory, environment, make_pull, without_caches
from .test_find_plan import LISTS, history, requests

__all__ = ["history"]

NEWS = "---\ntitle: News\ntranslations: {fr: {title: Nouvelles}}\n---\nText.\n"


@pytest.fixture
def database(running: tuple[str, object]) -> Path:
    """The database of the server."""
    return Path(running[0].removeprefix("sqlite:///"))


@pytest.fixture
def in_french(history: PlanHistory) -> PlanHistory:
    """A site in two languages with an article in both, and an article of another user, which each plan compares."""
    config = history.folder / "contentsync.toml"
    config.write_text(config.read_text(encoding="utf-8").replace('"Tools" }', '"Tools", locales = ["en", "fr"] }'))
    history.write("articles/news.md", NEWS)
    history.sync()
    history.served.create("articles", {"slug": "theirs", "title": "Theirs", "markdown": "Text."})
    time.sleep(TICK * 2)
    history.plan()
    return history


@pytest.mark.parametrize("news", [NEWS, "---\ntitle: News\n---\nText.\n"], ids=["in the folder", "only in the state"])
def test_entries_are_left_out_although_the_server_lacks_their_language(
    in_french: PlanHistory, database: Path, news: str
) -> None:
    offer(in_french, database, "en")
    in_french.write("articles/news.md", news)
    in_french.sync()
    time.sleep(TICK * 2)
    in_french.plan()
    assert_shortcut_is_whole(in_french, "Other")
    offer(in_french, database, "en", "fr")
    time.sleep(TICK * 2)
    shown = in_french.plan()
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert shown == in_french.plan()


def test_a_plan_without_the_texts_in_a_language_is_recalled(in_french: PlanHistory) -> None:
    assert requests(in_french) == LISTS
    in_french.served.create("projects", {"name": "Theirs", "url": "https://theirs.example.org/"})
    in_french.plan()
    assert requests(in_french) == LISTS


def test_a_left_out_record_shows_that_the_server_has_its_language(
    in_french: PlanHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_french.write("articles/more.md", NEWS.replace("News", "More"))
    in_french.sync()
    time.sleep(TICK * 2)
    in_french.plan()

    async def languages(_reader: RecordReader) -> tuple[str, ...]:
        return ("en",)

    monkeypatch.setattr(RecordReader, "languages", languages)  # no server of ours forgets the languages of its texts
    delete_the_french_text(in_french, "more")
    time.sleep(TICK * 2)
    shown = in_french.plan()
    with environment(WITHOUT_SHORTCUTS, "1"), without_caches(in_french.private):
        assert shown == in_french.plan()


def test_a_text_that_another_user_deleted_is_compared_when_the_server_has_its_language(
    in_french: PlanHistory, database: Path
) -> None:
    delete_the_french_text(in_french, "news")
    offer(in_french, database, "en")
    in_french.plan()
    assert_shortcut_is_whole(in_french, "Other")
    offer(in_french, database, "en", "fr")
    shown = in_french.plan()
    assert json.loads(shown)[0]["summary"]["drift"] == 1
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert shown == in_french.plan()


def test_a_plan_for_an_embedded_target_has_no_shortcut(tmp_path: Path) -> None:
    """Its server takes redirects of the entries that were read."""
    (tmp_path / "contentsync.toml").write_text('[targets.local]\nurl = "embedded:site.db"\n', encoding="utf-8")
    assert PlanShortcuts.open(tmp_path, PlanOptions("local"), Console(), MARGIN) is None


def delete_the_french_text(history: PlanHistory, slug: str) -> None:
    """Delete the French text of an article on the server."""
    record = next(each for each in history.served.get("articles")["data"] if each["slug"] == slug)
    fields = {name: record[name] for name in ("slug", "title", "markdown")}
    history.served.update(f"articles/{record['id']}", {**fields, "translations": {"fr": None}})


def edit_a_row(history: PlanHistory) -> None:
    table = history.folder / "listings/all.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("The first one", "Another"), encoding="utf-8")
    time.sleep(TICK * 2)


def record_of(history: PlanHistory, name: str) -> str:
    """Return the path of the record of a listing."""
    records = history.served.get("projects")["data"]
    return f"projects/{next(each['id'] for each in records if each['name'] == name)}"


def assert_reports_are_whole(history: PlanHistory, *, reduced: bool = True) -> dict[str, str]:
    """Return the reports, after a check that they are those of everything, and made by a shortcut if `reduced`."""
    shown = {}
    for name in REPORTS:
        before = history.reduced.total()
        shown[name] = history.report(name)
        assert history.reduced.total() - before == reduced, name
        with environment(WITHOUT_SHORTCUTS, "1"), without_caches(history.private):
            assert shown[name] == history.report(name)
    return shown


def report_requests(history: PlanHistory, name: str) -> int:
    before = len(history.served.recorder.requests)
    history.report(name)
    return len(history.served.recorder.requests) - before


def test_reports_of_what_has_not_changed_cost_one_request_per_list(history: PlanHistory) -> None:
    history.plan()
    assert {report_requests(history, name) for name in REPORTS} == {LISTS}
    shown = assert_reports_are_whole(history)
    assert shown["drift text"].startswith("on live")
    assert "no change" in shown["drift text"]


def test_reports_of_what_has_not_changed_read_no_file(history: PlanHistory) -> None:
    def load(_folder: Path, _rows: SyncedRows | None) -> Content:
        raise AssertionError("the folder is read")

    history.plan()
    finder = PlanFinder.open(history.folder, PlanOptions("live"), Console(file=io.StringIO()), MARGIN, load)
    for show in REPORTS.values():
        show(finder)
    assert find_nothing(finder, yes=False)


def test_a_report_names_a_run_of_another_machine_although_nothing_has_changed(history: PlanHistory) -> None:
    history.plan()
    lock = StateDir.for_target(history.folder, "live").lock
    lock.mkdir(parents=True, exist_ok=True)
    owner = Owner.this_process("r1")._replace(host="another.example")
    (lock / "owner.json").write_text(json.dumps(owner._asdict()), encoding="utf-8")
    for show in REPORTS.values():
        messages = io.StringIO()
        show(PlanFinder.open(history.folder, PlanOptions("live"), Console(file=messages, width=300), MARGIN))
        assert "another.example" in messages.getvalue()


def test_the_status_counts_the_values_of_entries_that_are_left_out(history: PlanHistory) -> None:
    history.plan()
    edit_a_row(history)
    status = json.loads(assert_reports_are_whole(history)["status json"].rpartition("}")[0] + "}")
    assert status["completeness"]["listing"]["total"] == 6
    assert status["completeness"]["listing"]["fields"]["description"] == 3
    assert status["kinds"]["listing"] == {**status["kinds"]["listing"], "update": 1, "unchanged": 5}


def test_drift_in_one_of_many_listings_is_reported_without_the_others(history: PlanHistory) -> None:
    history.plan()
    history.served.update(record_of(history, "Three"), {"description": "Theirs"})
    history.served.create("projects", {"name": "New", "url": "https://new.example.org/", "is_active": False})
    history.served.create("projects", {"name": "Ours", "url": "https://ours.example.org/"})
    shown = assert_reports_are_whole(history)
    assert "1 changed, 1 new, 1 submitted" in shown["drift text"]


def test_drift_names_records_that_the_folder_lacks_although_the_plan_is_empty(history: PlanHistory) -> None:
    history.served.create("projects", {"name": "Theirs", "url": "https://theirs.example.org/"})
    for _ in range(2):  # the second plan is recalled
        history.plan()
    assert "Theirs" in assert_reports_are_whole(history)["drift text"]


def test_a_report_stores_what_the_next_plan_leaves_out(history: PlanHistory) -> None:
    for name in ("status json", "drift json"):
        shutil.rmtree(history.private / "cache")
        recalled = history.recalled
        history.report(name)
        history.plan()
        assert history.recalled == recalled + 1


def test_a_folder_that_breaks_a_rule_is_reported_and_not_planned(history: PlanHistory) -> None:
    with (history.folder / "contentsync.toml").open("a", encoding="utf-8") as config:
        config.write("[[rules.listing]]\nmax = { name = 4 }\n")
    time.sleep(TICK * 2)
    for _ in range(2):  # the first report stores nothing
        assert_reports_are_whole(history, reduced=False)
        assert "rule-max" in history.plan()


def test_a_submission_by_a_custom_field_is_found_although_nothing_has_changed(history: PlanHistory) -> None:
    """A recalled plan does not know the custom fields of the server."""
    history.served.create("custom-fields", {"label": "State", "name": "state", "type": "text"})
    with (history.folder / "contentsync.toml").open("a", encoding="utf-8") as config:
        config.write('[propose.submissions]\nstate = "new"\n')
    time.sleep(TICK * 2)
    history.plan()
    assert "UsageError" not in assert_reports_are_whole(history)["drift text"]


def test_a_pull_without_a_change_costs_one_request_per_list(history: PlanHistory) -> None:
    history.plan()
    before = len(history.served.recorder.requests)
    assert history.pull_without_writes() == "nothing to pull from live\n0\n1"  # a warning
    assert len(history.served.recorder.requests) - before == 2 * LISTS  # it is found first, and then pulled


def test_a_pull_leaves_a_changed_row_alone_without_reading_the_others(history: PlanHistory) -> None:
    history.plan()
    edit_a_row(history)
    assert "description: changed here, left alone" in (history.pull_without_writes() or "")


def test_a_pull_writes_a_value_of_a_listing_that_a_plan_leaves_out(history: PlanHistory) -> None:
    """The folder does not set it, so a plan leaves it alone."""
    history.served.update(record_of(history, "Five"), {"description": "Theirs"})
    for _ in range(2):
        history.plan()
    assert history.recalled == 1
    assert history.pull_without_writes() is None
    make_pull(history.folder, history.options)
    assert "Theirs" in (history.folder / "listings/more.tsv").read_text(encoding="utf-8")


def test_a_pull_writes_a_value_of_an_entry_whose_key_differs_on_the_server(history: PlanHistory) -> None:
    """Both sides have renamed it, and a sync has left the key of the server."""
    page = next(each["id"] for each in history.served.get("pages")["data"] if each["slug"] == "about")
    history.write("pages/about.md", "---\ntitle: About\nslug: ours\n---\nText.\n")
    history.served.update(f"pages/{page}", {"slug": "theirs"})
    history.sync("--on-conflict", "theirs")
    history.served.update(f"pages/{page}", {"external_url": "https://theirs.example.org/"})
    time.sleep(TICK * 2)
    for _ in range(2):
        history.plan()
    assert history.recalled == 1
    assert history.pull_without_writes() is None


@pytest.mark.parametrize("change", ["a new record", "a deleted record", "a value", "a lost state"])
def test_a_pull_with_something_to_write_reads_everything(history: PlanHistory, change: str) -> None:
    history.plan()
    if change == "a new record":
        history.served.create("pages", {"slug": "theirs", "title": "Theirs"})
    elif change == "a deleted record":
        history.served.delete(record_of(history, "Five"))
    elif change == "a value":
        history.served.update(record_of(history, "One"), {"description": "Theirs"})
    else:
        delete_the_state(history)
    assert history.pull_without_writes() is None


def assert_shortcut_is_whole(history: PlanHistory, title: str) -> None:
    """Change a page, and check that its plan is made by a shortcut, and is that of everything."""
    recalled = history.recalled
    history.write("pages/about.md", f"---\ntitle: {title}\n---\n")
    time.sleep(TICK * 2)
    shown = history.plan()
    assert history.recalled == recalled + 1
    with environment(WITHOUT_SHORTCUTS, "1"):
        assert shown == history.plan()


def offer(history: PlanHistory, file: Path, *locales: str) -> None:
    """Let the directory have these languages."""
    database = connect_database(file)
    try:
        database.run_write(accounts.update_directory, history.served.directory, locales=locales)
    finally:
        database.close()
