"""Renames in any order with other changes: a record stays with its entry, even if another one gets its old slug."""

import pytest

from .renames import renames
from .server import Server


@pytest.mark.parametrize("has_ids", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_a_record_stays_with_its_entry_in_any_history_of_renames(server: Server, seed: int, has_ids: bool) -> None:
    assert renames(has_ids=has_ids).play(server, seed).report == []
