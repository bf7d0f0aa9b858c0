"""action.yml as a runner runs it: real git, a real server, and a small one in the role of GitHub's API."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from contentsync.report.markdown_parts import count_visible_lines

from ..hooks.repositories import BROKEN, looking_like_a_repository
from ..served import recording
from .conftest import REF, Project, config
from .forge import BOT, USER, Forge, forging
from .workflow import ROOT, Run, clean, run_action

MARKER = "<!-- contentsync plan: production -->"
PUSH = {"repository": {"default_branch": "main"}}


def pull_request(head: str = "o/r", sha: str = "0123456789abcdef") -> dict[str, Any]:
    sides = {"head": {"sha": sha, "repo": {"full_name": head}}, "base": {"repo": {"full_name": "o/r"}}}
    return {"pull_request": {"number": 3, **sides}}


def act(
    project: Project,
    forge: Forge,
    branch: str,
    event_name: str = "push",
    event: Any = PUSH,
    *,
    can_attach: bool = True,
    **inputs: str,
) -> Run:
    """Run the action on a fresh checkout of a branch, with the token of the event."""
    served = project.served
    settings = {
        "path": "site",
        "target": "production",
        "url": served.recorder.url,
        "token": served.token if event_name == "push" else served.reader,
        "github-token": forge.token,
        **{name.replace("_", "-"): value for name, value in inputs.items()},
    }
    workspace = project.checkout(branch)
    ref = f"refs/heads/{branch}"
    run = run_action(
        workspace, project.temporary, settings, event_name, event, ref, forge.address, can_attach=can_attach
    )
    for secret in (served.token, served.reader, forge.token):
        assert secret not in run.shown
        assert all(secret not in body for body in forge.bodies)
    return run


def test_a_pull_request_gets_its_plan_and_the_merge_applies_exactly_that_plan(project: Project, forge: Forge) -> None:
    """AU-12, PL-17: no output contains a token; the base is the commit that was synced last."""
    first = act(project, forge, "main")
    assert not first.failed, first.log
    assert project.title == "About"
    [(key, folder)] = first.cached.items()
    assert key.endswith(hashlib.sha256((ROOT / "requirements-base.lock").read_bytes()).hexdigest())
    assert folder == str(project.temporary / "contentsync-wheels")
    assert project.origin.git("rev-parse", REF) == project.clone.git("rev-parse", "HEAD")
    foreign = forge.add(f"{MARKER}\nnothing will change, believe me", USER)
    for number in range(100):
        forge.add(f"{number}", USER)
    project.commit("feature", "About us")
    writes = len(project.served.recorder.writes)
    planned = act(project, forge, "feature", "pull_request", pull_request())
    assert not planned.failed, planned.log
    assert len(project.served.recorder.writes) == writes
    (body,) = forge.bodies
    assert body.startswith(MARKER)
    assert '`"About"` → `"About us"`' in body
    assert "As of 0123456789ab." in body
    assert '`"About"` → `"About us"`' in planned.summary
    project.commit("feature", "About ::error::you")
    assert not act(project, forge, "feature", "pull_request", pull_request()).failed
    (body,) = forge.bodies
    assert '→ `"About ::error::you"`' in body
    assert foreign["body"].endswith("believe me")
    commit = project.commit("main", "About ::error::you")
    merged = act(project, forge, "main")
    assert not merged.failed, merged.log
    assert project.title == "About ::error::you"
    assert project.origin.git("rev-parse", REF) == commit
    assert "### contentsync sync to `production`" in merged.summary
    stopped, going_on = merged.log.index("::stop-commands::"), merged.log.rindex("::\n")
    assert stopped < merged.log.index("About ::error::you") < going_on


def test_a_mistake_is_annotated_and_an_older_plan_is_removed(project: Project, forge: Forge) -> None:
    forge.add(f"{MARKER}\n1 to create", BOT)
    project.clone.write("site/pages/about.md", BROKEN)
    project.push("feature")
    run = act(project, forge, "feature", "pull_request", pull_request())
    assert run.outcomes["validate"] == "failure"
    assert "::error file=site/pages/about.md,line=3,col=1,title=unknown-key::" in run.log
    (body,) = forge.bodies
    assert "There is no plan as of 0123456789ab" in body
    assert run.outcomes["plan"] == run.outcomes["sync"] == "skipped"


def test_a_refused_plan_is_commented_and_fails_with_its_reason(project: Project, forge: Forge) -> None:
    assert not act(project, forge, "main").failed
    (project.clone.path / "site/pages/about.md").unlink()
    project.push("feature")
    run = act(project, forge, "feature", "pull_request", pull_request(), options="--prune")
    assert run.outcomes["plan"] == "failure"
    assert "::error::the plan is refused: `" in run.log
    (body,) = forge.bodies
    assert body.startswith(MARKER)
    assert "**Refused as it is:**" in body
    assert "As of 0123456789ab." in body
    assert "**Refused as it is:**" in run.summary


def write_tags(project: Project, keys: list[str], title: str) -> None:
    rows = "".join(f"- {{title: {key} {title}, slug: {key}}}\n" for key in keys)
    project.clone.write("site/tags.yaml", rows)


def test_a_long_plan_is_attached_and_its_comment_has_at_most_forty_lines(project: Project, forge: Forge) -> None:
    kept, gone, new = ([f"{sort}-{number:03}" for number in range(125)] for sort in ("kept", "gone", "new"))
    write_tags(project, [*kept, *gone], "tag")
    project.push("main")
    first = act(project, forge, "main")
    assert not first.failed, first.log
    write_tags(project, [*kept, *new], "new tag")
    project.clone.write("site/categories.yaml", "".join(f"- title: Sort {number:03}\n" for number in range(125)))
    project.push("feature")
    requests = len(project.served.recorder.requests)
    run = act(project, forge, "feature", "pull_request", pull_request(), options="--prune")
    assert run.outcomes["plan"] == "failure"  # refused: the gates count its deletes
    assert len(project.served.recorder.requests) - requests < 60  # the server is read once
    [(name, whole)] = run.attached.items()
    assert name == "contentsync-plan-production"
    changed = [*kept, *gone, *new, *(f"sort-{number:03}" for number in range(125))]
    assert all(f"`{key}` " in whole for key in changed)
    assert project.served.reader not in whole
    (body,) = forge.bodies
    line = f"The whole plan: artifact `{name}` of [this run](https://forge.example.com/o/r/actions/runs/17)."
    assert line in run.summary.splitlines()
    assert line == body.splitlines()[-2]
    assert count_visible_lines(body) <= 40


def test_a_plan_that_fits_into_its_comment_is_not_attached(project: Project, forge: Forge) -> None:
    write_tags(project, [f"tag-{number:03}" for number in range(60)], "new")
    project.push("feature")
    assert act(project, forge, "feature", "pull_request", pull_request()).attached
    project.clone.write("site/tags.yaml", "[]\n")
    project.push("feature")
    run = act(project, forge, "feature", "pull_request", pull_request())
    assert not run.failed, run.log
    assert run.attached == {}
    assert run.outcomes["attach"] == run.outcomes["whole"] == "skipped"
    assert "The whole plan" not in forge.bodies[0] + run.summary


def test_a_failed_attachment_is_not_mentioned(project: Project, forge: Forge) -> None:
    write_tags(project, [f"tag-{number:03}" for number in range(60)], "new")
    project.push("feature")
    run = act(project, forge, "feature", "pull_request", pull_request(), can_attach=False)
    assert run.outcomes["attach"] == "failure"
    assert "The whole plan" not in forge.bodies[0] + run.summary


CONSENT = "Contentsync-Allow: deletes=1"


def test_the_consent_of_a_merge_is_shown_and_used(project: Project, forge: Forge) -> None:
    """The commit of the branch is no consent; the line of the comment is, in the merge commit."""
    assert not act(project, forge, "main").failed
    project.clone.git("checkout", "--quiet", "-b", "feature")
    (project.clone.path / "site/pages/about.md").unlink()
    project.clone.write("site/pages.yaml", "[]\n")
    project.clone.write("site/tags.yaml", "- title: Free\n")
    asked = project.push("feature", "--author=Mallory <m@example.com>", f"--message={CONSENT}")
    project.clone.git("checkout", "--quiet", "main")
    project.clone.git("merge", "--quiet", "--no-ff", "feature", "--message=Merge 3 into main")
    project.clone.git("push", "--quiet", "origin", "HEAD:refs/heads/merged")
    run = act(project, forge, "merged", "pull_request", pull_request(), options="--prune")
    assert f"::notice title=Contentsync-Allow::commit {asked[:12]} by Mallory asks to allow: deletes=1" in run.log
    assert run.outcomes["plan"] == "failure"
    (body,) = forge.bodies
    assert f"```\n{CONSENT}\n```" in body
    fork = act(project, forge, "merged", "pull_request", pull_request("mallory/r"))
    assert f"::notice title=Contentsync-Allow::commit {asked[:12]}" in fork.log
    assert act(project, forge, "merged", command="sync", options="--prune").outcomes["sync"] == "failure"
    project.clone.git(
        "commit", "--quiet", "--amend", "--author=Ada <a@example.com>", "--message=Merge", f"--message={CONSENT}"
    )
    commit = project.clone.git("rev-parse", "HEAD")
    project.clone.git("push", "--quiet", "origin", "HEAD:refs/heads/main")
    synced = act(project, forge, "main", options="--prune")
    assert not synced.failed, synced.log
    assert f"commit {commit[:12]} by Ada consents with deletes=1; the plan has 1" in synced.summary
    assert project.served.get("pages")["data"] == []


def test_a_faulty_consent_fails_the_pull_request(project: Project, forge: Forge) -> None:
    wrong = project.push("feature", "--message=Contentsync-Allow: adopt=1")
    run = act(project, forge, "feature", "pull_request", pull_request("mallory/r"))
    assert run.outcomes["validate"] == "failure"
    assert f"::error title=Contentsync-Allow::commit {wrong[:12]} by " in run.log


def test_a_pull_request_from_a_fork_is_validated_without_a_plan(project: Project, forge: Forge) -> None:
    """Also if the job has a token."""
    run = act(project, forge, "main", "pull_request", pull_request("mallory/r"))
    assert not run.failed
    assert "::notice::this pull request comes from a fork" in run.log
    assert project.served.recorder.requests == []
    assert forge.asked == []


def test_a_pull_request_that_names_another_server_sends_no_token_there(project: Project, forge: Forge) -> None:
    """AU-12, PL-09"""
    with recording(int(project.served.recorder.url.rpartition(":")[2])) as thief:
        project.clone.write("site/contentsync.toml", config(project.served, thief.url))
        project.push("feature")
        run = act(project, forge, "feature", "pull_request", pull_request())
        assert run.outcomes["plan"] == "failure"
        assert "make them agree" in run.log
        assert thief.requests == project.served.recorder.requests == []
    assert "There is no plan" in forge.bodies[0]


def test_a_late_run_of_an_older_commit_changes_nothing(project: Project, forge: Forge) -> None:
    """CO-05"""
    project.clone.git("push", "--quiet", "origin", "HEAD:refs/heads/older")
    commit = project.commit("main", "Newer")
    assert not act(project, forge, "main").failed
    late = act(project, forge, "older", command="sync")
    assert late.outcomes["sync"] == "failure"
    assert "is no ancestor of what is checked out" in late.log
    assert project.title == "Newer"
    assert project.origin.git("rev-parse", REF) == commit


def test_a_failed_sync_does_not_move_the_ref(project: Project, forge: Forge) -> None:
    run = act(project, forge, "main", token=project.served.reader)
    assert run.outcomes["sync"] == "failure"
    assert project.origin.run("rev-parse", "--verify", "--quiet", REF).returncode != 0


@pytest.fixture
def posting(forge: Forge, tmp_path: Path) -> dict[str, Any]:
    """Return the environment of the step that comments."""
    plan = tmp_path / "plan.md"
    plan.write_text(MARKER, encoding="utf-8")
    return {
        "event_path": tmp_path / "event.json",
        "GITHUB_API_URL": forge.address,
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_TOKEN": forge.token,
        "CONTENTSYNC_TARGET": "production",
        "CONTENTSYNC_PLAN": str(plan),
        "PLANNED": "success",
    }


def test_a_redirect_to_another_host_is_not_followed(forge: Forge, posting: dict[str, Any]) -> None:
    with forging() as elsewhere:
        forge.redirect = elsewhere.address
        done = script("comment", pull_request(), **posting)
        assert done.returncode == 1
        assert "was answered with 307" in done.stdout
        assert elsewhere.asked == []


def test_a_forbidden_comment_is_only_a_warning(posting: dict[str, Any]) -> None:
    done = script("comment", pull_request(), **{**posting, "GITHUB_REPOSITORY": "o/forbidden"})
    assert done.returncode == 0
    assert "::warning::the plan is not on the pull request" in done.stdout


def test_a_plan_of_a_skipped_step_is_not_commented(forge: Forge, posting: dict[str, Any]) -> None:
    assert script("comment", pull_request(), **{**posting, "PLANNED": "skipped"}).returncode == 0
    assert "There is no plan" in forge.bodies[0]


def script(name: str, event: Any, *, event_path: Path, **environ: str) -> "subprocess.CompletedProcess[str]":
    event_path.write_text(json.dumps(event), encoding="utf-8")
    return subprocess.run(
        [sys.executable, ROOT / f"scripts/action/{name}.py"],
        env=clean({"GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": str(event_path), **environ}),
        capture_output=True,
        text=True,
        check=False,
    )


TOKEN = {"INPUT_TOKEN": "c4n4ry", "INPUT_URL": "https://directory.example.com"}
DELETED_FORK = {"pull_request": {**pull_request()["pull_request"], "head": {"sha": "0", "repo": None}}}
SCHEDULE: dict[str, Any] = {"schedule": "0 6 * * *"}


@pytest.mark.parametrize(
    ("name", "event", "ref", "asked", "mode"),
    [
        ("pull_request", pull_request(), "refs/pull/3/merge", TOKEN, "plan"),
        ("pull_request", pull_request(), "refs/pull/3/merge", {}, "validate"),
        ("pull_request", pull_request(), "refs/pull/3/merge", {**TOKEN, "INPUT_COMMAND": "sync"}, None),
        ("pull_request", pull_request("fork/r"), "refs/pull/3/merge", {**TOKEN, "INPUT_COMMAND": "plan"}, "validate"),
        ("pull_request", DELETED_FORK, "refs/pull/3/merge", TOKEN, "validate"),
        ("pull_request_target", pull_request("fork/r"), "refs/heads/main", TOKEN, None),
        ("pull_request", pull_request(), "refs/pull/3/merge", {"INPUT_TOKEN": "c4n4ry"}, None),
        ("push", PUSH, "refs/heads/main", TOKEN, "sync"),
        ("push", PUSH, "refs/heads/main", {}, None),
        ("push", PUSH, "refs/heads/main", {"INPUT_COMMAND": "validate"}, "validate"),
        ("push", PUSH, "refs/heads/other", TOKEN, "validate"),
        ("push", PUSH, "refs/tags/main", TOKEN, "validate"),
        ("push", PUSH, "refs/heads/staging", {**TOKEN, "INPUT_COMMAND": "sync"}, "sync"),
        ("schedule", SCHEDULE, "refs/heads/main", TOKEN, "sync"),
        ("merge_group", PUSH, "refs/heads/main", TOKEN, "validate"),
        ("push", PUSH, "refs/heads/main", {**TOKEN, "INPUT_COMMAND": "deploy"}, None),
        ("schedule", SCHEDULE, "refs/heads/main", {**TOKEN, "INPUT_COMMAND": "propose"}, "propose"),
        ("workflow_dispatch", PUSH, "refs/heads/main", {**TOKEN, "INPUT_COMMAND": "propose"}, "propose"),
        ("workflow_dispatch", PUSH, "refs/heads/other", {**TOKEN, "INPUT_COMMAND": "propose"}, None),
        ("schedule", SCHEDULE, "refs/heads/main", {"INPUT_COMMAND": "propose"}, None),
        ("pull_request", pull_request(), "refs/pull/3/merge", {**TOKEN, "INPUT_COMMAND": "propose"}, None),
    ],
)
def test_the_mode_of_a_run_depends_on_its_event(
    tmp_path: Path, name: str, event: Any, ref: str, asked: dict[str, str], mode: str | None
) -> None:
    output = tmp_path / "output"
    output.touch()
    environ = {"GITHUB_EVENT_NAME": name, "GITHUB_REF": ref, "GITHUB_OUTPUT": str(output), **asked}
    done = script("decide", event, event_path=tmp_path / "event.json", **environ)
    assert output.read_text() == (f"mode={mode}\n" if mode else "")
    assert done.returncode == (0 if mode else 1)
    assert ("::error::" in done.stdout) is (mode is None)
    assert done.stdout.count("c4n4ry") == ("INPUT_TOKEN" in asked), "only where it is hidden"


@pytest.mark.parametrize("sign", ["??", "!!"], ids=["untracked", "ignored"])
def test_a_file_outside_of_the_commit_stops_the_sync(project: Project, tmp_path: Path, sign: str) -> None:
    workspace = project.checkout("main")
    (workspace / "site/.contentsync").mkdir()
    (workspace / "site/.contentsync/state").touch()
    (workspace / "site/pages/generated.md").write_text("---\ntitle: Generated\n---\n", encoding="utf-8")
    if sign == "!!":
        (workspace / ".git/info/exclude").write_text("generated.md\n.contentsync\n", encoding="utf-8")
    settings = {"CONTENTSYNC_PATH": str(workspace / "site"), "CONTENTSYNC_TARGET": "production", **project.served.env}
    done = script("sync", PUSH, event_path=tmp_path / "event.json", **settings)
    assert done.returncode == 1
    assert f"not what the commit holds: {sign} site/pages/generated.md" in done.stdout
    assert project.served.recorder.requests == []


def test_a_program_in_repository_settings_among_the_files_does_not_run(
    project: Project, forge: Forge, tmp_path: Path
) -> None:
    """AU-12"""
    looking_like_a_repository(project.clone.path / "site", f"env >> {tmp_path / 'ran'}")
    project.clone.git("add", "--force", ".")
    commit = project.push("main")
    run = act(project, forge, "main")
    assert not run.failed, run.log
    assert project.origin.git("rev-parse", REF) == commit
    assert not act(project, forge, "main", "pull_request", pull_request()).failed
    assert not (tmp_path / "ran").exists()


def test_a_called_command_gets_its_own_settings_and_no_other_secret() -> None:
    """AU-12"""
    asked = "import json; from environment import environment as of; print(json.dumps(of('CONTENTSYNC_URL')))"
    settings = clean(
        {"CONTENTSYNC_URL": " http://localhost:1 \n", "CONTENTSYNC_TOKEN": "c4n4ry", "NPM_TOKEN": "c4n4ry"}
    )
    words = [sys.executable, "-c", asked]
    done = subprocess.run(words, cwd=ROOT / "scripts/action", env=settings, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["CONTENTSYNC_URL"] == "http://localhost:1"
    assert "c4n4ry" not in done.stdout
