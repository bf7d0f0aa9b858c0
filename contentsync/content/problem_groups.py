"""The problems that many files may have for the same cause: the report on a folder shows them together."""

from collections.abc import Iterable, Iterator

from ..errors import Problem
from .template_syntax import group_by_syntax
from .validation import group_by_folder, is_empty_article

_SYNTAX = "template-syntax"  # the code


def is_grouped(problem: Problem) -> bool:
    """Return whether `group_problems` may combine the problem with others."""
    return problem.code == _SYNTAX or is_empty_article(problem)


def group_problems(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield one problem for each cause, or each problem if there are few."""
    found = list(problems)
    yield from group_by_folder(problem for problem in found if problem.code != _SYNTAX)
    yield from group_by_syntax(problem for problem in found if problem.code == _SYNTAX)
