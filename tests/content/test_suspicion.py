"""contentsync.content.suspicion: mistakes that are easy to guess."""

import pytest

from .conftest import Load, spots


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("listings/a.csv", "name,latitude,longitude\nA,-122.4194,37.7749\n"),
        ("listings/a.yaml", "- name: A\n  latitude: -122.4194\n  longitude: 37.7749\n"),
        ("listings/a.md", "---\nname: A\nlatitude: -122.4194\nlongitude: 37.7749\n---\n"),
    ],
)
def test_coordinates_that_look_swapped_are_told_to_be(read: Load, name: str, text: str) -> None:
    """CS-24"""
    content = read({name: text})
    assert [code for *_, code in spots(content)] == ["out-of-range"]
    assert content.problems[0].hint == "latitude and longitude look swapped"


@pytest.mark.parametrize("cells", ["400,37.7", "-122.4,", "-122.4,137.7", "-122.4,x", "x,200"])
def test_coordinates_that_are_wrong_in_another_way_are_not(read: Load, cells: str) -> None:
    """CS-24"""
    content = read({"listings/a.csv": f"name,latitude,longitude\nA,{cells}\n"})
    assert content.errors
    assert not any("swapped" in problem.hint for problem in content.problems)


@pytest.mark.parametrize(
    ("cell", "offered"),
    [
        ("software;software", "software|software"),
        ("software; hardware;", "software|hardware"),
        ('"software,hardware"', "software|hardware"),
    ],
)
@pytest.mark.parametrize("tags", ["- title: Software\n", ""], ids=["known tags", "no tags"])
def test_a_cell_with_semicolons_or_commas_suggests_the_separator_of_lists(
    cell: str, offered: str, tags: str, read: Load
) -> None:
    content = read({"tags.yaml": tags, "listings/a.csv": f"name,tags\nA,{cell}\n"})
    (problem,) = (it for it in content.problems if it.where.path == "listings/a.csv")
    assert problem.hint == f"if these are several values, separate them with |: {offered}"


def test_choices_and_addresses_in_one_cell_suggest_the_separator_too(read: Load) -> None:
    fields = "- {label: M, type: multi_select, options: [a, b]}\n"
    table = "name,m,additional_image_urls\nA,a;b,https://a.example;https://b.example\n"
    content = read({"custom_fields.yaml": fields, "listings/a.csv": table})
    assert [problem.hint.partition("|: ")[2] for problem in content.problems] == [
        "a|b",
        "https://a.example|https://b.example",
    ]


def test_a_single_wrong_name_and_a_name_in_yaml_suggest_no_separator(read: Load) -> None:
    files = {"tags.yaml": "- title: Free\n", "listings/a.csv": "name,tags\nA,fre\n"}
    assert [problem.hint for problem in read(files).problems] == ["did you mean 'Free'?"]
    files = {"tags.yaml": "- title: Free\n", "listings/a.yaml": "name: A\ntags: [x;y]\n"}
    assert "|" not in read({**files, "listings/a.csv": "name\nB\n"}).problems[0].hint
