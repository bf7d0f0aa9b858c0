"""What a run says: GitHub's workflow commands where it is GitHub that reads, and plain lines elsewhere."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def error(text: str) -> None:
    """Print the error that made the run fail."""
    _say("error", text)


def warning(text: str) -> None:
    """Print a warning, which a user should fix."""
    _say("warning", text)


def notice(text: str) -> None:
    """Print a notice, which needs no fix."""
    _say("notice", text)


def no_line(text: str) -> str:
    """A text as a command's data, which it cannot end."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def printable(text: str) -> str:
    """A text of others on one line, without characters that a terminal would obey."""
    return "".join(character if character.isprintable() else "?" for character in text)


@contextmanager
def only_text() -> Iterator[None]:
    """Nothing that is printed meanwhile is taken for a command, whatever a title says."""
    word = secrets.token_hex(16)
    on_github = "GITHUB_ACTIONS" in os.environ
    if on_github:
        print(f"::stop-commands::{word}", flush=True)
    try:
        yield
    finally:
        if on_github:
            print(f"::{word}::", flush=True)


def summary(markdown: str) -> None:
    """Adds to the summary of the run, where there is one."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(markdown + "\n")


def _say(kind: str, text: str) -> None:
    print(f"::{kind}::{no_line(text)}" if "GITHUB_ACTIONS" in os.environ else f"contentsync: {text}", flush=True)
