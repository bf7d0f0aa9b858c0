"""Folders in which an entry is renamed."""

from pathlib import Path
from typing import NamedTuple

import pytest

from contentsync.authoring.rename.rename_plan import RenamePlan, apply_rename, plan_rename

from ...content.conftest import Files, write


class Renamed(NamedTuple):
    """A folder after a rename, and the plan of the rename."""

    folder: Path
    plan: RenamePlan

    def text(self, path: str) -> str:
        return (self.folder / path).read_bytes().decode()

    @property
    def paths(self) -> list[str]:
        files = (it for it in self.folder.rglob("*") if it.is_file() and ".contentsync" not in it.parts)
        return sorted(it.relative_to(self.folder).as_posix() for it in files if it.name != "contentsync.toml")


class Renamer:
    """Writes a folder, and renames an entry of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, files: Files, old: str, new: str) -> Renamed:
        write(self.folder, files)
        plan = plan_rename(self.folder, old, new, self.folder)
        apply_rename(plan)
        return Renamed(self.folder, plan)

    def plan(self, files: Files, old: str, new: str) -> RenamePlan:
        return plan_rename(write(self.folder, files), old, new, self.folder)


@pytest.fixture
def rename(tmp_path: Path) -> Renamer:
    return Renamer(tmp_path / "site")


def page(title: str, body: str = "", keys: str = "") -> str:
    return f"---\ntitle: {title}\n{keys}---\n{body}\n"
