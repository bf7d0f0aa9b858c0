"""The moments that the store writes down."""

from datetime import UTC, datetime, timedelta

from ...model.dates import instant_text, parse_instant


def now() -> str:
    """This moment, as it goes over the wire."""
    return instant_text(datetime.now(UTC))


def later(than: str) -> str:
    """This moment, or the next microsecond after `than` when the clock has not moved past it."""
    moment = now()
    return moment if moment > than else instant_text(parse_instant(than, UTC) + timedelta(microseconds=1))
