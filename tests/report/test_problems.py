"""contentsync.report.problems: problems with their lines, and many problems by cause."""

import io
import json
from pathlib import Path

from rich.console import Console

from contentsync.errors import Problem, Severity, Where
from contentsync.report.problem_documents import validation_document
from contentsync.report.problems import (
    MAX_ERRORS,
    MAX_EXCERPTS,
    MAX_EXCERPTS_OF_A_FILE,
    MAX_WITHOUT_SUMMARY,
    problems_text,
    validation_text,
)

from ..growth import grows_evenly
from .surveys import BAD, HOSTILE, ODD, plain, survey


def write(folder: Path, path: str, text: str) -> Path:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, encoding="utf-8")
    return folder


def test_a_problem_without_its_line_is_printed_on_one_line(tmp_path: Path) -> None:
    for folder in (None, tmp_path):
        assert plain(problems_text([BAD, ODD], folder)) == (
            "pages/a.md:2:1: unknown-key titel is not a known key (did you mean 'title'?)\n"
            "pages/b.md:9:5: warning: relative-link img.png is relative\n"
        )


def test_a_problem_without_a_file_has_no_location() -> None:
    assert plain(problems_text([Problem("not-written", "the disk is full", Where(""))])) == (
        "not-written the disk is full\n"
    )


def test_a_problem_is_printed_with_its_line_a_mark_and_the_hint(tmp_path: Path) -> None:
    assert plain(problems_text([BAD], write(tmp_path, "pages/a.md", "---\ntitel: About\n---\n"))) == (
        "pages/a.md:2:1: unknown-key titel is not a known key\n"
        "    2 | titel: About\n"
        "      | ^^^^^ did you mean 'title'?\n"
        "\n"
    )


def test_a_hint_that_does_not_fit_beside_the_mark_is_below(tmp_path: Path) -> None:
    problem = Problem("c", "m", Where("a.md", 1, 20), "a hint of 22 characters")
    write(tmp_path, "a.md", "key: some more text here\n")
    beside, below = (plain(problems_text([problem], tmp_path, width)).splitlines()[2:-1] for width in (52, 51))
    assert beside == ["      | " + " " * 19 + "^ a hint of 22 characters"]
    assert below == ["      | " + " " * 19 + "^", "      | a hint of 22 characters"]


def test_each_line_is_found_in_a_file_with_several_problems(tmp_path: Path) -> None:
    problems = [Problem("c", "m", Where("a.md", line)) for line in (3, 1, 3, 9)]
    shown = plain(problems_text(problems, write(tmp_path, "a.md", "one\ntwo\nthree\n")))
    assert [line for line in shown.splitlines() if " | " in line and "^" not in line] == [
        "    3 | three",
        "    1 | one",
        "    3 | three",
    ]


def test_errors_are_red_and_warnings_yellow(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=100)
    console.print(problems_text([BAD, ODD], write(tmp_path, "pages/a.md", "---\ntitel: About\n")), end="")
    shown = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert "\x1b[31munknown-key\x1b[0m" in shown
    assert "\x1b[1;31m^^^^^\x1b[0m" in shown
    assert "\x1b[33mwarning: relative-link\x1b[0m" in shown


def test_only_the_first_errors_of_many_are_shown_with_their_lines(tmp_path: Path) -> None:
    for name in "abcdefghijklm":
        write(tmp_path, f"{name}.md", "line\n" * 40)
    warnings = [Problem("w", "m", Where("a.md", line), severity=Severity.WARNING) for line in range(1, 21)]
    errors = [Problem("e", "m", Where(f"{name}.md", line)) for name in "bcdefghijklm" for line in range(1, 17)]
    shown = plain(problems_text([*warnings, *errors], tmp_path)).split("\n")
    assert sum(line.startswith("      | ^") for line in shown) == MAX_EXCERPTS
    at = [place for place, line in enumerate(shown) if ": e " in line]
    assert len(at) == len(errors)
    in_lines = [shown[place].split(":")[0] for place in at if shown[place + 1].endswith("| line")]
    assert in_lines == [f"{name}.md" for name in "bcdefghijk" for _ in range(MAX_EXCERPTS_OF_A_FILE)]


