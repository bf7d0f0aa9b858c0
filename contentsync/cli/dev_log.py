"""What somebody who runs `dev` is told on the terminal."""

import traceback
from pathlib import Path

from rich.text import Text

from ..dev.mirror import SyncSummary
from ..errors import Problem
from ..report.problems import problems_text
from ..report.words import counted, printable
from .terminal import stamped, talk


class DevLog:
    """Tells the problems of a folder once, however often they are found."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._told: tuple[Problem, ...] = ()

    def say(self, text: str, style: str = "dim") -> None:
        """A sentence."""
        talk().print(stamped(Text(printable(text), style)))

    def looked(self, news: SyncSummary, seconds: float) -> None:
        """What came of a look at the folder."""
        if news.failure is not None:
            traceback.print_exception(news.failure)
        if news.problems != self._told:
            console = talk()
            console.print(problems_text(news.problems, self._folder, console.width), end="")
            if news.errors:
                self.say(f"{counted(news.errors, 'error')}: the site stays as it is until that is mended", "bold red")
            elif any(problem.is_error for problem in self._told):
                self.say("mended", "bold green")
        self._told = news.problems
        if news.writes:
            self.say(f"{counted(news.writes, 'change')} in {seconds:.2f} s")
