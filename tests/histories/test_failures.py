"""Commits and failures on the three routes to a server; many more from seeds in `make torture`."""

import pytest

from ..sampling import sampled
from . import content, troubles
from .content import FILE
from .engine import History, beginning
from .failures import begin, failures, sync
from .server import Server


def deliver(history: History, change: str, trouble: troubles.Trouble | None = None) -> None:
    """Commit and sync."""
    history.commit(change)
    failures().take(history, lambda history: sync(history, trouble))


@pytest.mark.parametrize("route", sampled(["action", "hook"], every=2))
def test_a_page_of_a_failed_run_is_deleted_after_a_revert(server: Server, route: str) -> None:
    with beginning(server, route, "secret") as history:
        failures().take(history, begin)
        deliver(history, "first")
        site = content.read(history.folder)
        site["pages"].append({FILE: "secret", "title": "Secret", "body": "Not yet."})
        site["articles"].append({FILE: "news", "title": "News", "body": "New."})
        content.write(site, history.folder)
        deliver(history, "publish too early", troubles.refusing("articles"))
        history.route.tree.git("revert", "--no-edit", "HEAD")
        deliver(history, "empty")
        failures().finish(history)
        assert history.wrong == [], history.story


@pytest.mark.parametrize("route", sampled(["hook", "folder"], every=2))
def test_an_interrupted_rename_is_no_conflict_for_its_only_writer(server: Server, route: str) -> None:
    with beginning(server, route, "rename") as history:
        failures().take(history, begin)
        deliver(history, "first")
        killed = troubles.killed(1, "instead of the answer to")
        for slug, title, trouble in (("about-us", "About us", killed), ("who-we-are", "Who we are", None)):
            site = content.read(history.folder)
            site["pages"][0] |= {"slug": slug, "title": title}
            content.write(site, history.folder)
            deliver(history, f"rename to {slug}", trouble)
        failures().finish(history)
        assert history.wrong == [], history.story


@pytest.mark.parametrize(
    ("seed", "route", "second_writer"),
    sampled([(1, "action", True), (0, "hook", False), (2, "folder", False)], every=3),
)
def test_the_server_has_the_last_commit_after_a_random_history(
    server: Server, seed: int, route: str, second_writer: bool
) -> None:
    profile = failures(second_writer=second_writer)
    assert profile.play(server, seed, route, length=(7, 7)).report == []
