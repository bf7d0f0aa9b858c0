"""The commands of the server as processes of their own."""

import subprocess
import sys

COMMAND = (sys.executable, "-m", "contentsync")


def start(*arguments: str) -> "subprocess.Popen[str]":
    """A command that runs; its output is read when it has ended."""
    return subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def admin(url: str, *arguments: str) -> str:
    """What an `admin` command says; fails when it does."""
    process = start("admin", *arguments, "--db", url)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return out.strip()
