from typing import Any

import pytest

from contentsync.sync.comparing.packed_fields import PackedFields


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"name": "0a"},
        {"name": ""},
        {"name": "0a", "#7": "1b/2c", "url": ""},
        {"": "0a", "translations.de.title": "/1b"},
    ],
)
def test_packed_fields_are_those_that_were_packed(fields: dict[str, str]) -> None:
    packed = PackedFields(fields)

    assert packed == fields
    assert dict(packed) == fields
    assert [*packed.items()] == [*fields.items()]  # in the same order
    assert PackedFields(packed) == fields


def test_fields_are_found_by_name() -> None:
    packed = PackedFields({"name": "0a", "url": "1b"})

    assert packed["url"] == "1b"
    assert "url" in packed
    assert packed.get("slug") is None
    assert "slug" not in packed


@pytest.mark.parametrize("value", [None, 1, "0a 1b"])
def test_what_is_no_fingerprint_is_refused(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        PackedFields({"name": value})
