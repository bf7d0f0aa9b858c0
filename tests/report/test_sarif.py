import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from contentsync.errors import Problem, Where
from contentsync.report.problem_documents import sarif_document

from .surveys import BAD, HOSTILE, ODD, survey

SCHEMA = json.loads((Path(__file__).parent / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))


def run(*problems: Problem, root: str = "") -> Any:
    """Return the one run of a log that matches the published schema."""
    document = json.loads(json.dumps(sarif_document(survey(problems), "1.2.3", root)))
    checker = jsonschema.Draft4Validator.FORMAT_CHECKER
    jsonschema.Draft4Validator(SCHEMA, format_checker=checker).validate(document)
    return document["runs"][0]


@pytest.mark.parametrize("problems", [[], [BAD], [BAD, ODD, HOSTILE], [Problem("no-folder", "m", Where("."))]])
def test_the_log_passes_the_published_schema(problems: list[Problem]) -> None:
    assert len(run(*problems)["results"]) == len(problems)


def test_the_published_schema_refuses_a_wrong_log() -> None:
    document = sarif_document(survey([BAD]), "1.2.3")
    document["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(SCHEMA).validate(document)


def test_a_problem_is_a_result_at_its_location() -> None:
    result = run(BAD)["results"][0]
    assert result["level"] == "error"
    assert result["message"]["text"] == "titel is not a known key (did you mean 'title'?)"
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "pages/a.md", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 2, "startColumn": 1},
    }


def test_columns_are_counted_in_characters() -> None:
    assert run(BAD)["columnKind"] == "unicodeCodePoints"


def test_each_code_is_a_rule_with_a_link_to_its_explanation() -> None:
    log = run(BAD, ODD, BAD)
    driver = log["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("contentsync", "1.2.3")
    assert [rule["id"] for rule in driver["rules"]] == ["relative-link", "unknown-key"]
    assert driver["rules"][1]["shortDescription"] == {"text": "Unknown key"}
    assert "docs/problems.md#unknown-key" in driver["rules"][1]["help"]["text"]
    for result in log["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_paths_are_percent_encoded_and_relative_to_the_repository() -> None:
    """FI-23"""
    uri = run(HOSTILE, root="my site")["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert uri.startswith("my%20site/pages/a%2Cb%3Ac%250a%0A%3A%3A")
    assert unquote(uri) == f"my site/{HOSTILE.where.path}"


def test_a_fingerprint_does_not_depend_on_the_line() -> None:
    moved = Problem(BAD.code, BAD.message, Where("pages/a.md", 7, 1), BAD.hint, kind="page", key="a")
    alone, first, second = run(BAD)["results"] + run(moved, BAD)["results"]
    assert alone["partialFingerprints"] == first["partialFingerprints"]
    assert first["partialFingerprints"] != second["partialFingerprints"]
