"""Whether a listing is seen now (docs/contract.md 2.3, 3, 14)."""

from typing import Any

import pytest

from contentsync.model.visibility import visibility

MOMENT = "2026-03-01T12:00:00.000000Z"
BEFORE, AFTER = "2026-03-01T11:59:59.999999Z", "2026-03-01T12:00:00.000001Z"


def seen(now: str, expired: str = "badge", **fields: Any) -> str:
    return visibility({"starts_at": None, "ends_at": None, "is_active": True, **fields}, now=now, expired=expired)


def test_a_listing_without_dates_is_visible() -> None:
    """docs/contract.md 2.3, 3.3."""
    assert seen(MOMENT) == "visible"


@pytest.mark.parametrize(("now", "state"), [(BEFORE, "hidden"), (MOMENT, "visible"), (AFTER, "visible")])
def test_a_listing_is_hidden_until_its_start(now: str, state: str) -> None:
    assert seen(now, starts_at=MOMENT) == state


@pytest.mark.parametrize(("expired", "state"), [("badge", "expired"), ("hide", "hidden")])
def test_the_directorys_setting_decides_after_the_end(expired: str, state: str) -> None:
    assert seen(BEFORE, expired, ends_at=MOMENT) == seen(MOMENT, expired, ends_at=MOMENT) == "visible"
    assert seen(AFTER, expired, ends_at=MOMENT) == state


def test_a_listing_that_is_not_active_is_hidden() -> None:
    assert seen(MOMENT, is_active=False) == "hidden"
