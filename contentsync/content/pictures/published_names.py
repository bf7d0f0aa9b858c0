"""The names of published files: a readable stem, and a digest of the bytes (docs/content.md 13).

A name stands for the same bytes for ever, so a published file is never overwritten, and an entry of yesterday finds its
file.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from ...lazy_pattern import lazy_pattern
from ...model.slug import make_slug
from ..files.file_names import suffix_of

DIGEST_LENGTH = 32  # hex digits; two authors cannot make two files of the same name
PLACEHOLDER_DIGEST = "0" * DIGEST_LENGTH  # of a file that is not read yet: makes an address of the right length

_MAX_STEM = 60  # characters
_NAME = lazy_pattern(rf"[a-z0-9-]{{1,{_MAX_STEM}}}-[0-9a-f]{{{DIGEST_LENGTH}}}\.[a-z0-9]{{1,5}}(?![A-Za-z0-9])")
_DIGEST = lazy_pattern(rf"(?<![0-9a-f])[0-9a-f]{{{DIGEST_LENGTH}}}(?![0-9a-f])")


class PublishedFile(NamedTuple):
    """A file of the content folder that an entry names, and its name in the asset store."""

    name: str
    path: str  # in the content folder
    location: str  # the path with links resolved
    size: int  # bytes


class StoredFile(NamedTuple):
    """A file in the asset store."""

    name: str
    size: int  # bytes
    modified: datetime


def published_name(path: str, digest: str) -> str:
    """Return the name in the asset store of the file at a path whose bytes have this SHA-256."""
    return f"{published_stem(path)}-{digest[:DIGEST_LENGTH]}{suffix_of(path)}"


def published_stem(path: str) -> str:
    """Return the part of a published name that comes from the file's name."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return make_slug(stem)[:_MAX_STEM].rstrip("-") or "file"


def is_published_name(name: str) -> bool:
    """Return whether a file of the store has a name that this program may have made."""
    return _NAME.fullmatch(name) is not None


def name_at_start(text: str) -> str:
    """Return the published name with which a text begins; "" if it begins with another text."""
    name = _NAME.match(text)
    return name[0] if name else ""


def digest_in(name: str) -> str:
    """Return the digest in a published name."""
    return name.rpartition(".")[0][-DIGEST_LENGTH:]


def published_names(value: Any, base: str) -> Iterator[str]:
    """Yield the name in each address of a published file in a value of a field, also in texts, lists and objects.

    `base` is the public address of the store, with a slash at its end.
    """
    for text in texts_in(value):
        start = text.find(base)
        while start >= 0:
            name = _NAME.match(text, start + len(base))
            if name:
                yield name[0]
            start = text.find(base, start + len(base))


def digests_in(text: str) -> set[str]:
    """Return the texts in a text that have the form of a digest in a published name, below any address."""
    return set(_DIGEST.findall(text))


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in a value of a field, also those inside lists and objects; keys are left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts_in(item)
