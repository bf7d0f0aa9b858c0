"""What is wrong in the content, as JSON."""

from typing import Any

from ..content.validation_report import ValidationReport
from ..errors import ContentError, ContentsyncError, Problem


def survey_document(survey: ValidationReport) -> dict[str, Any]:
    """The JSON document of `validate` (docs/reference/json.md, validate)."""
    errors = len(survey.errors)
    return {
        "version": 1,
        "problems": [problem_document(problem) for problem in survey.problems],
        "summary": {
            "files": survey.files,
            "entries": dict(survey.counts),
            "errors": errors,
            "warnings": len(survey.problems) - errors,
        },
    }


def failure_document(error: ContentsyncError) -> dict[str, Any]:
    """The JSON document of a command that could not give its own."""
    problems = error.problems if isinstance(error, ContentError) else ()
    return {
        "version": 1,
        "error": {"message": error.message, "hint": error.hint},
        "problems": [problem_document(problem) for problem in problems],
    }


def problem_document(problem: Problem) -> dict[str, Any]:
    """One element of the document's `problems`."""
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        "hint": problem.hint,
        "path": problem.where.path,
        "line": problem.where.line,
        "column": problem.where.column,
        "kind": problem.kind,
        "key": problem.key,
    }
