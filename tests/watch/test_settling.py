import pytest

from contentsync.watch.change import Change
from contentsync.watch.notice import Notice
from contentsync.watch.settling import Settling


def heard(*notices: tuple[float, Notice]) -> Settling:
    settling = Settling(quiet=0.1, longest=1.0)
    for now, notice in notices:
        settling.heard(notice, now)
    return settling


def test_nothing_is_due_before_anything_is_heard() -> None:
    assert heard().due is None


def test_each_notice_begins_the_quiet_time_anew() -> None:
    settling = heard((5.0, Notice("a.md")), (5.08, Notice("b.md")))
    assert settling.due == pytest.approx(5.18)
    assert settling.take(5.18) == Change(frozenset({"a.md", "b.md"}))
    assert settling.due is None


def test_a_file_that_is_open_for_writing_is_waited_for() -> None:
    """CO-13"""
    settling = heard((5.0, Notice("a.md", writing=True)))
    assert settling.due == 10.0
    settling.heard(Notice("a.md"), 5.3)
    assert settling.due == pytest.approx(5.4)


def test_who_closes_his_file_late_is_told_of_at_once() -> None:
    settling = heard((5.0, Notice("a.md", writing=True)), (7.0, Notice("a.md")))
    assert settling.due == 6.0
    assert settling.take(7.0) == Change(frozenset({"a.md"}), settled=False)


def test_a_file_that_is_never_closed_is_told_of_all_the_same() -> None:
    """CO-13"""
    settling = heard((5.0, Notice("a.md", writing=True)), (9.8, Notice("a.md", writing=True)))
    assert settling.due == 10.0
    assert settling.is_writing
    assert settling.take(10.0) == Change(frozenset({"a.md"}), settled=False)
    assert not settling.is_writing


def test_a_writer_who_never_stops_is_served_and_told_as_unsettled() -> None:
    """CO-13"""
    settling = heard(*((5.0 + tick / 20, Notice("a.md")) for tick in range(20)))
    assert settling.due == 6.0
    assert settling.take(6.0) == Change(frozenset({"a.md"}), settled=False)


def test_a_notice_of_everything_swallows_the_names() -> None:
    settling = heard((5.0, Notice("a.md")), (5.0, Notice(None)), (5.0, Notice("b.md")))
    assert settling.take(5.1) == Change(everything=True)


def test_what_goes_on_settles_from_then_on() -> None:
    settling = heard((5.0, Notice("a.md")))
    settling.go_on(8.0)
    assert settling.due == pytest.approx(8.1)
    assert settling.take(8.1) == Change(frozenset({"a.md"}))


def test_what_is_forgotten_is_never_due() -> None:
    settling = heard((5.0, Notice("a.md", writing=True)), (5.0, Notice(None)))
    settling.forget()
    assert settling.due is None
    settling.heard(Notice("b.md"), 7.0)
    assert settling.take(7.1) == Change(frozenset({"b.md"}))
