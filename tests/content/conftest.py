"""Content folders written from dicts."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from contentsync.content.folder.load import Content, load_content
from contentsync.model import Entry

Files = Mapping[str, str | bytes]
Load = Callable[[Files], Content]

CONFIG = '[site]\nname = "Test"\nlocales = ["en", "fr"]\n'


def write(root: Path, files: Files) -> Path:
    """Write the files into the folder, with a config unless they contain one."""
    for name, text in {"contentsync.toml": CONFIG, **files}.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


@pytest.fixture
def read(tmp_path: Path) -> Load:
    """Write the files, and load the folder."""
    return lambda files: load_content(write(tmp_path / "site", files))


class Spot(NamedTuple):
    """The place and the code of a problem."""

    path: str
    line: int
    column: int
    code: str


def spots(content: Content) -> list[Spot]:
    """Return the spot of each problem; it equals a tuple of its values."""
    return [Spot(it.where.path, it.where.line, it.where.column, it.code) for it in content.problems]


def only(content: Content) -> Entry:
    """Return the only entry of a folder without problems."""
    assert content.problems == ()
    (entry,) = content.entries
    return entry
