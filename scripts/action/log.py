"""Print the messages of a run: as workflow commands of GitHub in its jobs, and as plain lines elsewhere."""

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
    """Escape a text for the data of a workflow command, so that it cannot end the command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def printable(text: str) -> str:
    """Return a text of other users on one line, without control characters."""
    return "".join(character if character.isprintable() else "?" for character in text)


@contextmanager
def only_text() -> Iterator[None]:
    """Print no workflow command in the block: GitHub ignores those in titles and other texts."""
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
    """Add Markdown to the summary of the run, if the forge shows one."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(markdown + "\n")


def output(name: str, value: str) -> None:
    """Set an output of the step, if the forge has outputs."""
    path = os.environ.get("GITHUB_OUTPUT")
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{name}={value}\n")


def _say(kind: str, text: str) -> None:
    print(f"::{kind}::{no_line(text)}" if "GITHUB_ACTIONS" in os.environ else f"contentsync: {text}", flush=True)
