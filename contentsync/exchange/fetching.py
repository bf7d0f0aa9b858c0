"""Fetch the data of sources, and plan the edits of the files that it is written into.

The gates refuse data that has lost rows or columns. Each fetch is recorded in a file of a private folder.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ..authoring.edit.file_edits import FileEdit
from ..content.config.config import Config
from ..content.config.config_tables import source_url_fault
from ..content.files.content_folder import PRIVATE_FOLDER, make_private_folder
from ..content.files.file_text import UnreadableFile, decode, decode_blocks
from ..content.files.source_file import MAX_TABLE_BYTES, ContentRoot
from ..content.formats.item_reader import ListItem, read_list
from ..content.formats.table_rows import TABLE_SUFFIXES, TableFormat, TableRows
from ..errors import ContentError, Refused, Unwritable, UsageError, join_first, pluralize
from ..file_writes import write_file
from ..git import environ_with_literal_paths, git, working_tree
from ..model import Kind
from ..remote.source_download import Download, download

MAX_LOST_PERCENT = 40  # of the rows; a fetch that loses so many needs consent

_FOLDER = f"{PRIVATE_FOLDER}/sources"


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """The losses to which the user consents."""

    allow_fewer_rows: bool = False
    allow_missing_columns: bool = False


class LastFetch(NamedTuple):
    """The address of the last fetch, the ETag of the answer, and the digest of the bytes that were written."""

    url: str = ""
    etag: str = ""
    digest: str = ""


NO_FETCH = LastFetch()


class DataShape(NamedTuple):
    """The number of rows of a table or list, and the names of its columns or keys."""

    rows: int
    columns: frozenset[str]


@dataclass(frozen=True, slots=True)
class FetchedSource:
    """One source: the rows that it has now, and the edit of its file; without an edit, nothing has changed."""

    name: str
    file: str
    fetch: LastFetch
    rows: int = 0
    rows_before: int | None = None  # None: there was no such file
    edit: FileEdit | None = None
    overwrites_local: bool = False  # the file has changes that are neither fetched nor committed


def choose_sources(config: Config, names: Collection[str]) -> list[str]:
    """Return the chosen `names`, in the order of the config; all sources if `names` is empty.

    Raise UsageError if there is no such source, or none at all.
    """
    if not config.sources:
        raise UsageError("the config has no sources", "add a table [sources.NAME] with url and file")
    if unknown := next((name for name in names if name not in config.sources), None):
        raise UsageError(f"there is no source '{unknown}'", f"the sources are: {', '.join(config.sources)}")
    return [name for name in config.sources if not names or name in names]


async def fetch_sources(
    folder: Path, config: Config, names: Sequence[str], options: FetchOptions
) -> list[FetchedSource]:
    """Fetch sources and return what is to be written; write nothing.

    Raise Refused for data that a gate refuses, RemoteError if a source cannot be read, and ContentError if its data or
    its file cannot be read as content.
    """
    return [await _fetch(folder, config, name, options) for name in names]


async def _fetch(folder: Path, config: Config, name: str, options: FetchOptions) -> FetchedSource:
    """Fetch one source. Download no data if the source's ETag and the file are those of the last fetch."""
    settings = config.sources[name]
    before, last = _read(folder, settings.file), read_last_fetch(folder, name)
    is_current = before is not None and digest_of(before) == last.digest and last.url == settings.url
    answer = await download(settings.url, source_url_fault, etag=last.etag if is_current else "")
    if answer is None:  # the source has not changed
        return FetchedSource(name, settings.file, last)
    fetch = LastFetch(settings.url, answer.etag, digest_of(answer.data))
    try:
        shape_before, shape = _check_data(config, name, before, answer, options)
    except UnreadableFile as error:
        raise ContentError(error.problems, folder) from error
    if answer.data == before:
        return FetchedSource(name, settings.file, fetch)
    edit = FileEdit(path=settings.file, location=settings.file, before=before, after=answer.data)
    rows_before = shape_before.rows if shape_before else None
    is_local = has_local_changes(folder, settings.file, before, last)
    return FetchedSource(name, settings.file, fetch, shape.rows, rows_before, edit, overwrites_local=is_local)


