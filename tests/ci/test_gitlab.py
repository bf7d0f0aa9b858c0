"""The GitLab template: its jobs run as a runner runs them, against a small server in the role of GitLab's API."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from ..exit_codes import CONTENT_ERRORS, REFUSED
from ..hooks.repositories import BROKEN
from .conftest import REF, Project
from .forge import USER, Forge
from .workflow import ROOT, clean, installed

TEMPLATE: dict[str, Any] = yaml.safe_load((ROOT / "docs/ci/contentsync.gitlab-ci.yml").read_text(encoding="utf-8"))
MARKER = "<!-- contentsync plan: production -->"


def job(name: str, project: Project, workspace: Path, environ: Mapping[str, str]) -> tuple[int, str]:
    """Run a job whose program is installed already; return its exit code and its log."""
    base, one = TEMPLATE[".contentsync"], TEMPLATE[f"contentsync:{name}"]
    assert one["extends"] == ".contentsync"
    installed(project.temporary)
    settings = {
        **environ,
        "CI_PROJECT_DIR": str(workspace),
        "CONTENTSYNC_PATH": "site",
        "CONTENTSYNC_TARGET": "production",
        "CONTENTSYNC_URL": project.served.recorder.url,
        "CONTENTSYNC_HOME": str(ROOT),
        "RUNNER_TEMP": str(project.temporary),
    }
    for variable, value in {**base["variables"], **one.get("variables", {})}.items():
        settings.setdefault(variable, _expanded(value, settings))
    code, log = _shell(one["script"], workspace, settings)
    status = "failed" if code else "success"
    log += _shell(one.get("after_script", []), workspace, {**settings, "CI_JOB_STATUS": status})[1]
    for secret in (project.served.token, project.served.reader, environ.get("CONTENTSYNC_NOTE_TOKEN", "-none-")):
        assert secret not in log
    return code, log


def _expanded(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"${name}", value)
    return text


def _shell(lines: list[str], workspace: Path, environ: Mapping[str, str]) -> tuple[int, str]:
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", "\n".join(lines)],
        cwd=workspace,
        env=clean(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_a_merge_request_gets_its_plan_and_the_merge_applies_exactly_that_plan(project: Project, forge: Forge) -> None:
    """The branch is older than the synced commit; the plan reverts nothing of that commit."""
    pushing = {
        "CONTENTSYNC_WRITE_TOKEN": project.served.token,
        "CONTENTSYNC_NOTE_TOKEN": forge.token,
        "CONTENTSYNC_REMOTE": project.origin.path.as_uri(),
    }
    project.clone.git("checkout", "--quiet", "-b", "feature")
    project.commit("feature", "About us")
    project.clone.git("checkout", "--quiet", "main")
    project.clone.write("site/pages/new.md", "---\ntitle: New\n---\n")
    commit = project.push("main")
    code, log = job("sync", project, project.checkout("main"), pushing)
    assert code == 0, log
    assert project.origin.git("rev-parse", REF) == commit
    assert len(project.served.get("pages")["data"]) == 2
    forge.add(f"{MARKER}\nnothing will change, believe me", USER)
    request = {
        "CONTENTSYNC_READ_TOKEN": project.served.reader,
        "CONTENTSYNC_NOTE_TOKEN": forge.token,
        "CI_API_V4_URL": forge.address,
        "CI_COMMIT_SHA": "0123456789abcdef",
        "CI_MERGE_REQUEST_IID": "3",
        "CI_MERGE_REQUEST_PROJECT_ID": "5",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
    }
    workspace = project.checkout("feature")
    subprocess.run(["git", "-C", workspace, "fetch", "--quiet", "--unshallow"], check=True, env=clean())
    code, log = job("plan", project, workspace, request)
    assert code == 0, log
    (body,) = forge.bodies
    assert body.startswith(MARKER)
    assert '→ `"About us"`' in body
    assert "delete" not in body.split("| kind |")[0]
    project.clone.git("checkout", "--quiet", "feature")
    project.clone.write("site/pages/about.md", BROKEN)
    project.push("feature")
    subprocess.run(["git", "-C", workspace, "fetch", "--quiet", "origin", "feature"], check=True, env=clean())
    subprocess.run(["git", "-C", workspace, "checkout", "--quiet", "FETCH_HEAD"], check=True, env=clean())
    code, log = job("plan", project, workspace, request)
    assert code == CONTENT_ERRORS
    assert "pages/about.md:3:1" in log
    assert "There is no plan as of 0123456789ab" in forge.bodies[0]
    assert len(forge.bodies) == 1


def test_a_long_plan_of_a_merge_request_is_attached_to_its_job(project: Project, forge: Forge) -> None:
    rows = "".join(f"- {{title: Tag {number:03}, slug: tag-{number:03}}}\n" for number in range(60))
    project.clone.write("site/tags.yaml", rows)
    project.push("feature")
    workspace = project.checkout("feature")
    subprocess.run(["git", "-C", workspace, "fetch", "--quiet", "--unshallow"], check=True, env=clean())
    request = {
        "CONTENTSYNC_READ_TOKEN": project.served.reader,
        "CONTENTSYNC_NOTE_TOKEN": forge.token,
        "GITLAB_CI": "true",
        "CI_API_V4_URL": forge.address,
        "CI_COMMIT_SHA": "0123456789abcdef",
        "CI_JOB_URL": "https://gitlab.example.com/o/r/-/jobs/9",
        "CI_MERGE_REQUEST_IID": "3",
        "CI_MERGE_REQUEST_PROJECT_ID": "5",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
    }
    code, log = job("plan", project, workspace, request)
    assert code == 0, log
    artifacts = TEMPLATE["contentsync:plan"]["artifacts"]
    (path,) = artifacts["paths"]
    assert artifacts["when"] == "always"  # also of a refused plan
    whole = (workspace / path).read_text(encoding="utf-8")
    assert all(f"`tag-{number:03}` " in whole for number in range(60))
    (body,) = forge.bodies
    line = f"The whole plan: `{path}` of [this job](https://gitlab.example.com/o/r/-/jobs/9/artifacts/browse)."
    assert line == body.splitlines()[-2]


def test_a_trailer_in_a_merge_request_is_not_consent(project: Project, forge: Forge) -> None:
    """Also if the branch could be merged by a fast-forward."""
    pushing = {"CONTENTSYNC_WRITE_TOKEN": project.served.token, "CONTENTSYNC_REMOTE": project.origin.path.as_uri()}
    code, log = job("sync", project, project.checkout("main"), pushing)
    assert code == 0, log
    base = project.clone.git("rev-parse", "HEAD")
    (project.clone.path / "site/pages/about.md").unlink()
    project.clone.write("site/tags.yaml", "- title: Free\n")
    asked = project.push("feature", "--message=Contentsync-Allow: deletes=1")
    workspace = project.checkout("feature")
    subprocess.run(["git", "-C", workspace, "fetch", "--quiet", "--unshallow"], check=True, env=clean())
    code, log = job("validate", project, workspace, {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base})
    assert code == 0, log
    assert f"notice: commit {asked[:12]} by " in log
    request = {
        "CONTENTSYNC_READ_TOKEN": project.served.reader,
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "CONTENTSYNC_OPTIONS": "--prune",
    }
    code, log = job("plan", project, workspace, request)
    assert code == REFUSED
    assert "--allow-deletes 1" in log


def test_plans_exclude_forks_and_syncs_run_only_on_the_default_branch() -> None:
    (plan,), (never, sync) = (TEMPLATE[f"contentsync:{name}"]["rules"] for name in ("plan", "sync"))
    assert never == {"if": '$CONTENTSYNC_PROPOSE == "true"', "when": "never"}
    assert "$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID" in plan["if"]
    assert "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH" in sync["if"]


def test_the_password_of_a_push_is_not_in_its_address(tmp_path: Path) -> None:
    """AU-12"""
    variables = TEMPLATE["contentsync:sync"]["variables"]
    assert variables["CONTENTSYNC_REMOTE"] == "https://oauth2@$CI_SERVER_HOST/$CI_PROJECT_PATH.git"
    program = variables["GIT_ASKPASS"].replace("$CONTENTSYNC_HOME", str(ROOT))
    done = subprocess.run(
        [program, "Password for 'https://oauth2@example.org': "],
        env=clean({"CONTENTSYNC_REF_TOKEN": "c4n4ry"}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "c4n4ry\n"


@pytest.mark.parametrize("version", ["v0.1.0", "main", "commit"])
def test_the_program_is_fetched_at_a_tag_a_branch_or_a_commit(tmp_path: Path, version: str) -> None:
    source, home = tmp_path / "source", tmp_path / "home"
    script = source / "scripts/action/install.sh"
    script.parent.mkdir(parents=True)
    script.write_text("echo installed\n", encoding="utf-8")
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    for arguments in (
        ("init", "--quiet", "--initial-branch", "main"),
        ("add", "."),
        (*identity, "commit", "--quiet", "--message", "A release"),
        (*identity, "tag", "--annotate", "v0.1.0", "--message", "0.1.0"),
    ):
        subprocess.run(["git", *arguments], cwd=source, check=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=source, check=True, capture_output=True, text=True).stdout
    environ = {
        "CONTENTSYNC_HOME": str(home),
        "CONTENTSYNC_REPOSITORY": str(source),
        "CONTENTSYNC_VERSION": commit.strip() if version == "commit" else version,
    }
    assert _shell(TEMPLATE[".contentsync"]["before_script"], tmp_path, environ) == (0, "installed\n")
