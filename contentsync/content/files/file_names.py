"""Names of files and folders: which are none of the authors' content, and which not every system can hold."""

import os
import re
import unicodedata
from pathlib import Path

MAX_NAME = 255  # bytes: ext4, APFS and NTFS hold no longer ones, or count otherwise
MAX_PATH = 4096  # bytes: PATH_MAX of Linux

_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[1-9¹²³]) *(?:\.|\Z)", re.IGNORECASE)

# Gives whether a name is a file's, and one of those that the two functions below say nothing about.
is_plain = re.compile(r"[A-Za-z0-9_-]{5,200}(?:\.[A-Za-z0-9]{1,9}){1,2}\Z").match


def is_hidden(name: str) -> bool:
    """Whether a file or folder is none of the authors' content: hidden, left by an editor, or a package folder."""
    return name.startswith(".") or name.endswith("~") or name in ("node_modules", "4913")  # the latter is vim's


def composed(name: str) -> str:
    """A name that the system gave, in UTF-8 whatever the locale says, and in the form NFC. Raises UnicodeError."""
    return unicodedata.normalize("NFC", os.fsencode(name).decode())


def name_fault(path: str) -> str | None:
    """Why not every system can hold a file or folder at this path, of which only the last name is judged."""
    name = path[path.rfind("/") + 1 :]
    size, length = len(name.encode()), len(path.encode())
    if size > MAX_NAME:
        return f"the file name has {size} bytes, but many systems allow at most {MAX_NAME}"
    if length > MAX_PATH:
        return f"the path has {length} bytes, but many systems allow at most {MAX_PATH}"
    if name[-1] in ". ":
        return "the file name ends with a dot or a space, which Windows does not allow"
    if _DEVICE.match(name):
        return f"Windows does not allow this file name: '{name.partition('.')[0].rstrip()}' is the name of a device"
    return None


def names_in(folder: Path) -> list[str]:
    """The visible names in a folder, those of folders with a slash; none where the system does not let it be read.

    They say of the content folder itself whether it is as it was: its stamp changes when the cache is made in it.
    """
    try:
        with os.scandir(folder) as entries:
            visible = [entry for entry in entries if not is_hidden(entry.name)]
            return sorted(f"{entry.name}/" if entry.is_dir() else entry.name for entry in visible)
    except OSError:
        return []
