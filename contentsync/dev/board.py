"""What every open page is told."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from typing import Any

import orjson


class Board:
    """Which version of the site there is, and what is wrong in its folder.

    A version is of one run of the command: pages that outlive it see another one when the next run answers.
    """

    def __init__(self) -> None:
        self._run = secrets.token_hex(4)
        self._number = 0
        self._problems: Sequence[Any] = ()
        self._page = ""
        self._posted = asyncio.Event()
        self._closed = False

    @property
    def version(self) -> str:
        """The name of what the site shows now."""
        return f"{self._run}-{self._number}"

    def post(self, problems: Sequence[Any] | None = None, *, changed: bool = False, page: str = "") -> None:
        """Tells every page what is wrong (None: as before), whether the site has changed, and where to go now.

        Nobody is told that nothing has happened.
        """
        problems = self._problems if problems is None else problems
        if not changed and not page and problems == self._problems:
            return
        self._number += changed
        self._problems, self._page = problems, page
        posted, self._posted = self._posted, asyncio.Event()
        posted.set()

    def close(self) -> None:
        """Lets every page go."""
        self._closed = True
        self._posted.set()

    async def messages(self) -> AsyncIterator[str]:
        """The state as JSON, at once and whenever something was posted; of several posts at once the last one.

        Ends when the board is closed.
        """
        posted, message = self._posted, self._message("")  # together, so that nothing posted in between is missed
        while not self._closed:
            yield message
            await posted.wait()
            posted, message = self._posted, self._message(self._page)

    def _message(self, page: str) -> str:
        return orjson.dumps({"version": self.version, "problems": self._problems, "page": page}).decode()
