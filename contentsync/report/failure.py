"""An error that ended a command."""

from typing import Any

from ..errors import ContentError, ContentsyncError
from .problems import problem_document


def failure_document(error: ContentsyncError) -> dict[str, Any]:
    """The JSON document of a command that could not give its own."""
    problems = error.problems if isinstance(error, ContentError) else ()
    return {
        "version": 1,
        "error": {"message": error.message, "hint": error.hint},
        "problems": [problem_document(problem) for problem in problems],
    }
