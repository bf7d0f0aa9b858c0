"""contentsync.dev.live: what a look at the folder puts onto the board."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from contentsync.cli.targets import settings_of, within
from contentsync.content.config import SiteSettings
from contentsync.content.unit_cache import InMemoryCache
from contentsync.dev.board import Board
from contentsync.dev.database import opened, place_in
from contentsync.dev.live import Live
from contentsync.dev.mirror import Mirror
from contentsync.dev.news import News

from ..content.conftest import write

FILES = {"articles/a.md": "---\ntitle: A\n---\n\nText.\n", "pages/about.md": "---\ntitle: About\n---\n"}


class Stage:
    """A folder that is shown, and what came of it."""

    def __init__(self, folder: Path, settle: Callable[[SiteSettings], bool]) -> None:
        self.folder = folder
        self.board = Board()
        self.told: list[News] = []
        self._settle = settle

    def play(self, story: Callable[[Live], Awaitable[None]], home: str | None = None) -> None:
        """Runs a story."""

        async def played() -> None:
            place = place_in(self.folder)
            embedded = opened(place, settings_of(SiteSettings(name="Demo")), "http://127.0.0.1:8300")
            async with within(embedded) as remote:
                mirror = Mirror(self.folder, remote, place, InMemoryCache(), self._settle)
                await story(Live(self.folder, mirror, self.board, home, lambda news, seconds: self.told.append(news)))

        asyncio.run(played())

    async def state(self) -> Any:
        """What a page that is opened now is told."""
        return json.loads(await anext(self.board.messages()))


def settled(site: SiteSettings) -> bool:
    """The settings are as they were."""
    return False


def failing_once() -> Callable[[SiteSettings], bool]:
    """A database that fails in a way that nobody has thought of."""
    looks = iter([ZeroDivisionError("unthought-of")])

    def settle(site: SiteSettings) -> bool:
        for error in looks:
            raise error
        return False

    return settle


def test_a_mistake_of_our_own_is_told_and_does_not_end_it(tmp_path: Path) -> None:
    stage = Stage(write(tmp_path, FILES), failing_once())

    async def story(live: Live) -> None:
        await live.look()
        [problem] = (await stage.state())["problems"]
        assert "unthought-of" in problem["message"]
        assert isinstance(stage.told[0].failure, ZeroDivisionError)
        await live.look()
        assert (await stage.state())["problems"] == []
        assert stage.told[1] == News(writes=2, changed=True)

    stage.play(story)


@pytest.mark.parametrize(("home", "page"), [("/sites/demo", "/sites/demo/blog/a/"), (None, "")])
def test_pages_go_to_what_was_saved_only_where_that_is_asked_for(tmp_path: Path, home: str | None, page: str) -> None:
    stage = Stage(write(tmp_path, FILES), settled)

    async def story(live: Live) -> None:
        await live.look()
        messages = stage.board.messages()
        await anext(messages)
        write(stage.folder, {"articles/a.md": "---\ntitle: Anew\n---\n\nText.\n"})
        await live.look()
        assert json.loads(await anext(messages))["page"] == page

    stage.play(story, home)
