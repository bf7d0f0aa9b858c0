"""The state file: the base of the next comparison, one line per entry, so that it merges well in git.

The header has the entries that a pull has written since the last sync, as they were before. Releases that do not know
of them ignore them, and write none. Journals have the same kind of header and lines, each with a checksum.
"""

import hashlib
import os
import re
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from heapq import merge
from io import BufferedReader
from itertools import compress
from pathlib import Path
from sys import intern
from typing import Any, TypeVar

import orjson

from ...content.config.config_tables import Target
from ...content.files.content_folder import FileStamp
from ...content.files.folder_signatures import STAMP_MARGIN
from ...errors import Damaged, pluralize
from ...file_writes import replacing
from ...lazy_pattern import lazy_pattern
from ...model import EntryKey, Kind
from ...model.urls import url_key
from ...remote.synced_records import NotSynced
from ..comparing.base import UNKNOWN_BASE, AppliedEntry, Base, BeforePull
from ..comparing.fingerprint import PackedFields
from .state_dir import unreadable_error, unwritable_error

VERSION = 1
_CHECK = b'{"check":"%08x",'
_LENGTH = len(_CHECK % 0)
# An applied entry of the kinds that a plan may leave out. Quotes in texts are escaped, so nothing else can match; keys
# with escapes do not.
_APPLIED = lazy_pattern(rb'"id":(\d+|null),"key":"([^"\\]*)","kind":"(article|listing|page)"')
_KINDS = {kind.value.encode(): kind for kind in Kind}
_END = {"contentsync": "end"}  # without it, the file is cut off
_DIGEST = 12  # bytes

Digests = TypeVar("Digests", str, bytes)
# What this process has made of state files, with their stamps. A command needs each of the digests several times: as
# it begins, and as it reads the state.
_known: dict[tuple[Path, Callable[[BufferedReader], Any]], tuple[FileStamp | None, Any]] = {}


def read_state(file: Path, target: Target, left_out: Collection[str] = ()) -> Base:
    """Return the base in a target's state file; if there is no file, an empty base that is not `is_known`.

    To save time, lines whose digests are `left_out` are not read. Raise NotSynced if the file lacks one of them, or if
    it notes pulls, which may concern them. Raise Damaged if the file is cut off, was changed, or is of another version
    or directory. Raise LocalFileError if it cannot be read.
    """
    try:
        with file.open("rb") as stream:
            lines: Iterator[bytes] = stream
            if left_out:
                is_read = [digest not in left_out for digest in _unpack(_made_once(_digest_lines, file, stream))]
                if is_read.count(False) != len(left_out):
                    raise NotSynced
                lines = compress(stream, is_read)
            return _parse_base(lines, file, target, is_whole=not left_out)
    except FileNotFoundError:
        return UNKNOWN_BASE
    except OSError as error:
        raise unreadable_error(file, error) from error


def digest_state(file: Path) -> str:
    """Return the digest of a state file; empty without a file. Raise LocalFileError if it cannot be read."""
    return _of_present(file, _digest_file, missing="")


def digest_lines(file: Path) -> set[str]:
    """Return the digests of all lines of a state file. Raise LocalFileError if it cannot be read."""
    return {*_unpack(_of_present(file, _digest_lines, missing=b""))}


def _of_present(file: Path, make: Callable[[BufferedReader], Digests], missing: Digests) -> Digests:
    try:
        with file.open("rb") as stream:
            return _made_once(make, file, stream)
    except FileNotFoundError:
        return missing
    except OSError as error:
        raise unreadable_error(file, error) from error


def _made_once(make: Callable[[BufferedReader], Digests], file: Path, stream: BufferedReader) -> Digests:
    """Return the digests of an open file, or those made before if it certainly has not changed since."""
    status = os.fstat(stream.fileno())
    stamp = FileStamp.from_status(status)
    known_stamp, known = _known.get((file, make), (None, None))
    if stamp == known_stamp:
        digests: Digests = known
        return digests
    is_settled = time.time_ns() - status.st_ctime_ns > STAMP_MARGIN  # else the next change may leave the same stamp
    digests = make(stream)
    stream.seek(0)
    _known[file, make] = stamp if is_settled else None, digests
    return digests


def _digest_file(stream: BufferedReader) -> str:
    return hashlib.file_digest(stream, "sha256").hexdigest()


def _digest_lines(stream: BufferedReader) -> bytes:
    """Return the digests of all lines as one object, which needs a tenth of the memory."""
    return b"".join(sha256(line).digest()[:_DIGEST] for line in stream)


