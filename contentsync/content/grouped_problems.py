"""Problems of many entries that a report combines into few."""

from collections.abc import Iterable, Iterator

from ..errors import Problem
from .template_syntax import group_by_syntax
from .translations import Orphan, orphan_problems
from .validation import group_by_folder, is_empty_article


class GroupedProblems:
    """Collects references that cannot be checked, articles without a text, template syntax, and orphan translations."""

    def __init__(self) -> None:
        self.orphans: list[Orphan] = []
        self._unchecked: dict[str, Problem] = {}  # by message; a table may contain many of one reference
        self._empty_articles: list[Problem] = []
        self._syntax: list[Problem] = []

    def add(self, problem: Problem) -> bool:
        """Add a problem of an entry and return True if reports combine such problems; otherwise return False."""
        if is_empty_article(problem):
            self._empty_articles.append(problem)
        elif problem.code == "template-syntax":
            self._syntax.append(problem)
        elif problem.code == "unchecked-reference":
            first = self._unchecked.setdefault(problem.message, problem)
            if problem.where < first.where:
                self._unchecked[problem.message] = problem
        else:
            return False
        return True

    def combined(self, path: str | None = None) -> Iterator[Problem]:
        """Yield the combined problems: of the file at `path`, or of all files if it is None."""

        def selected(problems: Iterable[Problem]) -> Iterator[Problem]:
            return (problem for problem in problems if path is None or problem.where.path == path)

        yield from selected(self._unchecked.values())
        yield from group_by_folder(selected(self._empty_articles))
        yield from group_by_syntax(selected(self._syntax))
        yield from orphan_problems(orphan for orphan in self.orphans if path is None or orphan.file.path == path)
