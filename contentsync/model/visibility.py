"""Whether a listing is seen on the public site now (docs/contract.md 3, 14)."""

from collections.abc import Mapping
from typing import Any, Literal

Visibility = Literal["visible", "hidden", "expired"]


def visibility(listing: Mapping[str, Any], *, now: str, expired: str) -> Visibility:
    """What visitors see of a listing at a moment in wire form: `expired` is shown, with a badge.

    The directory's setting `expired`, badge or hide, decides after `ends_at`; both ends belong to the window.
    """
    starts, ends = listing["starts_at"], listing["ends_at"]
    if not listing["is_active"] or (starts and now < starts):
        return "hidden"
    if ends and now > ends:
        return "expired" if expired == "badge" else "hidden"
    return "visible"
