"""contentsync.content.formats.item_reader: entries of plain and nested lists in each format."""

import json
from pathlib import Path

import pytest

from contentsync.content.folder.load import load_content
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.model import Kind

from ...sampling import sampled
from ..conftest import Files, Load, only, spots, write

YAML = """\
# An awesome list
title: Tools
groups:
  - name: Wood
    sections:
      - title: Turning
        entries:
          - name: Lathe
            url: https://lathe.example/
          - {name: Chisel, url: https://chisel.example/, categories: [metal]}
      - title: Nothing yet
        entries:
  - sections:
      - entries: []
      - entries:
          - name: Anvil
            url: nowhere
    name: Metal
"""
TOML = """\
[[groups]]
name = "Wood"
[[groups.sections]]
[[groups.sections.entries]]
name = "Lathe"
url = "https://lathe.example/"
[[groups.sections.entries]]
name = "Chisel"
url = "https://chisel.example/"
categories = ["metal"]
[[groups]]
name = "Metal"
[[groups.sections]]
[[groups.sections.entries]]
name = "Anvil"
url = "nowhere"
"""
JSON = json.dumps(
    {
        "groups": [
            {
                "name": "Wood",
                "sections": [
                    {
                        "entries": [
                            {"name": "Lathe", "url": "https://lathe.example/"},
                            {"name": "Chisel", "url": "https://chisel.example/", "categories": ["metal"]},
                        ]
                    }
                ],
            },
            {"name": "Metal", "sections": [{"entries": [{"name": "Anvil", "url": "nowhere"}]}]},
        ]
    },
    indent=1,
)
SETTINGS = """\
[content.listings]
items = "groups[].sections[].entries[]"
inherit = { categories = "groups[].name" }
"""
CATEGORIES = "- title: Wood\n- title: Metal\n"
NESTED: Files = {"contentsync.toml": SETTINGS, "categories.yaml": CATEGORIES}


@pytest.mark.parametrize(
    ("path", "text", "line", "column"),
    [("a.yaml", YAML, 17, 18), ("a.yml", YAML, 17, 18), ("a.toml", TOML, 16, 7), ("a.json", JSON, 30, 15)],
)
def test_entries_of_nested_lists_inherit_values_and_have_locations(
    read: Load, path: str, text: str, line: int, column: int
) -> None:
    content = read({**NESTED, f"listings/{path}": text})
    assert spots(content) == [(f"listings/{path}", line, column, "bad-url")]
    listings = {it.fields["name"]: it.fields["categories"] for it in content.entries if it.kind is Kind.LISTING}
    assert listings == {"Lathe": ["wood"], "Chisel": ["metal"]}


def test_a_problem_in_an_inherited_value_is_reported_at_the_value(read: Load) -> None:
    content = read({**NESTED, "categories.yaml": "- title: Metal\n", "listings/a.yaml": YAML})
    assert ("listings/a.yaml", 4, 11, "unknown-reference") in spots(content)


@pytest.mark.parametrize(
    ("text", "line", "column", "code"),
    sampled(
        [
            ("groups:\n  - sections:\n      - entries: []\n", 2, 5, "no-items"),
            ("groups:\n  - name: Wood\n", 2, 5, "no-items"),
            ("groups:\n  - name: Wood\n    sections: text\n", 3, 15, "not-a-list"),
            ("groups:\n  - name: Wood\n    sections: [text]\n", 3, 16, "not-a-mapping"),
            ("groups:\n  - name: Wood\n    sections:\n      - entries: [{name: A, tags: *x}]\n", 4, 35, "yaml-alias"),
            ("groups:\n  - name: Wood\n    sections:\n      - entries:\n        - 12\n", 5, 11, "not-a-mapping"),
            ("other: []\n", 1, 1, "no-items"),
            ("just text\n", 1, 1, "not-a-mapping"),
            ("groups: [\n", 1, 10, "yaml-syntax"),
        ],
        every=1,
    ),
)
def test_a_missing_part_of_the_item_path_is_an_error_at_its_location(
    read: Load, text: str, line: int, column: int, code: str
) -> None:
    content = read({**NESTED, "listings/a.yaml": text})
    found = [(path, *position) for path, *position in spots(content)]
    if "entries: []" in text:  # nothing to inherit, so nothing is missing
        assert [it[-1] for it in found] == ["empty-file"]
    else:
        assert found == [("listings/a.yaml", line, column, code)]


def test_a_missing_inherited_value_is_reported_once_per_group(read: Load) -> None:
    text = "groups:\n  - sections:\n      - entries: [{name: A}, {name: B}]\n"
    assert spots(read({**NESTED, "listings/a.yaml": text})) == [("listings/a.yaml", 2, 5, "no-items")]


def test_a_plain_list_is_read_beside_nested_ones(read: Load) -> None:
    assert only(read({"contentsync.toml": SETTINGS, "listings/pulled.yaml": "- name: A\n"})).key == "a"


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("tags.json", '[\n {"title": "A"},\n {"title": "B"}\n]', [2, 3]),
        ("tags.json", '{"title": "A"}', [1]),
        ("tags.toml", '# Tags\n[[tags]]\ntitle = "A"\n\n[[tags]]\ntitle = "B"\n', [2, 5]),
        ("tags.toml", 'title = "A"\nslug = "a"\n', [1]),
    ],
)
def test_a_json_or_toml_file_contains_a_list_or_one_entry(read: Load, path: str, text: str, lines: list[int]) -> None:
    content = read({path: text, "contentsync.toml": f'[content.tags]\npath = "{path}"\n'})
    assert content.problems == ()
    assert [entry.source.line for entry in content.entries if entry.source] == lines


def test_custom_keys_are_renamed_before_values_are_inherited(read: Load) -> None:
    settings = SETTINGS + 'rename = { kinds = "categories" }\n'
    text = "groups: [{name: Wood, sections: [{entries: [{name: A, kinds: [Metal]}, {name: B}]}]}]\n"
    content = read({**NESTED, "contentsync.toml": settings, "listings/a.yaml": text})
    assert content.problems == ()
    assert [entry.fields.get("categories") for entry in content.entries[2:]] == [["metal"], ["wood"]]


def test_changing_the_item_path_invalidates_the_cache(tmp_path: Path) -> None:
    cache = InMemoryCache(margin=-(10**12))  # nanoseconds: it also caches files that are as new as those of a test
    write(tmp_path, {"listings/a.yaml": "a: [{name: A}]\nb: [{name: B}, {name: C}]\n"})
    for path, names in (("a[]", ["A"]), ("b[]", ["B", "C"])):
        (tmp_path / "contentsync.toml").write_text(f'[content.listings]\nitems = "{path}"\n', encoding="utf-8")
        assert [entry.fields["name"] for entry in load_content(tmp_path, cache).entries] == names


def test_five_hundred_entries_are_read_with_their_locations(tmp_path: Path) -> None:
    groups = [
        {"name": "Wood", "sections": [{"entries": [{"name": f"A{group} {n}", "x": 1} for n in range(100)]}]}
        for group in range(5)
    ]
    content = load_content(write(tmp_path, {**NESTED, "listings/a.json": json.dumps({"groups": groups}, indent=0)}))
    assert len([problem for problem in content.problems if problem.code == "unknown-key"]) == 500
