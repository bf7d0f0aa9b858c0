"""Open the files of a content folder, without following links or waiting for pipes, and decode them."""

import codecs
import errno
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

from ...errors import Problem, Where
from ...model import TextPosition
from ..formats.draft import UnreadableFile, position_at
from .content_folder import OPEN_FILE, OPEN_INNER_FOLDER, OPEN_TOP_FOLDER, FileStamp
from .file_names import is_hidden

BLOCK_SIZE = 256 * 1024  # bytes
MERGE_MARKER = re.compile("^<<<<<<< ", re.MULTILINE)  # the start of a merge conflict, which is refused

_BOM = codecs.BOM_UTF8
_BOMS = {"utf-8": _BOM, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}  # by codec
_CODECS = {None: "utf-8", "utf-8": "utf-8", "utf-16": "utf-16-le", "windows-1252": "cp1252"}  # by encoding
_CODEC_NAMES = {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "cp1252": "Windows-1252"}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_IS_CONTROL = bytes(code == 127 or (code < 32 and code not in b"\t\n\r") for code in range(256))
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LFS_POINTER = "version https://git-lfs.github.com/spec/"
_START: TextPosition = (1, 1)
_SAVE_HINT = "save the file as UTF-8"


def decode(data: bytes, path: str) -> str:
    """Return the text of a file without byte order mark; problems name the file `path`. Raises UnreadableFile."""
    try:
        text = data.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        raise UnreadableFile(_undecodable_problem(error, pending="", start=_START, path=path, codec="utf-8")) from error
    if b"\r" in data:
        text = normalize_newlines(text)
    _refuse_forbidden(text, _START, path, controls=_has_controls(data))
    return text


def codec_of(data: bytes, encoding: str | None) -> tuple[str, bytes]:
    """Return the codec of a table that begins with these bytes, and its byte order mark, which may be empty.

    Without an `encoding`, the mark determines the codec. With one, a mark of another encoding raises UnicodeError.
    """
    wanted = _CODECS[encoding]
    for codec, bom in _BOMS.items():
        if data.startswith(bom):
            if encoding and _CODEC_NAMES[codec] != _CODEC_NAMES[wanted]:
                raise UnicodeError(f"it starts with the byte order mark of {_CODEC_NAMES[codec]}")
            return codec, bom
    return wanted, b""


def decode_blocks(blocks: Iterable[bytes], path: str, encoding: str | None = None) -> Iterator[str]:
    """Yield the text of a table in pieces. A piece contains whole lines, unless a line is longer than a block.

    A byte order mark must be in the first block as a whole. `encoding` is that of the table's format, if it has one.
    Raises UnreadableFile at the first faulty piece.
    """
    iterator = iter(_refuse_utf8(blocks, path) if encoding == "windows-1252" else blocks)
    first = next(iterator, b"")
    try:
        codec, bom = codec_of(first, encoding)
    except UnicodeError as error:
        raise UnreadableFile(_wrong_encoding_problem(encoding, str(error), path)) from error
    decoder = codecs.getincrementaldecoder(codec)()
    is_utf16 = codec.startswith("utf-16")
    start, pending = _START, ""  # the position of the next piece, and its text so far
    for block in chain([first.removeprefix(bom)], iterator, [b""]):  # an empty block is the end
        is_last = not block
        try:
            text = pending + decoder.decode(block, is_last)
        except UnicodeDecodeError as error:
            hint = f"{_SAVE_HINT}, or set the encoding of this table in the config (content.listings.tables)"
            raise UnreadableFile(_undecodable_problem(error, pending, start, path, codec, hint)) from error
        carriage_return = "\r" if text.endswith("\r") and not is_last else ""  # may be the first half of \r\n
        text = normalize_newlines(text.removesuffix(carriage_return))
        may_have_controls = is_utf16 or _has_controls(block)  # `pending` was searched with its own block
        _refuse_forbidden(text, start, path, controls=may_have_controls, codec=codec)
        end = text.rfind("\n") + 1
        if is_last or (not end and len(text) >= BLOCK_SIZE):
            end = len(text)
        if end:
            yield text[:end]
        start, pending = _advance(start, text, end), text[end:] + carriage_return