def _unpack(digests: bytes) -> Iterator[str]:
    return (digests[start : start + _DIGEST].hex() for start in range(0, len(digests), _DIGEST))


def digest_entries(file: Path) -> dict[EntryKey, str]:
    """Return the digests of the lines of entries in a state file; leave out keys that JSON escapes.

    Raise LocalFileError if the file cannot be read.
    """
    try:
        with file.open("rb") as stream:
            matches = ((_APPLIED.search(line), line) for line in stream)
            return {_identity(found): _line_digest(line) for found, line in matches if found}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise unreadable_error(file, error) from error


def _identity(found: re.Match[bytes]) -> EntryKey:
    return _KINDS[found[3]], found[2].decode()


def _line_digest(line: bytes) -> str:
    return sha256(line).digest()[:_DIGEST].hex()


def _parse_base(lines: Iterator[bytes], file: Path, target: Target, *, is_whole: bool = True) -> Base:
    """Return the base in the lines of a state file. Raise Damaged. Raise NotSynced for pulls in a part of the lines."""
    base = Base()
    ids: set[tuple[Kind, int]] = set()
    document: dict[str, Any] = {}
    pulled: Sequence[Sequence[Any]] = ()
    for number, document in enumerate(decode_lines(lines, file), 1):
        if number == 1:
            check_header(document, "state", target, file)
            pulled = document.get("pulled", ())
            if pulled and not is_whole:
                raise NotSynced
            continue
        if document == _END:
            if next(lines, None) is not None:
                raise damaged_error(file, f"it has lines after its end, line {number}")
            break
        applied = parse_applied(document, file)
        if applied.identity in base:
            raise damaged_error(file, f"line {number} is about {applied.kind} {applied.key}, and so is one before it")
        if applied.id is not None:
            if (applied.kind, applied.id) in ids:
                raise damaged_error(
                    file, f"line {number} is about {applied.kind} {applied.id}, and so is one before it"
                )
            ids.add((applied.kind, applied.id))
        base[applied.identity] = applied
    if document != _END:
        raise damaged_error(file, "its end is missing")
    _note_pulled(base, pulled, file)
    return base


def _note_pulled(base: Base, rows: Iterable[Sequence[Any]], file: Path) -> None:
    """Add the header's notes of pulls (`before_pull`) to the base's entries. Raise Damaged."""
    try:
        for kind, key, folder, former in rows:
            applied = base.get((Kind(kind), key))
            if applied is not None:
                before = None if former is None else parse_applied({**former, "kind": kind}, file)
                base[applied.identity] = applied._replace(before_pull=BeforePull(folder, before))
    except (TypeError, ValueError) as error:
        raise damaged_error(file, f"its first line has no pulled entry where one should be ({error})") from error


def write_state(file: Path, base: Iterable[AppliedEntry], target: Target, left_out: Collection[EntryKey] = ()) -> None:
    """Replace the state file atomically: after a crash, it is the old or the new one. Raise Unwritable.

    The lines of the entries that are `left_out`, which the base lacks, are taken from the present file, except those
    whose record another entry of the base has now. Raise Damaged if the file lacks one of them.
    """
    entries = sorted(base, key=lambda applied: applied.identity)
    pulled = [_pulled_row(applied, applied.before_pull) for applied in entries if applied.before_pull is not None]
    header = file_header("state", target, **({"pulled": pulled} if pulled else {}))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file, durable=True) as stream:
            stream.write(encode_line(header))
            lines = ((applied.identity, encode_line(applied_document(applied))) for applied in entries)
            records = {(applied.kind, applied.id) for applied in entries if applied.id is not None}
            kept = _lines_of(file, {*left_out}, records) if left_out else iter(())
            stream.writelines(line for _identity, line in merge(lines, kept))
            stream.write(encode_line(_END))
    except OSError as error:
        raise unwritable_error(file, error) from error


def _lines_of(
    file: Path, entries: Collection[EntryKey], other_records: Collection[tuple[Kind, int]]
) -> Iterator[tuple[EntryKey, bytes]]:
    """Yield the lines of the entries, except of those with one of the records, in the order of the file.

    Raise OSError. Raise Damaged if one of the entries is missing.
    """
    missing = {*entries}
    with file.open("rb") as stream:
        for line in stream:
            found = _APPLIED.search(line)
            if found and (identity := _identity(found)) in entries:
                missing.discard(identity)
                if (identity[0], orjson.loads(found[1])) not in other_records:
                    yield identity, line
    if missing:
        kinds = {kind for kind, _key in missing}
        names = (min(kinds), min(kinds).plural) if len(kinds) == 1 else ("entry", "entries")
        raise damaged_error(file, f"it lacks {pluralize(len(missing), *names)} that it had when the run began")


