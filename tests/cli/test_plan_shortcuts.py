"""contentsync.cli.plan_shortcuts: entries are left out of plans although the server lacks one of their languages."""

import json
import time
from pathlib import Path

import pytest
from rich.console import Console

from contentsync.cli.options import WITHOUT_SHORTCUTS
from contentsync.cli.plan_options import PlanOptions
from contentsync.cli.plan_shortcuts import PlanShortcuts
from contentsync.remote.record_reader import RecordReader
from contentsync.server.store import accounts, connect_database

from ..histories.plan_history import MARGIN, TICK, PlanHistory, environment, without_caches
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
