"""contentsync.dev.board: what every open page is told, and that it misses nothing."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from contentsync.dev.board import Board


async def told(messages: AsyncIterator[str]) -> dict[str, Any]:
    async with asyncio.timeout(5):
        found: dict[str, Any] = json.loads(await anext(messages))
    return found


def test_a_page_that_opens_is_told_at_once_what_is_wrong() -> None:
    async def story() -> None:
        board = Board()
        board.post(["a mistake"])
        assert (await told(board.messages()))["problems"] == ["a mistake"]

    asyncio.run(story())


def test_every_page_is_told_of_a_change_and_has_a_new_version() -> None:
    async def story() -> None:
        board = Board()
        pages = [board.messages(), board.messages()]
        before = [(await told(page))["version"] for page in pages]
        board.post([], changed=True)
        after = [(await told(page))["version"] for page in pages]
        assert before[0] == before[1] != after[0] == after[1] == board.version

    asyncio.run(story())


def test_what_is_posted_while_a_page_is_being_told_comes_next() -> None:
    async def story() -> None:
        board = Board()
        page = board.messages()
        await told(page)
        board.post(["one"])
        board.post(["two"])
        assert (await told(page))["problems"] == ["two"]

    asyncio.run(story())


def test_problems_alone_leave_the_version_as_it_is() -> None:
    board = Board()
    before = board.version
    board.post(["a mistake"])
    assert board.version == before


def test_only_pages_that_are_open_are_sent_somewhere() -> None:
    async def story() -> None:
        board = Board()
        page = board.messages()
        await told(page)
        board.post([], changed=True, page="/blog/a/")
        assert (await told(page))["page"] == "/blog/a/"
        assert (await told(board.messages()))["page"] == ""

    asyncio.run(story())


def test_nobody_is_told_that_nothing_has_happened() -> None:
    async def story() -> None:
        board = Board()
        page = board.messages()
        board.post(["a mistake"])
        await told(page)
        board.post(["a mistake"])
        board.post(["another one"])
        assert (await told(page))["problems"] == ["another one"]
        waiting = asyncio.ensure_future(anext(page))
        board.post(["another one"])
        await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()

    asyncio.run(story())


def test_another_run_has_other_versions() -> None:
    assert Board().version != Board().version


def test_closing_ends_what_pages_listen_to() -> None:
    async def story() -> None:
        board = Board()
        page = board.messages()
        await told(page)
        board.close()
        assert [message async for message in page] == []

    asyncio.run(story())
