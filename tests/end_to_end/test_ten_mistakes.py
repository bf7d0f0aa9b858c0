"""The ten worst mistakes of real life in one folder, one run: all named, in every format, and nothing sent."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from contentsync.content.folder.load import load_content

from ..exit_codes import CONTENT_ERRORS
from ..served import Served
from .conftest import contentsync

SARIF_SCHEMA = Path(__file__).parent.parent / "report/sarif-schema-2.1.0.json"

# Each file: what is in it, and where which problem is to be reported.
MISTAKES: dict[str, tuple[bytes, int, int, str]] = {
    # FI-01, FI-03: Windows wrote a byte order mark, and someone's paste an apostrophe that is not UTF-8
    "pages/opening.md": (b"\xef\xbb\xbf---\r\ntitle: Opening\r\n---\r\nIt\x92s open.\r\n", 4, 3, "not-utf8"),
    # FI-08: others publish the raw YAML
    "pages/team.md": (b"---\ntitle: Team\nplacement: navbar\n\nWe are nine.\n", 1, 1, "unclosed-front-matter"),
    # YA-16
    "articles/repair.md": (b"---\ntitle: Repair: how to start\n---\nBring tools.\n", 2, 14, "yaml-syntax"),
    # YA-06: others take the last one
    "organizers/werkhof.md": (b"---\nname: Werkhof\nphone: 01234\nphone: 0567\n---\n", 4, 1, "duplicate-key"),
    # CS-08: others swallow every row behind the quote
    "listings/libraries.csv": (
        b'name,url\n"Harbour Library,https://harbour.example.org\nNight Desk,https://night.example.org\n',
        2,
        1,
        "unclosed-quote",
    ),
    # CS-03: others see one column
    "listings/courses.csv": (b"name;url\nWelding, evening\n", 1, 1, "wrong-delimiter"),
    # FI-27
    "pages/rules.md": (
        b"---\ntitle: Rules\n---\n<<<<<<< HEAD\nNo shoes.\n=======\nShoes.\n>>>>>>> tidy\n",
        4,
        1,
        "merge-marker",
    ),
    # YA-21
    "pages/about.md": (b"---\ntitle: About\nplacment: navbar\n---\nWho we are.\n", 3, 1, "unknown-key"),
    "listings/places.yaml": (b"- name: Bench\n  categories:\n    - tool-librarys\n", 3, 7, "unknown-reference"),
    # FI-19
    "articles/visit.md": (b"---\ntitle: Visit\nslug: spring\n---\nCome and see.\n", 3, 7, "duplicate-identity"),
}
SOUND: dict[str, bytes] = {
    "contentsync.toml": b'[site]\nname = "Ten mistakes"\n',
    "categories.yaml": b"- title: Tool libraries\n",
    "articles/spring.md": b"---\ntitle: Spring\n---\nIt is spring.\n",
    # YA-08, YA-09, YA-10: no mistakes, though others read false, 750 and 668
    "organizers/nord.md": b"---\nname: NO\nslug: nord\ndescription: 12:30\nphone: 01234\n---\n",
}
EXPECTED = {(path, line, column, code) for path, (_, line, column, code) in MISTAKES.items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, data in {**SOUND, **{path: mistake[0] for path, mistake in MISTAKES.items()}}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    return tmp_path


def printed(text: str) -> set[tuple[str, int, int, str]]:
    lines = re.findall(r"^([\w./-]+):(\d+):(\d+): ([a-z0-9-]+) ", text, re.MULTILINE)
    return {(path, int(line), int(column), code) for path, line, column, code in lines}


def in_sarif(result: Any) -> tuple[str, int, int, str]:
    place = result["locations"][0]["physicalLocation"]
    path, region = unquote(place["artifactLocation"]["uri"]), place["region"]
    return path, region["startLine"], region["startColumn"], result["ruleId"]


def test_ten_mistakes_are_ten_problems_in_their_lines(folder: Path) -> None:
    ran = contentsync("validate", folder, env={"COLUMNS": "100"})
    assert ran.code == CONTENT_ERRORS
    assert printed(ran.out) == EXPECTED
    assert ran.out == (Path(__file__).parent / "ten-mistakes.txt").read_text(encoding="utf-8")


def test_json_names_the_same_ten(folder: Path) -> None:
    ran = contentsync("validate", folder, "--format", "json")
    assert ran.code == CONTENT_ERRORS
    problems = ran.document["problems"]
    assert len(problems) == len(EXPECTED)
    assert {(problem["path"], problem["line"], problem["column"], problem["code"]) for problem in problems} == EXPECTED


def test_the_annotations_of_a_pull_request_name_the_same_ten(folder: Path) -> None:
    ran = contentsync("validate", folder, "--format", "github", cwd=folder)
    assert ran.code == CONTENT_ERRORS
    commands = re.findall(r"^::error file=(.*),line=(\d+),col=(\d+),title=(.*?)::.", ran.out, re.MULTILINE)
    assert len(commands) == len(EXPECTED)
    assert {(path, int(line), int(column), code) for path, line, column, code in commands} == EXPECTED


def test_sarif_names_the_same_ten(folder: Path) -> None:
    ran = contentsync("validate", folder, "--format", "sarif", cwd=folder)
    assert ran.code == CONTENT_ERRORS
    jsonschema.Draft4Validator(json.loads(SARIF_SCHEMA.read_text(encoding="utf-8"))).validate(ran.document)
    results = ran.document["runs"][0]["results"]
    assert len(results) == len(EXPECTED)
    assert set(map(in_sarif, results)) == EXPECTED


def test_nothing_is_sent_and_the_same_ten_are_reported(folder: Path, served: Served) -> None:
    """PL-03"""
    ran = contentsync("sync", "--yes", folder, env={**served.env, "COLUMNS": "100"})
    assert ran.code == CONTENT_ERRORS
    assert printed(ran.err) == EXPECTED
    assert "      | ^^^^^^^^" in ran.err
    assert served.recorder.requests == []


def test_values_that_only_look_odd_are_read_as_written(folder: Path) -> None:
    """YA-08, YA-09, YA-10"""
    (organizer,) = (entry for entry in load_content(folder).entries if entry.key == "nord")
    assert organizer.fields == {"name": "NO", "slug": "nord", "description": "12:30", "phone": "01234"}
