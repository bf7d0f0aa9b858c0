"""What the fields of an entry are called in the files of a folder: `rename` and `ignore`, read backwards."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ..config import Folder
from .changes import Path


class Spelled(NamedTuple):
    """The keys under which a value stands, and whether the opposite is written."""

    path: Path
    negated: bool = False

    def said(self, value: Any) -> Any:
        """The value as it is written there."""
        return not value if self.negated and isinstance(value, bool) else value


def spelled(folder: Folder, path: Path, has: Callable[[str], bool]) -> Spelled | None:
    """How a field is written in a file that has some keys; None where the config leaves it no key.

    What the file calls it is kept; a new key gets the name that the config gives it.
    """
    renamed = [
        Spelled((key, *path[len(way) :]), target.startswith("!"))
        for key, target in folder.rename.items()
        if path[: len(way := tuple(target.removeprefix("!").split(".")))] == way and key not in folder.ignore
    ]
    own = [Spelled(path)] if path[0] not in folder.ignore and path[0] not in folder.rename else []
    ways = [*renamed, *own]
    return next((way for way in ways if has(way.path[0])), ways[0] if ways else None)
