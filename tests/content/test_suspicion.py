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
