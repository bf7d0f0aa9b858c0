"""The warnings of a folder, which commands that plan show when they are new."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress

from rich.console import Console

from ..content.files.writing import put
from ..content.folder import Content
from ..content.own_folder import hide_from_git
from ..errors import Problem
from ..report.problems import problems_text
from ..report.words import counted
from ..sync import StateDir


def show_warnings(console: Console, content: Content, place: StateDir) -> None:
    """Show the warnings of a folder, or only how many there are if the last command showed the same ones.

    Lines do not count: a warning is the same one when text above it has changed.
    """
    if not content.problems:
        return
    if _is_shown(place, _mark(content.problems)):
        same = counted(len(content.problems), "warning")
        console.print(f"{same} as before: contentsync validate shows them", style="dim", markup=False)
    else:
        console.print(problems_text(content.problems, content.folder, console.width), end="")


def _is_shown(place: StateDir, mark: bytes) -> bool:
    """Return whether these warnings were the last ones, and remember that they are now."""
    file = place.root / "cache" / "warnings"
    with suppress(OSError):
        if file.read_bytes() == mark:
            return True
    with suppress(OSError):  # where nothing can be kept, they are shown each time
        hide_from_git(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        put(file, mark)
    return False


def _mark(problems: Sequence[Problem]) -> bytes:
    texts = sorted(f"{problem.code}\n{problem.where.path}\n{problem.message}" for problem in problems)
    return hashlib.sha256("\n\n".join(texts).encode(errors="surrogateescape")).hexdigest().encode()
