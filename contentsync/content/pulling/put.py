"""Writing what a pull has made of a folder's files."""

from collections.abc import Sequence
from pathlib import Path

from ...errors import ContentError
from ..files.writing import exchange
from ..folder import load
from .incoming import FileEdit


def put(folder: Path, edits: Sequence[FileEdit]) -> None:
    """Put the edits into the folder: all of them, or none.

    Raises Unwritable, and ContentError where the folder would have errors then.
    """
    if not edits:
        return
    exchange(folder, {edit.location: (edit.before, edit.after) for edit in edits})
    content = load(folder)
    if content.errors:
        exchange(folder, {edit.location: (edit.after, edit.before) for edit in edits})
        raise ContentError(content.errors)
