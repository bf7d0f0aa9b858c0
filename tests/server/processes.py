"""The commands of the server as processes of their own."""

import os

from ..forked import CommandProcess
from ..in_process import run_command


def start(*arguments: str) -> CommandProcess:
    """Return a command that runs."""
    return CommandProcess(list(arguments), os.environ)


def admin(url: str, *arguments: str) -> str:
    """Return the output of an `admin` command; fail if the command fails."""
    code, out, err = run_command(["admin", *arguments, "--db", url], os.environ)
    assert code == 0, err
    return out.strip()
