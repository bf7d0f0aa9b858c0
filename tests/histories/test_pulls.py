"""Pulls into a folder that has changed too; 1,500 longer histories in `make torture-pull`."""

import pytest

from ..sampling import sampled
from .pulls import pulled_renames, pulls
from .server import Server


@pytest.mark.parametrize("seed", sampled(range(5), every=3))
def test_a_pull_leaves_a_valid_folder_and_a_plan_with_its_changes(server: Server, seed: int) -> None:
    assert pulls().play(server, seed, length=(1, 2)).report == []


@pytest.mark.parametrize("seed", sampled(range(2), every=2))
def test_renames_of_both_sides_are_merged_and_a_sync_applies_them(server: Server, seed: int) -> None:
    assert pulled_renames().play(server, seed).report == []