def _check_data(
    config: Config, name: str, before: bytes | None, answer: Download, options: FetchOptions
) -> tuple[DataShape | None, DataShape]:
    """Return the shapes of the file (None: absent or unreadable) and of the answer.

    Raise Refused if a gate refuses the answer, and UnreadableFile if the answer cannot be read.
    """
    file = config.sources[name].file
    if looks_like_html(answer.data, answer.content_type):
        hint = "share the sheet so that its data can be read without signing in"
        raise Refused(f"the source {name} answers with a web page, not with data", hint)
    if not answer.data.strip():
        raise Refused(f"the source {name} has no rows", "check the address")
    after = read_shape(answer.data, file, config)
    try:
        shape_before = None if before is None else read_shape(before, file, config)
    except UnreadableFile:  # it has an error that the fetch may fix
        shape_before = None
    refuse_losses(name, shape_before, after, options)
    return shape_before, after


def looks_like_html(data: bytes, content_type: str) -> bool:
    """Return whether an answer is a web page, such as one that asks the user to sign in."""
    start = data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()
    return content_type.partition(";")[0].strip().lower() in ("text/html", "application/xhtml+xml") or start[:1] == b"<"


def read_shape(data: bytes, path: str, config: Config) -> DataShape:
    """Return the shape of the data of a file at a path, in the format that the config sets. Raise UnreadableFile."""
    kind = config.kind_at(path) or Kind.LISTING
    collection = config.content[kind]
    if path.lower().endswith(TABLE_SUFFIXES):
        return _table_shape(data, path, collection.table_format(path))
    items = read_list(decode(data, path), kind, path, collection.item_path)
    drafts = [item.draft for item in items if isinstance(item, ListItem)]  # the others are problems
    names = frozenset(name for draft in drafts for name in draft.values)
    return DataShape(sum(bool(draft.values) for draft in drafts), names)


def _table_shape(data: bytes, path: str, table: TableFormat) -> DataShape:
    """Return the number of rows that are not empty, and the names in the header; nothing without a header."""
    rows = TableRows(decode_blocks([data], path, table.encoding), table, path)
    iterator = iter(rows)
    header = rows.find_header(iterator)
    if header is None:
        return DataShape(rows=0, columns=frozenset())
    return DataShape(sum(any(row.cells) for row in iterator), frozenset(cell for cell in header.cells if cell))


def refuse_losses(name: str, before: DataShape | None, after: DataShape, options: FetchOptions) -> None:
    """Raise Refused if the data of the source `name` has lost too many rows, or any column.

    `before` is the shape of the present file; None: there is no shape to compare. Data without rows is always refused.
    """
    if not after.rows:  # no option allows it: if the source is really empty, the user deletes the file
        raise Refused(f"the source {name} has no rows", "check the address; delete the file by hand if it is empty")
    if before is None:
        return
    lost = before.rows - after.rows
    if not options.allow_fewer_rows and lost > 0 and lost * 100 >= before.rows * MAX_LOST_PERCENT:
        message = f"the source {name} has {pluralize(after.rows, 'row')} now, and the file has {before.rows:,}"
        raise Refused(message, "if that is right: --allow-fewer-rows")
    missing = sorted(before.columns - after.columns)
    if missing and not options.allow_missing_columns:
        message = f"the source {name} lacks columns that the file has: {join_first(missing)}"
        raise Refused(message, "if that is right: --allow-missing-columns")


def _read(folder: Path, path: str) -> bytes | None:
    """Return the bytes of a file; None if it does not exist. Raise ContentError if it cannot be read."""
    if not (folder / path).exists():
        return None
    try:
        with ContentRoot(folder) as root:
            data, _stamp = root.read_bytes(path, path, MAX_TABLE_BYTES)
            return data
    except UnreadableFile as error:
        raise ContentError(error.problems, folder) from error


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


def has_local_changes(folder: Path, file: str, before: bytes | None, last: LastFetch) -> bool:
    """Return whether the bytes of a file are neither those of the last fetch nor those of git's last commit.

    `before` are its bytes; None if it does not exist, so that nothing can be lost.
    """
    return before is not None and digest_of(before) != last.digest and not _is_committed(folder, file)


def _is_committed(folder: Path, file: str) -> bool:
    """Return whether git has a file in its last commit as it is now; False outside of a repository."""
    if working_tree(folder) is None:
        return False
    environ = {**environ_with_literal_paths(), "GIT_OPTIONAL_LOCKS": "0"}
    words = ("-c", "core.fsmonitor=false", "status", "--porcelain", "--ignored", "--", file)
    status = git(*words, folder=folder, environ=environ)
    tracked = git("ls-files", "--error-unmatch", "--", file, folder=folder, environ=environ)
    return status.returncode == 0 and not status.stdout and tracked.returncode == 0
