"""scripts/action/propose.py at each forge: which pull requests it opens, updates and closes for a proposal."""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ..hooks.repositories import Tree
from .pull_forge import PullForge, serving_pulls
from .workflow import ROOT

EDITS = "contentsync/production/edits"
SUBMISSIONS = "contentsync/production/submissions"


@dataclass(frozen=True)
class Job:
    """The part of the job that talks to the forge."""

    forge: PullForge
    module: Any

    def settle(self, **proposal: Any) -> str:
        pulls = importlib.import_module("pull_requests").of_environment()
        return str(self.module.settle(pulls, proposal))

    def push(self, branch: str) -> None:
        """Leave the branches in the repository that `contentsync propose` would leave."""
        self.forge.origin.write(f"refs/heads/{branch}", "")

    def delete(self, branch: str) -> None:
        (self.forge.origin.path / "refs/heads" / branch).unlink()


@pytest.fixture(params=["github", "forgejo", "gitlab"])
def job(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Job]:
    """Yield a job on a forge that has the branch of edits and answers requests for pull requests."""
    origin = Tree(tmp_path / "origin.git")
    monkeypatch.syspath_prepend(str(ROOT / "scripts/action"))
    with serving_pulls(request.param, origin) as forge:
        for name in ("GITLAB_CI", "GITHUB_API_URL"):
            monkeypatch.delenv(name, raising=False)
        for name, value in forge.environ.items():
            monkeypatch.setenv(name, value)
        made = Job(forge, importlib.import_module("propose"))
        made.push(EDITS)
        yield made


def edits(text: str = "5 edits", state: str = "updated", digest: str = "a" * 32, **more: Any) -> dict[str, Any]:
    """Return the document of a branch (docs/reference/json.md)."""
    named = {"name": EDITS, "state": state, "digest": digest, "labels": ["contentsync"]}
    return {**named, "title": f"Take over {text}", "description": f"{text}\n\n```diff\n- a\n+ b\n```\n", **more}


GONE: dict[str, Any] = {
    "name": EDITS,
    "state": "withdrawn",
    "digest": None,
    "title": "",
    "description": "",
    "labels": [],
}


def test_a_first_run_opens_a_pull_request_and_the_next_ones_write_nothing(job: Job) -> None:
    assert job.settle(**edits(state="new")).startswith("opened, https://forge.example.com/o/r/")
    (pull,) = job.forge.pulls
    assert (pull.head, pull.base, pull.title, pull.labels) == (EDITS, "main", "Take over 5 edits", ["contentsync"])
    assert pull.body.startswith(f"<!-- contentsync proposal {'a' * 32} ")
    job.forge.requests.clear()
    for _ in range(3):
        assert job.settle(**edits(state="unchanged")).startswith("unchanged, ")
    assert job.forge.writes == []


def test_a_changed_proposal_updates_its_pull_request(job: Job) -> None:
    job.settle(**edits(state="new"))
    assert job.settle(**edits("6 edits", digest="b" * 32)).startswith("updated, ")
    (pull,) = job.forge.pulls
    assert (pull.title, "6 edits" in pull.body, pull.state) == ("Take over 6 edits", True, "open")


def test_a_new_base_of_the_same_proposal_changes_only_the_branch(job: Job) -> None:
    job.settle(**edits(state="new"))
    job.forge.requests.clear()
    job.settle(**edits(state="updated"))
    assert job.forge.writes == []


def test_an_edited_title_is_kept_until_the_proposal_changes(job: Job) -> None:
    job.settle(**edits(state="new"))
    job.forge.pulls[0].title = "My title"
    job.forge.pulls[0].body += "\n\nSee the phone call of Monday."
    job.settle(**edits(state="unchanged"))
    assert job.forge.pulls[0].title == "My title"
    job.settle(**edits("6 edits"))
    assert job.forge.pulls[0].title == "Take over 6 edits"


def test_a_branch_without_changes_closes_its_pull_request(job: Job) -> None:
    job.settle(**edits(state="new"))
    job.delete(EDITS)
    job.settle(**GONE)
    (pull,) = job.forge.pulls
    assert (pull.state, pull.body.splitlines()[0]) == ("closed", "<!-- contentsync proposal withdrawn -->")
    job.forge.requests.clear()
    assert job.settle(**{**GONE, "state": "none"}) == "nothing to propose"
    assert job.forge.writes == []


