"""The files on disk at each moment of a run."""

import asyncio
import os
from pathlib import Path
from typing import Any

import httpx
import pytest

from contentsync.errors import Damaged, Refused, Unwritable
from contentsync.model import Entry, Kind
from contentsync.sync.applying.apply import apply
from contentsync.sync.comparing.change import Action, Change, Result, Status
from contentsync.sync.planning.plan import Policy
from contentsync.sync.planning.plan_builder import make_plan
from contentsync.sync.state.journal import CHECKPOINT, Journal, append_lines
from contentsync.sync.state.run_history import Run, read_run
from contentsync.sync.state.state_dir import StateDir
from contentsync.sync.state.state_file import decode_line, encode_line

from ..entries import desired
from ..faults import lost
from ..full_disk import full_disk
from ..site import TARGET, Sent, Site, is_write


def page(key: str, **fields: Any) -> Entry:
    return desired(Kind.PAGE, key, slug=key, **{"title": key.upper(), **fields})


PAGES = [page(key) for key in "abcde"]
PAGE_A = PAGES[0]
LISTINGS = [desired(Kind.LISTING, key, slug=key, name=key.upper()) for key in "abc"]


def last_run(site: Site) -> Run:
    return site.runs[-1]


def documents(file: Path) -> list[dict[str, object]]:
    return [decode_line(line) for line in file.read_bytes().splitlines()]


def test_an_intent_is_written_before_its_request_and_the_result_after_it(site: Site) -> None:
    open_at_request: list[set[str]] = []

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request):
            (file,) = site.state_dir.journals.glob("*")
            steps = read_run(file, TARGET).steps
            open_at_request.append({step.key for step in steps if step.status is Status.UNKNOWN})
        return await send(request)

    site.sync([*PAGES[:2], *LISTINGS], script, concurrency=1)
    assert open_at_request == [{"a", "b", "c"}, {"a"}, {"b"}]
    assert {step.status for step in last_run(site).steps} == {Status.DONE}


