"""contentsync.content.pictures.picture_cache: a picture is opened again only if its stamp has changed."""

import os
import time
from pathlib import Path

import pytest

from contentsync.content.files.file_text import UnreadableFile
from contentsync.content.pictures.picture_cache import FACTS_FILE, PictureCache
from contentsync.content.pictures.picture_facts import PictureFacts

from ..conftest import write
from .picture_bytes import SVG, png

LONG_AGO = 10 * 10**9  # nanoseconds: a run that begins so much later than the file changed sees it as settled


def later(folder: Path) -> PictureCache:
    """Return the cache of a run for which the files of the folder are old."""
    return PictureCache(folder, time.monotonic_ns() + LONG_AGO)


def test_an_unchanged_picture_is_opened_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.png": png(), "b.svg": SVG.replace(b"<path", b"<script/><path")})
    first = later(tmp_path)
    found = [first.facts(name, name) for name in ("a.png", "b.svg", "a.png")]
    first.save()
    second = later(tmp_path)
    assert [second.facts(name, name) for name in ("a.png", "b.svg", "a.png")] == found
    assert (second.read_count, found[1].faults[0].code) == (0, "svg-script")


def test_a_changed_picture_is_opened_again_with_the_same_size_and_time(tmp_path: Path) -> None:
    file = write(tmp_path, {"a.png": png(2, 3)}) / "a.png"
    first = later(tmp_path)
    first.facts("a.png", "a.png")
    first.save()
    times = file.stat()
    file.write_bytes(png(4, 5))
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert later(tmp_path).facts("a.png", "a.png")[2:4] == (4, 5)


def test_a_very_new_picture_is_not_cached(tmp_path: Path) -> None:
    """The clock of the file system is coarse: a second change at the same moment would leave the stamp as it is."""
    write(tmp_path, {"a.png": png()})
    first = PictureCache(tmp_path, time.monotonic_ns())
    first.facts(location="a.png", path="a.png")
    first.save()
    second = PictureCache(tmp_path, time.monotonic_ns())
    second.facts(location="a.png", path="a.png")
    assert second.read_count == 1


@pytest.mark.parametrize("data", [b"", b"{}", b'x\n{"program": 1, "pictures": [1]}'])
def test_a_damaged_cache_is_ignored(tmp_path: Path, data: bytes) -> None:
    write(tmp_path, {"a.png": png(), FACTS_FILE: data})
    assert later(tmp_path).facts("a.png", "a.png") == PictureFacts("PNG", len(png()), 2, 3)


def test_a_deleted_picture_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        later(tmp_path).facts("a.png", "a.png")


def test_a_folder_without_pictures_gets_no_cache(tmp_path: Path) -> None:
    later(tmp_path).save()
    assert list(tmp_path.iterdir()) == []
