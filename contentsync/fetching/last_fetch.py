"""What the last fetch of a source wrote, in a file of a private folder, and whether its file has changed since."""

import json
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ..content.content_folder import PRIVATE_FOLDER, make_private_folder
from ..content.file_writes import write_file
from ..errors import Unwritable
from ..git import environ_without_hook, git, working_tree

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


def has_local_changes(folder: Path, file: str, before: bytes | None, last: LastFetch) -> bool:
    """Return whether the bytes of a file are neither those of the last fetch nor those of git's last commit.

    `before` are its bytes; None if it does not exist, so that nothing can be lost.
    """
    return before is not None and digest_of(before) != last.digest and not _is_committed(folder, file)


def _is_committed(folder: Path, file: str) -> bool:
    """Return whether git has a file in its last commit as it is now; False outside of a repository."""
    if working_tree(folder) is None:
        return False
    environ = {**environ_without_hook(), "GIT_LITERAL_PATHSPECS": "1", "GIT_OPTIONAL_LOCKS": "0"}
    words = ("-c", "core.fsmonitor=false", "status", "--porcelain", "--ignored", "--", file)
    status = git(*words, folder=folder, environ=environ)
    tracked = git("ls-files", "--error-unmatch", "--", file, folder=folder, environ=environ)
    return status.returncode == 0 and not status.stdout and tracked.returncode == 0


def _file_name(source: str) -> str:
    return f"{sha256(source.encode()).hexdigest()[:24]}.json"
