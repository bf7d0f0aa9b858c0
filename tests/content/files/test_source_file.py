"""contentsync.content.files.source_file: files that cannot be read, and files that change while they are."""

import os
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contentsync.content.files.content_folder import FileStamp
from contentsync.content.files.file_text import UnreadableFile
from contentsync.content.files.source_file import MAX_BYTES, MAX_TABLE_BYTES, ContentRoot
from contentsync.content.folder.load import load_content

from ...permissions import as_no_user
from ..conftest import Load, only, spots, write

PAGE = "pages/a.md"
CSV = "listings/a.csv"
TITLE = "---\ntitle: A\n---\nText\n"


def code(read: Callable[..., object], *arguments: object) -> str:
    """Return the code of the problem with which reading is refused."""
    with pytest.raises(UnreadableFile) as raised:
        read(*arguments)
    (problem,) = raised.value.problems
    return problem.code


def table(root: ContentRoot, location: str = CSV) -> str:
    with root.open_blocks(location, location) as (blocks, _):
        return "".join(blocks)


@pytest.mark.parametrize("by_descriptor", [True, False])
def test_reading_a_file_returns_its_text_and_its_stamp(tmp_path: Path, by_descriptor: bool) -> None:
    write(tmp_path, {PAGE: b"\xef\xbb\xbfa\r\nb", CSV: "a,b\r\n" * 200_000, "x.md": "x", "pages/b/c.md": "c"})
    stamp = FileStamp.from_status((tmp_path / PAGE).stat())
    with ContentRoot(tmp_path, by_descriptor=by_descriptor) as root:
        assert root.read_text(PAGE, PAGE) == ("a\nb", stamp)
        assert [root.read_text(path, path)[0] for path in ("x.md", "pages/b/c.md", PAGE)] == ["x", "c", "a\nb"]
        assert table(root) == "a,b\n" * 200_000


def test_no_file_stays_open_after_reading(tmp_path: Path) -> None:
    write(tmp_path, {"a/b/c.md": "c", "a/d.md": b"\xff", CSV: "a\n"})
    before = os.listdir("/dev/fd")  # noqa: PTH208
    with ContentRoot(tmp_path) as root:
        assert root.read_text("a/b/c.md", "")[0] == "c"
        assert code(root.read_text, "a/d.md", "") == "not-utf8"
        assert code(root.read_text, "a/e/f.md", "") == "file-changed"
        with root.open_blocks(CSV, "") as (blocks, _):
            next(blocks)
    assert os.listdir("/dev/fd") == before  # noqa: PTH208


@pytest.mark.parametrize("path", [PAGE, "tags.yaml", "contentsync.toml"])
def test_utf16_is_an_error_in_all_files_but_tables(read: Load, path: str) -> None:
    """FI-02, CS-02"""
    assert spots(read({path: "title: A".encode("utf-16")})) == [(path, 1, 1, "not-utf8")]


@pytest.mark.parametrize("path", [PAGE, CSV, "tags.yaml", "contentsync.toml"])
def test_control_characters_are_an_error_in_every_format(read: Load, path: str) -> None:
    """FI-05, FI-06, CS-11"""
    content = read({path: "a\nbc\x00d"})
    assert spots(content) == [(path, 2, 3, "control-character")]
    assert "U+0000" in content.problems[0].message


def test_bytes_that_are_not_utf8_are_reported_by_line_and_column(read: Load) -> None:
    """FI-01"""
    content = read({PAGE: "---\r\ntitle: é ".encode() + b"caf\xe9\r\n---\r\n"})
    assert spots(content) == [(PAGE, 2, 13, "not-utf8")]
    assert "UTF-8" in content.problems[0].hint


@pytest.mark.parametrize(
    ("path", "limit"), [(PAGE, MAX_BYTES), ("contentsync.toml", MAX_BYTES), (CSV, MAX_TABLE_BYTES)]
)
def test_a_file_over_the_size_limit_is_not_read(tmp_path: Path, path: str, limit: int) -> None:
    """FI-12"""
    root = write(tmp_path, {path: ""})
    os.truncate(root / path, limit + 1)
    content = load_content(root)
    assert spots(content) == [(path, 1, 1, "too-large")]
    assert f"{limit:,}" in content.problems[0].message


POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12345\n"
FILES = pytest.mark.parametrize("path", [PAGE, "articles/a.html", CSV, "tags.yaml", "contentsync.toml"])


@FILES
def test_a_git_lfs_pointer_is_an_error(read: Load, path: str) -> None:
    """FI-26"""
    content = read({path: POINTER})
    assert spots(content) == [(path, 1, 1, "lfs-pointer")]
    assert (content.problems[0].hint, content.entries) == ("run git lfs pull", ())


@FILES
@pytest.mark.parametrize("before", ["", "a\n\n", "a\r\nb\r\n"])
def test_a_merge_conflict_marker_is_an_error_at_its_line(read: Load, path: str, before: str) -> None:
    """FI-27"""
    content = read({path: f"{before}<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> topic\n"})
    assert spots(content) == [(path, before.count("\n") + 1, 1, "merge-marker")]
    assert content.entries == ()


