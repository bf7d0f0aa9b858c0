"""Ten files, ten different mistakes, one run."""

import re
from pathlib import Path

from .conftest import Served, contentsync

MISTAKES = {
    "contentsync.toml": ('[site]\nname = "Ten"\ntimezone = "Mars/Olympus"\n', 3, 12),
    "pages/unknown-key.md": ("---\ntitel: About\n---\ntext\n", 2, 1),
    "pages/unclosed.md": ("---\ntitle: Never closed\n", 1, 1),
    "pages/placement.md": ("---\ntitle: Where\nplacement: navbr\n---\n", 3, 12),
    "articles/no-text.md": ("---\ntitle: No text\n---\n", 1, 1),
    "articles/date.md": ("---\ntitle: When\npublished_at: 2026-02-30\n---\ntext\n", 3, 15),
    "organizers/link.md": ("---\nname: Link\nwebsite_url: javascript:alert(1)\n---\n", 3, 14),
    "listings/quote.csv": ('name,url\n"Open,https://open.example.org\nNext,https://next.example.org\n', 2, 1),
    "listings/range.yaml": ("- name: North\n  latitude: 95\n", 2, 13),
    "tags.yaml": ("- title: Red\n  color: red\n- title: Twice\n  title: Twice\n", 2, 10),
}


def ten_mistakes(folder: Path) -> Path:
    for path, (text, _, _) in MISTAKES.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def test_all_ten_are_named_with_file_line_and_column_and_nothing_is_sent(tmp_path: Path, served: Served) -> None:
    """PL-03"""
    folder = ten_mistakes(tmp_path / "ten")
    for command in (["validate"], ["sync", "--yes"]):
        ran = contentsync(*command, folder, env=served.env)
        assert ran.code == 1
        named = set(re.findall(r"^([\w./-]+:\d+:\d+): [a-z]", ran.out + ran.err, re.MULTILINE))
        assert {f"{path}:{line}:{column}" for path, (_, line, column) in MISTAKES.items()} <= named
    assert served.recorder.requests == []


def test_json_names_the_same_ten(tmp_path: Path) -> None:
    ran = contentsync("validate", ten_mistakes(tmp_path / "ten"), "--format", "json")
    assert ran.code == 1
    places = {(problem["path"], problem["line"], problem["column"]) for problem in ran.document["problems"]}
    assert {(path, line, column) for path, (_, line, column) in MISTAKES.items()} <= places
    assert all(problem["code"] and problem["message"] for problem in ran.document["problems"])
