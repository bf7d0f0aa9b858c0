from contentsync.server.store.clock import later, now


def test_later_is_now_when_time_has_passed() -> None:
    before = now()
    assert before <= later("2020-01-01T00:00:00.000000Z") <= now()


def test_later_moves_on_when_the_clock_went_back() -> None:
    """TM-05."""
    assert later("2999-12-31T23:59:59.999999Z") == "3000-01-01T00:00:00.000000Z"
