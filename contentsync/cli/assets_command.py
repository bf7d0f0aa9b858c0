"""`contentsync assets`: its options, and what it does. The imports that take long are made when it runs."""

import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from .choices import Format, content_folder
from .option_types import Folder, FormatOption, StateDir

if TYPE_CHECKING:
    from ..content.load import Content
    from ..content.pictures.published_names import StoredFile
    from ..publish.asset_store import AssetStore
    from .session import Session


def assets(
    path: Folder = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete the listed files, after asking.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking, as in CI.")] = False,
    state_dir: StateDir = None,
    format_: FormatOption = Format.TEXT,
) -> int:
    """List the published files that no entry names any more."""
    import asyncio

    from ..content.load import load_content
    from ..errors import ContentError, UsageError
    from ..report.asset_report import unused_document, unused_text
    from .output import print_json
    from .publishing import open_store
    from .session import PlanOptions, Session
    from .terminal import stderr, stdout

    folder = content_folder(path)
    content = load_content(folder)
    if content.errors:
        raise ContentError(content.problems, folder)
    store = open_store(content.config, folder)
    if store is None:
        raise UsageError("contentsync.toml names no asset store", "set store under [assets] to publish pictures")
    names: list[str | None] = [*content.config.targets] or [None]
    sessions = [Session.from_content(content, PlanOptions(target, state_dir=state_dir), stderr()) for target in names]

    async def run() -> None:
        async with AsyncExitStack() as locks:
            if delete:  # no sync of this folder may publish a file meanwhile
                await _lock(sessions, locks)
            unused = await _find_unused(content, sessions, store)
            if format_ is Format.TEXT:
                stdout().print(unused_text(unused, store.address), end="", markup=False)
            deletes = delete and bool(unused) and (yes or _is_agreed(len(unused)))
            if deletes:
                await _delete(content, store, unused)
        if format_ is Format.JSON:
            print_json(unused_document(unused, store.address, deleted=deletes))
        elif deletes:
            stdout().print(f"{len(unused):,} deleted", markup=False)

    asyncio.run(run())
    return 0


async def _lock(sessions: "Sequence[Session]", locks: AsyncExitStack) -> None:
    from ..sync.state.lock import TargetLock

    for session in sessions:
        await locks.enter_async_context(TargetLock(session.state_dir, "assets", on_wait=session.console.print))


async def _find_unused(content: "Content", sessions: "Sequence[Session]", store: "AssetStore") -> "list[StoredFile]":
    """Return the files that neither the folder, nor the server of any target, nor a journal names."""
    from datetime import UTC, datetime

    from ..content.pictures.published_names import digest_in
    from ..model import Kind
    from ..publish.unused_files import digests_in_journals, digests_in_values, find_unused_files

    used = {digest_in(name) for name in content.published}
    used |= digests_in_values(entry.fields for entry in content.entries)
    for session in sessions:
        async with session.read([*Kind]) as (actual, _):
            used |= digests_in_values(entry.fields for entry in actual)
        used |= digests_in_journals(session.state_dir)
    return await find_unused_files(store, used, datetime.now(UTC))


async def _delete(content: "Content", store: "AssetStore", unused: "Sequence[StoredFile]") -> None:
    from .publishing import known_files

    known_files(store, content.folder).remove(file.name for file in unused)  # first: it must not believe in them
    for file in unused:
        await store.delete(file.name)


def _is_agreed(count: int) -> bool:
    from ..errors import Refused
    from ..report.formatting import pluralize

    if not sys.stdin.isatty():
        raise Refused("nothing was deleted: there is no terminal to ask on", "--yes deletes without asking")
    return typer.confirm(f"Delete {pluralize(count, 'file')}?", err=True)
