"""Renames in any order with other changes: a record stays with its entry, even if another one gets its old slug."""

import pytest

from ..sampling import sampled
from .renames import renames
from .server import Server

# The drawn ones reach each branch of `sync`, `content` and `authoring` that all of them reach.
CASES = [(0, True), (0, False), (1, True), (1, False), (2, False), (2, True), (3, False), (3, True)]


@pytest.mark.parametrize(("seed", "has_ids"), sampled(CASES, every=2))
def test_a_record_stays_with_its_entry_in_any_history_of_renames(server: Server, seed: int, has_ids: bool) -> None:
    assert renames(has_ids=has_ids).play(server, seed).report == []
