"""Problems as SARIF 2.1.0, which code scanning services and editors read."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from ..content.validation_report import ValidationReport
from ..errors import Problem

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_BASE = "%SRCROOT%"  # GitHub's name for the root of the repository


def sarif_document(survey: ValidationReport, version: str, root: str = "") -> dict[str, Any]:
    """The log of one run of `validate`; `root` is the path of the content folder in the repository."""
    codes = sorted({problem.code for problem in survey.problems})
    driver = {"name": "contentsync", "version": version, "rules": [_rule(code) for code in codes]}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [{"executionSuccessful": True}],
                "originalUriBaseIds": {_BASE: {"description": {"text": "The root of the repository."}}},
                "columnKind": "unicodeCodePoints",
                "results": _results(survey.problems, codes, root),
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    page = f"docs/problems.md#{code}"
    words = code.replace("-", " ")
    return {
        "id": code,
        "name": words.title().replace(" ", ""),
        "shortDescription": {"text": words.capitalize()},
        "help": {"text": f"See {page} of contentsync: when it appears, an example, and how to mend it."},
    }


def _results(problems: Iterable[Problem], codes: list[str], root: str) -> list[dict[str, Any]]:
    places = {code: place for place, code in enumerate(codes)}
    seen: Counter[str] = Counter()
    results = []
    for problem in problems:
        fingerprint = _fingerprint(problem)
        seen[fingerprint] += 1
        results.append(
            {
                "ruleId": problem.code,
                "ruleIndex": places[problem.code],
                "level": str(problem.severity),
                "message": {"text": f"{problem.message} ({problem.hint})" if problem.hint else problem.message},
                "locations": [{"physicalLocation": _location(problem, root)}],
                "partialFingerprints": {"contentsync/v1": f"{fingerprint}:{seen[fingerprint]}"},
            }
        )
    return results


def _location(problem: Problem, root: str) -> dict[str, Any]:
    where = problem.where
    return {
        "artifactLocation": {"uri": quote(str(PurePosixPath(root, where.path))), "uriBaseId": _BASE},
        "region": {"startLine": where.line, "startColumn": where.column},
    }


def _fingerprint(problem: Problem) -> str:
    """What tells a problem from others, wherever its line moves to."""
    told = "\0".join((problem.code, problem.where.path, problem.key or "", problem.message))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]
