"""Embedded servers by the dozen: each on a copy of a database that was made once."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from contentsync.server.embedded import EmbeddedService, open_embedded

Locales = tuple[str, ...]


def open_server(file: Path, locales: Locales) -> EmbeddedService:
    """Return the server on the file; create the directory if the file does not exist."""
    if not file.exists():
        shutil.copy(_new_database(locales), file)
    return _open(file, locales)


@cache
def _new_database(locales: Locales) -> Path:
    """Create the database as a copy of a template, which is quicker than its migrations."""
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
