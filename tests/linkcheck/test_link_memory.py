"""links.jsonl: small, sorted, and never read wrongly."""

from datetime import date
from pathlib import Path

import pytest

from contentsync.errors import Damaged, Refused, Unwritable
from contentsync.linkcheck.link_history import NO_HISTORY, LinkHistory
from contentsync.linkcheck.link_memory import LinkMemory

DAYS = (date(2026, 11, 2), date(2026, 11, 9))
FAILING = LinkHistory(DAYS, "404 Not Found")
MOVED = LinkHistory(moved=DAYS, moved_to="https://new.dev/ä")
PATH = "links.jsonl"
LINE = '{"url": "https://a.dev/", "failed": ["2026-11-02", "2026-11-09"], "reason": "404 Not Found"}\n'


def test_a_written_memory_is_read_back(tmp_path: Path) -> None:
    LinkMemory(tmp_path, PATH).write({"https://b.dev/": MOVED, "https://a.dev/": FAILING, "https://c.dev/": NO_HISTORY})
    assert LinkMemory(tmp_path, PATH).histories == {"https://a.dev/": FAILING, "https://b.dev/": MOVED}
    assert (tmp_path / PATH).read_text(encoding="utf-8").splitlines(keepends=True)[0] == LINE


def test_a_folder_without_failures_gets_no_file(tmp_path: Path) -> None:
    LinkMemory(tmp_path, PATH).write({"https://a.dev/": NO_HISTORY})
    assert [*tmp_path.iterdir()] == []


def test_the_last_line_leaves_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / PATH).write_text(LINE, encoding="utf-8")
    LinkMemory(tmp_path, PATH).write({})
    assert (tmp_path / PATH).read_bytes() == b""


def test_a_memory_in_the_cache_is_not_in_git(tmp_path: Path) -> None:
    path = ".contentsync/cache/links.jsonl"
    LinkMemory(tmp_path, path).write({"https://a.dev/": FAILING})
    assert LinkMemory(tmp_path, path).histories == {"https://a.dev/": FAILING}
    assert (tmp_path / ".contentsync/.gitignore").read_text() == "*\n"


def test_two_lines_of_an_address_are_merged(tmp_path: Path) -> None:
    other = LINE.replace("2026-11-09", "2026-11-05")
    (tmp_path / PATH).write_text(other + LINE, encoding="utf-8")
    days = (DAYS[0], date(2026, 11, 5), DAYS[1])
    assert LinkMemory(tmp_path, PATH).histories["https://a.dev/"].failed == days


@pytest.mark.parametrize(
    "line",
    [
        "<<<<<<< HEAD",
        "=======",
        ">>>>>>> theirs",
        "not JSON",
        "[]",
        "{}",
        '{"url": "https://a.dev/"}',
        '{"url": "https://a.dev/", "failed": ["yesterday"]}',
        '{"url": "https://a.dev/", "failed": "2026-11-02"}',
        '{"url": "https://a.dev/", "failed": 3}',
        '{"url": "mailto:a@b.dev", "failed": ["2026-11-02"]}',
        '{"url": 1, "failed": ["2026-11-02"]}',
        '{"url": "https://a.dev/", "moved": ["2026-11-02"]}',
        '{"url": "https://a.dev/", "moved": ["2026-11-02"], "moved_to": "javascript:alert()"}',
        '{"url": "https://a.dev/", "failed": ["2026-11-02"], "later": true}',
        "\udcff",
    ],
)
def test_a_damaged_line_is_named_and_nothing_is_lost(tmp_path: Path, line: str) -> None:
    data = f"{LINE}{line}\n".encode(errors="surrogateescape")
    (tmp_path / PATH).write_bytes(data)
    with pytest.raises(Damaged, match=r"links\.jsonl, line 2"):
        LinkMemory(tmp_path, PATH)
    assert (tmp_path / PATH).read_bytes() == data


def test_a_file_that_has_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    memory = LinkMemory(tmp_path, PATH)
    (tmp_path / PATH).write_text(LINE, encoding="utf-8")
    with pytest.raises(Unwritable, match="changed meanwhile"):
        memory.write({"https://b.dev/": FAILING})
    assert (tmp_path / PATH).read_text(encoding="utf-8") == LINE


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside.jsonl").write_text(LINE, encoding="utf-8")
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / PATH).symlink_to("../outside.jsonl")
    with pytest.raises(Refused, match="is a link"):
        LinkMemory(folder, PATH)
    assert (tmp_path / "outside.jsonl").read_text(encoding="utf-8") == LINE
