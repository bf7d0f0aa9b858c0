"""Names of files and folders: hidden names, names that some systems cannot store, and the parts of a name."""

import os
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ...lazy_pattern import lazy_pattern

MAX_NAME = 255  # bytes; ext4, APFS and NTFS allow no more
MAX_PATH = 4096  # bytes: PATH_MAX of Linux

MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdx")
DOCUMENT_SUFFIXES = (*MARKDOWN_SUFFIXES, ".html")  # of files with one entry, which their name identifies

# Endings of the names of workbooks, whose rows are read only after they are saved as CSV.
SPREADSHEET_TYPES = frozenset({".xlsx", ".xlsm", ".xls", ".ods", ".numbers"})

# Endings of the names of pictures, and the type that each stands for.
PICTURE_TYPES = {
    ".png": "PNG",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".jpe": "JPEG",
    ".jfif": "JPEG",
    ".gif": "GIF",
    ".webp": "WebP",
    ".avif": "AVIF",
    ".svg": "SVG",
}

# Endings of the names of files that are published (docs/content.md 13), and the type that a web server sends with each.
PUBLISHED_TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".jpe": "image/jpeg",
    ".jfif": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".svg": "image/svg+xml",
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".mov": "video/quicktime",
    ".webm": "video/webm",
    ".ogv": "video/ogg",
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".aac": "audio/aac",
    ".ogg": "audio/ogg",
    ".opus": "audio/ogg",
    ".wav": "audio/wav",
    ".flac": "audio/flac",
    ".pdf": "application/pdf",
}

_DEVICE = lazy_pattern(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[1-9¹²³]) *(?:\.|\Z)", re.IGNORECASE)

_DATE = lazy_pattern(r"(\d{4}-\d{2}-\d{2})-(?=.)")  # at the start of `2026-03-01-hello`

# Matches the usual file names, which are neither hidden nor faulty.
is_ordinary = re.compile(r"[A-Za-z0-9_-]{5,200}(?:\.[A-Za-z0-9]{1,9}){1,2}\Z").match


def is_hidden(name: str) -> bool:
    """Return whether a file or folder is never content: a hidden one, an editor's backup, or a package folder."""
    return name.startswith(".") or name.endswith("~") or name in ("node_modules", "4913")  # vim's test file


def normalized_name(name: str) -> str:
    """Return a file name from `os` as NFC, decoded as UTF-8 in any locale. Raises UnicodeError."""
    return unicodedata.normalize("NFC", os.fsencode(name).decode())


def suffix_of(path: str) -> str:
    """Return the ending of a file's name in lower case, with the dot; "" without one."""
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :].lower() if "." in name else ""


def name_fault(path: str) -> str | None:
    """Return why some systems cannot store this path, or None. Of its names, only the last is checked."""
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


def is_below(path: str, folder: str) -> bool:
    """Return whether a path is a folder or inside it; "" is the content folder itself, which contains everything."""
    return not folder or path == folder or path.startswith(f"{folder}/")


def path_in(folder: str, name: str) -> str:
    """Return the path of a file or folder in a folder; "" is the content folder itself."""
    return f"{folder}/{name}" if folder else name


def shown_path(path: str) -> str:
    """Return the path of a folder for messages, git and the config, which write `.` for the content folder itself."""
    return path or "."


def visible_names(folder: Path) -> list[str]:
    """Return the sorted visible names in a folder, with a slash after a folder's name; [] if it cannot be read.

    Compare these names to see whether the content folder itself has changed: the cache in it also changes its stamp.
    """
    try:
        with os.scandir(folder) as entries:
            visible = [entry for entry in entries if not is_hidden(entry.name)]
            return sorted(f"{entry.name}/" if entry.is_dir() else entry.name for entry in visible)
    except OSError:
        return []


INDEX_NAMES = ("index", "_index")  # files that are named after their folder


class FileName(NamedTuple):
    """The parts of a file name that describe the entry."""

    base: str  # the path without language and suffix; equal for an entry and its translations
    stem: str  # the name without date, language and suffix; the slug is made from it
    date: str | None
    locale: str | None
    inner: str = ""  # the path below the collection's path, without the folder of a language

    @property
    def folders(self) -> list[str]:
        """The folders in the collection that contain the file, without the one that an `index.md` is named after."""
        folders = self.inner.split("/")[:-1]
        return folders[:-1] if self.base.rpartition("/")[2] in INDEX_NAMES else folders

    @property
    def undated(self) -> str:
        """The base without the date."""
        folder, _, name = self.base.rpartition("/")
        return path_in(folder, name.removeprefix(f"{self.date}-"))


def spelled_locale(name: str, locales: Sequence[str]) -> str | None:
    """Return the language that a name means in any case, as `locales` spells it: `pt-BR` for `PT-br`; else None."""
    if name in locales:
        return name
    folded = name.lower()
    return next((locale for locale in locales if locale.lower() == folded), None)


def parse_file_name(path: str, locales: Sequence[str], inner: str = "") -> FileName:
    """Return the parts of a name such as `2026-03-01-hello.fr.md`; an `index.md` is named after its folder.

    `inner` is the path below the collection's path. A language that is not in `locales` counts as a part of the stem.
    """
    folder, _, file_name = path.rpartition("/")
    without_suffix = file_name.rpartition(".")[0]
    before_dot, _, after_dot = without_suffix.rpartition(".")
    locale = spelled_locale(after_dot, locales) if before_dot else None
    unlocalized = before_dot if locale else without_suffix
    dated_stem = unlocalized
    if unlocalized in INDEX_NAMES:
        dated_stem = folder.rpartition("/")[2] or unlocalized  # directly in the content folder, it has its own name
    stem, date = dated_stem, None
    if dated := _DATE.match(dated_stem):
        stem, date = dated_stem[dated.end() :], dated[1]
    return FileName(path_in(folder, unlocalized), stem, date, locale, inner)
