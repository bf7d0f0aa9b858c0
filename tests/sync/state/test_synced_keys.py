from pathlib import Path

import pytest

from contentsync.content.config import Target
from contentsync.model import Entry, Kind, Notes, Source
from contentsync.sync import StateDir, applied_entry, write_state
from contentsync.sync.state.synced_keys import may_be_synced

from ..entries import actual

TARGETS = [Target(name="production", url="https://directory.example.com", directory=42)]


def tag(slug: str, title: str, *previous: str) -> Entry:
    return Entry(Kind.TAG, slug, {"slug": slug, "title": title}, Source("tags.yaml"), Notes(previous=previous))


def sync(folder: Path, *entries: Entry) -> None:
    records = [actual(entry.kind, entry.key, number, **entry.fields) for number, entry in enumerate(entries, 1)]
    applied = [applied_entry(entry, record) for entry, record in zip(entries, records, strict=True)]
    write_state(StateDir.for_target(folder, "production").state, applied, TARGETS[0])


NEW = tag("a", "New")


def test_a_new_entry_with_the_slug_of_a_renamed_one_is_not_synced(tmp_path: Path) -> None:
    sync(tmp_path, tag("a", "A"))
    assert not may_be_synced(tmp_path, TARGETS, [tag("b", "A", "a"), NEW], NEW)


def test_an_entry_that_was_synced_after_the_rename_is_synced(tmp_path: Path) -> None:
    sync(tmp_path, tag("b", "A", "a"), NEW)
    assert may_be_synced(tmp_path, TARGETS, [tag("b", "A", "a"), NEW], NEW)
    assert may_be_synced(tmp_path, TARGETS, [tag("c", "A", "a", "b"), NEW], NEW)


def test_an_entry_between_two_renames_is_synced_under_its_first_slug_only(tmp_path: Path) -> None:
    sync(tmp_path, tag("a", "A"), tag("b", "B"))
    renamed = tag("b", "A", "a")
    assert not may_be_synced(tmp_path, TARGETS, [renamed], renamed)


def test_without_a_base_an_entry_may_be_synced(tmp_path: Path) -> None:
    assert may_be_synced(tmp_path, TARGETS, [tag("b", "A", "a"), NEW], NEW)


@pytest.mark.parametrize("damage", [b"", b"\n"])
def test_with_a_damaged_base_an_entry_may_be_synced(tmp_path: Path, damage: bytes) -> None:
    sync(tmp_path, tag("a", "A"))
    StateDir.for_target(tmp_path, "production").state.write_bytes(damage)
    assert may_be_synced(tmp_path, TARGETS, [tag("b", "A", "a"), NEW], NEW)


def test_one_of_several_targets_may_have_it(tmp_path: Path) -> None:
    sync(tmp_path, tag("a", "A"))
    other = Target(name="staging", url="https://staging.example.com", directory=1)
    assert may_be_synced(tmp_path, [*TARGETS, other], [tag("b", "A", "a"), NEW], NEW)
