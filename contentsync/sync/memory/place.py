"""Where a sync keeps what it must remember: beside the content, and apart for each target."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from ...errors import Refused
from .heading import unreadable

_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")  # a file's name everywhere, also where case does not count


@dataclass(frozen=True, slots=True)
class Place:
    """The files of one target (docs/sync.md, Undo a run)."""

    root: Path
    name: str  # the target's, as a file's

    @classmethod
    def of(cls, folder: Path, target: str, state_dir: Path | None = None) -> "Place":
        """The folder's own `.contentsync`, or a part of `state_dir` that no other folder shares.

        Raises Refused where a link in it leads elsewhere: a commit may bring links, and what is kept is written there.
        """
        name = target if _PLAIN.match(target) else f"target-{_mark(target)}"
        if state_dir is None:
            place = cls(folder / ".contentsync", name)
            place.require_no_link()
            return place
        whole = folder.resolve()
        return cls(state_dir / f"{whole.name}-{_mark(str(whole))}", name)

    @property
    def state(self) -> Path:
        """What was last applied, a line an entry."""
        return self.root / "state" / f"{self.name}.jsonl"

    @property
    def journals(self) -> Path:
        """A file a run."""
        return self.root / "journal" / self.name

    @property
    def lock(self) -> Path:
        return self.root / "lock" / self.name

    @property
    def cache(self) -> Path:
        """What the server last had; safe to delete."""
        return self.root / "cache" / "server" / self.name

    def require_no_link(self) -> None:
        """Raises Refused where a link leads elsewhere from here, and Unwritable where that cannot be found out."""
        for place in (self.state, self.journals, self.lock, self.cache):
            for part in (place, *place.parents[: len(place.relative_to(self.root).parts)]):
                try:
                    is_link = part.is_symlink()
                except OSError as error:
                    raise unreadable(part, error) from error
                if is_link:
                    raise Refused(
                        f"{part} is a link, and what a sync remembers is not written through one",
                        "take the link away; --state-dir names another place",
                    )


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:8]
