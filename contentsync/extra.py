"""The optional part of the installation, `contentsync[server]`, and the command that installs it.

Importing `contentsync.server` or `contentsync.dev` calls `require_server` before it imports its other modules, so
every command that needs the extra reports a missing package with the same message.
"""

import shlex
import sys
from importlib.util import find_spec

from .errors import UsageError

EXTRA = "contentsync[server]"

# The import names of the packages that pyproject.toml lists for the extra.
MODULES = (
    "alembic",
    "httptools",
    "jinja2",
    "limits",
    "linkify_it",
    "mdit_py_plugins",
    "nh3",
    "prometheus_client",
    "psycopg",
    "pygments",
    "redis",
    "sqlalchemy",
    "sse_starlette",
    "starlette",
    "uvicorn",
    *(() if sys.platform == "win32" else ("uvloop",)),
)


def require_server() -> None:
    """Raise UsageError, with the command to install the extra as its hint, if a package of the extra is missing."""
    missing = [module for module in MODULES if find_spec(module) is None]
    if missing:
        raise UsageError(
            "the built-in server is not installed: serve, dev, admin and embedded targets need it", install_command()
        )


def install_command(python: str = sys.executable, *, has_pip: bool | None = None) -> str:
    """Return the shell command that installs the extra for the Python interpreter at the path `python`.

    It names the interpreter, because the shell's `pip` may belong to another environment than the one of pipx or uv.
    `has_pip`: whether this environment has pip (None: find out). Without pip, the command uses uv.
    """
    if has_pip is None:
        has_pip = find_spec("pip") is not None
    installer = [python, "-m", "pip", "install"] if has_pip else ["uv", "pip", "install", "--python", python]
    return shlex.join([*installer, EXTRA])