def test_errors_after_the_first_of_many_are_grouped_by_cause() -> None:
    errors = [Problem("e", "m", Where("a.md", line)) for line in range(1, MAX_ERRORS + 3)]
    *shown, first, last = plain(problems_text([*errors, ODD])).splitlines()[:-1]
    assert shown == [f"a.md:{line}:1: e m" for line in range(1, MAX_ERRORS + 1)]
    assert first == f"       2 e                      first at a.md:{MAX_ERRORS + 1}:1: m"
    assert last == "       1 warning: relative-link first at pages/b.md:9:5: img.png is relative"
    assert len(plain(problems_text(errors[:MAX_ERRORS])).splitlines()) == MAX_ERRORS


def test_many_warnings_are_grouped_below_the_errors(tmp_path: Path) -> None:
    write(tmp_path, "pages/a.md", "---\ntitel: About\n---\n" + "\n" * MAX_WITHOUT_SUMMARY)
    links = [
        Problem("broken-link", "no page", Where("pages/a.md", 4 + line), severity=Severity.WARNING)
        for line in range(MAX_WITHOUT_SUMMARY + 1)
    ]
    assert plain(problems_text([BAD, *links], tmp_path)) == (
        "pages/a.md:2:1: unknown-key titel is not a known key\n"
        "    2 | titel: About\n"
        "      | ^^^^^ did you mean 'title'?\n"
        "\n"
        "      21 warning: broken-link   first at pages/a.md:4:1: no page\n"
        f"contentsync validate {tmp_path} --full shows each warning with its line\n"
    )
    assert plain(problems_text(links[1:], tmp_path)).count("broken-link") == MAX_WITHOUT_SUMMARY


def test_many_problems_are_grouped_by_cause_below_them() -> None:
    few = [Problem("bad-date", "m", Where(f"{number:02}.md", 3, 7)) for number in range(MAX_WITHOUT_SUMMARY)]
    assert len(plain(validation_text(survey(few))).splitlines()) == MAX_WITHOUT_SUMMARY + 1
    causes = [
        "      20 bad-date               first at 00.md:3:7: m",
        "       1 warning: relative-link first at pages/b.md:9:5: img.png is relative",
        "",
    ]
    summary = "20 errors, 1 warning in 2 files with 1 entry"
    assert plain(validation_text(survey([*few, ODD]))).splitlines()[-4:] == [*causes, summary]
    short = plain(validation_text(survey([*few, ODD]), full=False)).splitlines()
    assert short == [*causes, "--full shows every problem with its line", summary]


def test_reporting_takes_linear_time(tmp_path: Path) -> None:
    write(tmp_path, "a.yaml", "- titel: x\n" * 2_000)

    def show(size: int) -> None:
        problems = [Problem("unknown-key", "titel", Where("a.yaml", line, 3), "title?") for line in range(1, size + 1)]
        assert plain(validation_text(survey(problems, tmp_path))).count("unknown-key") == size + 1

    assert grows_evenly(show, 1_000)


def test_the_last_line_is_a_summary() -> None:
    assert plain(validation_text(survey([BAD, ODD]))).splitlines()[-1] == "1 error, 1 warning in 2 files with 1 entry"
    assert plain(validation_text(survey([], files=1))) == "valid in 1 file with 1 entry\n"


def test_names_and_texts_cannot_forge_a_line_or_control_the_terminal(tmp_path: Path) -> None:
    """FI-06, FI-23"""
    for folder in (None, write(tmp_path, HOSTILE.where.path, "::error::\x1b[31m")):
        shown = plain(problems_text([HOSTILE], folder))
        assert not any(line.startswith("::error::") for line in shown.splitlines())
        assert shown.replace("\n", "").isprintable()


def test_the_document_has_the_shape_of_the_specification() -> None:
    """docs/reference/json.md, validate."""
    document = json.loads(json.dumps(validation_document(survey([BAD, ODD]))))
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


DATES = [Problem("bad-date", "must be a date", Where(f"d{n}.md", 2, 3)) for n in range(1, 13)]


def test_a_report_of_many_problems_has_at_most_30_lines() -> None:
    problems = [Problem(f"code-{n % 60}", "x\ny" * 99, Where(f"a{n}.md")) for n in range(4000)]
    lines = plain(validation_text(survey(problems, Path("nowhere")), 80, "site", full=False)).splitlines()
    assert len(lines) <= 30
    assert lines[0].startswith("      67 code-0                 first at site/a0.md:1:1: x\\ny")
    assert lines[-2:] == ["--full shows every problem with its line", "4,000 errors in 2 files with 1 entry"]


def test_a_few_problems_are_shown_in_full() -> None:
    report = survey(DATES, Path("nowhere"))
    assert plain(validation_text(report, 80, full=False)) == plain(validation_text(report, 80, full=True))
