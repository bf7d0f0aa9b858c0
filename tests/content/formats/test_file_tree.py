"""contentsync.content.formats.file_tree: paths of entries and of inherited values, as the config has them."""

import pytest

from contentsync.content.formats.file_tree import EACH, make_item_path, parse_steps

from ..conftest import Load


def test_a_path_consists_of_keys_and_lists() -> None:
    assert parse_steps("groups[].sections[].entries[]") == ("groups", EACH, "sections", EACH, "entries", EACH)
    assert parse_steps("[].data.items[][]") == (EACH, "data", "items", EACH, EACH)


def test_an_inherited_value_belongs_to_a_group_that_contains_the_entries() -> None:
    inherit = {"lang": "meta.lang", "group": "groups[].about.name", "section": "groups[].entries.title"}
    path = make_item_path("groups[].entries.list[]", inherit)
    assert {field: shared for field, (shared, _) in path.inherit.items()} == {"lang": 0, "group": 2, "section": 2}


@pytest.mark.parametrize(
    "settings",
    [
        'items = "groups"',
        'items = "groups[].name"',
        'items = "groups[0]"',
        'items = "a..b[]"',
        'items = "groups[].entries[]"\ninherit = { tags = "others[].name" }',
        'items = "groups[].entries[]"\ninherit = { tags = "groups[].entries[].name" }',
        'items = "groups[].entries[]"\ninherit = { tags = "groups[]" }',
        'items = "groups[].entries[]"\ninherit = { name = "groups[].name" }',
        'inherit = { tags = "groups[].name" }',
    ],
)
def test_an_impossible_item_path_is_an_error_in_the_config(read: Load, settings: str) -> None:
    content = read({"contentsync.toml": f"[content.listings]\n{settings}\n"})
    assert [(it.where.path, it.code) for it in content.problems] == [("contentsync.toml", "bad-path")]
