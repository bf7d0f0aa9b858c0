"""`contentsync assets`: its options, and what it does. The imports that take long are made when it runs."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from . import print_json
from .options import Folder, Format, FormatOption, NoIndex, StateDir, content_folder, index_use

if TYPE_CHECKING:
    from ..content.folder.load import Content
    from ..content.pictures.published_names import StoredFile
    from .session import Session


def assets(
    path: Folder = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete the listed files, after asking.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking, as in CI.")] = False,
    state_dir: StateDir = None,
    format_: FormatOption = Format.TEXT,
    no_index: NoIndex = False,
) -> int:
    """List the published files that no entry names any more."""
    import asyncio

    from ..content.folder.load import load_valid_content
    from ..errors import UsageError, pluralize
    from ..report.file_reports import unused_document, unused_text
    from ..sync.state.state_dir import TargetLock
    from .plan_options import PlanOptions
    from .session import Session
    from .target_connection import known_files, open_store
    from .terminal import require_agreement, stderr, stdout

    folder = content_folder(path)
    index = index_use(no_index=no_index or delete)  # a file that an entry names must not be deleted
    content = load_valid_content(folder, index, may_break_rules=True)
    store = open_store(content.config, folder)
    if store is None:
        raise UsageError("contentsync.toml names no asset store", "set store under [assets] to publish pictures")
    names: list[str | None] = [*content.config.targets] or [None]  # None: the target of a config without targets
    sessions = [Session.from_content(content, PlanOptions(target, state_dir=state_dir), stderr()) for target in names]

    async def run() -> None:
        async with AsyncExitStack() as locks:
            if delete:  # no sync of this folder may publish a file meanwhile
                for session in sessions:
                    lock = TargetLock(session.state_dir, "assets", on_wait=session.console.print)
                    await locks.enter_async_context(lock)
            # List the files first: an entry that is read later may name a file that was published after this.
            stored = [file async for file in store.files()]
            unused, missing = await _find_unused(content, sessions, stored)
            known_files(store, folder).remove(missing)  # so that the next sync looks for them
            if format_ is Format.TEXT:
                stdout().print(unused_text(unused, missing, store.address), end="", markup=False)
            deletes = delete and bool(unused)
            if deletes and not yes:
                question = f"Delete {pluralize(len(unused), 'file')}?"
                require_agreement(question, "nothing was deleted", "--yes deletes without asking")
            if deletes:
                known_files(store, folder).remove(file.name for file in unused)  # first, as a run may be killed
                for file in unused:
                    await store.delete(file.name)
        if format_ is Format.JSON:
            print_json(unused_document(unused, missing, store.address, deleted=deletes))
        elif deletes:
            stdout().print(f"{len(unused):,} deleted", markup=False)

    asyncio.run(run())
    return 0


async def _find_unused(
    content: "Content", sessions: "Sequence[Session]", stored: "Sequence[StoredFile]"
) -> "tuple[list[StoredFile], list[str]]":
    """Return the unused files, which nothing names; and the names of files that a server needs but the store lacks.

    A file is named by the folder, by the server or the base of any target, or by a journal.
    """
    from datetime import UTC, datetime

    from ..content.pictures.published_names import digest_in, published_names
    from ..exchange.publish.publisher import digests_in_journals, digests_in_values, find_unused_files, fingerprints_in
    from ..model import Kind
    from ..sync.state.state_file import read_state

    used_digests = {digest_in(name) for name in content.published}
    used_digests |= digests_in_values(entry.fields for entry in content.entries)
    fingerprints_in_bases = set[str]()  # a base has no values from which digests could be taken
    names_on_servers = set[str]()
    base = content.config.store_base or ""
    for session in sessions:
        fingerprints_in_bases |= fingerprints_in(read_state(session.state_dir.state, session.target))
        used_digests |= digests_in_journals(session.state_dir)
        if session.target.is_embedded:
            if not (content.folder / session.target.url.removeprefix("embedded:")).exists():
                continue  # reading it would create it
        else:
            await _require_known_languages(session)
        async with session.read([*Kind]) as (actual, _applied):
            used_digests |= digests_in_values(entry.fields for entry in actual)
            names_on_servers.update(name for entry in actual for name in published_names(entry.fields, base))
    missing = sorted(names_on_servers - {file.name for file in stored})
    return find_unused_files(stored, used_digests, fingerprints_in_bases, base, datetime.now(UTC)), missing


async def _require_known_languages(session: "Session") -> None:
    """Raise Refused if the server has a language that the config does not name: its texts would not be read."""
    from ..errors import Refused

    async with session.connect() as remote:
        languages = await remote.languages() or ()
    unread = sorted({*languages} - {*session.content.config.site.locales})
    if unread:
        message = f"{session.target.name} has texts in {', '.join(unread)}, which the config does not name"
        raise Refused(message, "add the languages to locales under [site]")
