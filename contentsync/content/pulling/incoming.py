"""What comes from the server, and what becomes of the files by it: both as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...model import Entry, Kind

Identity = tuple[Kind, str]  # kind and key of an entry, as the folder has it


@dataclass(frozen=True, slots=True)
class Incoming:
    """What is to be written into a folder."""

    changes: Mapping[Identity, Mapping[str, Any]]  # of entries of the folder: the server's values by dotted name
    new: Sequence[Entry]  # those that only the server has
    there: Mapping[Identity, Entry]  # the server's entry for each of the folder that it has, changed or not
    actual: Sequence[Entry]  # all that the server has, as far as it was read


class Written(NamedTuple):
    """An entry in a file, and which fields of it are written; none where it is new as a whole."""

    kind: Kind
    key: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileEdit:
    """A file before and after; None where there is none."""

    path: str  # its name, relative to the content folder
    location: str  # where it is, links followed; relative too
    before: bytes | None
    after: bytes | None
    written: tuple[Written, ...] = ()
