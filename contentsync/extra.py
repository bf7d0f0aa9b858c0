"""The optional part of the installation, `contentsync[server]`, and the line that installs it.

Importing `contentsync.server` or `contentsync.dev` calls `require_server` before anything else of them is imported,
so every command that needs the extra reports a missing one in the same words.
"""

import shlex
import sys
from importlib.util import find_spec

from .errors import UsageError

EXTRA = "contentsync[server]"

# How Python calls the distributions that pyproject.toml lists for the extra.
MODULES = (
    "alembic",
    "httptools",
    "jinja2",
    "limits",
    "linkify_it",
    "nh3",
    "prometheus_client",
    "psycopg",
    "redis",
    "sqlalchemy",
    "sse_starlette",
    "starlette",
    "uvicorn",
    *(() if sys.platform == "win32" else ("uvloop",)),
)


def require_server() -> None:
    """Raise UsageError, with the line that installs it, unless the extra is installed completely."""
    missing = [module for module in MODULES if find_spec(module) is None]
    if missing:
        raise UsageError(
            "the built-in server is not installed: serve, dev, admin and embedded targets need it", install_line()
        )


def install_line(python: str = sys.executable, *, has_pip: bool | None = None) -> str:
    """Return the shell command that adds the extra to the environment of a Python.

    It names that Python, because pipx and uv keep the command in an environment that the shell's `pip` does not see.
    uv makes environments without pip.
    """
    if has_pip is None:
        has_pip = find_spec("pip") is not None
    installer = [python, "-m", "pip", "install"] if has_pip else ["uv", "pip", "install", "--python", python]
    return shlex.join([*installer, EXTRA])
