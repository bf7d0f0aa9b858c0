"""The two streams as people see them: data to stdout, talk to stderr; colour only on a terminal."""

from datetime import datetime
from typing import Any

from rich.console import Console
from rich.text import Text

from ..errors import ContentError, ContentsyncError
from ..report.problems import problems_text
from ..report.words import printable
from .output import lost, silence


def data() -> Console:
    """The console for results."""
    return _Console(stderr=False, highlight=False, emoji=False, soft_wrap=True)


def talk() -> Console:
    """The console for people."""
    return _Console(stderr=True, highlight=False, emoji=False, soft_wrap=True)


def stamped(text: Text) -> Text:
    """A text after the time, for commands that run on."""
    return Text(f"{datetime.now():%H:%M:%S} ", "dim").append_text(text)  # the clock on the wall


def tell(error: ContentsyncError) -> int:
    """Says what went wrong and what helps; the exit code."""
    console = talk()
    if isinstance(error, ContentError):
        console.print(problems_text(error.problems, error.folder, console.width), end="")
    text = Text()
    text.append("contentsync: ", "bold red")
    text.append(printable(error.message))
    if error.hint:
        text.append(f"\n  {printable(error.hint)}")
    console.print(text)
    return error.exit_code


class _Console(Console):
    def print(self, *objects: Any, **options: Any) -> None:
        try:
            super().print(*objects, **options)
        except OSError as error:
            if self.stderr:  # there is nobody left to tell
                silence(self.file)
            else:
                lost(error)

    def on_broken_pipe(self) -> None:
        # rich would exit; a sync whose output nobody reads must still be carried out.
        silence(self.file)