def _refuse_utf8(blocks: Iterable[bytes], path: str) -> Iterator[bytes]:
    """Yield the blocks of a table that should be Windows-1252. Raise UnreadableFile at the end if it is UTF-8.

    Two different letters outside ASCII prove that. One may be chance: `É®` in Windows-1252 is one letter in UTF-8.
    """
    decoder, letters, is_utf8 = codecs.getincrementaldecoder("utf-8")(), set[str](), True
    for block in chain(blocks, [b""]):
        try:
            text = decoder.decode(block, final=not block) if is_utf8 else ""
            letters.update(text if not text.isascii() else "")
        except UnicodeDecodeError:
            is_utf8 = False
        if block:
            yield block
    if is_utf8 and sum(not letter.isascii() for letter in letters) > 1:
        raise UnreadableFile(_wrong_encoding_problem("windows-1252", "it is UTF-8", path))


def _wrong_encoding_problem(encoding: str | None, reason: str, path: str) -> Problem:
    message = f"the config says that the file is {_CODEC_NAMES[_CODECS[encoding]]}, but {reason}"
    return Problem("not-utf8", message, Where(path, *_START), "correct the encoding of this table in the config")


def normalize_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _has_controls(data: bytes) -> bool:
    pieces = (data[start : start + BLOCK_SIZE] for start in range(0, len(data), BLOCK_SIZE))
    return any(b"\x01" in piece.translate(_IS_CONTROL) for piece in pieces)  # four times as fast as a regex


def _refuse_forbidden(text: str, start: TextPosition, path: str, *, controls: bool, codec: str = "utf-8") -> None:
    """Raise UnreadableFile for Git LFS pointers, merge conflicts, and with `controls` for control characters."""
    control = _CONTROL.search(text) if controls else None
    if control:
        message = f"the file contains the control character U+{ord(control[0]):04X}"
        hint = "delete it; most editors can show invisible characters"
        where = Where(path, *_advance(start, text, control.start()))
        # In UTF-16, every second byte of English is NUL.
        if control[0] == "\0" and where < Where(path, 1, 3) and codec == "utf-8":
            raise UnreadableFile(Problem("not-utf8", "the file looks like UTF-16", where, _SAVE_HINT))
        raise UnreadableFile(Problem("control-character", message, where, hint))
    if start == _START and text.startswith(_LFS_POINTER):
        message = "the file is a Git LFS pointer: its content has not been downloaded"
        raise UnreadableFile(Problem("lfs-pointer", message, Where(path), "run git lfs pull"))
    _, start_column = start
    search_from = 0 if start_column == 1 else 1  # not where the text begins, if that is within a line
    may_have_marker = "<" in text and "<<<<<<<" in text  # the first test is fast
    if may_have_marker and (marker := MERGE_MARKER.search(text, search_from)):
        hint = "resolve the conflict; if the line is part of the text, put a space before it"
        where = Where(path, *_advance(start, text, marker.start()))
        raise UnreadableFile(Problem("merge-marker", "this line marks an unresolved merge conflict", where, hint))


def _undecodable_problem(
    error: UnicodeDecodeError, pending: str, start: TextPosition, path: str, codec: str, hint: str = _SAVE_HINT
) -> Problem:
    """Return the problem of bytes that are not text; `pending` is the text before them, and begins at `start`."""
    preceding = normalize_newlines(pending + error.object[: error.start].decode(codec))
    where = Where(path, *_advance(start, preceding, len(preceding)))
    if not preceding and start == _START and error.object.startswith(_UTF16):
        message = "the file is UTF-16"
    else:
        message = f"the byte 0x{error.object[error.start]:02X} is not {_CODEC_NAMES[codec]}"
    return Problem("not-utf8", message, where, hint)


def _advance(start: TextPosition, text: str, offset: int) -> TextPosition:
    """Return the position of an offset in a text that begins at `start`."""
    start_line, start_column = start
    line, column = position_at(text, offset)
    return start_line + line - 1, column if line > 1 else start_column + column - 1


MAX_BYTES = 10 * 1024 * 1024
MAX_TABLE_BYTES = 512 * 1024 * 1024  # tables are read in blocks

_ATOMIC_READ_SIZE = 4096  # bytes: the system reads so many at once; a larger read may mix two versions of a file
_ATTEMPTS = 2  # to read a file that changes meanwhile

# Files that are read as if the folder contained them, and None for those that count as missing, by location.
Proposed = Mapping[str, bytes | None]
_NO_STAMP = FileStamp(0, 0, 0, 0)


