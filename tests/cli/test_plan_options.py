"""contentsync.cli.plan_options: the effects of the options of a plan, and the base that they name."""

from dataclasses import fields
from pathlib import Path

import pytest

from contentsync.cli.options import OnConflict, OnDrift
from contentsync.cli.plan_options import PlanOptions, revision_of
from contentsync.content.config.config_tables import MaxDeletes, Target
from contentsync.errors import UsageError
from contentsync.sync.planning.consents import Consents
from contentsync.sync.planning.plan import Limits, Policy

EMBEDDED = Target(name="local", url="embedded:.contentsync/site.db")
REMOTE = Target(name="production", url="https://directory.example.com", directory=42)


def test_a_remote_target_deletes_nothing_without_prune() -> None:
    assert not PlanOptions().policy(REMOTE).prune
    assert PlanOptions(prune=True).policy(REMOTE).prune
    assert PlanOptions().policy(REMOTE.model_copy(update={"prune": True})).prune


def test_an_embedded_target_deletes_by_default() -> None:
    assert PlanOptions().policy(EMBEDDED).prune
    assert not PlanOptions(prune=False).policy(EMBEDDED).prune
    assert not PlanOptions().policy(EMBEDDED.model_copy(update={"prune": False})).prune


def test_options_take_precedence_over_the_config() -> None:
    target = REMOTE.model_copy(update={"on_drift": "overwrite", "max_deletes": MaxDeletes(percent=5, count=2)})
    assert PlanOptions().policy(target) == Policy(on_drift="overwrite", limits=Limits(5, 2))
    assert PlanOptions(on_drift=OnDrift.FAIL, on_conflict=OnConflict.OURS, allow_deletes=3, adopt=True).policy(
        target
    ) == (Policy(on_drift="fail", on_conflict="ours", allowed=Consents(deletes=3), adopt=True, limits=Limits(5, 2)))


def test_each_consent_has_an_option() -> None:
    names = [field.name for field in fields(Consents)]
    options = PlanOptions(**{f"allow_{name}": number for number, name in enumerate(names)})  # type: ignore[arg-type]
    assert options.policy(REMOTE).allowed == Consents(*range(len(names)))


def test_the_base_is_the_state_or_a_commit() -> None:
    assert revision_of("state") is None
    assert revision_of("git:HEAD~1") == "HEAD~1"


@pytest.mark.parametrize("base", ["", "git", "git:", "HEAD", "svn:1"])
def test_another_form_of_base_is_a_usage_error(base: str) -> None:
    with pytest.raises(UsageError, match="--base must not be"):
        revision_of(base)


def test_printed_commands_repeat_the_options_that_were_used(tmp_path: Path) -> None:
    options = PlanOptions(
        "staging",
        ("page", "tag/a b"),
        prune=False,
        allow_deletes=3,
        on_drift=OnDrift.KEEP,
        on_conflict=OnConflict.OURS,
        adopt=True,
        base="git:HEAD",
        state_dir=Path("state"),
        attempts=("1f", "2e"),
    )
    assert options.commands(tmp_path)("sync") == (
        f"contentsync sync {tmp_path} --no-prune --target staging --only page --only 'tag/a b' --on-drift keep "
        "--on-conflict ours --adopt --base git:HEAD --attempt 1f --attempt 2e --state-dir state"
    )
    assert PlanOptions().commands(tmp_path)("sync") == f"contentsync sync {tmp_path}"
    assert PlanOptions(path=Path("site")).commands(tmp_path)("sync") == "contentsync sync site"
