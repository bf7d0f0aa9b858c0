"""contentsync.content.files.source_text: bytes that are not the text of a content file, whole or in blocks."""

import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.content.draft import Unreadable
from contentsync.content.files.source_text import BLOCK, decoded, decoded_blocks
from contentsync.errors import Where

Found = str | tuple[str, Where]
BOM = b"\xef\xbb\xbf"


def whole(data: bytes) -> Found:
    """The text, or what is wrong with it and where."""
    try:
        return decoded(data, "a.csv")
    except Unreadable as error:
        (problem,) = error.problems
        return problem.code, problem.where


def in_blocks(data: bytes, size: int) -> Found:
    """The same, given in blocks of a size."""
    blocks = (data[start : start + size] for start in range(0, len(data), size))
    try:
        return "".join(decoded_blocks(blocks, "a.csv"))
    except Unreadable as error:
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
def test_every_line_end_becomes_a_line_feed_and_the_byte_order_mark_goes(data: bytes, text: str) -> None:
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
        ("title".encode("utf-16"), "not-utf8", 1, 1),
        ("title".encode("utf-16-le"), "not-utf8", 1, 2),
        (b"a\n\x00", "control-character", 2, 1),
        (b"a\r\nbc\x1b[31m", "control-character", 2, 3),
        (b"\x7f", "control-character", 1, 1),
        (b"<<<<<<< HEAD\n", "merge-marker", 1, 1),
        (b"a\r\n\r<<<<<<< HEAD\r\n", "merge-marker", 3, 1),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "lfs-pointer", 1, 1),
    ],
)
def test_what_is_wrong_has_a_place_wherever_a_block_ends(data: bytes, code: str, line: int, column: int) -> None:
    """FI-01, FI-02, FI-05, FI-06, FI-26, FI-27, CS-02, CS-11"""
    found = (code, Where("a.csv", line, column))
    assert whole(data) == found
    assert {in_blocks(data, size) for size in (4, 5, 6, 7, 100)} == {found}


PIECES = st.sampled_from([b"a", b"\r\n", b"\r", b"\n", b"<<<<<<<", b"\t", "é".encode(), "文".encode(), "😀".encode()])
WRONG = st.sampled_from([b"", b"\x00", b"\xff", b"\xf0\x9f", b"\x1b", b"\n<<<<<<< HEAD", b"\r<<<<<<< x\r"])


@given(st.lists(PIECES), WRONG, st.lists(PIECES), st.integers(4, 12))
def test_blocks_say_the_same_as_the_whole(before: list[bytes], wrong: bytes, after: list[bytes], size: int) -> None:
    data = b"".join([*before, wrong, *after])
    assert in_blocks(data, size) == whole(data)


def test_pieces_end_with_a_line_unless_it_is_longer_than_a_block() -> None:
    lines = [b"a,b\n" * 100_000, b"x" * BLOCK, b"y" * BLOCK, b"z\r", b"\n<<<<<<<", b"\n<<<<<<< HEAD\n"]
    pieces: list[str] = []
    with pytest.raises(Unreadable) as raised:
        for piece in decoded_blocks(lines, "a.csv"):
            pieces.append(piece)  # noqa: PERF402  # those before the error are wanted
    assert [len(piece) for piece in pieces] == [400_000, BLOCK, BLOCK, len("z\n")]
    (problem,) = raised.value.problems
    assert (problem.code, problem.where.line) == ("merge-marker", 100_003)


def test_blocks_take_little_memory() -> None:
    """FI-12"""

    def blocks() -> Iterator[bytes]:
        for _ in range(64):
            yield b"name,text\r\n" * (BLOCK // 11)

    tracemalloc.start()
    try:
        length = sum(map(len, decoded_blocks(blocks(), "a.csv")))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert length > 60 * BLOCK * 10 // 11
    assert peak < 10 * BLOCK
