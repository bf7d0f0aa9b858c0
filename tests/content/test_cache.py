"""contentsync.content.cache: what it remembers is what a reading would find, or it is not believed."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contentsync.content import survey
from contentsync.content.cache import FOLDER, PAYS_FROM, recall

from .conftest import write

COUNT = PAYS_FROM + 10
CONFIG = '[site]\nname = "Cached"\nlocales = ["en"]\n'
FOLDERS = 26


def article(number: int, active: str = "true") -> str:
    return f"---\ntitle: Number {number:04d}\nactive: {active}\n---\n\nText.\n"


def make(root: Path) -> Path:
    for number in range(COUNT):
        file = root / "articles" / f"{number % 3}" / f"a{number:04d}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(article(number), encoding="utf-8")
    (root / "contentsync.toml").write_text(CONFIG, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Path]]:
    """Folders that have been left alone for longer than the margin; the wait is shared."""
    root = tmp_path_factory.mktemp("cached")
    folders = [make(root / str(number)) for number in range(FOLDERS)]
    time.sleep(3.2)
    yield folders
    shutil.rmtree(root)


@pytest.fixture
def settled(pool: list[Path]) -> Path:
    """A folder whose survey is in the cache."""
    folder = pool.pop()
    assert survey(folder).problems == ()
    assert recall(folder) is not None
    return folder


def codes(folder: Path) -> list[tuple[str, str]]:
    return [(problem.where.path, problem.code) for problem in survey(folder).problems]


def test_an_unchanged_folder_is_recalled_as_it_was_surveyed(settled: Path) -> None:
    recalled = recall(settled)
    assert recalled is not None
    assert (recalled["files"], recalled["counts"]["article"], recalled["problems"]) == (COUNT, COUNT, [])
    first = survey(settled)
    shutil.rmtree(settled / FOLDER)
    assert survey(settled) == first


def test_the_cache_keeps_out_of_git(settled: Path) -> None:
    assert (settled / FOLDER / ".gitignore").read_text() == "*\n"


def test_other_content_of_the_same_size_and_time_is_seen(settled: Path) -> None:
    """FI-29: as `touch -r` or a checkout leaves it."""
    file = settled / "articles/0/a0000.md"
    before = file.stat()
    file.write_text(article(0, "truw"), encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = file.stat()
    assert (after.st_size, after.st_mtime_ns, after.st_ino) == (before.st_size, before.st_mtime_ns, before.st_ino)
    assert codes(settled) == [("articles/0/a0000.md", "not-a-boolean")]


def test_a_file_put_in_the_place_of_another_is_seen(settled: Path) -> None:
    """FI-29, with a rename."""
    file = settled / "articles/0/a0000.md"
    before = file.stat()
    other = settled / "other.md"
    other.write_text(article(0, "truw"), encoding="utf-8")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(file)
    assert codes(settled) == [("articles/0/a0000.md", "not-a-boolean")]


def test_a_change_within_one_tick_of_the_clock_is_seen(tmp_path: Path) -> None:
    """TM-10: nothing that is so new is kept, so a second change may have any stamp."""
    folder = make(tmp_path / "fresh")
    assert survey(folder).problems == ()
    assert recall(folder) is None
    (folder / "articles/0/a0000.md").write_text(article(0, "truw"), encoding="utf-8")
    assert codes(folder) == [("articles/0/a0000.md", "not-a-boolean")]


@pytest.mark.parametrize("year", [0, 4102444800])
def test_odd_times_change_nothing(settled: Path, year: int) -> None:
    """FI-30: 1970 and 2100."""
    file = settled / "articles/1/a0001.md"
    file.write_text(article(1, "fals"), encoding="utf-8")
    os.utime(file, (year, year))
    assert codes(settled) == [("articles/1/a0001.md", "not-a-boolean")]
    file.write_text(article(1, "true"), encoding="utf-8")
    os.utime(file, (year, year))
    assert codes(settled) == []


CHANGES: dict[str, tuple[Callable[[Path], object], list[tuple[str, str]]]] = {
    "a file that is new": (
        lambda root: (root / "articles/2/new.md").write_text("---\ntitel: New\n---\nText\n"),
        [("articles/2/new.md", "required"), ("articles/2/new.md", "unknown-key")],
    ),
    "a file that has gone": (lambda root: (root / "articles/2/a0002.md").unlink(), []),
    "a file of the same slug": (
        lambda root: (root / "articles/2/A0000.md").write_text(article(0)),
        [("articles/2/A0000.md", "duplicate-identity")],
    ),
    "a folder that is new": (
        lambda root: write(root, {"pages/a.md": "---\nplacement: x\n---\n", "contentsync.toml": CONFIG}),
        [("pages/a.md", "not-a-choice"), ("pages/a.md", "required")],
    ),
    "a list that is new": (lambda root: (root / "tags.yml").write_text("- a\n"), [("tags.yml", "not-a-mapping")]),
    "another config": (
        lambda root: (root / "contentsync.toml").write_text(CONFIG + "[content.articles]\nrename = { active = 'x' }\n"),
        [("contentsync.toml", "unknown-field")],
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_is_seen_among_files_that_are_not_read_again(settled: Path, name: str) -> None:
    change, expected = CHANGES[name]
    change(settled)
    found = codes(settled)
    assert set(expected) <= set(found)
    shutil.rmtree(settled / FOLDER)
    assert codes(settled) == found


@pytest.mark.parametrize("file", ["survey.json", "units.json"])
@pytest.mark.parametrize("damage", ["truncated", "empty", "bit flipped", "newer version"])
def test_a_damaged_cache_is_not_believed(settled: Path, file: str, damage: str) -> None:
    """FI-32"""
    cached = settled / FOLDER / file
    data = cached.read_bytes()
    place = data.index(b"signatures") + 1
    cached.write_bytes(
        {
            "truncated": data[:-20],
            "empty": b"",
            "bit flipped": data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :],
            "newer version": data.replace(b"cache 1", b"cache 2", 1),
        }[damage]
    )
    if file == "survey.json":
        assert recall(settled) is None
    (settled / "articles/0/a0000.md").write_text(article(0, "truw"), encoding="utf-8")
    assert codes(settled) == [("articles/0/a0000.md", "not-a-boolean")]


def test_a_folder_with_links_in_it_is_always_read(settled: Path) -> None:
    (settled / "articles/link.md").symlink_to("0/a0000.md")
    survey(settled)
    assert recall(settled) is None


def test_without_a_place_to_write_everything_is_read(tmp_path: Path) -> None:
    """FI-25"""
    folder = make(tmp_path / "site")
    (folder / ".contentsync").write_text("not a folder")
    assert survey(folder).files == COUNT


def test_a_small_folder_has_no_cache(tmp_path: Path) -> None:
    (tmp_path / "contentsync.toml").write_text(CONFIG)
    survey(tmp_path)
    assert not (tmp_path / ".contentsync").exists()