def _pulled_row(applied: AppliedEntry, before: BeforePull) -> list[Any]:
    """Return what the header has of a pulled entry: its kind and key, and both parts of `BeforePull`."""
    former = None if before.applied is None else applied_document(before.applied)
    if former is not None:
        del former["kind"]  # `_APPLIED` must not match the header
    return [applied.kind, applied.key, before.folder, former]


def applied_document(applied: AppliedEntry) -> dict[str, Any]:
    """Return an applied entry as a JSON object, as the state file and the journal store it."""
    document = {
        "kind": applied.kind,
        "key": applied.key,
        "id": applied.id,
        "fields": dict(applied.fields.items()),  # for speed: PackedFields unpacks its items at once
        "digest": applied.digest,
        "path": applied.path,
        "slug": applied.slug,
        "title": applied.title,
        "protect": applied.protect,
        "created": applied.created,
        "previous": applied.previous,
        "moving": applied.moving,
    }
    if applied.former is not None:
        document["former"] = applied.former
    if applied.origin != "created":
        document["origin"] = applied.origin
    return document


def parse_applied(document: Mapping[str, Any], file: Path) -> AppliedEntry:
    """Return the applied entry of a JSON object from `file`. Raise Damaged if the object is not one."""
    try:
        typed = {
            "kind": Kind(document["kind"]),
            "fields": PackedFields(document["fields"]),
            "path": intern(document.get("path", "")),
            "previous": tuple(document.get("previous", ())),
        }
        return AppliedEntry(**{**document, **typed})
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise damaged_error(file, f"a line is not an entry ({error})") from error


def file_header(what: str, target: Target, **more: Any) -> dict[str, Any]:
    """Return the header of a target's file; `what` is `state`, `journal` or `plan`."""
    return {
        "contentsync": what,
        "version": VERSION,
        "target": target.name,
        "url": _url(target),
        "directory": target.directory,
        **more,
    }


def directory_of(target: Target) -> tuple[str, int | None]:
    """Return the normalized URL of a target's server, and the id of its directory (None if not set)."""
    return _url(target), target.directory


def check_header(header: Mapping[str, Any], what: str, target: Target, file: Path) -> None:
    """Raise Damaged unless a header has the type `what`, our version and the target (docs/faults.md FI-32, PL-18)."""
    if header.get("contentsync") != what:
        raise damaged_error(file, f"it is not a {what} of contentsync")
    version = header.get("version")
    if version != VERSION:
        raise Damaged(f"{file} is in version {version}, and this is contentsync for version {VERSION}", "upgrade it")
    if (header.get("url"), header.get("directory")) != directory_of(target):
        raise Damaged(
            f"{file} is about directory {header.get('directory')} of {header.get('url')}, "
            f"and the target '{target.name}' is directory {target.directory} of {_url(target)}",
            "give the new server a target of its own, or move the file away",
        )


def damaged_error(file: Path, reason: str) -> Damaged:
    """Return the error to raise for a damaged file."""
    return Damaged(
        f"{file} is damaged: {reason}",
        "restore it, or move it away: then nothing is known of what was applied, and nothing is deleted",
    )


def _url(target: Target) -> str:
    return target.url if target.is_embedded else url_key(target.url)


def encode_line(document: Mapping[str, Any]) -> bytes:
    """Return a document as one line of JSON: a checksum, then the sorted keys. It must not be empty."""
    text = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)[1:]  # `_CHECK` has the opening brace
    return b"%b%b\n" % (_CHECK % zlib.crc32(text), text)


def decode_line(line: bytes) -> dict[str, Any]:
    """Return the document of a line. Raise ValueError if the line does not match its checksum."""
    text = line[_LENGTH:].rstrip(b"\r\n")
    if line[:_LENGTH] != _CHECK % zlib.crc32(text):
        raise ValueError("the line does not match its checksum")
    document: dict[str, Any] = orjson.loads(b"{" + text)  # the prefix has the opening brace
    return document


def decode_lines(lines: Iterable[bytes], file: Path) -> Iterator[dict[str, Any]]:
    """Yield the document of each line. Raise Damaged if there is no line, or if one does not match its checksum."""
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            yield decode_line(line)
        except ValueError as error:
            raise damaged_error(file, f"line {number} was changed after it was written") from error
    if not number:
        raise damaged_error(file, "it is empty")
