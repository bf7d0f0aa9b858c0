"""The two streams: data to stdout, talk to stderr; colour only on a terminal."""

import json
import sys
from typing import Any

from rich.console import Console


def data() -> Console:
    """The console for results."""
    return _console(stderr=False)


def talk() -> Console:
    """The console for people."""
    return _console(stderr=True)


def print_json(document: dict[str, Any]) -> None:
    """One JSON document on stdout."""
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def _console(*, stderr: bool) -> Console:
    return Console(stderr=stderr, highlight=False, markup=True, emoji=False, soft_wrap=True)
