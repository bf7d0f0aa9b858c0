"""contentsync.cli.live: what dev does with its own database, and with its own mistakes."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from contentsync.cli.live import Live, opened
from contentsync.cli.targets import settings_of
from contentsync.content.config import Site
from contentsync.content.folder import Content, load
from contentsync.dev.board import Board
from contentsync.dev.news import News

from ..content.conftest import write

SETTINGS = settings_of(Site(name="Demo"))


def _somebody_elses(file: Path) -> None:
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE other (id)")
    other.close()


def _torn(file: Path) -> None:
    file.write_bytes(b"SQLite format 3\0" + b"torn" * 2000)


@pytest.mark.parametrize("spoil", [_somebody_elses, _torn])
def test_a_database_that_cannot_be_used_is_made_anew(tmp_path: Path, spoil: Any) -> None:
    spoil(tmp_path / "site.db")
    embedded = opened(tmp_path, SETTINGS, "http://127.0.0.1:8300")
    assert embedded.slug == "demo"
    embedded.close()


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
        live = Live(tmp_path, _Failing(write(tmp_path, {})), board, None)
        await live.look()
        [problem] = json.loads(await anext(board.messages()))["problems"]
        assert "unthought-of" in problem["message"]
        await live.look()
        assert json.loads(await anext(board.messages()))["problems"] == []

    asyncio.run(story())
    assert "Traceback" in capsys.readouterr().err