def test_a_withdrawn_proposal_that_returns_gets_a_new_pull_request(job: Job) -> None:
    """Also if an earlier run was killed after it had deleted the branch."""
    job.settle(**edits(state="new"))
    job.delete(EDITS)
    job.settle(**{**GONE, "state": "none"})
    job.push(EDITS)
    assert job.settle(**edits(state="new")).startswith("opened, ")
    assert [pull.state for pull in job.forge.pulls] == ["closed", "open"]


def test_a_pull_request_that_a_user_closed_is_reopened_only_for_other_changes(job: Job) -> None:
    job.settle(**edits(state="new"))
    job.forge.pulls[0].state = "closed"
    job.forge.requests.clear()
    assert job.settle(**edits(state="unchanged")).startswith("declined in ")
    assert job.forge.writes == []
    assert job.settle(**edits("6 edits", digest="b" * 32)).startswith("opened, ")
    assert [pull.state for pull in job.forge.pulls] == ["closed", "open"]


def test_the_proposal_after_a_merge_gets_a_new_pull_request(job: Job) -> None:
    job.settle(**edits(state="new"))
    merged = job.forge.pulls[0]
    merged.state, merged.merged = "closed", True
    job.delete(EDITS)
    job.forge.requests.clear()
    job.settle(**GONE)
    assert job.forge.writes == []
    job.push(EDITS)
    assert job.settle(**edits(state="new")).startswith("opened, ")


def test_a_branch_with_a_foreign_commit_is_left_unchanged_and_reported(
    job: Job, capsys: pytest.CaptureFixture[str]
) -> None:
    job.settle(**edits(state="new"))
    job.forge.requests.clear()
    problem = {"message": "1 commit of Mallory\n::error::owned\x1b[2J", "hint": "merge it"}
    assert job.settle(**edits("6 edits", state="blocked", problem=problem)).startswith("left alone")
    assert job.forge.requests == []
    (line,) = capsys.readouterr().out.splitlines()
    assert "contentsync/production/edits is left alone: 1 commit of Mallory?::error::owned?[2J" in line


def test_a_fork_with_a_branch_of_the_same_name_is_ignored(job: Job) -> None:
    foreign = job.forge.add(EDITS, "theirs", repository="mallory/r")
    job.settle(**edits(state="new"))
    assert (foreign.body, len(job.forge.pulls)) == ("theirs", 2)
    job.delete(EDITS)
    job.settle(**GONE)
    assert [pull.state for pull in job.forge.pulls] == ["open", "closed"]


def test_the_pull_request_is_found_among_many(job: Job) -> None:
    job.settle(**edits(state="new"))
    for number in range(120):
        job.forge.add(f"feature-{number}", repository="somebody/r")
    assert job.settle(**edits(state="unchanged")).startswith("unchanged, ")


def test_submissions_have_their_own_label(job: Job) -> None:
    job.push(SUBMISSIONS)
    job.settle(**edits("2 submissions", state="new", name=SUBMISSIONS, labels=["contentsync", "submission"]))
    assert job.forge.pulls[0].labels == ["contentsync", "submission"]


def test_a_token_without_the_right_to_create_labels_causes_one_warning(
    job: Job, capsys: pytest.CaptureFixture[str]
) -> None:
    if job.forge.dialect == "gitlab":
        pytest.skip("GitLab creates labels with the merge request")
    job.forge.may_label = False
    job.settle(**edits(state="new"))
    job.settle(**edits(state="unchanged"))
    warned = capsys.readouterr().out
    assert (warned.count("has no label contentsync"), job.forge.pulls[0].state) == (1, "open")


def test_the_token_is_not_sent_to_another_host(job: Job) -> None:
    with serving_pulls(job.forge.dialect, job.forge.origin) as elsewhere:
        job.forge.redirect = elsewhere.address
        with pytest.raises(importlib.import_module("forge").Failed, match="was answered with 307"):
            job.settle(**edits(state="new"))
        assert elsewhere.requests == []
