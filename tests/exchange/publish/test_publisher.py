"""contentsync.exchange.publish.publisher: unused files, reasons to keep one, and missing files."""

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contentsync.cli import run

from ...content.pictures.picture_bytes import png

Assets = Callable[..., dict[str, Any]]

CONFIG = """
[assets]
store = "../store"
store_url = "https://cdn.example.com/p"

[targets.one]
url = "embedded:.contentsync/one.db"
"""
FAR = '\n[targets.far]\nurl = "https://directory.example.com"\ndirectory = 1\n'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder that was synced to the target `one`; its files in the store are two days old."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "contentsync.toml").write_text(CONFIG, encoding="utf-8")
    (folder / "categories.yaml").write_text("- { title: Tools, custom_icon_url: bench.png }\n", encoding="utf-8")
    (folder / "bench.png").write_bytes(png())
    assert run(["sync", str(folder), "--yes", "--quiet"]) == 0
    for file in (tmp_path / "store").iterdir():
        os.utime(file, (time.time() - 2 * 86_400,) * 2)
    shutil.rmtree(folder / ".contentsync/journal")
    return folder


@pytest.fixture
def assets(site: Path, capsys: pytest.CaptureFixture[str]) -> Assets:
    """Return the function that runs `contentsync assets`: its JSON document."""

    def command(*options: str) -> dict[str, Any]:
        capsys.readouterr()
        code = run(["assets", str(site), "--format=json", *options])
        out, err = capsys.readouterr()
        assert code == 0, err
        document: dict[str, Any] = json.loads(out)
        return document

    return command


def stored(site: Path) -> list[str]:
    return sorted(file.name for file in (site.parent / "store").iterdir())


def test_a_picture_that_only_the_base_refers_to_is_not_listed_as_unused(site: Path, assets: Assets) -> None:
    """Neither the folder nor the server has the entry any more, but it is in the base of the target."""
    (site / "categories.yaml").write_text("[]\n", encoding="utf-8")
    (site / ".contentsync/one.db").unlink()
    assert assets()["unused"] == []
    assert not (site / ".contentsync/one.db").exists(), "the command does not create the database"
    shutil.rmtree(site / ".contentsync/state")
    assert [file["name"] for file in assets()["unused"]] == stored(site)


def test_a_missing_file_is_reported_and_published_by_the_next_sync(site: Path, assets: Assets) -> None:
    (name,) = stored(site)
    (site.parent / "store" / name).unlink()
    assert run(["sync", str(site), "--yes", "--quiet"]) == 0
    assert stored(site) == [], "the cache still has it"
    assert assets()["missing"] == [name]
    assert run(["sync", str(site), "--yes", "--quiet"]) == 0
    assert stored(site) == [name]
    assert assets()["missing"] == []


def test_no_asset_is_deleted_if_a_target_cannot_be_read(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CONTENTSYNC_TOKEN", raising=False)
    (site / "contentsync.toml").write_text(CONFIG + FAR, encoding="utf-8")
    (site / "categories.yaml").write_text("- title: Tools\n", encoding="utf-8")
    assert run(["sync", str(site), "--yes", "--quiet", "--target=one"]) == 0
    shutil.rmtree(site / ".contentsync/journal")
    assert run(["assets", str(site), "--delete", "--yes"]) == 4
    assert "there is no token" in capsys.readouterr().err
    assert len(stored(site)) == 1


def test_the_assets_command_refuses_a_folder_without_a_store(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "contentsync.toml").write_text("[assets]\n", encoding="utf-8")
    assert run(["assets", str(site)]) == 64
    assert "names no asset store" in capsys.readouterr().err
