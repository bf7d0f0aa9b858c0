"""Embedded servers by the dozen: each on a copy of a database that was made once."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from contentsync.server.embedded import EmbeddedService, open_embedded

Locales = tuple[str, ...]


def open_server(file: Path, locales: Locales) -> EmbeddedService:
    """The server on the file, which is a new directory's where there is none yet."""
    if not file.exists():
        shutil.copy(_new_database(locales), file)
    return _open(file, locales)


@cache
def _new_database(locales: Locales) -> Path:
    """Copying one is quicker than making one."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    _open(folder / "site.db", locales).close()
    return folder / "site.db"


def _open(file: Path, locales: Locales) -> EmbeddedService:
    return open_embedded(
        file,
        name="Tools",
        locales=locales,
        expired="badge",
        organizers_enabled=True,
        organizers_prefix="/organizers",
        organizers_label="Organizer",
    )
