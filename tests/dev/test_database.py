"""contentsync.dev.database: what dev does with its own database."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from contentsync.cli.dev import listen_here
from contentsync.cli.live import live
from contentsync.cli.targets import settings_of
from contentsync.content.config import SiteSettings
from contentsync.content.load import load
from contentsync.content.unit_cache import InMemoryCache
from contentsync.dev.database import FOLDER, alone, opened, place_in
from contentsync.errors import Refused, Unwritable
from contentsync.server.embedded import open_embedded

from ..content.conftest import write

SETTINGS = settings_of(SiteSettings(name="Demo"))


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
    place = place_in(tmp_path)
    spoil(place.root / "site.db")
    embedded = opened(place, SETTINGS, "http://127.0.0.1:8300")
    assert embedded.slug == "demo"
    embedded.close()
    assert not (place.root / "site.db").is_symlink()


def test_a_folder_in_the_place_of_the_database_is_an_error_with_the_next_step(tmp_path: Path) -> None:
    place = place_in(tmp_path)
    (place.root / "site.db").mkdir()
    with pytest.raises(Unwritable, match=r"site.db cannot be used") as raised:
        opened(place, SETTINGS, "http://127.0.0.1:8300")
    assert raised.value.hint == "move away what is there"


@pytest.mark.parametrize("linked", [".contentsync", ".contentsync/dev", ".contentsync/dev/lock"])
def test_nothing_is_written_through_a_link(tmp_path: Path, linked: str) -> None:
    folder = write(tmp_path / "site", {})
    other = tmp_path / "other"
    other.mkdir()
    (folder / linked).parent.mkdir(parents=True, exist_ok=True)
    (folder / linked).symlink_to(other)
    kept = InMemoryCache()
    with listen_here(0) as listener, pytest.raises(Refused, match=linked):
        asyncio.run(live(load(folder, kept), kept, listener, open_browser=False, follow=False))
    assert [*other.iterdir()] == []


def test_what_is_kept_is_out_of_gits_sight_and_a_link_to_somebody_elses_file_is_left_alone(tmp_path: Path) -> None:
    place_in(tmp_path)
    ignored = tmp_path / FOLDER / ".gitignore"
    assert ignored.read_text().strip() == "*"
    ignored.unlink()
    other = tmp_path / "other"
    other.write_text("somebody's")
    ignored.symlink_to(other)
    place_in(tmp_path)
    assert other.read_text() == "somebody's"


def test_a_second_one_is_kept_out_until_the_first_has_ended(tmp_path: Path) -> None:
    place = place_in(tmp_path)

    async def twice() -> None:
        async with alone(place):
            with pytest.raises(Refused, match="at work in this folder already"):
                async with alone(place):
                    raise AssertionError("there are two")
        async with alone(place):
            pass

    asyncio.run(twice())
