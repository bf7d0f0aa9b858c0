"""What renames promise, in any order with other changes: a record stays with its entry, whoever gets its old slug."""

import pytest

from contentsync.model import Kind

from .rename_histories import KINDS, play


@pytest.mark.parametrize("has_ids", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_a_record_stays_with_its_entry_in_any_history_of_renames(seed: int, kind: Kind, has_ids: bool) -> None:
    play(kind, seed, has_ids=has_ids)
