"""What the last fetch of a source wrote, in a file of a private folder."""

import json
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ..content.content_folder import PRIVATE_FOLDER, make_private_folder
from ..content.file_writes import write_file
from ..errors import Unwritable

_FOLDER = f"{PRIVATE_FOLDER}/sources"


class LastFetch(NamedTuple):
    """The address of the last fetch, the ETag of the answer, and the digest of the bytes that were written."""

    url: str = ""
    etag: str = ""
    digest: str = ""


NO_FETCH = LastFetch()


def digest_of(data: bytes) -> str:
    """Return the digest of the bytes of a file."""
    return sha256(data).hexdigest()


def read_last_fetch(folder: Path, name: str) -> LastFetch:
    """Return the record of the last fetch of a source; NO_FETCH if there is none or if it cannot be read."""
    try:
        record = json.loads((folder / _FOLDER / _file_name(name)).read_bytes())
        fetch = LastFetch(record["url"], record["etag"], record["digest"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return NO_FETCH  # the next fetch then asks before it overwrites, and reads everything
    return fetch if all(isinstance(part, str) for part in fetch) else NO_FETCH


def write_last_fetch(folder: Path, name: str, fetch: LastFetch) -> None:
    """Record a fetch. Raise Unwritable."""
    try:
        write_file(make_private_folder(folder, _FOLDER) / _file_name(name), json.dumps(fetch._asdict()).encode())
    except OSError as error:
        message = f"{folder / _FOLDER} cannot be written: {error.strerror}"
        raise Unwritable(message, "make room, or correct the permissions") from error


def _file_name(source: str) -> str:
    return f"{sha256(source.encode()).hexdigest()[:24]}.json"
