"""The records of a list in a file, a line each: 100,000 of them would take 140 MB of memory.

A line has the digest of the JSON and the JSON. So the digest is computed once, when the record was received:

    d6c4b7cd9ac6bf9b0fd55b5c {"id": 7, "slug": "open", ...}
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from tempfile import SpooledTemporaryFile, gettempdir
from typing import IO, Any
from weakref import finalize

import orjson

from ..errors import Damaged, Unwritable
from ..lazy_pattern import lazy_pattern
from .wire import id_of

_IN_MEMORY = 4 << 20  # bytes from which on a temporary file is used
_BLOCK = 1 << 18  # bytes that are read at once
_DIGEST = 12  # bytes
_JSON = 2 * _DIGEST + 1  # where it begins in a line
_FIRST_ID = lazy_pattern(rb'\{"id":(\d+),')


def _close(file: IO[bytes]) -> None:
    with suppress(OSError):  # of bytes that could not be written, as `add` has reported
        file.close()


class RecordLines:
    """The JSON of records, in their order.

    They are read from a file each time. It is kept open, so that it may be deleted or replaced meanwhile.
    """

    def __init__(self, file: IO[bytes], start: int = 0, count: int = 0) -> None:
        """`file`, which is closed with the object, has `count` lines of records from the byte `start` on."""
        self._file = file
        self._start = start
        self._count = count
        finalize(self, _close, file)

    @classmethod
    def of(cls, records: Iterable[Mapping[str, Any]]) -> "RecordLines":
        """Return the lines of these records, in a temporary file if they are large. Raise Unwritable."""
        lines = cls(SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 (it is closed with the object)
        lines.add(records)
        return lines

    def add(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Append records. Raise Unwritable."""
        added = [stored_line(orjson.dumps(record)) for record in records]
        try:
            self._file.seek(0, 2)
            self._file.writelines(added)
            self._file.flush()  # else an error of the last bytes would be raised when they are read
        except OSError as error:
            message = f"temporary files cannot be written to {_folder()}: {error.strerror}"
            raise Unwritable(message, "make room, or set TMPDIR to another folder") from error
        self._count += len(added)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[bytes]:
        """Yield the JSON of each record."""
        return (line[_JSON:-1] for line in self._read())

    def items(self) -> Iterator[tuple[str, bytes]]:
        """Yield the digest and the JSON of each record."""
        return ((line[: _JSON - 1].decode(), line[_JSON:-1]) for line in self._read())

    def stored(self, without: Collection[int] = ()) -> Iterator[bytes]:
        """Yield the lines of the file, except those of records with one of the ids."""
        return (line for line in self._read() if not without or id_of_json(line[_JSON:-1]) not in without)

    def _read(self) -> Iterator[bytes]:
        position, left = self._start, self._count
        while left:
            self._file.seek(position)
            lines = self._file.readlines(_BLOCK)[:left]
            if not lines or not lines[-1].endswith(b"\n"):
                raise Damaged("a cached list was cut off while it was read", "run again")
            position = self._file.tell()
            left -= len(lines)
            yield from lines

    def digests(self) -> Iterator[str]:
        """Yield the digest of each record."""
        return (line[: _JSON - 1].decode() for line in self._read())

    def digests_by_id(self) -> Mapping[int | None, str]:
        """Return the digest of each record by its id."""
        return {id_of_json(record): digest for digest, record in self.items()}


NO_LINES = RecordLines(BytesIO())


def _folder() -> str:
    try:
        return gettempdir()
    except OSError:  # there is none that is writable
        return "any folder"


def stored_line(record: bytes) -> bytes:
    """Return the line of a record in JSON."""
    return b"%b %b\n" % (record_digest(record).encode(), record)  # a copy: orjson's bytes keep buffers of 4 KB


def record_digest(record: bytes) -> str:
    """Return the digest of the JSON of a record."""
    return sha256(record).hexdigest()[: 2 * _DIGEST]


def id_of_json(record: bytes) -> int | None:
    """Return the id of a record in JSON, without parsing the whole record if the id is its first key."""
    first = _FIRST_ID.match(record)
    return int(first[1]) if first else id_of(orjson.loads(record))
