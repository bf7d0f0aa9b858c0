"""What the system says while it happens."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """That a file or folder has changed; None stands for all: what has changed is not known."""

    path: str | None  # relative to the folder, with forward slashes, NFC; empty: the folder itself has gone
    writing: bool = False  # whoever has written still has the file open
