"""CO-18, CO-19"""

from collections.abc import Sequence

import pytest

from contentsync.model import Entry, Kind
from contentsync.sync.comparing.change import Result, Status
from contentsync.sync.planning.consents import Consents
from contentsync.sync.planning.delayed_deletes import DELAY, WINDOW, DelayedDeletes
from contentsync.sync.planning.plan import Limits, Plan, Policy

from ..bases import codes, planned, reported, synced
from ..entries import actual, desired, page

PRUNING = Policy(prune=True, limits=Limits(20, 10))
PAGES = [page(f"p{number}") for number in range(12)]
RECORDS = {each.key: actual(Kind.PAGE, each.key, 1 + number, **each.fields) for number, each in enumerate(PAGES)}


class Watched:
    """The plans of a watch, with a clock that the test moves."""

    def __init__(self, folder: Sequence[Entry] = PAGES, server: Sequence[Entry] = tuple(RECORDS.values())) -> None:
        self.now = 1_000.0
        self.messages: list[str] = []
        self.folder, self.server = list(folder), list(server)
        self._base = synced(*zip(self.folder, self.server, strict=True))
        self._deletes = DelayedDeletes("watch-sync", clock=lambda: self.now, report=self.messages.append)

    def read(self, folder: Sequence[Entry], *, later: float = 0.0) -> Plan:
        """Return the plan after some seconds; apply its deletes unless it is refused."""
        self.read_without_plan(later=later)
        plan = self._deletes.select(planned(folder, self.server, self._base, PRUNING), folder, PRUNING)
        if not plan.refusals:
            deleted = [change for change in plan.changes if change.action == "delete"]
            self._deletes.note_applied([Result(change, Status.DONE) for change in deleted])
            ids = {(change.kind, change.id) for change in deleted}
            self.server = [record for record in self.server if (record.kind, record.id) not in ids]
        return plan

    def read_without_plan(self, *, later: float) -> bool:
        """Read the folder while it has an error. Return whether its plan might have had deletes."""
        self.now += later
        return self._deletes.begin_reading()

    @property
    def seconds_left(self) -> float | None:
        return self._deletes.seconds_left


def test_a_delete_is_applied_after_its_entry_was_absent_for_the_delay() -> None:
    watched = Watched()
    assert reported(watched.read(PAGES[1:])) == []
    assert watched.seconds_left == DELAY
    assert reported(watched.read(PAGES[1:], later=4)) == []
    assert watched.seconds_left == 1
    assert reported(watched.read(PAGES[1:], later=1)) == [("delete", "p0")]


@pytest.mark.parametrize(("later", "may_delete"), [(4.0, False), (5.0, True)])
def test_only_the_plan_of_a_reading_after_the_delay_may_delete(later: float, may_delete: bool) -> None:
    watched = Watched()
    watched.read(PAGES[1:])
    assert watched.read_without_plan(later=later) == may_delete


def test_other_changes_are_not_delayed() -> None:
    watched = Watched()
    edited = desired(Kind.PAGE, "p1", slug="p1", title="New")
    assert reported(watched.read([edited, *PAGES[2:]])) == [("update", "p1")]


def test_a_waiting_delete_is_reported_once() -> None:
    watched = Watched()
    for _ in range(3):
        watched.read(PAGES[2:], later=1)
    assert watched.messages == ["2 deletes wait for 5 s: page/p0, page/p1"]
    watched.read(PAGES[3:], later=1)
    assert watched.messages[1:] == ["1 delete waits for 5 s: page/p2"]


def test_an_entry_that_reappears_restarts_the_delay() -> None:
    watched = Watched()
    watched.read(PAGES[1:])
    watched.read(PAGES, later=4)
    watched.read(PAGES[1:], later=1)
    assert watched.seconds_left == DELAY


def test_an_unreadable_folder_restarts_the_delay() -> None:
    watched = Watched()
    watched.read(PAGES[1:])
    watched.read_without_plan(later=3)
    assert reported(watched.read(PAGES[1:], later=3)) == []
    assert watched.seconds_left == DELAY


