"""contentsync.sync.state.plan_cache: which plans are cached, and what another plan depends on."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.config.config_tables import Target
from contentsync.content.files.folder_signatures import FolderVersion
from contentsync.content.pictures.published_names import PublishedFile
from contentsync.model import Entry, Kind
from contentsync.model.filled_fields import Completeness, FieldCount
from contentsync.remote.list_reader import RecordList
from contentsync.remote.record_reader import DirectoryVersion
from contentsync.sync.comparing.base import UNKNOWN_BASE, AppliedEntry, Base
from contentsync.sync.comparing.change import Action, Change
from contentsync.sync.planning.plan import Drift, Plan, Policy, Refusal
from contentsync.sync.state.plan_cache import (
    CachedPlan,
    PlanInputs,
    digest_inputs,
    is_cacheable,
    read_cached_plan,
    write_cached_plan,
)
from contentsync.sync.state.state_dir import StateDir

PAGE = Entry(Kind.PAGE, "a", {"title": "A"}, id=1)
APPLIED = AppliedEntry(Kind.PAGE, "a", 1, {})
EMPTY = Plan((), (), {Kind.PAGE: 1}, (), base=Base.from_entries([APPLIED]))
TARGET = Target(name="live", url="https://directory.example.com", directory=42)


@pytest.fixture
def state_dir(tmp_path: Path) -> StateDir:
    state_dir = StateDir(tmp_path, "live")
    state_dir.state.parent.mkdir(parents=True, exist_ok=True)
    state_dir.journals.mkdir(parents=True)
    return state_dir


def digest(state_dir: StateDir, **other: Any) -> PlanInputs | None:
    """Return the inputs of a plan, of which some may be `other` ones."""
    return digest_inputs(**{"target": TARGET, "policy": Policy(), "token": "secret", **other}, state_dir=state_dir)


def test_an_empty_plan_is_cacheable() -> None:
    assert is_cacheable(EMPTY)


@pytest.mark.parametrize(
    "changed",
    [
        {"stages": ((Change(Action.UPDATE, PAGE, PAGE, {}, ""),),)},
        {"uploads": (PublishedFile("a.png", "a.png", "a.png", 1),)},
        {"base_updates": (APPLIED,)},
        {"base_removals": (APPLIED.identity,)},
        {"refusals": (Refusal("deletes", "too many"),)},
        {"drift": (Drift(PAGE, {}),)},
        {"left_as_on_server": ("page a",)},
        {"base": UNKNOWN_BASE},
        {"base": EMPTY.base.with_keys({(Kind.PAGE, 1): "b"})},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_plan_with_an_effect_or_a_message_is_not_cacheable(changed: Mapping[str, Any]) -> None:
    assert not is_cacheable(replace(EMPTY, **changed))


@pytest.mark.parametrize(
    "other",
    [
        {"target": TARGET.model_copy(update={"directory": 43})},
        {"target": TARGET.model_copy(update={"prune": True})},
        {"policy": Policy(on_drift="fail")},
        {"token": "another"},
        {"published": "digest"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_a_plan_depends_on_target_options_token_and_published_files(state_dir: StateDir, other: dict[str, Any]) -> None:
    assert digest(state_dir) == digest(state_dir)
    assert digest(state_dir) != digest(state_dir, **other)


def test_a_plan_depends_on_the_state(state_dir: StateDir) -> None:
    missing = digest(state_dir)
    state_dir.state.write_bytes(b"a")
    written = digest(state_dir)
    state_dir.state.write_bytes(b"b")
    assert len({missing, written, digest(state_dir)}) == 3


def test_no_plan_is_cached_beside_a_run_that_has_not_ended(state_dir: StateDir) -> None:
    (state_dir.journals / "20261121T204204Z-000001.jsonl").touch()
    assert digest(state_dir) is None


def test_a_cached_plan_is_read_only_as_this_machine_wrote_it(state_dir: StateDir) -> None:
    inputs = PlanInputs("settings", "state")
    measured = (Completeness(Kind.PAGE, 2, [FieldCount("title", 2), FieldCount("excerpt", 0)]),)
    directory = DirectoryVersion(["fr"], {Kind.PAGE: RecordList('"e"', translated=True, count=3)})
    cached = CachedPlan(
        EMPTY, (), inputs, FolderVersion({"pages": "1"}, "names", 1), directory, measured, is_pulled=True
    )
    write_cached_plan(state_dir, cached)
    found = read_cached_plan(state_dir)
    assert found
    assert (found.inputs, found.folder, found.directory) == (inputs, cached.folder, directory)
    assert found.plan.unchanged == {Kind.PAGE: 1}
    assert (found.plan.base.is_known, found.completeness, found.is_pulled) == (True, measured, True)
    data = state_dir.plan_cache.read_bytes()
    state_dir.plan_cache.unlink()
    state_dir.plan_cache.write_bytes(data)
    assert read_cached_plan(state_dir) is None
