from contentsync.errors import Problem, Where
from contentsync.report.problem_documents import github_annotations

from .surveys import BAD, HOSTILE, ODD, survey


def test_a_problem_is_an_annotation_at_its_line() -> None:
    assert next(github_annotations(survey([BAD]))) == (
        "::error file=pages/a.md,line=2,col=1,title=unknown-key"
        "::pages/a.md:2:1: unknown-key titel is not a known key (did you mean 'title'?)"
    )


def test_errors_come_before_warnings() -> None:
    problems = [ODD, BAD, Problem("c", "m", Where("z.md"))]
    assert [line.split(" ")[0] for line in github_annotations(survey(problems))] == [
        "::error",
        "::error",
        "::warning",
        "2",
    ]


def test_the_last_line_is_a_summary() -> None:
    assert list(github_annotations(survey([]))) == ["valid in 2 files with 1 entry"]


def test_paths_start_at_the_root_of_the_repository() -> None:
    assert next(github_annotations(survey([BAD]), "sites/one")).startswith("::error file=sites/one/pages/a.md,line=2,")


def test_names_and_texts_are_escaped_for_the_runner() -> None:
    """FI-06, FI-23"""
    line = next(github_annotations(survey([HOSTILE])))
    assert line == (
        "::error file=pages/a%2Cb%3Ac%250a%0A%3A%3Aerror%3A%3Ax \\x1b[31mü.md,line=1,col=1,title=unknown-key"
        "::pages/a,b:c%250a\\n::error::x \\x1b[31mü.md:1:1: unknown-key a\\n::error::b, 100%25\\x1b[31m"
        " (did you\\r\\nmean 'c'?)"
    )
    assert len(line.splitlines()) == 1


def test_a_runner_unescapes_the_original_values() -> None:
    properties, _, message = next(github_annotations(survey([HOSTILE]))).removeprefix("::error ").partition("::")
    values = dict(part.split("=", 1) for part in properties.split(","))
    for escape, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        values = {name: value.replace(escape, character) for name, value in values.items()}
        message = message.replace(escape, character)
    assert values["file"] == HOSTILE.where.path.replace("\x1b", "\\x1b")
    assert "100%" in message