CONFLICT = "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> topic\n"


@pytest.mark.parametrize(("opening", "closing"), [("```", "```"), ("~~~~ sh", "~~~~~"), ("  ```diff", "```")])
def test_a_conflict_marker_in_a_code_block_is_a_warning(read: Load, opening: str, closing: str) -> None:
    """FI-27"""
    content = read({PAGE: f"---\ntitle: A\n---\n\nText\n{opening}\n{CONFLICT}{closing}\n"})
    assert spots(content) == [(PAGE, 7, 1, "merge-marker")]
    assert not content.errors
    assert CONFLICT in content.entries[0].fields["markdown"]


@pytest.mark.parametrize(
    "body",
    [
        f"```\n{CONFLICT}",
        f"```\ncode\n```\n{CONFLICT}```\ncode\n```\n",
        "```\n<<<<<<< HEAD\nx\n```\n=======\ny\n```\n>>>>>>> topic\n",
        f"<<<<<<< HEAD\n```\n{CONFLICT}```\n",
        f"``` a`b\n{CONFLICT}```\n",
    ],
)
def test_a_conflict_marker_partly_outside_of_a_code_block_is_an_error(read: Load, body: str) -> None:
    """FI-27"""
    content = read({PAGE: f"---\ntitle: A\nsummary: |\n  ```\n---\n{body}"})
    assert [problem.code for problem in content.errors] == ["merge-marker"]
    assert content.entries == ()


@pytest.mark.parametrize("path", ["articles/a.html", CSV, "listings/a.yaml"])
def test_only_markdown_has_code_blocks(read: Load, path: str) -> None:
    content = read({path: f"---\ntitle: A\n---\n```\n{CONFLICT}```\n"})
    assert [problem.code for problem in content.errors] == ["merge-marker"]


