"""From bytes to text with `\\n` line ends and nothing in it that no author means, or the reason why not."""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from ...errors import Problem, Where
from ...model import Mark
from ..draft import Unreadable, mark_at

BLOCK = 256 * 1024  # bytes

_BOM = codecs.BOM_UTF8
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_IS_CONTROL = bytes(code == 127 or (code < 32 and code not in b"\t\n\r") for code in range(256))
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LFS_POINTER = "version https://git-lfs.github.com/spec/"
_MERGE_MARKER = re.compile("^<<<<<<< ", re.MULTILINE)
_START: Mark = (1, 1)


def decoded(data: bytes, path: str) -> str:
    """The text of a whole file, without byte order mark; `path` is its name in problems. Raises Unreadable."""
    try:
        text = data.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        raise Unreadable(_not_utf8(error, "", _START, path)) from error
    if b"\r" in data:
        text = _with_line_feeds(text)
    _refuse(text, _START, path, controls=_has_controls(data))
    return text


def decoded_blocks(blocks: Iterable[bytes], path: str) -> Iterator[str]:
    """The same text in pieces, which end with a line unless the line is longer than a block.

    No block but the last has less than four bytes. Raises Unreadable when it is the turn of the piece that is wrong:
    those before it have been given by then.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    start, held = _START, ""  # where the next piece begins, and what of it there is already
    for block in chain(blocks, [b""]):
        if start == _START and not held:
            block = block.removeprefix(_BOM)
        ends = not block
        try:
            text = held + decoder.decode(block, ends)
        except UnicodeDecodeError as error:
            raise Unreadable(_not_utf8(error, held, start, path)) from error
        split = "\r" if text.endswith("\r") and not ends else ""  # perhaps the first half of a line end
        text = _with_line_feeds(text.removesuffix(split))
        _refuse(text, start, path, controls=_has_controls(block))
        end = text.rfind("\n") + 1
        if ends or (not end and len(text) >= BLOCK):
            end = len(text)
        if end:
            yield text[:end]
        start, held = _behind(start, text, end), text[end:] + split


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _has_controls(data: bytes) -> bool:
    return b"\x01" in data.translate(_IS_CONTROL)  # a quarter of the time of a search


def _refuse(text: str, start: Mark, path: str, *, controls: bool) -> None:
    """Raise Unreadable for control characters, and for what git leaves in the place of content."""
    control = _CONTROL.search(text) if controls else None
    if control:
        message = f"the file contains the control character U+{ord(control[0]):04X}"
        hint = "delete it; most editors can show invisible characters"
        where = Where(path, *_behind(start, text, control.start()))
        if control[0] == "\0" and where < Where(path, 1, 3):  # as every second byte of English is then
            raise Unreadable(Problem("not-utf8", "the file looks like UTF-16", where, "save the file as UTF-8"))
        raise Unreadable(Problem("control-character", message, where, hint))
    if start == _START and text.startswith(_LFS_POINTER):
        message = "the file is a Git LFS pointer: its content has not been downloaded"
        raise Unreadable(Problem("lfs-pointer", message, Where(path), "run git lfs pull"))
    if "<" in text and "<<<<<<<" in text and (marker := _MERGE_MARKER.search(text, 0 if start[1] == 1 else 1)):
        hint = "resolve the conflict; if the line is part of the text, put a space before it"
        where = Where(path, *_behind(start, text, marker.start()))
        raise Unreadable(Problem("merge-marker", "this line marks an unresolved merge conflict", where, hint))


def _not_utf8(error: UnicodeDecodeError, held: str, start: Mark, path: str) -> Problem:
    before = _with_line_feeds(held + error.object[: error.start].decode())
    where = Where(path, *_behind(start, before, len(before)))
    if not before and start == _START and error.object.startswith(_UTF16):
        message = "the file is UTF-16"
    else:
        message = f"the byte 0x{error.object[error.start]:02X} is not UTF-8"
    return Problem("not-utf8", message, where, "save the file as UTF-8")


def _behind(start: Mark, text: str, offset: int) -> Mark:
    """The place of an offset in a text that begins at `start`."""
    line, column = mark_at(text, offset)
    return start[0] + line - 1, column if line > 1 else start[1] + column - 1
