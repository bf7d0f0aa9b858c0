"""The README shows the output of the command."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from contentsync.cli.command_line import command

README = Path(__file__).parent.parent / "README.md"


def test_the_help_in_the_readme_equals_the_output_of_the_command() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "contentsync", "--help"],
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    shown = re.search(r"```\n\$ contentsync --help\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    assert shown[1].strip() == printed.strip()


def test_no_description_in_a_list_of_commands_is_cut_off() -> None:
    lists = [text for text in described(command()) if "\nCommands:\n" in text]
    assert len(lists) > 4
    assert [line for shown in lists for line in shown.partition("\nCommands:")[2].splitlines() if "..." in line] == []


def described(command: Any, name: str = "contentsync") -> Iterator[str]:
    """Yield the output of `--help` for the command and all commands below it."""
    yield command.get_help(typer.Context(command, info_name=name))
    for inner, one in getattr(command, "commands", {}).items():
        yield from described(one, f"{name} {inner}")
