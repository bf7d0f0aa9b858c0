"""The scheduled job as a forge runs it: a real clone, the real command and server, and a small forge beside them."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..hooks.repositories import SOUND
from .conftest import Project, config
from .pull_forge import Dialect, PullForge, serving_pulls
from .workflow import ROOT, clean

EDITS = "contentsync/production/edits"
SUBMISSIONS = "contentsync/production/submissions"
TABLE = "name,url,description\nOne,https://one.example.org/,First\n"


@dataclass(frozen=True)
class Schedule:
    """A project that was synced from its default branch, with a forge that has its pull requests."""

    project: Project
    forge: PullForge

    def run(self, **more: str) -> "subprocess.CompletedProcess[str]":
        """Run the job once; fail if it shows a token or writes to the server."""
        served = self.project.served
        writes = len(served.recorder.writes)
        done = self._script("propose", {"CONTENTSYNC_TOKEN": served.reader, **self.forge.environ, **more})
        assert len(served.recorder.writes) == writes
        for secret in (served.token, served.reader, self.forge.token):
            assert secret not in done.stdout + done.stderr
        return done

    def proposed(self) -> str:
        """Run the job once, require success, and return its log."""
        done = self.run()
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def sync(self) -> None:
        """Run the sync that follows a push."""
        done = self._script("sync", {"CONTENTSYNC_TOKEN": self.project.served.token})
        assert done.returncode == 0, done.stdout + done.stderr

    def merge(self, branch: str) -> None:
        """Merge the pull request of a branch as a user, delete the branch, and sync."""
        clone = self.project.clone
        clone.git("fetch", "--quiet", "origin")
        clone.git("merge", "--quiet", "--no-edit", f"origin/{branch}")
        clone.git("push", "--quiet", "origin", "HEAD:main", f":refs/heads/{branch}")
        (pull,) = (pull for pull in self.forge.open_pulls if pull.head == branch)
        pull.state, pull.merged = "closed", True
        self.sync()

    def checkout(self) -> Path:
        """Return a checkout of the default branch like that of actions/checkout with `fetch-depth: 0`."""
        workspace = self.project.temporary / "workspace"
        shutil.rmtree(workspace, ignore_errors=True)
        self.project.clone.git("clone", "--quiet", "--branch=main", self.project.origin.path.as_uri(), str(workspace))
        return workspace

    def _script(self, name: str, environ: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
        project = self.project
        workspace = self.checkout()
        settings = {
            "CONTENTSYNC_PATH": "site",
            "CONTENTSYNC_TARGET": "production",
            "CONTENTSYNC_URL": project.served.recorder.url,
            "RUNNER_TEMP": str(project.temporary),
        }
        return subprocess.run(
            [sys.executable, ROOT / f"scripts/action/{name}.py"],
            cwd=workspace,
            env=clean({**settings, **environ}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def pushes(self) -> list[str]:
        """Return the branches of each push that reached the repository, one line for each push."""
        log = self.project.origin.path / "pushes"
        return log.read_text(encoding="utf-8").splitlines() if log.exists() else []

    @property
    def change(self) -> str:
        """The method by which a pull request is changed."""
        return "PUT" if self.forge.dialect == "gitlab" else "PATCH"

    def forget_writes(self) -> None:
        self.forge.requests.clear()
        (self.project.origin.path / "pushes").unlink(missing_ok=True)

    def edit(self, slug: str, **fields: object) -> None:
        """Change a page in the dashboard as another user."""
        served = self.project.served
        page = next(page for page in served.get("pages")["data"] if page["slug"] == slug)
        served.update(f"pages/{page['id']}", {"slug": slug, "title": page["title"], **fields})

    def submit(self, name: str, **fields: object) -> None:
        """Send a listing as a submitter; it is not active yet."""
        self.project.served.create("projects", {"name": name, "is_active": False, **fields})

    def text_at(self, branch: str, path: str) -> str:
        return self.project.origin.git("show", f"refs/heads/{branch}:site/{path}")


@contextmanager
def scheduled(project: Project, dialect: Dialect) -> Iterator[Schedule]:
    """Yield a project with two pages and a listing, all synced."""
    hook = project.origin.write("hooks/post-receive", "#!/bin/sh\ntr '\\n' ' ' >>pushes\necho >>pushes\n")
    hook.chmod(0o755)
    project.clone.write("site/contentsync.toml", f'{config(project.served)}on_drift = "keep"\n')
    project.clone.write("site/pages/about.md", SOUND.replace("---\nWe", "slug: about\n---\nWe"))
    project.clone.write("site/pages/team.md", "---\ntitle: Team\n# who we are\n---\nWe are two.\n")
    project.clone.write("site/listings/all.csv", TABLE)
    project.push("main")
    with serving_pulls(dialect, project.origin) as forge:
        schedule = Schedule(project, forge)
        schedule.sync()
        schedule.forget_writes()
        yield schedule


def runs_without_change(schedule: Schedule, runs: int) -> dict[str, int]:
    """Return the number of pushes and of writes at the forge in a number of runs in which nothing has changed."""
    schedule.edit("about", title="About us")
    schedule.submit("Sent in", url="https://sent.example.org/")
    schedule.proposed()
    schedule.forget_writes()
    reads = 0
    for _ in range(runs):
        schedule.proposed()
        reads = len(schedule.forge.requests)
    return {"runs": runs, "pushes": len(schedule.pushes), "writes": len(schedule.forge.writes), "reads": reads}
