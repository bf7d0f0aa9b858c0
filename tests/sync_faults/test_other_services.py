"""Services of the same shape that do less than the built-in one, or something else."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contentsync.model import Kind
from contentsync.sync.comparing.change import Action, Status

from ..sampling import sampled
from ..simulator import STRICT, Manners, Record
from .run import Outcome, over, run
from .scenario import AFTER, BEFORE, Entries
from .simulated import URL, Simulated
from .wire import POLICY
from .workspace import Checkout, Workspace

PER_MINUTE = 20  # fewer than a run sends
LIMITED = replace(STRICT, per_minute=PER_MINUTE)


def checkout_on(simulated: Simulated, home: Path, entries: tuple[Entries, Entries] = (BEFORE, AFTER)) -> Checkout:
    """A folder that was synced to a service, and has changed."""
    return Checkout(simulated, URL, home, entries, lambda checkout: done(sync(checkout, simulated)))


def ground_on(simulated: Simulated, home: Path, entries: tuple[Entries, Entries] = (BEFORE, AFTER)) -> Workspace:
    """The same, with a judge."""
    return Workspace(simulated, URL, home, entries, lambda workspace: done(sync(workspace, simulated)))


def sync(workspace: Checkout, simulated: Simulated, per_minute: int = 1_000_000, *, dry: bool = False) -> Outcome:
    """One whole run, or its plan alone."""
    return run(workspace.folder, over(lambda: simulated.service(workspace.token, per_minute)), POLICY, dry=dry)


def done(outcome: Outcome) -> Outcome:
    """The outcome of a run in which everything went well."""
    assert (outcome.error, outcome.refusals) == (None, ())
    assert {result.status for result in outcome.results} <= {Status.DONE}
    return outcome


def test_a_service_with_only_the_contract_ends_with_the_same_content(tmp_path: Path) -> None:
    strict, ours = Simulated(replace(STRICT, per_minute=None)), Simulated()
    grounds = [
        (simulated, ground_on(simulated, _new(tmp_path / name)))
        for simulated, name in ((strict, "strict"), (ours, "ours"))
    ]
    for simulated, workspace in grounds:
        assert len(done(sync(workspace, simulated)).results) == 17
        assert list(workspace.judge.converged(workspace.records())) == []
        assert not done(sync(workspace, simulated)).plan
    one, other = (workspace.judge.wanted for _, workspace in grounds)
    assert {key: stored.content for key, stored in one.items()} == {
        key: stored.content for key, stored in other.items()
    }


def test_a_run_stays_under_the_limit_by_itself(tmp_path: Path) -> None:
    """HT-12"""
    strict = Simulated(LIMITED)
    workspace = ground_on(strict, tmp_path)
    began = strict.clock.now
    done(sync(workspace, strict, PER_MINUTE))
    assert strict.simulator.refused == 0
    assert len(strict.simulator.requests) > PER_MINUTE
    assert strict.clock.now - began < 180  # and not much slower than it must be
    assert list(workspace.judge.converged(workspace.records())) == []


def test_a_run_that_shares_the_limit_with_another_one_waits_and_ends(tmp_path: Path) -> None:
    """HT-11, HT-12"""
    strict = Simulated(LIMITED)
    workspace = ground_on(strict, tmp_path)
    for _ in range(PER_MINUTE):  # another user, of whom the client cannot know
        strict.simulator.count()
    done(sync(workspace, strict, PER_MINUTE))
    assert strict.simulator.refused > 0
    assert list(workspace.judge.converged(workspace.records())) == []


def trimming(collection: str, record: Record) -> Record:
    """Trims and lower-cases names, sorts what has an order, and drops what it does not know."""
    changed = {name: value.strip().lower() if name in ("title", "name") else value for name, value in record.items()}
    changed.pop("color", None)
    return changed | {name: sorted(changed[name]) for name in ("additional_image_urls",) if name in changed}


def test_a_value_that_the_service_alters_is_reported_once_and_not_planned_again(tmp_path: Path) -> None:
    """HT-24, HT-25"""
    simulated = Simulated(Manners(stores=trimming))
    checkout = checkout_on(simulated, tmp_path)
    results = done(sync(checkout, simulated)).results
    assert {result.change.key: result.altered_fields for result in results if result.altered_fields}.items() >= {
        ("about", ("title",)),
        ("prices", ("title",)),
        ("school", ("name",)),
    }
    assert not done(sync(checkout, simulated)).plan


@pytest.mark.parametrize("is_repaired", [True, False])
def test_an_update_that_changes_nothing_is_sent_again_by_one_more_run(tmp_path: Path, is_repaired: bool) -> None:
    """Without ETags, a service that has not done the update looks like one that ignores the field."""
    ignored = {"order"}

    def ignoring(collection: str, record: Record) -> Record:
        return {name: value for name, value in record.items() if name not in ignored}

    simulated = Simulated(Manners(conditionals=False, stores=ignoring))
    page = {"slug": "about", "title": "About", "body": "Who we are."}
    before, after = ({"pages": [{**page, "order": order}]} for order in (0, 7))
    checkout = checkout_on(simulated, tmp_path, (before, after))
    assert [result.altered_fields for result in done(sync(checkout, simulated)).results] == [("order",)]
    if is_repaired:
        ignored.clear()
    assert [result.altered_fields for result in done(sync(checkout, simulated)).results] == [
        () if is_repaired else ("order",)
    ]
    assert not done(sync(checkout, simulated)).plan


def as_text(collection: str, record: Record) -> Record:
    """Return the record with numbers as text, null for empty values, and unknown keys."""
    changed: dict[str, Any] = {
        name: str(value)
        if type(value) in (int, float) and name != "parent_id"
        else value or None
        if value in ("", [], {})
        else value
        for name, value in record.items()
    }
    return changed | {"views": 12, "owner": {"id": "7"}}


@pytest.mark.parametrize("shows", [as_text])
def test_another_notation_of_the_same_record_is_no_difference(
    tmp_path: Path, shows: Callable[[str, Record], Record]
) -> None:
    """HT-23"""
    simulated = Simulated(Manners(shows=shows))
    workspace = ground_on(simulated, tmp_path)
    done(sync(workspace, simulated))
    assert list(workspace.judge.converged(workspace.records())) == []
    assert not done(sync(workspace, simulated)).plan


COUNT = 102  # with those of others, more than a page has


def _articles(count: int) -> Entries:
    entries = [
        {"title": f"Post {number:03d}", "slug": f"post-{number:03d}", "body": "Text.", "published_at": "2026-01-01"}
        for number in range(count)
    ]
    return {"articles": entries}


@pytest.mark.parametrize("what", sampled([(("CO-01", "CO-02"),), (("CO-01",),), (("CO-02",),)], every=3), ids="+".join)
def test_a_list_that_shifts_while_it_is_read_loses_or_duplicates_nothing(tmp_path: Path, what: tuple[str, ...]) -> None:
    """CO-01, CO-02: with both, the number of records does not change."""
    strict = Simulated(replace(STRICT, per_minute=None))
    checkout = checkout_on(strict, tmp_path, (_articles(COUNT + 1), _articles(COUNT)))

    async def meanwhile() -> None:
        """Delete the newest article, which is the first of the first page, or create one, older or newer."""
        async with strict.service(checkout.token) as service:
            path = f"/api/directories/{checkout.directory}/articles"
            if "CO-01" in what:
                await service.delete(f"{path}/{checkout.records()[Kind.ARTICLE, 'foreign'].id}")
            if "CO-02" in what:
                date = "2025-01-01" if "CO-01" in what else "2027-01-01"
                await service.post(path, {"title": "New", "markdown": "Text.", "published_at": date})

    second_page = 8  # after one request for each kind
    strict.simulator.meanwhile[len(strict.simulator.requests) + second_page] = meanwhile
    outcome = sync(checkout, strict)
    assert strict.simulator.meanwhile == {}
    done(outcome)  # an article that was shifted out of the list is asked for by its id, and the list is read again
    there = {key[1] for key in checkout.records() if key[0] is Kind.ARTICLE}
    assert there == {
        *(f"post-{number:03d}" for number in range(COUNT)),
        *(() if "CO-01" in what else ("foreign",)),
        *(("new",) if "CO-02" in what else ()),
    }


def test_ties_in_the_order_of_a_list_lose_or_duplicate_nothing(tmp_path: Path) -> None:
    """CO-03"""
    shown: list[Record] = []

    def tied(collection: str, record: Record) -> Record:
        """Once, the second page begins with the record that the first one began with."""
        if collection == "articles" and "id" in record and armed:
            shown.append(record)
            return shown[0] if len(shown) == 101 else record
        return record

    armed = False
    simulated = Simulated(Manners(conditionals=False, shows=tied))
    checkout = checkout_on(simulated, tmp_path, (_articles(COUNT + 1), _articles(COUNT)))
    armed = True
    results = done(sync(checkout, simulated)).results
    assert len(shown) > COUNT
    assert [(result.change.action, result.change.key) for result in results] == [(Action.DELETE, f"post-{COUNT}")]


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder
