"""contentsync.authoring.adopt.nested_items: entries in groups, as awesome lists have them."""

import json
from pathlib import Path
from typing import Any

import pytest

from contentsync.authoring.adopt.adoption import propose_adoption
from contentsync.authoring.adopt.nested_items import find_items
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers

from .repositories import NOW, write

TOOLS = [{"name": f"Tool {number}", "url": f"https://t{number}.example.org/"} for number in range(6)]


def groups(key: str = "entries") -> list[dict[str, Any]]:
    return [{"name": name, key: TOOLS[at : at + 3]} for at, name in ((0, "Wood"), (3, "Metal"))]


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"groups": groups()}, "groups[].entries[]"),
        ({"tools": TOOLS, "authors": [{"name": "Ann"}]}, "tools[]"),
        ({"version": "1", "a": [{"b": [{"c": TOOLS}]}]}, "a[].b[].c[]"),
        ({"title": "A", "menu": ["x"]}, ""),
        ({"a key": TOOLS}, ""),
    ],
)
def test_the_list_with_the_most_names_becomes_the_listings(values: dict[str, Any], path: str) -> None:
    assert find_items(values)[0] == path


@pytest.mark.parametrize("path", ["data/tools.yml", "data/tools.json"])
def test_groups_become_categories(path: str, tmp_path: Path) -> None:
    folder = write(tmp_path, {path: json.dumps({"groups": groups()}, indent=1), "package.json": '{"name": "x"}'})
    adoption = propose_adoption(folder, DefaultAnswers(), NOW)
    text = adoption.config.decode()
    assert f'path = "{path}"\nitems = "groups[].entries[]"\n' in text
    assert '[content.listings.inherit]\ncategories = "groups[].name"' in text
    assert b"title: Metal\n" in adoption.files["categories.yaml"]
    assert adoption.trial.report.problems == ()
    assert adoption.trial.report.counts["listing"] == len(TOOLS)


def test_entries_with_their_own_category_do_not_inherit_one(tmp_path: Path) -> None:
    tools = [{**tool, "category": "Own"} for tool in TOOLS]
    folder = write(tmp_path, {"tools.yml": json.dumps({"groups": [{"name": "A", "tools": tools}]}, indent=1)})
    adoption = propose_adoption(folder, DefaultAnswers(), NOW)
    assert b"inherit" not in adoption.config
    assert adoption.trial.report.counts["listing"] == len(TOOLS)


def test_a_semicolon_table_is_adopted(tmp_path: Path) -> None:
    rows = "".join(f"Place {number};https://p{number}.example.org\n" for number in range(5))
    adoption = propose_adoption(write(tmp_path, {"places.csv": f"Name;URL\n{rows}"}), DefaultAnswers(), NOW)
    assert adoption.trial.report.problems == ()
    assert adoption.trial.report.counts["listing"] == 5


def test_a_table_with_two_columns_of_one_name_is_chosen_and_reported(tmp_path: Path) -> None:
    text = "Name,Site,Name\nOven,https://oven.example.org,Bakery\n"
    adoption = propose_adoption(write(tmp_path, {"places/export.csv": text}), DefaultAnswers(), NOW)
    assert b'path = "places/export.csv"' in adoption.config
    assert [problem.code for problem in adoption.trial.report.problems] == ["duplicate-column"]
