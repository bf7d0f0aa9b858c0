"""contentsync.sync.planning.consents: the value of a trailer."""

import pytest

from contentsync.sync.planning.consents import Trailer


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("deletes=14", {"deletes": 14}),
        ("updates=214, deletes=14", {"updates": 214, "deletes": 14}),
        (" clears = 3 ,publish=0", {"clears": 3, "publish": 0}),
        ("deletes=10, deletes=4", {"deletes": 10}),
    ],
)
def test_a_trailer_has_a_number_for_each_name(text: str, allowed: dict[str, int]) -> None:
    trailer = Trailer.parse("c", "Ada", text)
    assert (trailer.allowed, trailer.fault) == (allowed, "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "'' is not one of"),
        ("delete=14", "'delete' is not one of deletes, clears, publish, updates"),
        ("deletes=14, recreate=3", "'recreate' is not one of"),
        ("deletes=14,", "'' is not one of"),
        ("deletes", "deletes= needs a whole number, not ''"),
        ("deletes=-1", "not '-1'"),
        ("deletes=1.000", "not '1.000'"),
        ("deletes=٣", "not '٣'"),
        (f"deletes={'9' * 5000}", "needs a whole number"),
    ],
)
def test_a_faulty_part_invalidates_the_whole_trailer(text: str, fault: str) -> None:
    trailer = Trailer.parse("c", "Ada", text)
    assert trailer.allowed == {}
    assert fault in trailer.fault
