"""Directories with content, on a server that a browser can open."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..end_to_end.conftest import Ran
from ..forked import CommandProcess
from ..in_process import environment
from ..serving import Serving, make_tenant


@dataclass(frozen=True)
class Site:
    """A directory of a running server."""

    server: Serving
    number: int
    slug: str
    token: str

    @property
    def address(self) -> str:
        """The address of its home page."""
        return f"{self.server.address}/sites/{self.slug}/"

    def at(self, path: str) -> str:
        """Return the address of a path below its home page."""
        return self.address + path

    def make(self, collection: str, **record: Any) -> dict[str, Any]:
        """Create a record with the API, and return it; fail if the API refuses it."""
        status, answer = self.server.ask(
            "POST", f"/api/directories/{self.number}/{collection}", record, Authorization=f"Bearer {self.token}"
        )
        assert status == 201, answer
        made: dict[str, Any] = answer["data"]
        return made

    def sync(self, folder: Path) -> None:
        """Sync a folder."""
        ran = run_command("sync", folder, "--yes", env=self.environ)
        assert ran.code == 0, ran.err

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment that makes it the target of a command."""
        return {
            "CONTENTSYNC_URL": self.server.address,
            "CONTENTSYNC_DIRECTORY": str(self.number),
            "CONTENTSYNC_TOKEN": self.token,
        }


def run_command(*arguments: object, env: Mapping[str, str] | None = None) -> Ran:
    """Run a command in a process of its own, because the event loop of the browser runs in this one."""
    return Ran(*CommandProcess([*map(str, arguments)], environment(env)).end())


def make_site(server: Serving, database: str, name: str, **settings: Any) -> Site:
    """Create a directory."""
    slug = f"{name.lower().split()[0]}-{secrets.token_hex(3)}"
    number, token = make_tenant(database, slug, name=name, **settings)
    return Site(server, number, slug, token)
