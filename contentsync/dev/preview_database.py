"""The database of the site that `dev` shows: beside the content, for one process, created again if necessary."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from ..content.config.config_tables import Target
from ..content.files.content_folder import make_private_folder
from ..errors import Refused, Unavailable, Unwritable, UsageError
from ..server.access import DirectorySettings
from ..server.embedded import EmbeddedService, open_embedded
from ..sync.state.state_dir import StateDir, TargetLock

FOLDER = ".contentsync/dev"  # everything in it can be created again from the content
TARGET = Target.model_construct(name="dev", url=f"embedded:{FOLDER}/site.db")


def open_state_dir(folder: Path) -> StateDir:
    """Create the folder in which the command `dev` stores its files, ignored by git, and return its StateDir.

    Raise Refused if the folder cannot be created, or if it is a symbolic link.
    """
    try:
        state_dir = StateDir(make_private_folder(folder, FOLDER), TARGET.name)
    except OSError as error:
        raise Refused(f"{folder / FOLDER} cannot be used: {error.strerror}", "move it away") from error
    state_dir.require_no_link()
    return state_dir


@asynccontextmanager
async def lock_state_dir(state_dir: StateDir) -> AsyncIterator[None]:
    """Lock the files of `dev` until the context ends. Raise Refused if another `dev` has the lock."""
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(TargetLock(state_dir, TARGET.name))
        except Refused as error:
            raise Refused("contentsync dev is already running in this folder", "use that one, or stop it") from error
        yield


def open_database(state_dir: StateDir, settings: DirectorySettings, address: str) -> EmbeddedService:
    """Open the database, or a new one if it is unusable. Raise Unwritable if the old one cannot be deleted."""
    files = [state_dir.root / f"site.db{suffix}" for suffix in ("", "-wal", "-shm")]
    for file in files:
        if file.is_symlink():  # a commit may contain a link to any file
            file.unlink()
    try:
        site = open_embedded(files[0], public_url=address, disposable=True, **settings)
    except (UsageError, Refused, Unavailable):
        for file in files:
            try:
                file.unlink(missing_ok=True)
            except OSError as error:
                raise Unwritable(f"{file} cannot be used: {error.strerror}", "move it away") from error
        site = open_embedded(files[0], public_url=address, disposable=True, **settings)
    return site
