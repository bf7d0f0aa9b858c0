"""The commands of the server as processes of their own."""

import os

from ..forked import CommandProcess
from ..in_process import run_command


def start(*arguments: str) -> CommandProcess:
    """A command that runs."""
    return CommandProcess(list(arguments), os.environ)


def admin(url: str, *arguments: str) -> str:
    """What an `admin` command says; fails when it does."""
    code, out, err = run_command(["admin", *arguments, "--db", url], os.environ)
    assert code == 0, err
    return out.strip()
