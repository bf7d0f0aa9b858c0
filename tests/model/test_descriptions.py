"""contentsync.model.descriptions: a description for every field."""

import pytest

from contentsync.model import RECORDS, Kind
from contentsync.model.descriptions import DESCRIPTIONS, SEO
from contentsync.model.kinds import ArticleSeo


@pytest.mark.parametrize("kind", Kind)
def test_every_field_is_described(kind: Kind) -> None:
    assert DESCRIPTIONS[kind].keys() == RECORDS[kind].rules().keys()
    assert SEO.keys() == ArticleSeo.rules().keys() | ArticleSeo.aliases.keys()
