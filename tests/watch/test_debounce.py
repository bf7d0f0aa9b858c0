import pytest

from contentsync.watch.debounce import Debouncer, FolderChange
from contentsync.watch.file_events import FileEvent


def debouncer_with(*events: tuple[float, FileEvent]) -> Debouncer:
    debouncer = Debouncer(quiet=0.1, longest=1.0)
    for now, event in events:
        debouncer.add(event, now)
    return debouncer


def test_nothing_is_due_before_the_first_event() -> None:
    assert debouncer_with().due is None


def test_each_event_restarts_the_quiet_time() -> None:
    debouncer = debouncer_with((5.0, FileEvent("a.md")), (5.08, FileEvent("b.md")))
    assert debouncer.due == pytest.approx(5.18)
    assert debouncer.take_change(5.18) == FolderChange(frozenset({"a.md", "b.md"}))
    assert debouncer.due is None


def test_a_file_that_is_open_for_writing_is_waited_for() -> None:
    """CO-13"""
    debouncer = debouncer_with((5.0, FileEvent("a.md", is_writing=True)))
    assert debouncer.due == 10.0
    debouncer.add(FileEvent("a.md"), 5.3)
    assert debouncer.due == pytest.approx(5.4)


def test_a_file_that_is_closed_late_is_reported_at_once() -> None:
    debouncer = debouncer_with((5.0, FileEvent("a.md", is_writing=True)), (7.0, FileEvent("a.md")))
    assert debouncer.due == 6.0
    assert debouncer.take_change(7.0) == FolderChange(frozenset({"a.md"}), is_settled=False)


def test_a_file_that_is_never_closed_is_reported_as_unsettled() -> None:
    """CO-13"""
    debouncer = debouncer_with((5.0, FileEvent("a.md", is_writing=True)), (9.8, FileEvent("a.md", is_writing=True)))
    assert debouncer.due == 10.0
    assert debouncer.is_writing
    assert debouncer.take_change(10.0) == FolderChange(frozenset({"a.md"}), is_settled=False)
    assert not debouncer.is_writing


def test_endless_writes_are_reported_as_unsettled() -> None:
    """CO-13"""
    debouncer = debouncer_with(*((5.0 + tick / 20, FileEvent("a.md")) for tick in range(20)))
    assert debouncer.due == 6.0
    assert debouncer.take_change(6.0) == FolderChange(frozenset({"a.md"}), is_settled=False)


def test_an_event_of_everything_replaces_the_paths() -> None:
    debouncer = debouncer_with((5.0, FileEvent("a.md")), (5.0, FileEvent(None)), (5.0, FileEvent("b.md")))
    assert debouncer.take_change(5.1) == FolderChange(everything=True)


def test_a_restart_begins_the_quiet_time_again() -> None:
    debouncer = debouncer_with((5.0, FileEvent("a.md")))
    debouncer.restart(8.0)
    assert debouncer.due == pytest.approx(8.1)
    assert debouncer.take_change(8.1) == FolderChange(frozenset({"a.md"}))


def test_cleared_events_are_never_due() -> None:
    debouncer = debouncer_with((5.0, FileEvent("a.md", is_writing=True)), (5.0, FileEvent(None)))
    debouncer.clear()
    assert debouncer.due is None
    debouncer.add(FileEvent("b.md"), 7.0)
    assert debouncer.take_change(7.1) == FolderChange(frozenset({"b.md"}))
