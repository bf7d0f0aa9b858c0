"""Where `dev` keeps the site that it shows: beside the content, for one process, and made again when need be."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from ..content.config import Target
from ..content.own_folder import own_folder
from ..errors import Refused, Unavailable, Unwritable, UsageError
from ..server.embedded import Embedded, open_embedded
from ..sync import StateDir, TargetLock

FOLDER = ".contentsync/dev"  # all in it can be made again from the content
TARGET = Target(name="dev", url=f"embedded:{FOLDER}/site.db")


def place_in(folder: Path) -> StateDir:
    """Where all is kept, out of git's sight. Raises Refused where it cannot be made, or a link leads elsewhere."""
    try:
        place = StateDir(own_folder(folder, FOLDER), TARGET.name)
    except OSError as error:
        raise Refused(f"{folder / FOLDER} cannot be used: {error.strerror}", "move away what is there") from error
    place.require_no_link()
    return place


@asynccontextmanager
async def alone(place: StateDir) -> AsyncIterator[None]:
    """Keeps a second `dev` out, which is Refused."""
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(TargetLock(place, TARGET.name))
        except Refused as error:
            raise Refused("contentsync dev is at work in this folder already", "use that one, or end it") from error
        yield


def opened(place: StateDir, settings: dict[str, Any], address: str) -> Embedded:
    """The database at the place; one that cannot be used is made anew."""
    files = [place.root / f"site.db{part}" for part in ("", "-wal", "-shm")]
    for file in files:
        if file.is_symlink():  # a checkout may hold one, and it may lead anywhere
            file.unlink()
    try:
        site = open_embedded(files[0], public_url=address, **settings)
    except (UsageError, Refused, Unavailable):
        for file in files:
            try:
                file.unlink(missing_ok=True)
            except OSError as error:
                raise Unwritable(f"{file} cannot be used: {error.strerror}", "move away what is there") from error
        site = open_embedded(files[0], public_url=address, **settings)
    site.database.is_disposable = True
    return site
