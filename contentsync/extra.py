"""The optional parts of the installation, such as `contentsync[server]`, and the command that installs them.

Importing `contentsync.server` or `contentsync.dev` calls `SERVER.require()` before it imports its other modules, so
every command that needs the extra reports a missing package with the same message.
"""

import shlex
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from importlib.util import find_spec

from .errors import UsageError


@dataclass(frozen=True)
class Extra:
    """One optional part: `modules` are the import names of the packages that pyproject.toml lists for it.

    A package may only bring a `program`.
    """

    name: str
    modules: tuple[str, ...]
    missing: str  # the message if one of them cannot be imported, or if the program is missing
    program: str = ""

    def require(self) -> None:
        """Raise UsageError, with the command to install the extra as its hint, if a package of the extra is missing."""
        if any(find_spec(module) is None for module in self.modules) or (self.program and not self.find_program()):
            raise UsageError(self.missing, self.install_command())

    def find_program(self) -> str | None:
        """Return the path of the program: that of the environment of this Python, else that on the `PATH`."""
        return shutil.which(self.program, path=sysconfig.get_path("scripts")) or shutil.which(self.program)

    def install_command(self, python: str = sys.executable, *, has_pip: bool | None = None) -> str:
        """Return the shell command that installs the extra for the Python interpreter at the path `python`.

        It names the interpreter, because the shell's `pip` may belong to another environment than the one of pipx or
        uv. `has_pip`: whether this environment has pip (None: find out). Without pip, the command uses uv.
        """
        if has_pip is None:
            has_pip = find_spec("pip") is not None
        installer = [python, "-m", "pip", "install"] if has_pip else ["uv", "pip", "install", "--python", python]
        return shlex.join([*installer, f"contentsync[{self.name}]"])


SERVER = Extra(
    "server",
    (
        "alembic",
        "httptools",
        "jinja2",
        "limits",
        "prometheus_client",
        "psycopg",
        "rapidfuzz",
        "redis",
        "sqlalchemy",
        "sse_starlette",
        "starlette",
        "uvicorn",
        *(() if sys.platform == "win32" else ("uvloop",)),
    ),
    "the built-in server is not installed: serve, dev, admin and embedded targets need it",
)
ASSETS = Extra("assets", ("obstore",), "the client of object stores is not installed: [assets] store needs it")
SPREADSHEETS = Extra("spreadsheets", ("openpyxl",), "the reader of .xlsx files is not installed: they need openpyxl")
LINKS = Extra("links", (), "the link checker lychee is not installed: links needs it", "lychee")

EXTRAS = (SERVER, ASSETS, SPREADSHEETS, LINKS)
