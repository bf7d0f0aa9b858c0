"""contentsync.report.causes: problems are summarised by cause."""

from contentsync.errors import Problem, Severity, Where
from contentsync.report.causes import cause_lines, problem_causes

DATES = [Problem("bad-date", "must be a date", Where(f"d{n}.md", 2, 3)) for n in range(1, 13)]
UNKNOWN = [Problem("unknown-key", "x", Where(f"a{n}.md", n), kind="article", subject="layout") for n in range(1, 9)]


PAGES = [Problem("unknown-key", "x", Where("p.md"), kind="page", subject="layout")]


LINKS = [Problem("broken-link", "no page", Where("b.md"), severity=Severity.WARNING)] * 40


def test_causes_are_ordered_by_frequency_with_errors_first() -> None:
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
