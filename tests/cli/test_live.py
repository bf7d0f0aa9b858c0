"""contentsync.cli.live: what dev does with its own database, and with its own mistakes."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from contentsync.cli.dev import listen_here
from contentsync.cli.live import Live, live, opened
from contentsync.cli.targets import settings_of
from contentsync.content.config import Site
from contentsync.content.folder import Content, load
from contentsync.content.own_folder import own_folder
from contentsync.dev.board import Board
from contentsync.dev.news import News
from contentsync.errors import Refused
from contentsync.server.embedded import open_embedded

from ..content.conftest import write

SETTINGS = settings_of(Site(name="Demo"))


def _somebody_elses(file: Path) -> None:
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE other (id)")
    other.close()


def _torn(file: Path) -> None:
    file.write_bytes(b"SQLite format 3\0" + b"torn" * 2000)


def _damaged(file: Path) -> None:
    open_embedded(file, **SETTINGS).close()
    data = file.read_bytes()
    file.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))


def _elsewhere(file: Path) -> None:
    other = file.parent / "other.db"
    open_embedded(other, **{**SETTINGS, "name": "Theirs"}).close()
    file.symlink_to(other)


@pytest.mark.parametrize("spoil", [_somebody_elses, _torn, _damaged, _elsewhere])
def test_a_database_that_cannot_be_used_is_made_anew(tmp_path: Path, spoil: Any) -> None:
    spoil(tmp_path / "site.db")
    embedded = opened(tmp_path, SETTINGS, "http://127.0.0.1:8300")
    assert embedded.slug == "demo"
    embedded.close()
    assert not (tmp_path / "site.db").is_symlink()


@pytest.mark.parametrize("linked", [".contentsync", ".contentsync/dev", ".contentsync/dev/lock"])
def test_nothing_is_written_through_a_link(tmp_path: Path, linked: str) -> None:
    folder = write(tmp_path / "site", {})
    other = tmp_path / "other"
    other.mkdir()
    (folder / linked).parent.mkdir(parents=True, exist_ok=True)
    (folder / linked).symlink_to(other)
    with listen_here(0) as listener, pytest.raises(Refused, match=linked):
        asyncio.run(live(folder, listener, open_browser=False, follow=False))
    assert [*other.iterdir()] == []


def test_a_link_in_the_place_of_the_gitignore_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("somebody's")
    (tmp_path / "own").mkdir()
    (tmp_path / "own/.gitignore").symlink_to(other)
    own_folder(tmp_path, "own")
    assert other.read_text() == "somebody's"


class _Failing:
    """A mirror that fails once in a way that nobody has thought of."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._looks = 0

    def read(self) -> Content:
        self._looks += 1
        if self._looks == 1:
            raise ZeroDivisionError("unthought-of")
        return load(self._folder)

    async def show(self, content: Content, written: Any) -> News:
        return News()


def test_a_mistake_of_our_own_is_told_and_does_not_end_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> None:
        board = Board()
        looking = Live(tmp_path, _Failing(write(tmp_path, {})), board, None)
        await looking.look()
        [problem] = json.loads(await anext(board.messages()))["problems"]
        assert "unthought-of" in problem["message"]
        await looking.look()
        assert json.loads(await anext(board.messages()))["problems"] == []

    asyncio.run(story())
    assert "Traceback" in capsys.readouterr().err