class ContentRoot:
    """Opens files of a content folder without following links. Raises UnreadableFile if the folder cannot be opened.

    The folder of the last file stays open, so that reading files in the order of their paths is fast. On systems that
    cannot open a file relative to a folder (Windows), files are opened by their full path. `proposed` files are read
    as if the folder contained them. Not thread-safe.
    """

    def __init__(
        self,
        folder: Path,
        *,
        read: Callable[[int, int], bytes] = os.read,
        by_descriptor: bool = os.open in os.supports_dir_fd,
        proposed: Proposed = MappingProxyType({}),
    ) -> None:
        """Open the folder. `read` works like `os.read`; `by_descriptor`: a file can be opened relative to a folder."""
        self._path = folder
        self._proposed = proposed
        self._read = read
        self._by_descriptor = by_descriptor
        self._top: int | None = None  # the descriptor of the content folder
        self._last: tuple[str, int] | None = None  # the folder of the last file, and its descriptor
        if by_descriptor:
            try:
                self._top = os.open(folder, OPEN_TOP_FOLDER)
            except OSError as error:
                raise UnreadableFile(unreadable_problem(".", error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close_last()
        if self._top is not None:
            os.close(self._top)
            self._top = None

    def read_text(self, location: str, path: str, limit: int = MAX_BYTES) -> tuple[str, FileStamp]:
        """Return the text of a file and its stamp; `location` and `path` as for `read_bytes`. Raises UnreadableFile."""
        data, stamp = self.read_bytes(location, path, limit)
        return decode(data, path), stamp

    def read_bytes(self, location: str, path: str, limit: int = MAX_BYTES) -> tuple[bytes, FileStamp]:
        """Return the bytes of a file, and its stamp. Raises UnreadableFile.

        `location` is its path in the content folder, without links; `path` is its name in problems; `limit` is its
        maximum size in bytes. A file that changes while it is read is read a second time.
        """
        if (proposed := self._proposed.get(location)) is not None:
            return proposed, _NO_STAMP
        for _ in range(_ATTEMPTS):
            descriptor = self._open(location, path)
            try:
                stamp = _checked_stamp(descriptor, path, limit)
                data = self._read(descriptor, stamp.size + 1)  # one more, in case the file has grown
                is_complete = len(data) == stamp.size
                is_atomic = stamp.size <= _ATOMIC_READ_SIZE
                if is_complete and (is_atomic or _checked_stamp(descriptor, path, limit) == stamp):
                    return data, stamp
            except OSError as error:
                raise UnreadableFile(unreadable_problem(path, error)) from error
            finally:
                os.close(descriptor)
        raise UnreadableFile(_changed_problem(path))

    @contextmanager
    def open_blocks(
        self, location: str, path: str, encoding: str | None = None
    ) -> Iterator[tuple[Iterator[str], FileStamp]]:
        """Open a table of up to MAX_TABLE_BYTES; yield its pieces as from `decode_blocks`, and its stamp.

        `location` is its path in the content folder, without links; `path` is its name in problems. Raises
        UnreadableFile. Reading the pieces raises it too, at the end if the file changed in the meantime.
        """
        with self.open_bytes(location, path) as (blocks, stamp):
            yield decode_blocks(blocks, path, encoding), stamp

    @contextmanager
    def open_bytes(self, location: str, path: str) -> Iterator[tuple[Iterator[bytes], FileStamp]]:
        """Open a file of up to MAX_TABLE_BYTES; yield its bytes in blocks, and its stamp.

        `location` is its path in the content folder, without links; `path` is its name in problems. Raises
        UnreadableFile. Reading the blocks raises it too, at the end if the file changed in the meantime.
        """
        if (proposed := self._proposed.get(location)) is not None:
            yield iter([proposed]), _NO_STAMP
            return
        descriptor = self._open(location, path)
        try:
            stamp = _checked_stamp(descriptor, path, MAX_TABLE_BYTES)
            yield self._blocks(descriptor, stamp, path), stamp
        finally:
            os.close(descriptor)

    def read_head(self, location: str, path: str, size: int) -> bytes:
        """Return the first bytes of a file, `size` at most. Raises UnreadableFile."""
        if (proposed := self._proposed.get(location)) is not None:
            return proposed[:size]
        descriptor = self._open(location, path)
        try:
            _checked_stamp(descriptor, path, MAX_TABLE_BYTES)
            return self._read(descriptor, size)
        except OSError as error:
            raise UnreadableFile(unreadable_problem(path, error)) from error
        finally:
            os.close(descriptor)

    def _blocks(self, descriptor: int, stamp: FileStamp, path: str) -> Iterator[bytes]:
        """Yield the bytes of a file in blocks. Raise UnreadableFile at the end if it changed meanwhile."""
        remaining = stamp.size
        try:
            while block := self._read(descriptor, BLOCK_SIZE):
                remaining -= len(block)
                if remaining < 0:  # the file has grown
                    break
                yield block
            is_unchanged = remaining == 0 and _checked_stamp(descriptor, path, MAX_TABLE_BYTES) == stamp
        except OSError as error:
            raise UnreadableFile(unreadable_problem(path, error)) from error
        if not is_unchanged:
            raise UnreadableFile(_changed_problem(path))

    def _open(self, location: str, path: str) -> int:
        """Return a descriptor of a file, opened without following links. Raise UnreadableFile."""
        folder, _, name = location.rpartition("/")
        try:
            if not self._by_descriptor:
                return os.open(self._path / location, OPEN_FILE)
            last_folder, descriptor = self._last or (None, -1)
            if last_folder != folder:
                descriptor = self._enter(folder)
            return os.open(name, OPEN_FILE, dir_fd=descriptor)
        except OSError as error:
            # It was found a moment ago: it was deleted, or replaced by a link (of which systems say ELOOP or EMLINK).
            has_changed = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EMLINK)
            raise UnreadableFile(_changed_problem(path) if has_changed else unreadable_problem(path, error)) from error

    def _enter(self, folder: str) -> int:
        """Open a folder without following links, and return its descriptor. Closes the folder that was open before."""
        self._close_last()
        assert self._top is not None, "the content folder is closed"  # noqa: S101
        descriptor = os.dup(self._top)
        try:
            for part in folder.split("/") if folder else ():
                inner = os.open(part, OPEN_INNER_FOLDER, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
        except OSError:
            os.close(descriptor)
            raise
        self._last = folder, descriptor
        return descriptor

    def _close_last(self) -> None:
        if self._last is not None:
            os.close(self._last[1])
            self._last = None


def resolve_link(folder: Path, location: str, path: str) -> str:
    """Return the path of a link's target in the folder. Raises UnreadableFile if it is missing, outside or hidden.

    `folder` is the real path of the content folder, `location` the link's path in it, `path` the link in problems.
    """
    try:
        real = (folder / location).resolve(strict=True)
    except (OSError, RuntimeError):  # a loop is a RuntimeError before Python 3.13
        reason = "to nothing"
    else:
        if not real.is_relative_to(folder):
            reason = "to a place outside of the content folder"
        elif any(map(is_hidden, real.relative_to(folder).parts)):
            reason = "to a hidden file"
        else:
            return real.relative_to(folder).as_posix()
    message, hint = f"the symbolic link points {reason}", "replace the link with the file itself"
    raise UnreadableFile(Problem("bad-link", message, Where(path), hint))


def folder_problem(folder: Path) -> Problem | None:
    """Return the problem that a content folder does not exist or cannot be read, or None."""
    if not os.path.isdir(folder):  # noqa: PTH112  # Path.is_dir raises where it may not look
        return Problem("no-folder", f"there is no folder {folder}", Where("."), "pass the path of the content folder")
    try:
        os.scandir(f"{folder}/.").close()  # a listable folder is not always searchable
    except OSError as error:  # reported once, and not for each file in it
        return Problem(
            "unreadable", f"the folder cannot be read: {error.strerror}", Where("."), "check its permissions"
        )
    return None


def unreadable_problem(path: str, error: OSError) -> Problem:
    """Return the problem that the system cannot read a file or folder."""
    is_long = error.errno == errno.ENAMETOOLONG
    hint = "shorten its name, or the names of its folders" if is_long else "check its permissions"
    return Problem("unreadable", f"this cannot be read: {error.strerror}", Where(path), hint)


def special_file_problem(path: str) -> Problem:
    """Return the problem that a path is a pipe, a socket or a device."""
    message = "this is a pipe, a socket or a device, not a file"
    return Problem("special-file", message, Where(path), "move it out of the content folder")


def _changed_problem(path: str) -> Problem:
    return Problem("file-changed", "the file changed while it was read", Where(path), "run the command again")


def _checked_stamp(descriptor: int, path: str, limit: int) -> FileStamp:
    """Return the stamp of an open file. Raise UnreadableFile if it is no file, or larger than the limit."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFile(special_file_problem(path))
    if status.st_size > limit:
        message = f"the file has {status.st_size:,} bytes; the limit is {limit:,}"
        raise UnreadableFile(Problem("too-large", message, Where(path), "split the file"))
    return FileStamp.from_status(status)
