"""A run in CI that failed or was killed, and the next runs, which know the writes of the first (docs/ci.md)."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..exit_codes import PARTLY_DONE, REFUSED
from ..served import Served
from .conftest import REF, Project, config
from .workflow import ROOT, clean

SECRET = "---\ntitle: Secret\n---\nNot for everybody.\n"
ABOUT = "---\ntitle: About\nslug: about\n---\nWe list tools.\n"


class Pipeline:
    """The sync of a fresh clone, run after run, by the script that both forges call."""

    def __init__(self, project: Project) -> None:
        self.project, self.served, self.clone, self.origin = project, project.served, project.clone, project.origin

    def environ(self, **more: str) -> dict[str, str]:
        served = self.served
        return clean(
            {
                "CONTENTSYNC_PATH": "site",
                "CONTENTSYNC_TARGET": "production",
                "CONTENTSYNC_URL": served.recorder.url,
                "CONTENTSYNC_TOKEN": served.token,
                "RUNNER_TEMP": str(self.project.temporary),
                **more,
            }
        )

    def sync(self, **more: str) -> "subprocess.CompletedProcess[str]":
        """Run the script once."""
        workspace = self.project.checkout("main")
        return subprocess.run(
            [sys.executable, ROOT / "scripts/action/sync.py"],
            cwd=workspace,
            env=self.environ(**more),
            capture_output=True,
            text=True,
            check=False,
        )

    def synced(self, **more: str) -> None:
        """Run the script once, and require success."""
        done = self.sync(**more)
        assert done.returncode == 0, done.stdout + done.stderr
        assert self.origin.git("rev-parse", REF) == self.clone.git("rev-parse", "HEAD")
        assert self.attempts == []

    def commit(self, **pages: str) -> str:
        for name, text in pages.items():
            self.clone.write(f"site/pages/{name}.md", text)
        return self.project.push("main")

    def revert(self, *words: str) -> None:
        self.clone.git("revert", "--no-edit", *(words or ("HEAD",)))
        self.clone.git("push", "--quiet", "origin", "HEAD:main")

    def refuse(self, slug: str) -> None:
        """Let the server refuse each change of a page."""
        path = next(f"/pages/{page['id']}" for page in self.served.get("pages")["data"] if page["slug"] == slug)
        self.served.recorder.status = 422
        self.served.recorder.fails = lambda method, asked: method != "GET" and asked.endswith(path)

    def accept(self) -> None:
        self.served.recorder.fails = lambda method, asked: False

    @property
    def titles(self) -> dict[str, str]:
        return {page["slug"]: page["title"] for page in self.served.get("pages")["data"]}

    @property
    def attempts(self) -> list[str]:
        return self.origin.git("for-each-ref", "--format=%(refname)", "refs/contentsync/@attempts/").split()


@pytest.fixture
def pipeline(project: Project) -> Iterator[Pipeline]:
    """Yield a pipeline after one run, which synced the page `about`."""
    project.clone.write("site/contentsync.toml", config(project.served).replace("requests", "prune = true\nrequests"))
    project.push("main")
    made = Pipeline(project)
    made.synced()
    assert made.titles == {"about": "About"}
    yield made


def test_a_revert_undoes_a_run_that_failed_in_part(pipeline: Pipeline) -> None:
    pipeline.refuse("about")
    head = pipeline.commit(secret=SECRET, about=ABOUT + "More.\n")
    assert pipeline.sync().returncode == PARTLY_DONE
    assert pipeline.attempts == [f"refs/contentsync/@attempts/production/{head}"]
    assert pipeline.titles == {"about": "About", "secret": "Secret"}
    pipeline.accept()
    pipeline.revert()
    pipeline.synced()
    assert pipeline.titles == {"about": "About"}


def test_a_revert_undoes_a_run_that_was_killed(pipeline: Pipeline, tmp_path: Path) -> None:
    """The runner kills the script and the command at the second write."""
    first = SECRET.replace("Secret", "A secret")
    pipeline.commit(**{"a-secret": first, "b-secret": first.replace("A", "B")})
    program = tmp_path / "own/contentsync/bin/contentsync"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m contentsync "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    workspace = pipeline.project.checkout("main")
    runs: list[subprocess.Popen[bytes]] = []
    writes: list[str] = []

    def kill(method: str, path: str) -> bool:
        if method != "GET":
            writes.append(path)
        if method != "GET" and len(writes) == 2:
            os.killpg(runs[0].pid, signal.SIGKILL)
            runs[0].wait()
        return len(writes) > 1

    pipeline.served.recorder.fails = kill
    with (tmp_path / "log").open("wb") as log:
        own = {"RUNNER_TEMP": str(tmp_path / "own"), "CONTENTSYNC_OPTIONS": "--concurrency 1", "PYTHONPATH": str(ROOT)}
        environ, words = pipeline.environ(**own), [sys.executable, str(ROOT / "scripts/action/sync.py")]
        runs.append(subprocess.Popen(words, cwd=workspace, env=environ, stdout=log, stderr=log, start_new_session=True))
        assert runs[0].wait() == -signal.SIGKILL, (tmp_path / "log").read_text()
    pipeline.accept()
    assert pipeline.titles == {"about": "About", "a-secret": "A secret"}
    pipeline.revert()
    pipeline.synced()
    assert pipeline.titles == {"about": "About"}


def test_a_revert_undoes_a_first_run_that_failed_in_part(project: Project) -> None:
    """The run has no base commit, and its clone contains no earlier commit."""
    pipeline = Pipeline(project)
    pipeline.commit(**{"a-secret": SECRET.replace("Secret", "A secret")})
    project.served.recorder.status = 422
    project.served.recorder.fail_writes_after(1)
    project.clone.write("site/contentsync.toml", config(project.served).replace("requests", "prune = true\nrequests"))
    project.push("main")
    assert pipeline.sync(CONTENTSYNC_OPTIONS="--concurrency 1").returncode == PARTLY_DONE
    pipeline.accept()
    assert pipeline.titles == {"a-secret": "A secret"}
    project.clone.git("rm", "--quiet", "site/pages/a-secret.md")
    project.push("main")
    pipeline.synced()
    assert pipeline.titles == {"about": "About"}


def test_a_revert_restores_the_name_after_a_rename_that_failed_in_part(pipeline: Pipeline) -> None:
    pipeline.commit(old="---\ntitle: Old\n---\nA text about old things.\n")
    pipeline.synced()
    pipeline.refuse("about")
    pipeline.clone.git("mv", "site/pages/old.md", "site/pages/former.md")
    pipeline.commit(about=ABOUT + "More.\n")
    assert pipeline.sync().returncode == PARTLY_DONE
    assert pipeline.titles == {"about": "About", "former": "Old"}
    pipeline.accept()
    pipeline.revert()
    pipeline.synced()
    assert pipeline.titles == {"about": "About", "old": "Old"}


def test_an_edit_after_a_failed_run_has_no_conflict_with_its_own_value(pipeline: Pipeline) -> None:
    pipeline.commit(old="---\ntitle: Old\n---\n")
    pipeline.synced()
    pipeline.refuse("old")
    pipeline.commit(about=ABOUT.replace("About", "About us"), old="---\ntitle: Older\n---\n")
    assert pipeline.sync().returncode == PARTLY_DONE
    pipeline.accept()
    pipeline.commit(about=ABOUT.replace("About", "About you"))
    pipeline.synced()
    assert pipeline.titles == {"about": "About you", "old": "Older"}


@pytest.mark.whole
def test_a_force_push_undoes_a_commit_that_was_synced_in_part(pipeline: Pipeline) -> None:
    """The branch no longer contains the commit, and the clone of the next run is shallow."""
    pipeline.refuse("about")
    before = pipeline.clone.git("rev-parse", "HEAD")
    pipeline.commit(secret=SECRET, about=ABOUT + "More.\n")
    assert pipeline.sync().returncode == PARTLY_DONE
    pipeline.accept()
    pipeline.clone.git("reset", "--quiet", "--hard", before)
    pipeline.clone.git("push", "--quiet", "origin", "+HEAD:main")
    pipeline.synced()
    assert pipeline.titles == {"about": "About"}


def test_a_repository_that_refuses_the_attempt_ref_stops_the_sync(pipeline: Pipeline) -> None:
    pipeline.origin.write("hooks/pre-receive", "#!/bin/sh\necho 'not allowed to push' >&2\nexit 1\n").chmod(0o755)
    pipeline.clone.write("site/pages/secret.md", SECRET)
    pipeline.clone.git("add", ".")
    assert pipeline.clone.commit().returncode == 0
    unhooked = "--receive-pack=git -c core.hooksPath=/dev/null receive-pack"
    pipeline.clone.git("push", "--quiet", unhooked, "origin", "HEAD:main")
    writes = len(pipeline.served.recorder.writes)
    done = pipeline.sync()
    assert done.returncode == 1
    assert "nothing is synced" in done.stdout
    assert len(pipeline.served.recorder.writes) == writes


def test_a_refused_run_leaves_no_attempt(pipeline: Pipeline, served: Served) -> None:
    served.create("pages", {"slug": "secret", "title": "Theirs"})
    pipeline.commit(secret=SECRET)
    assert pipeline.sync().returncode == REFUSED
    assert pipeline.attempts == []


def test_a_partial_sync_does_not_move_the_ref_and_can_be_reverted(pipeline: Pipeline) -> None:
    before = pipeline.origin.git("rev-parse", REF)
    pipeline.commit(secret=SECRET, about=ABOUT.replace("About", "About us"))
    assert pipeline.sync(CONTENTSYNC_OPTIONS="--only page/secret").returncode == 0
    assert pipeline.titles == {"about": "About", "secret": "Secret"}
    assert pipeline.origin.git("rev-parse", REF) == before
    pipeline.revert()
    pipeline.synced()
    assert pipeline.titles == {"about": "About"}
