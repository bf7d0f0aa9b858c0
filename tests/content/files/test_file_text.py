"""contentsync.content.files.file_text: texts from bytes, as a whole and in blocks."""

import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.content.files.file_text import BLOCK_SIZE, UnreadableFile, decode, decode_blocks
from contentsync.errors import Where

BOM = b"\xef\xbb\xbf"
PIECES = st.sampled_from([b"a", b"\r\n", b"\r", b"\n", b"<<<<<<<", b"\t", "é".encode(), "文".encode(), "😀".encode()])
WRONG = st.sampled_from([b"", b"\x00", b"\xff", b"\xf0\x9f", b"\x1b", b"\n<<<<<<< HEAD", b"\r<<<<<<< x\r"])
Found = str | tuple[str, Where]


def whole(data: bytes) -> Found:
    """Return the text, or the problem and its position."""
    try:
        return decode(data, "a.csv")
    except UnreadableFile as error:
        (problem,) = error.problems
        return problem.code, problem.where


def in_blocks(data: bytes, size: int) -> Found:
    """Return the same for a text that is read in blocks of a size."""
    blocks = (data[start : start + size] for start in range(0, len(data), size))
    try:
        return "".join(decode_blocks(blocks, "a.csv"))
    except UnreadableFile as error:
        (problem,) = error.problems
        return problem.code, problem.where


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"a\r\nb\rc\nd", "a\nb\nc\nd"),
        (b"\r\r\n\n", "\n\n\n"),
        (BOM + b"a", "a"),
        (BOM, ""),
        (b"a\t\xc2\x85\xe2\x80\xa8", "a\t\x85\u2028"),
        (b"x\n <<<<<<< HEAD\n<<<<<<<<\na <<<<<<< b", "x\n <<<<<<< HEAD\n<<<<<<<<\na <<<<<<< b"),
    ],
)
def test_line_ends_become_line_feeds_and_the_byte_order_mark_is_removed(data: bytes, text: str) -> None:
    """FI-03, FI-04, CS-01, CS-13"""
    assert whole(data) == text
    assert {in_blocks(data, size) for size in (4, 5, 6, 7, 100)} == {text}


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (b"a\r\nb\xe9\r\n", "not-utf8", 2, 2),
        ("é\rü".encode() + b"\xff", "not-utf8", 2, 2),
        (BOM + b"a\xe2\x82", "not-utf8", 1, 2),
        (b"\xed\xa0\x80", "not-utf8", 1, 1),
        ("title".encode("utf-16-le"), "not-utf8", 1, 2),
        (b"a\n\x00", "control-character", 2, 1),
        (b"a\r\nbc\x1b[31m", "control-character", 2, 3),
        (b"\x7f", "control-character", 1, 1),
        (b"<<<<<<< HEAD\n", "merge-marker", 1, 1),
        (b"a\r\n\r<<<<<<< HEAD\r\n", "merge-marker", 3, 1),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "lfs-pointer", 1, 1),
    ],
)
def test_an_encoding_error_has_the_same_location_for_any_block_size(
    data: bytes, code: str, line: int, column: int
) -> None:
    """FI-01, FI-02, FI-05, FI-06, FI-26, FI-27, CS-02, CS-11"""
    found = (code, Where("a.csv", line, column))
    assert whole(data) == found
    assert {in_blocks(data, size) for size in (4, 5, 6, 7, 100)} == {found}


@given(st.lists(PIECES), WRONG, st.lists(PIECES), st.integers(4, 12))
def test_reading_in_blocks_equals_reading_the_whole(
    before: list[bytes], wrong: bytes, after: list[bytes], size: int
) -> None:
    data = b"".join([*before, wrong, *after])
    assert in_blocks(data, size) == whole(data)


def test_blocks_end_with_a_line_unless_the_line_is_longer() -> None:
    lines = [b"a,b\n" * 100_000, b"x" * BLOCK_SIZE, b"y" * BLOCK_SIZE, b"z\r", b"\n<<<<<<<", b"\n<<<<<<< HEAD\n"]
    pieces: list[str] = []
    with pytest.raises(UnreadableFile) as raised:
        for piece in decode_blocks(lines, "a.csv"):
            pieces.append(piece)  # noqa: PERF402  # those before the error are wanted
    assert [len(piece) for piece in pieces] == [400_000, BLOCK_SIZE, BLOCK_SIZE, len("z\n")]
    (problem,) = raised.value.problems
    assert (problem.code, problem.where.line) == ("merge-marker", 100_003)


def test_reading_in_blocks_takes_little_memory() -> None:
    """FI-12"""

    def blocks() -> Iterator[bytes]:
        for _ in range(64):
            yield b"name,text\r\n" * (BLOCK_SIZE // 11)

    tracemalloc.start()
    try:
        length = sum(map(len, decode_blocks(blocks(), "a.csv")))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert length > 60 * BLOCK_SIZE * 10 // 11
    assert peak < 10 * BLOCK_SIZE
