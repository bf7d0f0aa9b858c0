"""Commits and failures on the three routes to a server; many more from seeds in `make torture`."""

from collections.abc import Iterator

import pytest

from ..sampling import sampled
from . import content, troubles
from .history import beginning, play
from .server import Server, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.mark.parametrize("route", sampled(["action", "hook"], every=2))
def test_a_page_that_a_failed_run_created_is_gone_after_its_commit_is_reverted(server: Server, route: str) -> None:
    with beginning(server, route, "secret") as history:
        history.start()
        wrong = [*history.sync()]
        site = content.read(history.route.site)
        site["pages"].append({content.FILE: "secret", "slug": "secret", "title": "Secret", "body": "Not yet."})
        site["articles"].append({content.FILE: "news", **content.article("news", "New.")})
        history.save(site, "publish too early")
        wrong += history.sync(troubles.refusing("articles"))
        history.route.tree.git("revert", "--no-edit", "HEAD")
        wrong += [*history.sync(), *history.end()]
        assert wrong == [], history.story


@pytest.mark.parametrize("route", sampled(["hook", "folder"], every=2))
def test_a_rename_that_was_interrupted_is_no_conflict_for_its_only_writer(server: Server, route: str) -> None:
    with beginning(server, route, "rename") as history:
        history.start()
        wrong = [*history.sync()]
        for slug, title in (("about-us", "About us"), ("who-we-are", "Who we are")):
            site = content.read(history.route.site)
            site["pages"][0] |= {"slug": slug, "title": title}
            history.save(site, f"rename to {slug}")
            wrong += history.sync(troubles.killed(1, "instead of the answer to") if slug == "about-us" else None)
        wrong += history.end()
        assert wrong == [], history.story


@pytest.mark.parametrize(
    ("seed", "route", "second_writer"),
    sampled([(1, "action", True), (0, "hook", False), (2, "folder", False)], every=3),
)
def test_after_a_random_history_the_server_has_what_the_last_commit_says(
    server: Server, seed: int, route: str, second_writer: bool
) -> None:
    assert play(server, seed, route, second_writer=second_writer, rounds=(2, 2)) == []
