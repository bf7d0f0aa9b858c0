"""Lines of JSON that show when a bit of them is no longer what it was."""

import zlib
from collections.abc import Mapping
from typing import Any

import orjson

_CHECK = b'{"check":"%08x",'
_LENGTH = len(_CHECK % 0)


def line_of(document: Mapping[str, Any]) -> bytes:
    """A document that is not empty as one line, its keys sorted behind a checksum."""
    text = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)[1:]
    return b"%b%b\n" % (_CHECK % zlib.crc32(text), text)


def document_of(line: bytes) -> dict[str, Any]:
    """The document in a line. Raises ValueError unless it is as `line_of` made it."""
    text = line[_LENGTH:].removesuffix(b"\n")
    if line[:_LENGTH] != _CHECK % zlib.crc32(text):
        raise ValueError("the line does not match its checksum")
    document: dict[str, Any] = orjson.loads(b"{" + text)
    return document
