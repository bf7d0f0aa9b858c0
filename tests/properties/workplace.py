"""A folder and its embedded server, and another user who edits there."""

import asyncio
import atexit
import shutil
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from hypothesis import strategies as st

from contentsync.cli.target_connection import EMBEDDED_TARGET, connect, directory_settings
from contentsync.content.config.config_tables import Target
from contentsync.content.folder.load import Content, load_content
from contentsync.errors import Conflicting
from contentsync.model import RECORDS, Entry, Kind
from contentsync.remote import Remote, Service
from contentsync.server.embedded import open_embedded
from contentsync.sync import Policy

from ..sync_faults.run import Outcome, run
from .folders import CONFIG, Files, write

Edit = tuple[str, int, str]  # what is done, to which of the records (counted on from the first), and a text

edits = st.lists(
    st.tuples(
        st.sampled_from(["retitle", "describe", "delete", "create", "html"]),
        st.integers(0, 40),
        st.text("wxyz", min_size=4, max_size=8).map("Edited {}".format),
    ),
    max_size=6,
)

_DESCRIBED = {Kind.PAGE: "markdown", Kind.ARTICLE: "markdown", Kind.TAG: "icon"}  # the others have a description


LOCALES = ("fr", "de")  # of the translations


@cache
def _new_database() -> Path:
    """An embedded server's folder before the first sync: making one takes longer than copying it."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)

    async def made() -> None:
        async with connect(EMBEDDED_TARGET, load_content(write({"contentsync.toml": CONFIG}, folder)), {}):
            pass

    asyncio.run(made())
    return folder / ".contentsync"


class Workplace:
    """A folder and its embedded server, in a temporary directory; the server serves all of its runs."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self._kept = self.folder / ".contentsync"
        shutil.copytree(_new_database(), self._kept)
        site = load_content(write({"contentsync.toml": CONFIG}, self.folder)).config.site
        self._embedded = open_embedded(
            self.folder / EMBEDDED_TARGET.url.removeprefix("embedded:"), **directory_settings(site)
        )

    def __enter__(self) -> "Workplace":
        return self

    def __exit__(self, *_: object) -> None:
        self._embedded.close()
        shutil.rmtree(self.folder)

    def load(self, files: Files) -> Content:
        """Replaces the files, not the server and not what the sync has kept, and reads them."""
        for path in self.folder.iterdir():
            if path != self._kept:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        content = load_content(write(files, self.folder))
        assert not content.errors, content.errors
        return content

    def plan(self, policy: Policy) -> Outcome:
        """Return the outcome that a sync would have."""
        return run(self.folder, self._connected, policy, dry=True)

    def sync(self, policy: Policy) -> Outcome:
        """Run one whole sync."""
        return run(self.folder, self._connected, policy)

    def undo(self, policy: Policy, *, dry: bool = False) -> Outcome:
        """The way back from the last run."""
        return run(self.folder, self._connected, policy, dry=dry, back=True)

    def entries(self) -> list[Entry]:
        """Return the entries of the server."""
        return asyncio.run(self._entries())

    def edit(self, wanted: Sequence[Edit]) -> None:
        """Apply another user's changes, which the server accepts or refuses."""
        asyncio.run(self._edit(wanted))

    @asynccontextmanager
    async def remote(self) -> AsyncIterator[Remote]:
        """Open the directory on the server."""
        transport = httpx.ASGITransport(app=self._embedded.app, raise_app_exceptions=False)
        async with Service("http://embedded", transport=transport) as service:
            yield Remote(service, self._embedded.directory_id)

    def _connected(self, target: Target, content: Content) -> AbstractAsyncContextManager[Remote]:
        return self.remote()

    async def _entries(self) -> list[Entry]:
        async with self.remote() as remote:
            return await remote.fetch(set(Kind), LOCALES)

    async def _edit(self, wanted: Sequence[Edit]) -> None:
        async with self.remote() as remote:
            for what, number, text in wanted:
                entries = await remote.fetch(set(Kind))
                if what == "create":
                    kind = list(Kind)[number % len(Kind)]
                    body = {RECORDS[kind].title_field: text}
                    body |= {"type": "text"} if kind is Kind.CUSTOM_FIELD else {}
                    body |= {"markdown": text} if kind is Kind.ARTICLE else {}
                    with suppress(Conflicting):  # the same one twice
                        await remote.create(kind, body)
                elif entries:
                    await _changed(remote, entries[number % len(entries)], what, text)


async def _changed(remote: Remote, entry: Entry, what: str, text: str) -> None:
    assert entry.id is not None
    if what == "delete":
        await remote.delete(entry.kind, entry.id)
        return
    name = RECORDS[entry.kind].title_field if what == "retitle" else _DESCRIBED.get(entry.kind, "description")
    body: dict[str, Any] = {}
    if entry.kind is Kind.ARTICLE:  # its body goes with every update
        shown = "content" if what == "html" or not entry.fields["is_markdown"] else "markdown"
        body = {shown: text if what == "html" else entry.fields[shown]}
        name = RECORDS[entry.kind].title_field if name == "markdown" != shown else name
    await remote.update(entry.kind, entry.id, {**body, name: text})
