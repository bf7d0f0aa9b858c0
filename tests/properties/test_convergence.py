"""What a sync promises, for any folder, base and server: the server then holds it, and a second plan is empty."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentsync.errors import ContentError
from contentsync.model import RECORDS, Entry, Kind
from contentsync.sync import Limits, Policy, Status
from contentsync.sync.comparing.diff import compare

from .folders import Files, folders
from .workplace import Edit, Workplace, edits

quickly = settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)

OURS = Policy(prune=True, limits=Limits(100, 1_000), on_drift="overwrite", on_conflict="ours", adopt=True)

policies = st.builds(
    Policy,
    prune=st.booleans(),
    limits=st.just(Limits(100, 1_000)),
    on_drift=st.sampled_from(["overwrite", "keep"]),
    on_conflict=st.sampled_from(["ours", "theirs"]),
    adopt=st.just(True),
)


@quickly
@given(folders())
def test_an_applied_plan_gives_the_desired_state_and_a_second_plan_is_empty(files: Files) -> None:
    with Workplace() as place:
        content = place.load(files)
        assert {result.status for result in place.sync(OURS).results} <= {Status.DONE}
        assert_settled(place, OURS)
        there = {(entry.kind, entry.key): entry for entry in place.entries()}
        assert there.keys() == {(entry.kind, entry.key) for entry in content.entries}
        assert all(not compare(entry, there[entry.kind, entry.key], None).changes for entry in content.entries)


@quickly
@given(folders(), folders(), edits, policies)
def test_a_sync_converges_after_edits_of_both_sides_and_changes_nothing_else(
    before: Files, after: Files, edited: list[Edit], policy: Policy
) -> None:
    """PL-05, PL-11"""
    converge(before, after, edited, policy)


@quickly
@given(folders(), st.randoms(use_true_random=False))
def test_the_order_of_files_does_not_matter(files: Files, order: Any) -> None:
    with Workplace() as one, Workplace() as other:
        shuffled = list(files.items())
        order.shuffle(shuffled)
        one.load(files)
        other.load(dict(shuffled))
        first, second = (place.plan(OURS).plan for place in (one, other))
        assert first and second
        assert first.digest == second.digest


def converge(before: Files, after: Files, edited: list[Edit], policy: Policy) -> None:
    """Sync a folder, edit the server, sync another folder: what comes out is as it should be, or nothing was done."""
    with Workplace() as place:
        place.load(before)
        place.sync(OURS)
        place.edit(edited)
        place.load(after)
        there = place.entries()
        outcome = place.sync(policy)
        if isinstance(outcome.error, ContentError):
            # A new listing wants a slug that an old one holds under another URL, or refers to an entry that stays
            # deleted: reported before anything is sent.
            assert {problem.code for problem in outcome.error.problems} <= {"slug-taken", "unknown-reference"}
        if outcome.error or outcome.refusals:
            assert {refusal.code for refusal in outcome.refusals} <= {"emptied", "empty-folder"}
            assert place.entries() == there
            return
        assert outcome.plan is not None
        assert {result.status for result in outcome.results} <= {Status.DONE}, outcome.results
        assert_settled(place, policy)
        planned = {(change.kind, change.id) for change in outcome.plan.changes}
        now = {(entry.kind, entry.id): entry for entry in place.entries()}
        for entry in there:
            if (entry.kind, entry.id) not in planned:
                assert own(now[entry.kind, entry.id]) == own(entry)


def assert_settled(place: Workplace, policy: Policy) -> None:
    """A second plan is empty, but for an entry that `theirs` left deleted: that is drift from then on."""
    second = place.plan(policy)
    assert (second.error, second.refusals) == (None, ())
    assert second.plan is not None
    creates_again = policy.on_drift == "overwrite" and policy.on_conflict == "theirs"
    assert [change for change in second.plan.changes if not (creates_again and change.recreates)] == []


def own(entry: Entry) -> dict[str, Any]:
    """The fields of an entry that are its own: what it refers to may have another name by now, or be gone."""
    references = RECORDS[entry.kind].references
    custom = {"level", "effort"} if entry.kind is Kind.LISTING else set()
    return {name: value for name, value in entry.fields.items() if name not in references and name not in custom}
