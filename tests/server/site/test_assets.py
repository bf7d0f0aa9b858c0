"""The colours of tags."""

import pytest

from contentsync.server.site.assets import hex_colour
from tests.browser.xss.payloads import PAYLOADS


@pytest.mark.parametrize("value", ["#fff", "#FFF8", "#a0b1c2", "#a0b1c2d3"])
def test_a_hex_colour_is_returned(value: str) -> None:
    assert hex_colour(value) == value


@pytest.mark.parametrize(
    "value", [*PAYLOADS["XS-07"], "red", "fff", "#ff", "#fffff", "#ggg", "#fff\n", " #fff", "", None, 3]
)
def test_another_value_is_not_a_colour(value: object) -> None:
    """XS-07"""
    assert hex_colour(value) is None
