"""Problems as JSON, as GitHub annotations, and as SARIF 2.1.0 for code scanning services; and what their codes mean."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from ..content.files.validation_report import ValidationReport
from ..errors import ContentError, ContentsyncError, Problem, UsageError
from ..explanations import explanations
from ..lazy_pattern import lazy_pattern
from ..value_text import printable
from .formatting import location_text, report_summary


def validation_document(report: ValidationReport) -> dict[str, Any]:
    """Return the JSON document of `validate` (docs/reference/json.md, validate)."""
    errors = len(report.errors)
    return {
        "version": 1,
        "problems": [problem_document(problem) for problem in report.problems],
        "summary": {
            "files": report.files,
            "entries": dict(report.counts),
            "errors": errors,
            "warnings": len(report.problems) - errors,
        },
    }


def failure_document(error: ContentsyncError) -> dict[str, Any]:
    """Return the JSON document of a command that failed."""
    problems = error.problems if isinstance(error, ContentError) else ()
    return {
        "version": 1,
        "error": {"message": error.message, "hint": error.hint},
        "problems": [problem_document(problem) for problem in problems],
    }


def problem_document(problem: Problem) -> dict[str, Any]:
    """Return a problem as an element of `problems` in a JSON document."""
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


_CONTROL = lazy_pattern(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def github_annotations(report: ValidationReport, root: str = "") -> Iterator[str]:
    """Yield an annotation for each problem, errors first, as GitHub shows only ten for a step; then a summary line.

    `root` is the path of the content folder in the repository. The message repeats the location, because the log of a
    run shows only messages.
    """
    for problem in sorted(report.problems, key=lambda problem: not problem.is_error):
        where = problem.where
        message = f"{location_text(where)}: {problem.code} {printable(problem.message)}"
        if problem.hint:
            message += f" ({printable(problem.hint)})"
        path = _CONTROL.sub(lambda control: printable(control[0]), str(PurePosixPath(root, where.path)))
        yield (
            f"::{problem.severity} file={_escape_property(path)},line={where.line},col={where.column},"
            f"title={_escape_property(problem.code)}::{escape_message(message)}"
        )
    yield "".join(report_summary(report))


def escape_message(text: str) -> str:
    """Escape the message of an annotation for the GitHub runner."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    """Escape a property of an annotation, such as its title, for the GitHub runner."""
    return escape_message(text).replace(":", "%3A").replace(",", "%2C")


SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_ROOT = "%SRCROOT%"  # GitHub's name for the root of the repository


def sarif_document(report: ValidationReport, version: str, root: str = "") -> dict[str, Any]:
    """Return the SARIF log of one run of `validate`; `root` is the path of the content folder in the repository."""
    codes = sorted({problem.code for problem in report.problems})
    driver = {"name": "contentsync", "version": version, "rules": [_rule(code) for code in codes]}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [{"executionSuccessful": True}],
                "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
                "columnKind": "unicodeCodePoints",
                "results": _results(report.problems, codes, root),
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    """Return a rule of SARIF: the meaning of a code, and the page that explains it."""
    page = f"docs/problems.md#{code}"
    words = code.replace("-", " ")
    return {
        "id": code,
        "name": words.title().replace(" ", ""),
        "shortDescription": {"text": words.capitalize()},
        "help": {"text": f"See {page} of contentsync: when it appears, an example, and how to fix it."},
    }


def _results(problems: Iterable[Problem], codes: list[str], root: str) -> list[dict[str, Any]]:
    """Return the problems as results of SARIF; a rule is named by its index in `codes`."""
    rule_numbers = {code: index for index, code in enumerate(codes)}
    counts: Counter[str] = Counter()  # of problems with the same fingerprint so far
    results = []
    for problem in problems:
        fingerprint = _fingerprint(problem)
        counts[fingerprint] += 1
        results.append(
            {
                "ruleId": problem.code,
                "ruleIndex": rule_numbers[problem.code],
                "level": str(problem.severity),
                "message": {"text": f"{problem.message} ({problem.hint})" if problem.hint else problem.message},
                "locations": [{"physicalLocation": _location(problem, root)}],
                "partialFingerprints": {"contentsync/v1": f"{fingerprint}:{counts[fingerprint]}"},
            }
        )
    return results


def _location(problem: Problem, root: str) -> dict[str, Any]:
    """Return a location of SARIF, relative to the root of the repository."""
    where = problem.where
    return {
        "artifactLocation": {"uri": quote(str(PurePosixPath(root, where.path))), "uriBaseId": _ROOT},
        "region": {"startLine": where.line, "startColumn": where.column},
    }


def _fingerprint(problem: Problem) -> str:
    """Return a fingerprint of a problem that does not change when its line moves."""
    text = "\0".join((problem.code, problem.where.path, problem.key or "", problem.message))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


# Code, which stays as it is, or a link.
_CODE_OR_LINK = lazy_pattern(
    r"```.*?```|\[(?P<text>(?:`[^`]*`|[^\]`])+)\]\((?P<page>[^)#]*)(?:#[^)]*)?\)|`[^`]*`", re.DOTALL
)


def explain_code(code: str) -> str:
    """Return the explanation of a problem code, in Markdown without links. Raise UsageError for an unknown code."""
    from ..model import did_you_mean  # imports pydantic, which a cached report does not need

    text = explanations().get(code)
    if text is None:
        hint = did_you_mean(code, explanations()) or "docs/problems.md lists all codes"
        raise UsageError(f"there is no problem code '{code}'", hint)
    return _CODE_OR_LINK.sub(_without_link, text)


def _without_link(match: re.Match[str]) -> str:
    """Return the text of a link, with the name of its page if that is another one; return code as it is."""
    text, page = match["text"], match["page"]
    if text is None:
        return match[0]
    return text if page in ("", text) else f"{text} (docs/{page})"