def test_a_waiting_delete_is_not_refused_before_it_is_due() -> None:
    watched = Watched()
    assert codes(watched.read([])) == []
    assert codes(watched.read([], later=DELAY)) == ["empty-folder"]


def test_waiting_deletes_count_when_one_of_them_is_due() -> None:
    watched = Watched()
    watched.read(PAGES[1:])
    watched.read(PAGES[5:], later=4)
    (refusal,) = watched.read(PAGES[5:], later=1).refusals
    assert refusal.flag == "watch-sync --allow-deletes 5"
    assert watched.seconds_left is None


def test_applied_deletes_count_toward_the_limits_for_ten_minutes() -> None:
    watched = Watched()
    for number in (1, 2, 3):
        watched.read(PAGES[number:], later=60)
        assert codes(watched.read(PAGES[number:], later=DELAY)) == []
    watched.read(PAGES[4:], later=60)
    (refusal,) = watched.read(PAGES[4:], later=DELAY).refusals
    assert refusal.message == (
        "1 of 9 managed pages would be deleted, after 3 in the last ten minutes "
        "(together 33 %; the limits are 20 % and 10): p3"
    )
    assert refusal.flag == "watch-sync --allow-deletes 1"
    assert reported(watched.read(PAGES[4:], later=WINDOW)) == [("delete", "p3")]


def test_a_folder_emptied_file_by_file_is_refused() -> None:
    watched = Watched()
    for number in range(len(PAGES)):
        watched.read(PAGES[number:], later=1)
    assert len(watched.server) == len(PAGES)


def test_a_change_that_needs_the_slug_of_a_waiting_delete_waits_too() -> None:
    old = desired(Kind.LISTING, "https://a.example", name="A", url="https://a.example", slug="tool")
    watched = Watched([old], [actual(Kind.LISTING, old.key, 1, **old.fields)])
    watched.server.append(actual(Kind.LISTING, "https://b.example", 2, name="B", url="https://b.example", slug="b"))
    new = desired(Kind.LISTING, "https://b.example", name="B", url="https://b.example", slug="tool")
    assert reported(watched.read([new])) == []
    assert reported(watched.read([new], later=DELAY)) == [("update", "https://b.example"), ("delete", old.key)]


def test_new_entries_of_a_shrunken_file_wait_with_their_references() -> None:
    wood, textile, cut = (desired(Kind.TAG, key, slug=key, title=key) for key in ("wood", "textile", "text"))
    watched = Watched(
        [wood, textile], [actual(each.kind, each.key, 1 + n, **each.fields) for n, each in enumerate((wood, textile))]
    )
    using = desired(Kind.LISTING, "https://a.example", name="A", url="https://a.example", tags=["text"])
    folder = [wood, cut, using, page("p")]
    assert reported(watched.read(folder)) == [("create", "p")]
    assert len(watched.read(folder, later=DELAY).changes) == 4


def test_the_refusal_after_a_loss_on_the_server_is_not_delayed() -> None:
    policy = Policy(prune=True, allowed=Consents(deletes=5))
    base = synced(*zip(PAGES, RECORDS.values(), strict=True))
    plan = planned(PAGES, [RECORDS["p0"]], base, policy)
    (refusal,) = DelayedDeletes("watch-sync").select(plan, PAGES, policy).refusals
    assert (refusal.code, refusal.flag) == ("recreate", "watch-sync --allow-deletes 11")


def test_every_refusal_names_the_command_that_accepts_its_option() -> None:
    folder = [desired(Kind.PAGE, each.key, slug=each.key, title=each.key, is_published=False) for each in PAGES]
    there = [actual(Kind.PAGE, each.key, number, **each.fields) for number, each in enumerate(folder, 1)]
    plan = planned(PAGES, there, synced(*zip(folder, there, strict=True)), PRUNING)
    flags = [refusal.flag for refusal in DelayedDeletes("watch-sync").select(plan, PAGES, PRUNING).refusals]
    assert flags == ["watch-sync --allow-publish 12"]
