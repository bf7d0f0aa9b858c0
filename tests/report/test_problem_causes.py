"""contentsync.report.problem_causes: many problems in a few lines."""

from pathlib import Path

from contentsync.errors import Problem, Severity, Where
from contentsync.report.problem_causes import cause_lines, problem_causes
from contentsync.report.problems import validation_text

from .surveys import plain, survey

UNKNOWN = [Problem("unknown-key", "x", Where(f"a{n}.md", n), kind="article", subject="layout") for n in range(1, 9)]
PAGES = [Problem("unknown-key", "x", Where("p.md"), kind="page", subject="layout")]
DATES = [Problem("bad-date", "must be a date", Where(f"d{n}.md", 2, 3)) for n in range(1, 13)]
LINKS = [Problem("broken-link", "no page", Where("b.md"), severity=Severity.WARNING)] * 40


def test_causes_are_ordered_by_their_number_with_errors_first() -> None:
    lines = [
        " ".join(" ".join(parts).split()) for parts in cause_lines(problem_causes([*LINKS, *UNKNOWN, *PAGES, *DATES]))
    ]
    assert lines == [
        "12 bad-date first at d1.md:2:3: must be a date",
        "8 unknown-key `layout` of articles, first at a1.md:1:1",
        "1 unknown-key `layout` of pages, first at p.md:1:1",
        "40 warning: broken-link first at b.md:1:1: no page",
    ]


def test_more_causes_than_the_limit_are_counted() -> None:
    *_, last = cause_lines(problem_causes([*LINKS, *UNKNOWN, *PAGES, *DATES]), 2)
    assert " ".join(" ".join(last).split()) == "41 others with 2 other causes"


def test_a_report_of_many_problems_names_each_cause_in_at_most_30_lines() -> None:
    problems = [Problem(f"code-{n % 60}", "x\ny" * 99, Where(f"a{n}.md")) for n in range(4000)]
    lines = plain(validation_text(survey(problems, Path("nowhere")), 80, "site", full=False)).splitlines()
    assert len(lines) <= 30
    assert lines[0].startswith("      67 code-0                 first at site/a0.md:1:1: x\\ny")
    assert lines[-2:] == ["--full shows every problem with its line", "4,000 errors in 2 files with 1 entry"]


def test_few_problems_are_shown_in_full() -> None:
    report = survey(DATES, Path("nowhere"))
    assert plain(validation_text(report, 80, full=False)) == plain(validation_text(report, 80, full=True))
