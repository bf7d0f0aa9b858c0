"""TODO."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ...content.config import Target
from ...content.files.writing import put
from ...model import Kind
from ..comparing.base import UNKNOWN, Applied, Base
from .state_dir import check_heading, damaged, document_of, heading_of, line_of, unreadable, unwritable

_END = {"contentsync": "end"}  # without it, the file was cut


def read_state(file: Path, target: Target) -> Base:
    """What was last applied to the target; a base that is not `known` where there is no file.

    Raises Damaged for a file that is cut, changed, of a newer version, or of another directory, and Unwritable
    for one that cannot be read: neither is ever taken for an empty one.
    """
    try:
        lines = file.read_bytes().splitlines()
    except FileNotFoundError:
        return UNKNOWN
    except OSError as error:
        raise unreadable(file, error) from error
    base: dict[tuple[Kind, str], Applied] = {}
    ids: set[tuple[Kind, int]] = set()
    for number, document in _documents(lines, file):
        if number == 1:
            check_heading(document, "state", target, file)
            continue
        applied = applied_from(document, file)
        if applied.identity in base:
            raise damaged(file, f"line {number} is about {applied.kind} {applied.key}, and so is one before it")
        if applied.id is not None:
            if (applied.kind, applied.id) in ids:
                raise damaged(file, f"line {number} is about {applied.kind} {applied.id}, and so is one before it")
            ids.add((applied.kind, applied.id))
        base[applied.identity] = applied
    return Base(base)


def write_state(file: Path, base: Iterable[Applied], target: Target) -> None:
    """Replaces the state as a whole: a reader, or a crash, finds the old one or the new one. Raises Unwritable."""
    lines = sorted(base, key=lambda applied: applied.identity)
    text = b"".join(
        [line_of(heading_of("state", target)), *(line_of(document_from(line)) for line in lines), line_of(_END)]
    )
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        put(file, text, durable=True)
    except OSError as error:
        raise unwritable(file, error) from error


def document_from(applied: Applied) -> dict[str, Any]:
    """An applied entry as it stands in a line."""
    document = {
        "kind": applied.kind,
        "key": applied.key,
        "id": applied.id,
        "fields": dict(applied.fields),
        "digest": applied.digest,
        "path": applied.path,
        "slug": applied.slug,
        "title": applied.title,
        "protect": applied.protect,
        "created": applied.created,
        "previous": applied.previous,
        "moving": applied.moving,
    }
    return document if applied.former is None else {**document, "former": applied.former}


def applied_from(document: Mapping[str, Any], file: Path) -> Applied:
    """The applied entry of a line. Raises Damaged, which names the file."""
    try:
        previous = tuple(document.get("previous", ()))
        return Applied(**{**document, "kind": Kind(document["kind"]), "previous": previous})
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(file, f"a line of it is about no entry ({error})") from error


def _documents(lines: list[bytes], file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    if not lines:
        raise damaged(file, "it is empty")
    for number, line in enumerate(lines, 1):
        try:
            document = document_of(line)
        except ValueError as error:
            raise damaged(file, f"line {number} is not as it was written") from error
        if document == _END:
            if number < len(lines):
                raise damaged(file, f"it goes on after line {number}, its end")
            return
        yield number, document
    raise damaged(file, "its end is missing")
