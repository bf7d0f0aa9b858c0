import json

from contentsync.errors import Problem, Severity, Where
from contentsync.model import Entry, Kind
from contentsync.report.problems import problems_text, validation_document, validation_text

BAD = Problem(
    "unknown-key", "titel is not a known key", Where("pages/a.md", 2, 1), "did you mean 'title'?", kind="page", key="a"
)
ODD = Problem("relative-link", "img.png is relative", Where("pages/b.md", 9, 5), severity=Severity.WARNING)


def test_a_problem_is_one_line_with_place_code_message_and_hint() -> None:
    assert problems_text([BAD, ODD]).plain == (
        "pages/a.md:2:1: unknown-key titel is not a known key (did you mean 'title'?)\n"
        "pages/b.md:9:5: warning: relative-link img.png is relative\n"
    )


def test_the_last_line_sums_up() -> None:
    entries = [Entry(Kind.PAGE, "b", {})]
    assert (
        validation_text([BAD, ODD], 2, entries).plain.splitlines()[-1] == "1 error, 1 warning in 2 files with 1 entry"
    )
    assert validation_text([], 1, entries).plain == "valid in 1 file with 1 entry\n"


def test_a_file_name_cannot_forge_a_line() -> None:
    """FI-06, FI-23"""
    problem = Problem("c", "m", Where("a\n::error::x.md"))
    assert len(problems_text([problem]).plain.splitlines()) == 1


def test_the_document_has_the_shape_of_the_specification() -> None:
    """cli.md, JSON output"""
    document = json.loads(json.dumps(validation_document([BAD, ODD], 2, [Entry(Kind.PAGE, "b", {})])))
    assert document["version"] == 1
    assert document["problems"][0] == {
        "code": "unknown-key",
        "severity": "error",
        "message": "titel is not a known key",
        "hint": "did you mean 'title'?",
        "path": "pages/a.md",
        "line": 2,
        "column": 1,
        "kind": "page",
        "key": "a",
    }
    assert document["summary"] == {
        "files": 2,
        "entries": {
            "category": 0,
            "tag": 0,
            "custom_field": 0,
            "organizer": 0,
            "listing": 0,
            "page": 1,
            "article": 0,
        },
        "errors": 1,
        "warnings": 1,
    }
