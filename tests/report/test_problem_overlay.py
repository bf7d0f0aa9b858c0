"""contentsync.report.problems: problems as JSON for the page that they are drawn over."""

from pathlib import Path

import pytest

from contentsync.content.folder.load import load_content
from contentsync.report.excerpt import excerpt
from contentsync.report.problems import overlay_document

from ..content.conftest import write


def test_a_problem_has_a_location_an_excerpt_and_a_hint(tmp_path: Path) -> None:
    folder = write(tmp_path, {"pages/a.md": "---\ntitle: A\nplacement: navbr\n---\n"})
    assert overlay_document(load_content(folder).problems, folder) == [
        {
            "code": "not-a-choice",
            "severity": "error",
            "message": "placement must be one of navbar, footer, sidebar, unlisted",
            "hint": "did you mean 'navbar'?",
            "place": "pages/a.md:3:12",
            "line": 3,
            "excerpt": ("placement: ", "navbr", ""),
        }
    ]


def test_errors_come_before_warnings(tmp_path: Path) -> None:
    folder = write(tmp_path, {"articles/a.txt": "", "pages/b.md": "---\ntitel: B\n---\n"})
    severities = [problem["severity"] for problem in overlay_document(load_content(folder).problems, folder)]
    assert severities == sorted(severities, key=("error", "warning").index)
    assert set(severities) == {"error", "warning"}


def test_a_line_with_a_possible_secret_is_omitted(tmp_path: Path) -> None:
    config = '[site]\nname = "A"\n[targets.live]\nurl = "https://ada:secret@example.org"\n'
    folder = write(tmp_path, {"contentsync.toml": config})
    [problem] = overlay_document(load_content(folder).problems, folder)
    assert (problem["line"], problem["excerpt"]) == (4, None)
    assert "secret" not in str(problem)


def test_invisible_characters_are_escaped(tmp_path: Path) -> None:
    folder = write(tmp_path, {"pages/a.md": "---\ntitle: A\nplacement: a\u202eb\n---\n"})
    assert "\u202e" not in str(overlay_document(load_content(folder).problems, folder))


@pytest.mark.parametrize(
    ("line", "column", "parts"),
    [
        ("titel: About", 1, ("", "titel", ": About")),
        ("title: 東京 x # y", 8, ("title: ", "東京 x", " # y")),
        ("ends_at:", 9, ("ends_at:", "", "")),
        ("\tslug: a", 2, ("    ", "slug", ": a")),
    ],
)
def test_an_excerpt_is_split_around_the_marked_part(line: str, column: int, parts: tuple[str, str, str]) -> None:
    shown = excerpt(line, column, 60)
    assert shown is not None
    assert shown.parts == parts