@pytest.mark.parametrize("durable", [True, False])
def test_a_journal_waits_for_the_disk_only_if_it_is_durable(
    tmp_path: Path, durable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(StateDir(tmp_path, "live"), TARGET, "run", make_plan([], []), durable=durable)
    written: list[int] = []
    monkeypatch.setattr(os, "fsync", written.append)
    asyncio.run(journal.record_results([]))
    asyncio.run(journal.record_intent(Change(Action.CREATE, PAGE_A, None, {}, "")))
    assert len(written) == durable


def test_a_journal_contains_the_previous_values_of_changed_entries(site: Site) -> None:
    site.synced([*PAGES, page("x", markdown="**precious**", seo={"title": "SEO"})])
    site.synced([page("a", title="New"), *PAGES[1:]])
    update, delete = last_run(site).steps
    assert (update.action, update.id, [*update.fields]) == (Action.UPDATE, 1, ["title"])
    assert update.before is not None and update.before["title"] == "A"
    assert (delete.action, delete.key, delete.id) == (Action.DELETE, "x", 6)
    assert delete.before is not None
    assert (delete.before["markdown"], delete.before["seo"]["title"]) == ("**precious**", "SEO")
    assert last_run(site).has_ended


def test_a_run_with_an_unknown_outcome_has_no_end(site: Site) -> None:
    site.sync(PAGES, lost(times=99, stored=False))
    run = last_run(site)
    assert not run.has_ended
    assert {step.status for step in run.steps} == {Status.UNKNOWN}


@pytest.mark.parametrize("is_unknown", [False, True])
def test_a_journal_has_the_number_of_skipped_changes(tmp_path: Path, is_unknown: bool) -> None:
    """Also without an end, and for changes without an intent."""
    journal = Journal(StateDir(tmp_path, "live"), TARGET, "run", make_plan([], []))
    if is_unknown:
        asyncio.run(journal.record_intent(Change(Action.CREATE, PAGE_A, None, {}, "")))
    journal.close(7 + is_unknown, skipped=7)
    run = read_run(journal.file, TARGET)
    assert (run.skipped, run.has_ended) == (7, not is_unknown)


def test_the_state_is_written_during_a_run(site: Site) -> None:
    changes = make_plan([desired(Kind.TAG, f"t{n}", title=f"T{n}") for n in range(CHECKPOINT)], []).changes

    async def written() -> list[bool]:
        journal = Journal(site.state_dir, TARGET, "run", make_plan([], []))
        there = []
        for part in (changes[:-1], changes[-1:]):
            intents = await journal.record_intents(part)
            await journal.record_results([(intent, Result(intent.change, Status.DONE)) for intent in intents])
            there.append(site.state_dir.state.exists())
        journal.close()
        return there

    assert asyncio.run(written()) == [False, True]


def test_a_full_disk_writes_a_journal_line_completely_or_not_at_all(tmp_path: Path) -> None:
    """FI-24"""
    file = tmp_path / "journal"
    with file.open("ab", buffering=0) as stream:
        append_lines(stream.fileno(), file, [{"intent": 1}])
        whole = file.read_bytes()
        with full_disk(len(whole) + 10), pytest.raises(Unwritable):
            append_lines(stream.fileno(), file, [{"intent": 2}])
        assert file.read_bytes() == whole
        append_lines(stream.fileno(), file, [{"intent": 3}])
    assert [document["intent"] for document in documents(file)] == [1, 3]


def test_an_unwritable_journal_is_reported_before_any_request(site: Site) -> None:
    """FI-25"""
    site.state_dir.journals.parent.mkdir(parents=True)
    site.state_dir.journals.write_text("a file")
    with pytest.raises(Unwritable):
        Journal(site.state_dir, TARGET, "run", make_plan(PAGES, []))


@pytest.fixture
def written(site: Site) -> Path:
    """Return the journal of a run."""
    site.synced(PAGES[:2])
    return last_run(site).file


def test_an_incomplete_last_line_is_ignored(written: Path) -> None:
    lines = written.read_bytes().splitlines(keepends=True)
    for length in range(len(lines[-1])):
        written.write_bytes(b"".join(lines[:-1]) + lines[-1][:length])
        assert not read_run(written, TARGET).has_ended


@pytest.mark.parametrize("place", [0, 40, 300, -60, -2])
def test_a_flipped_bit_is_reported_as_damage(written: Path, place: int) -> None:
    """FI-32"""
    text = bytearray(written.read_bytes())
    text[place] ^= 4
    written.write_bytes(text)
    with pytest.raises(Damaged) as raised:
        read_run(written, TARGET)
    assert str(written) in raised.value.message


def test_an_empty_journal_is_reported_as_damage(written: Path) -> None:
    """FI-32"""
    written.write_bytes(b"")
    with pytest.raises(Damaged):
        read_run(written, TARGET)


def test_a_journal_of_a_newer_version_is_refused(written: Path) -> None:
    """FI-32, PL-18"""
    heading, *lines = written.read_bytes().splitlines(keepends=True)
    newer = {**decode_line(heading), "version": 2}
    written.write_bytes(encode_line(newer) + b"".join(lines))
    with pytest.raises(Damaged) as raised:
        read_run(written, TARGET)
    assert "version 2" in raised.value.message


def test_a_result_without_its_intent_is_reported_as_damage(written: Path) -> None:
    *lines, end = written.read_bytes().splitlines(keepends=True)
    written.write_bytes(b"".join([*lines, encode_line({"result": 99, "status": "done"}), end]))
    with pytest.raises(Damaged):
        read_run(written, TARGET)


def test_a_result_after_the_end_is_ignored(written: Path) -> None:
    """CO-12: the write was in flight when another run took the lock and ended the journal."""
    before = read_run(written, TARGET)
    written.write_bytes(written.read_bytes() + encode_line({"result": 99, "status": "done"}))
    assert read_run(written, TARGET) == before


def test_a_run_that_lost_its_lock_does_not_write_state_or_journal(site: Site) -> None:
    """CO-12"""
    site.synced(PAGES[:1])
    state = site.state_dir.state.read_bytes()

    taken_by: list[str] = []

    def check_lock() -> None:
        if taken_by:
            raise Refused("taken over")

    async def losing() -> None:
        async with site.remote() as remote:
            plan = await site.plan(remote, PAGES, Policy())
            journal = Journal(site.state_dir, TARGET, "run-900", plan, check_lock=check_lock)
            assert await apply(plan, remote, lambda _: None, journal=journal) is None
        taken_by.append("run-901")
        with pytest.raises(Refused):
            journal.close()

    asyncio.run(losing())
    assert site.state_dir.state.read_bytes() == state
    assert not last_run(site).has_ended
    site.synced(PAGES)
    assert site.writes == []
    assert len(site.base) == len(PAGES)


def test_a_run_based_on_a_commit_writes_no_state(site: Site) -> None:
    async def applied() -> None:
        async with site.remote() as remote:
            plan = await site.plan(remote, PAGES, Policy())
            journal = Journal(site.state_dir, TARGET, "run", plan, keeps_state=False)
            await apply(plan, remote, lambda _: None, journal=journal)
            journal.close()

    asyncio.run(applied())
    assert not site.state_dir.state.exists()
    assert last_run(site).has_ended
