"""The database of `dev`."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from contentsync.cli.dev_command import listen_locally
from contentsync.cli.dev_session import run_dev
from contentsync.cli.target_connection import directory_settings
from contentsync.content.config.config_tables import SiteSettings
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.dev.preview_database import FOLDER, lock_state_dir, open_database, open_state_dir
from contentsync.dev.preview_reading import read_preview
from contentsync.errors import Refused, Unwritable
from contentsync.server.embedded import open_embedded

from ..content.conftest import write

SETTINGS = directory_settings(SiteSettings(name="Demo"))


def _foreign_database(file: Path) -> None:
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
    open_embedded(other, **(SETTINGS | {"name": "Theirs"})).close()
    file.symlink_to(other)


@pytest.mark.parametrize("damage", [_foreign_database, _torn, _damaged, _elsewhere])
def test_an_unusable_database_is_created_again(tmp_path: Path, damage: Any) -> None:
    state_dir = open_state_dir(tmp_path)
    damage(state_dir.root / "site.db")
    embedded = open_database(state_dir, SETTINGS, "http://127.0.0.1:8300")
    assert embedded.slug == "demo"
    embedded.close()
    assert not (state_dir.root / "site.db").is_symlink()


def test_a_folder_at_the_databases_path_is_an_error_with_the_next_step(tmp_path: Path) -> None:
    state_dir = open_state_dir(tmp_path)
    (state_dir.root / "site.db").mkdir()
    with pytest.raises(Unwritable, match=r"site.db cannot be used") as raised:
        open_database(state_dir, SETTINGS, "http://127.0.0.1:8300")
    assert raised.value.hint == "move it away"


@pytest.mark.parametrize("linked", [".contentsync", ".contentsync/dev", ".contentsync/dev/lock"])
def test_a_state_folder_or_lock_that_is_a_link_is_refused(tmp_path: Path, linked: str) -> None:
    folder = write(tmp_path / "site", {})
    other = tmp_path / "other"
    other.mkdir()
    (folder / linked).parent.mkdir(parents=True, exist_ok=True)
    (folder / linked).symlink_to(other)
    cache = InMemoryCache()
    with listen_locally(0) as listener, pytest.raises(Refused, match=linked):
        asyncio.run(run_dev(read_preview(folder, cache, None), None, cache, listener, open_browser=False, follow=False))
    assert [*other.iterdir()] == []


def test_git_ignores_the_state_and_a_linked_gitignore_is_not_written(tmp_path: Path) -> None:
    open_state_dir(tmp_path)
    ignored = tmp_path / FOLDER / ".gitignore"
    assert ignored.read_text().strip() == "*"
    ignored.unlink()
    other = tmp_path / "other"
    other.write_text("theirs")
    ignored.symlink_to(other)
    open_state_dir(tmp_path)
    assert other.read_text() == "theirs"


def test_a_second_dev_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    state_dir = open_state_dir(tmp_path)

    async def twice() -> None:
        async with lock_state_dir(state_dir):
            with pytest.raises(Refused, match="already running in this folder"):
                async with lock_state_dir(state_dir):
                    raise AssertionError("there are two")
        async with lock_state_dir(state_dir):
            pass

    asyncio.run(twice())
