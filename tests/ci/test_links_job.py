"""The weekly job of docs/ci.md: its scripts, as a runner starts them, in a checkout with an earlier memory."""

import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from .test_ci_page import PAGE, blocks
from .workflow import clean

(JOB,) = (block["jobs"]["links"] for block in blocks(PAGE) if block.get("name") == "links")
_INSTALL, CHECK, ISSUE = (step["run"] for step in JOB["steps"] if "run" in step)
ADDRESS = "http://127.0.0.1:1/page"  # private, so not requested
WEEKS = '["2026-11-02", "2026-11-09", "2026-11-16"]'
DEAD = f'{{"url": "{ADDRESS}", "failed": {WEEKS}, "reason": "404 Not Found"}}\n'
UNUSED = '{"url": "https://unused.dev/", "failed": ["2026-11-02"], "reason": "404 Not Found"}\n'


@dataclass(frozen=True)
class Runner:
    """A checkout of a repository, and a `gh` that records its calls."""

    workspace: Path
    temporary: Path
    issue: str = ""  # the number of the open issue

    def run(self, script: str) -> int:
        """Run a script as a step, and return its exit code."""
        environ = {
            **clean(),
            "RUNNER_TEMP": str(self.temporary),
            "GITHUB_STEP_SUMMARY": str(self.temporary / "summary"),
            "PATH": f"{self.temporary}:{os.environ['PATH']}",
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        }
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(words, cwd=self.workspace, env=environ, capture_output=True).returncode

    @property
    def calls(self) -> list[str]:
        """The calls of `gh` that write."""
        file = self.temporary / "calls"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [line.replace(str(self.temporary), "TEMP") for line in lines if not line.startswith("issue list")]

    def commits(self) -> list[str]:
        """Return the subjects of the commits that were pushed."""
        words = ["git", "--git-dir", str(self.temporary / "origin"), "log", "--format=%s", "main"]
        return subprocess.run(words, check=True, capture_output=True, text=True, env=clean()).stdout.splitlines()


def runner(folder: Path, memory: str, *, issue: str = "", page: str = f"[a]({ADDRESS})") -> Runner:
    """Return a runner with a checkout of a folder that has this memory and a page."""
    workspace, temporary = folder / "workspace", folder / "temporary"
    program = temporary / "venv/bin/contentsync"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m contentsync "$@"\n', encoding="utf-8")
    record = f'echo "$*" >>{shlex.quote(str(temporary / "calls"))}'
    (temporary / "gh").write_text(f"#!/bin/sh\n{record}\nif [ $2 = list ]; then echo {issue}; fi\n", encoding="utf-8")
    for file in (program, temporary / "gh"):
        file.chmod(0o755)
    (workspace / "pages").mkdir(parents=True)
    (workspace / "contentsync.toml").touch()
    (workspace / "pages/about.md").write_text(f"---\ntitle: About\n---\n{page}\n", encoding="utf-8")
    if memory:
        (workspace / "links.jsonl").write_text(memory, encoding="utf-8")
    script = f"""
        git init --quiet --bare --initial-branch=main {temporary}/origin
        git init --quiet --initial-branch=main
        git add .
        git -c user.name=Ada -c user.email=ada@example.com commit --quiet --message Content
        git remote add origin {temporary}/origin
        git push --quiet --set-upstream origin main
    """
    subprocess.run(["sh", "-ec", script], cwd=workspace, check=True, env=clean(), capture_output=True)
    return Runner(workspace, temporary)


def test_a_dead_link_opens_an_issue_and_a_changed_memory_is_pushed(tmp_path: Path) -> None:
    job = runner(tmp_path, DEAD + UNUSED)
    assert (job.run(CHECK), job.run(ISSUE)) == (0, 0)
    assert job.calls == ["issue create --title Dead links --label links --body-file TEMP/report.md"]
    assert "1 dead" in (job.temporary / "report.md").read_text(encoding="utf-8")
    assert (job.temporary / "summary").read_bytes() == (job.temporary / "report.md").read_bytes()
    assert job.commits() == ["Remember which links fail", "Content"]
    assert (job.workspace / "links.jsonl").read_text(encoding="utf-8") == DEAD


def test_an_open_issue_is_updated_and_an_unchanged_memory_is_not_committed(tmp_path: Path) -> None:
    job = runner(tmp_path, DEAD, issue="7")
    assert (job.run(CHECK), job.run(ISSUE)) == (0, 0)
    assert job.calls == ["issue edit 7 --body-file TEMP/report.md"]
    assert job.commits() == ["Content"]


@pytest.mark.parametrize(("issue", "calls"), [("7", ["issue close 7"]), ("", [])])
def test_an_issue_is_closed_when_no_link_is_dead(tmp_path: Path, issue: str, calls: list[str]) -> None:
    job = runner(tmp_path, "", issue=issue)
    assert (job.run(CHECK), job.run(ISSUE)) == (0, 0)
    assert job.calls == calls
    assert job.commits() == ["Content"]


def test_a_folder_with_errors_fails_the_job_and_closes_no_issue(tmp_path: Path) -> None:
    job = runner(tmp_path, DEAD, issue="7")
    (job.workspace / "pages/about.md").write_text("---\ntitel: About\n---\n", encoding="utf-8")
    assert job.run(CHECK) != 0
    assert (job.workspace / "links.jsonl").read_text(encoding="utf-8") == DEAD


def test_the_job_runs_on_the_default_branch_only_and_never_for_a_pull_request() -> None:
    (workflow,) = (block for block in blocks(PAGE) if block.get("name") == "links")
    assert workflow[True].keys() == {"schedule", "workflow_dispatch"}  # YAML reads `on` as true
    on_default_branch = "github.ref_name == github.event.repository.default_branch"
    assert JOB["if"] == f"github.event_name == 'schedule' || {on_default_branch}"
    assert not any("${{" in script for script in (_INSTALL, CHECK, ISSUE))
    assert JOB["permissions"] == {"contents": "write", "issues": "write"}
