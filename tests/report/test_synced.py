from dataclasses import replace

from contentsync.model import Kind
from contentsync.report.synced import synced_line
from contentsync.sync import Action, Result, Status, make_plan

from ..sync.entries import desired

CHANGES = make_plan([desired(Kind.PAGE, f"p{number}", title="T") for number in range(9)], []).changes


def line(*results: Result) -> str:
    return synced_line(results).plain


def done(number: int, action: Action = Action.CREATE, was: str | None = None) -> Result:
    return Result(replace(CHANGES[number], action=action, previous_key=was), Status.DONE)


def test_one_change_is_named() -> None:
    assert line(done(0)) == "page/p0 created"
    assert line(done(0, Action.UPDATE, was="old")) == "page/p0 (was old) updated"


def test_several_are_counted_and_named_in_their_order() -> None:
    assert line(done(2, Action.DELETE), done(1)) == "2 changes: page/p1 created, page/p2 deleted"


def test_of_many_a_few_are_named() -> None:
    told = "9 changes: page/p0 created, page/p1 created, page/p2 created and 6 more"
    assert line(*(done(number) for number in range(9))) == told


def test_what_did_not_happen_is_counted() -> None:
    failed = Result(CHANGES[1], Status.FAILED, "no")
    assert line(done(0), failed) == "page/p0 created; 1 failed"
    assert line(failed, Result(CHANGES[2], Status.SKIPPED)) == "1 failed; 1 skipped"


def test_a_sync_without_changes_says_so() -> None:
    assert line() == "nothing to do"