@pytest.mark.parametrize("path", [PAGE, CSV])
@pytest.mark.parametrize(
    ("data", "type_", "hint"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a PNG picture", "rename it"),
        (b"GIF89a\x01\x00\x01\x00\x00", "a GIF picture", "rename it"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a PDF document", "rename it"),
        (b"PK\x03\x04\x14\x00\x06\x00", "a ZIP archive", "as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00", "an old Office document", "as CSV"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00\xff", "binary data", "rename it"),
    ],
)
def test_a_binary_file_is_reported_with_its_type(read: Load, path: str, data: bytes, type_: str, hint: str) -> None:
    """FI-05"""
    content = read({path: data})
    assert spots(content) == [(path, 1, 1, "binary-file")]
    (problem,) = content.problems
    assert problem.message.startswith(f"the file is {type_}")
    assert hint in problem.hint


@pytest.mark.parametrize("text", ["GIF89a is a format.", "%PDF-1.7 is a format."])
def test_text_about_binary_files_is_content(read: Load, text: str) -> None:
    assert only(read({PAGE: f"---\ntitle: A\n---\n{text}\n"})).fields["markdown"] == text


@pytest.mark.parametrize("line", [" <<<<<<< HEAD", "<<<<<<<<", "a <<<<<<< b", POINTER])
def test_text_about_merging_or_pointers_is_content(read: Load, line: str) -> None:
    assert only(read({PAGE: f"---\ntitle: A\n---\n\nText\n{line}\n"})).fields["markdown"].startswith("Text")


def test_a_link_that_replaced_a_file_or_folder_is_not_followed(tmp_path: Path) -> None:
    """FI-15"""
    write(tmp_path / "site", {"pages/x/a.md": TITLE, "pages/y/b.md": TITLE})
    write(tmp_path / "secret", {"b.md": "secret"})
    with ContentRoot(tmp_path / "site") as root:
        pages = tmp_path / "site/pages"
        (pages / "x/a.md").unlink()
        (pages / "x/a.md").symlink_to("../../../secret/b.md")
        (pages / "y").rename(tmp_path / "old")
        (pages / "y").symlink_to("../../secret")
        for location in ("pages/x/a.md", "pages/y/b.md"):
            assert code(root.read_text, location, PAGE) == "file-changed"
            assert code(table, root, location) == "file-changed"


def test_an_open_folder_is_read_after_its_path_was_replaced(tmp_path: Path) -> None:
    """FI-15"""
    write(tmp_path / "site", {"pages/a.md": "own", "pages/b.md": "own"})
    write(tmp_path / "secret", {"b.md": "secret"})
    with ContentRoot(tmp_path / "site") as root:
        assert root.read_text("pages/a.md", PAGE)[0] == "own"
        (tmp_path / "site/pages").rename(tmp_path / "old")
        (tmp_path / "site/pages").symlink_to("../secret")
        assert root.read_text("pages/b.md", PAGE)[0] == "own"


def test_a_deleted_file_is_an_error(tmp_path: Path) -> None:
    """FI-18"""
    with ContentRoot(tmp_path) as root:
        assert code(root.read_text, "gone.md", PAGE) == "file-changed"
        assert code(root.read_text, "gone/gone.md", PAGE) == "file-changed"


class Meddling:
    """Reads as the system does, but something happens to the file before the first readings."""

    def __init__(self, *happenings: Callable[[], object]) -> None:
        self._happenings = list(happenings)

    def __call__(self, descriptor: int, size: int) -> bytes:
        if self._happenings:
            self._happenings.pop(0)()
        return os.read(descriptor, size)


@pytest.mark.parametrize("text", ["a", "a longer one", "old text", "x" * 10_000])
def test_a_file_that_changes_while_it_is_read_is_read_again(tmp_path: Path, text: str) -> None:
    """FI-18"""
    file = tmp_path / "a.md"
    file.write_text("old text")
    with ContentRoot(tmp_path, read=Meddling(lambda: file.write_text(text))) as root:
        assert root.read_text("a.md", "a.md")[0] == text


def test_a_change_without_a_new_size_is_detected_in_a_large_file(tmp_path: Path) -> None:
    """FI-18"""
    file = tmp_path / "a.md"
    file.write_text("a" * 10_000)
    reads: list[int] = []

    def read(descriptor: int, size: int) -> bytes:
        data = os.read(descriptor, size)
        reads.append(size)
        if len(reads) == 1:
            file.write_text("b" * 10_000)
            os.utime(file, ns=(0, 0))
        return data

    with ContentRoot(tmp_path, read=read) as root:
        assert root.read_text("a.md", "a.md")[0] == "b" * 10_000


def test_a_file_that_changes_again_and_again_is_an_error(tmp_path: Path) -> None:
    """FI-18"""
    file = tmp_path / "a.md"
    file.write_text("x")
    with ContentRoot(tmp_path, read=Meddling(*[lambda: file.write_text(file.read_text() + "x")] * 9)) as root:
        assert code(root.read_text, "a.md", "a.md") == "file-changed"


def _grow(file: Path) -> None:
    with file.open("a") as more:
        more.write("b\n")


@pytest.mark.parametrize(
    "change",
    [_grow, lambda file: os.truncate(file, 300_000), lambda file: os.utime(file, ns=(0, 0))],
    ids=["grows", "shrinks", "is rewritten"],
)
def test_a_table_that_changes_while_it_is_read_is_an_error_at_the_end(
    tmp_path: Path, change: Callable[[Path], object]
) -> None:
    """FI-18"""
    file = tmp_path / "a.csv"
    file.write_text("a\n" * 300_000)
    taken: list[str] = []
    with ContentRoot(tmp_path) as root, root.open_blocks("a.csv", "a.csv") as (blocks, _):
        taken.append(next(blocks))
        change(file)
        assert code(taken.extend, blocks) == "file-changed"
    assert taken


def test_a_pipe_or_socket_in_place_of_a_file_never_blocks(tmp_path: Path) -> None:
    """FI-16"""
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listening, ContentRoot(tmp_path) as root:
        listening.bind(str(tmp_path / "socket.md"))
        assert code(root.read_text, "pipe.md", PAGE) == "special-file"
        assert code(table, root, "pipe.md") == "special-file"
        assert code(root.read_text, "socket.md", PAGE) == "unreadable"


@pytest.mark.skipif(sys.platform != "linux", reason="a file whose reading fails is at hand on Linux only")
def test_a_failing_read_is_an_error() -> None:
    """FI-17"""
    with ContentRoot(Path("/proc/self")) as root:
        assert code(root.read_text, "mem", PAGE) == "unreadable"
        assert code(table, root, "mem") == "unreadable"


@pytest.fixture
def shared() -> Iterator[Path]:
    """Yield a folder that every user may read."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # noqa: PTH101
        yield Path(folder).resolve()


TAGGED = "name,url,tags\nA,https://a.example,missing\n"


@pytest.mark.parametrize("locked", ["pages/b.md", "pages/c", "tags.yaml"])
def test_a_file_without_read_permission_is_an_error_and_others_are_read(shared: Path, locked: str) -> None:
    """FI-17"""
    files = {"pages/a.md": TITLE, "pages/b.md": TITLE, "pages/c/c.md": TITLE, "tags.yaml": "- title: T\n", CSV: TAGGED}
    root = write(shared, files)
    (root / locked).chmod(0)
    with as_no_user():
        content = load_content(root)
    (root / locked).chmod(0o755)
    # A tag that is not among those that could be read may be among the others.
    others = [] if locked == "tags.yaml" else [(CSV, "unknown-reference")]
    assert [(spot[0], spot[3]) for spot in spots(content)] == [*others, (locked, "unreadable")]
    assert "ermission" in content.problems[-1].message
    assert "a" in [entry.key for entry in content.entries]


def test_a_content_folder_without_read_permission_is_an_error(shared: Path) -> None:
    """FI-17"""
    root = write(shared / "site", {PAGE: TITLE})
    root.chmod(0o311)
    with as_no_user():
        content = load_content(root)
    root.chmod(0o755)
    assert [problem.code for problem in content.problems] == ["unreadable"]
    assert content.entries == ()
