"""A real folder that is really watched."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from contentsync.watch import FolderChange, FolderChanges

QUIET = 0.03  # seconds
SOON = 30.0  # seconds after which a test has failed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with one page."""
    folder = tmp_path / "site"
    (folder / "pages").mkdir(parents=True)
    (folder / "contentsync.toml").touch()
    (folder / "pages/about.md").write_text("About\n", encoding="utf-8")
    return folder


@asynccontextmanager
async def changes_of(folder: Path, **options: Any) -> AsyncIterator[FolderChanges]:
    """Yield the changes of a folder after the first, which is about everything."""
    async with FolderChanges(folder, **{"quiet": QUIET, **options}) as changes:
        assert await soon(changes) == FolderChange(everything=True)
        yield changes


async def soon(changes: FolderChanges) -> FolderChange:
    """Return the next change."""
    async with asyncio.timeout(SOON):
        return await anext(changes)


async def all_of(changes: FolderChanges, *paths: str) -> None:
    """Wait until all the paths have changed: a burst may be several changes on a slow machine."""
    left = set(paths)
    while left:
        change = await soon(changes)
        left -= left if change.everything else change.paths


async def is_quiet(changes: FolderChanges, seconds: float = 4 * QUIET) -> bool:
    """Return whether nothing changes for a while."""
    try:
        async with asyncio.timeout(seconds):
            await anext(changes)
    except TimeoutError:
        return True
    return False


def watching(folder: Path, story: Callable[[FolderChanges], Awaitable[None]], **options: Any) -> None:
    """Run a story while the folder is watched."""

    async def run() -> None:
        async with changes_of(folder, **options) as changes:
            await story(changes)

    asyncio.run(run())
