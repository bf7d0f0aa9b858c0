"""What the last run found, by the stamps of the files: safe to delete, and not believed where there is a doubt.

A stamp (size, modification, change, inode) says that a file is as it was only if the file was left alone for a
while when it was read: a later change within one tick of the file system's clock would have the same stamp. So what
is newer than the run itself, less a margin, is read again, as git does with its index (docs/decisions/0006).
"""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import orjson

from ..model import Kind
from .batch import Batch, stamp_text
from .files.writing import put
from .own_folder import own_folder
from .recall import FOLDER, SEAL, SURVEY, packed, program_digest, read_stamped, unpacked
from .signatures import Signing, signatures
from .unit import Unit

PAYS_FROM = 500  # files; fewer are read as fast as the cache
MARGIN = 3 * 10**9  # nanoseconds; FAT keeps times of two seconds

_UNITS = f"{FOLDER}/units.json"  # a head, then a batch a line
_FEW, _MANY = 64, 512  # units of a batch: of fewer a new one is made, of up to so many


@dataclass(slots=True)
class Cache:
    """The cache of one content folder, for one run."""

    folder: Path
    now: Signing  # of what the run looks at
    settled: int  # nanoseconds by the file system's own clock: what is older had been left alone for a while
    _program: str
    _unchanged: Set[str]  # folders in which nothing has changed since the units were kept
    _kept: dict[bytes, list[bytes]]  # batches of the last run, by knowledge and kind
    _keep: dict[bytes, list[bytes]] = field(default_factory=dict)  # and of this one
    _few: dict[bytes, Batch] = field(default_factory=dict)  # the units of small batches, together
    most: ClassVar[int] = 100  # entries of a unit that is kept: a table is read again

    @classmethod
    def open(cls, folder: Path, paths: Sequence[str], *, files: int, elapsed: int) -> "Cache | None":
        """The cache of a folder of so many files, for a run that looks at `paths` and began `elapsed` nanoseconds ago.

        Makes the cache's folder. None where it cannot be written, as on a read-only disk, and where a link leads
        elsewhere, as a checkout may hold one.
        """
        try:
            settled = settled_before(folder, elapsed + MARGIN)
        except OSError:
            return None
        now = Signing(folder, _with_parents(paths), files)
        program = program_digest()
        head, *lines = unpacked(read_stamped(folder, _UNITS)[0]).split(b"\n")
        stored = _document(head)
        if stored.get("program") != program:
            stored, lines = {}, []
        before = stored.get("signatures", {})
        # A first run needs none of them before its end, and reads meanwhile: what is settled has not changed since.
        unchanged = {path for path, it in now.result().items() if before.get(path) == it.digest} if before else set()
        kept: dict[bytes, list[bytes]] = {}
        for line in lines:
            group, _, data = line.partition(b"\t")
            kept.setdefault(group, []).append(data)
        return cls(folder, now, settled, program, unchanged, kept)

    @property
    def remembers(self) -> bool:
        """Whether there are units of the last run."""
        return bool(self._kept)

    def knows(self, knowledge: str, kind: Kind) -> bool:
        """Whether the last run, with the same knowledge of the rest of the folder, read units of a kind."""
        return _group(knowledge, kind) in self._kept

    def batches(self, knowledge: str, kind: Kind, units: Mapping[str, Unit]) -> Iterator[Batch]:
        """What units of a kind, by name, held when the last run, with the same knowledge of the rest, read them."""
        group = _group(knowledge, kind)
        for data in self._kept.pop(group, ()):
            batch = Batch.of(data)
            pairs = zip(batch.names, batch.stamps, strict=True)
            same = batch.only([name in units and self._is_same(units[name], stamps) for name, stamps in pairs])
            self._add(group, same, data if same is batch else None)
            yield same

    def keep(self, knowledge: str, kind: Kind, batch: Batch, data: bytes | None) -> None:
        """Keep the units of a batch whose files had all been left alone for a while for the next run.

        `data` is the batch's JSON if that is there already.
        """
        pairs = zip(batch.changed, batch.stamps, strict=True)
        settled = batch.only([changed < self.settled and stamps != "" for changed, stamps in pairs])
        self._add(_group(knowledge, kind), settled, data if settled is batch else None)

    def _add(self, group: bytes, batch: Batch, data: bytes | None) -> None:
        if data and len(batch.names) >= _FEW:
            self._keep.setdefault(group, []).append(data)
        else:
            self._few.setdefault(group, Batch.empty()).extend(batch)

    def save(self, survey: Mapping[str, Any] | None, looked_into: Set[str] = frozenset()) -> None:
        """Write what was kept; and the survey, unless something is so new that it may yet change unseen.

        The survey also depends on what there is in the folders that were `looked_into`. Without a survey, as after a
        run that has to be repeated, nothing is written.
        """
        now = self.now.result()
        if survey is None:
            return
        # What has changed since these were looked into is too new to be settled.
        more = [path for path in _with_parents([*looked_into]) if path not in now]
        now = now | signatures(self.folder, more, files=0)
        settled = {path: signature.digest for path, signature in now.items() if signature.is_settled(self.settled)}
        document = {"program": self._program, "signatures": settled}
        for group, batch in self._few.items():
            self._keep.setdefault(group, []).extend(part.dumps() for part in batch.parts(_MANY))
        units = [orjson.dumps(document)]
        for group, batches in self._keep.items():
            for data in batches:
                units += (b"\n", group, b"\t", data)
        with suppress(OSError):  # a full disk costs nothing but the next run's time
            put(self.folder / _UNITS, *packed(units))
            if len(settled) == len(now):
                document["survey"] = survey
                put(self.folder / SURVEY, *packed([orjson.dumps(document)]))
                put(self.folder / SEAL, read_stamped(self.folder, SURVEY)[1])

    def _is_same(self, unit: Unit, stamps: str) -> bool:
        if all(file.location.rpartition("/")[0] in self._unchanged for file in unit.files):
            return True
        return has_stamps(self.folder, unit, stamps)


def settled_before(folder: Path, ago: int) -> int:
    """The moment so many nanoseconds ago, by the clock of the folder's file system. Makes the cache's folder.

    Raises OSError where it cannot, as on a read-only disk.
    """
    with tempfile.TemporaryFile(dir=own_folder(folder, FOLDER)) as file:
        return os.fstat(file.fileno()).st_mtime_ns - ago


def has_stamps(folder: Path, unit: Unit, stamps: str) -> bool:
    """Whether the files of a unit are those of the stamps."""
    try:
        found = [os.lstat(f"{folder}/{file.location}") for file in unit.files]  # a Path takes longer than the system
    except OSError:
        return False
    texts = [stamp_text((it.st_size, it.st_mtime_ns, it.st_ctime_ns, it.st_ino)) for it in found]
    return stamps == "\n".join(texts)


def _with_parents(paths: Sequence[str]) -> list[str]:
    """The paths and the folders above them: a link in the place of one leads elsewhere."""
    found = set(paths)
    for path in paths:
        while path := path.rpartition("/")[0]:
            found.add(path)
    return sorted(found)


def _document(data: bytes) -> dict[str, Any]:
    """What is kept besides units; empty for what somebody made up: a checkout may hold it, with a right digest."""
    try:
        stored = orjson.loads(data)
    except orjson.JSONDecodeError:
        return {}
    return stored if isinstance(stored, dict) else {}


def _group(knowledge: str, kind: Kind) -> bytes:
    return f"{knowledge} {kind}".encode()
