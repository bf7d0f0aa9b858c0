"""The commands of the server as processes of their own."""

import os

from ..forked import Forked, run_forked


def start(*arguments: str) -> Forked:
    """A command that runs."""
    return Forked(list(arguments), os.environ)


def admin(url: str, *arguments: str) -> str:
    """What an `admin` command says; fails when it does."""
    code, out, err = run_forked(["admin", *arguments, "--db", url], os.environ)
    assert code == 0, err
    return out.strip()
