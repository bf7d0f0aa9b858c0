"""What an undo promises: the server is as it was before the run, and an undo of the undo brings the run back."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from contentsync.errors import ContentError
from contentsync.model import EntryKey
from contentsync.sync import Consents, Limits, Policy, Status
from contentsync.sync.planning.plan import OnDrift

from .folders import Files
from .histories import folders
from .test_convergence import quickly
from .workplace import Edit, Workplace, edits

EASY = Limits(100, 1_000)
SETS = frozenset({"categories", "tags", "organizers"})


drifts: st.SearchStrategy[OnDrift] = st.sampled_from(["overwrite", "keep"])


def policy(deletes: int, on_drift: OnDrift) -> Policy:
    return Policy(
        prune=True, limits=EASY, on_drift=on_drift, on_conflict="ours", adopt=True, allowed=Consents(deletes=deletes)
    )


@quickly
@given(folders(), folders(), edits, drifts)
def test_an_undo_straight_after_a_run_restores_the_server(
    before: Files, after: Files, edited: list[Edit], on_drift: OnDrift
) -> None:
    take_back(before, after, edited, on_drift)


def take_back(before: Files, after: Files, edited: list[Edit], on_drift: OnDrift) -> None:
    """Sync a folder, edit the server, sync another folder, undo that sync, and undo the undo."""
    with Workplace() as place:
        for files, theirs in ((before, edited), (after, [])):
            then = state(place)
            place.load(files)
            deletes = place.plan(policy(0, on_drift)).deletes
            outcome = place.sync(policy(deletes, on_drift))
            if isinstance(outcome.error, ContentError):
                # A slug that a record keeps, a reference to an entry that stays deleted, or a random note of a former
                # slug that another entry contradicts.
                codes = {problem.code for problem in outcome.error.problems}
                assert codes <= {"slug-taken", "unknown-reference", "ambiguous-previous"}
                return
            assert (outcome.error, outcome.refusals) == (None, ())
            failed = [
                f"{result.change}: {result.error}" for result in outcome.results if result.status is not Status.DONE
            ]
            assert failed == []
            place.edit(theirs)
        if not outcome.results:
            return
        now = state(place)
        undo(place)
        assert_same(state(place), then)
        undo(place)
        assert_same(state(place), now)


def undo(place: Workplace) -> None:
    deletes = place.undo(Policy(prune=True, limits=EASY, on_drift="fail"), dry=True).deletes
    outcome = place.undo(Policy(prune=True, limits=EASY, on_drift="fail", allowed=Consents(deletes=deletes)))
    assert (outcome.error, outcome.refusals) == (None, ()), outcome.refusals
    assert {result.status for result in outcome.results} <= {Status.DONE}, outcome.results


def state(place: Workplace) -> dict[EntryKey, dict[str, Any]]:
    """What the server has, by key: without ids, and sets in one order."""
    return {
        (entry.kind, entry.key): {
            name: sorted(value) if name in SETS and isinstance(value, list) else value
            for name, value in entry.fields.items()
        }
        for entry in place.entries()
    }


def assert_same(found: dict[EntryKey, dict[str, Any]], wanted: dict[EntryKey, dict[str, Any]]) -> None:
    assert found.keys() == wanted.keys(), found.keys() ^ wanted.keys()
    differing = {
        f"{identity[0]} {identity[1]}.{name}": (fields.get(name), wanted[identity].get(name))
        for identity, fields in found.items()
        for name in fields.keys() | wanted[identity].keys()
        if fields.get(name) != wanted[identity].get(name)
    }
    assert differing == {}, differing
