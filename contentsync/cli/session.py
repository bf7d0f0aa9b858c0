"""A folder and its target: what plan, sync and status begin with."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from ..content.config import Target
from ..content.folder import Content, load
from ..errors import ContentError
from ..remote import Remote
from ..report.plan import Destination
from ..report.problems import problems_text
from ..sync import Plan, Selection, prepare
from .progress import reading
from .targets import address, choose, connect


@dataclass(frozen=True, slots=True)
class Session:
    """What a command about a folder and a server works on."""

    content: Content
    target: Target
    selection: Selection
    console: Console  # for people

    @classmethod
    def open(cls, folder: Path, target: str | None, only: list[str], console: Console) -> "Session":
        """Reads the folder and chooses the target. Raises ContentError if anything in the folder is wrong."""
        selection = Selection.parse(only)
        content = load(folder)
        if content.errors:
            raise ContentError(content.problems, folder)
        console.print(problems_text(content.problems, folder, console.width), end="")
        config = content.config
        return cls(content, choose(config.targets, config.default_target, target, os.environ), selection, console)

    @property
    def destination(self) -> Destination:
        """The target as reports name it."""
        pace = None if self.target.embedded else self.target.requests_per_minute
        return Destination(self.target.name, address(self.target), pace)

    @asynccontextmanager
    async def planned(self) -> AsyncIterator[tuple[Plan, Remote]]:
        """The plan, and the server to apply it to."""
        async with connect(self.target, self.content) as remote:
            with reading(self.console) as heard:
                try:
                    plan = await prepare(
                        self.content.entries,
                        remote,
                        locales=self.content.config.site.locales[1:],
                        user_ids=self.target.user_ids,
                        selection=self.selection,
                        heard=heard,
                    )
                except ContentError as error:
                    raise ContentError(error.problems, self.content.folder) from error
            yield plan, remote

    async def plan(self) -> Plan:
        """The plan alone."""
        async with self.planned() as (plan, _):
            return plan
