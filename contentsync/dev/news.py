"""What became of a look at the folder."""

from dataclasses import dataclass

from ..errors import Problem


@dataclass(frozen=True, slots=True)
class News:
    """What is wrong in the folder, and what has come of the rest."""

    problems: tuple[Problem, ...] = ()
    writes: int = 0  # entries that were made, changed or deleted
    changed: bool = False  # whether the site may look otherwise than before
    page: str = ""  # below the site's address: that of the one entry that was written
    failure: Exception | None = None  # a mistake of our own

    @property
    def errors(self) -> int:
        """How many of the problems keep the site from showing what the folder says."""
        return sum(problem.is_error for problem in self.problems)
