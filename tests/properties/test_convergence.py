"""What a sync promises, for any folder: the server then holds it, and a second plan is empty."""

import asyncio
import atexit
import shutil
import tempfile
from collections.abc import Coroutine
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentsync.cli.targets import EMBEDDED, connect
from contentsync.content.folder import Content, load
from contentsync.errors import ContentError
from contentsync.remote import Remote
from contentsync.sync import Plan, Result, Selection, Status, apply, diff, prepare

from .folders import CONFIG, Files, folders, write

Answer = TypeVar("Answer")

quickly = settings(
    max_examples=16, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@cache
def _new_database() -> Path:
    """An embedded server's folder before the first sync: making one takes longer than copying it."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)

    async def made() -> None:
        async with connect(EMBEDDED, load(write({"contentsync.toml": CONFIG}, folder)), {}):
            pass

    asyncio.run(made())
    return folder / ".contentsync"


class Workplace:
    """A folder and its embedded server, in a temporary directory."""

    def __init__(self) -> None:
        self._directory = Path(tempfile.mkdtemp())
        self._database = self._directory / ".contentsync"
        shutil.copytree(_new_database(), self._database)

    def __enter__(self) -> "Workplace":
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._directory)

    def load(self, files: Files) -> Content:
        """Replaces the files, not the server, and reads them."""
        for path in self._directory.iterdir():
            if path != self._database:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        content = load(write(files, self._directory))
        assert not content.errors
        return content

    def plan(self, content: Content) -> Plan:
        async def planned() -> Plan:
            async with connect(EMBEDDED, content, {}) as remote:
                return await _plan(content, remote)

        return asyncio.run(planned())

    def sync(self, content: Content) -> list[Result]:
        results: list[Result] = []

        async def synced() -> None:
            async with connect(EMBEDDED, content, {}) as remote:
                await apply(await _plan(content, remote), remote, results.append)

        asyncio.run(synced())
        return results


def _plan(content: Content, remote: Remote) -> Coroutine[Any, Any, Plan]:
    return prepare(
        content.entries,
        remote,
        locales=content.config.site.locales[1:],
        user_ids={},
        selection=Selection(),
        heard=lambda kind, count: None,
    )


@quickly
@given(folders())
def test_an_applied_plan_gives_the_desired_state_and_a_second_plan_is_empty(files: Files) -> None:
    with Workplace() as workplace:
        content = workplace.load(files)
        assert {result.status for result in workplace.sync(content)} <= {Status.DONE}
        second = workplace.plan(content)
        assert not second
        there = {(entry.kind, entry.key): entry for entry in second.actual}
        assert there.keys() == {(entry.kind, entry.key) for entry in content.entries}
        assert all(diff(entry, there[entry.kind, entry.key]) == {} for entry in content.entries)


@quickly
@given(folders(), folders())
def test_one_folder_after_another_converges_and_touches_nothing_else(before: Files, after: Files) -> None:
    with Workplace() as workplace:
        first = workplace.load(before)
        workplace.sync(first)
        content = workplace.load(after)
        try:
            plan = workplace.plan(content)
        except ContentError as error:
            # A new listing wants a slug that an old one holds under another URL: told before anything is sent.
            assert {problem.code for problem in error.problems} == {"slug-taken"}
            return
        untouched = {(entry.kind, entry.id): entry for entry in plan.unmanaged}
        assert {result.status for result in workplace.sync(content)} <= {Status.DONE}
        second = workplace.plan(content)
        assert not second
        for entry in second.unmanaged:
            assert entry.fields == untouched[entry.kind, entry.id].fields


@quickly
@given(folders(), st.randoms(use_true_random=False))
def test_the_order_of_files_does_not_matter(files: Files, order: Any) -> None:
    with Workplace() as one, Workplace() as other:
        shuffled = list(files.items())
        order.shuffle(shuffled)
        assert one.plan(one.load(files)).digest == other.plan(other.load(dict(shuffled))).digest
