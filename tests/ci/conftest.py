from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..hooks.repositories import SOUND, Tree
from ..served import Served
from .forge import Forge, forging

REF = "refs/contentsync/production"


@pytest.fixture
def forge() -> Iterator[Forge]:
    with forging() as one:
        yield one


@dataclass(frozen=True)
class Project:
    """A repository of content as a forge stores it, a user's clone of it, and its server."""

    origin: Tree
    clone: Tree
    served: Served
    temporary: Path

    def commit(self, branch: str, title: str) -> str:
        """Commit a new title of the page on a branch, push it, and return the commit."""
        self.clone.write("site/pages/about.md", f"---\ntitle: {title}\nslug: about\n---\n")
        return self.push(branch)

    def push(self, branch: str, *words: str) -> str:
        self.clone.git("add", ".")
        assert self.clone.commit("--allow-empty", *words).returncode == 0
        self.clone.git("push", "--quiet", "origin", f"HEAD:refs/heads/{branch}")
        return self.clone.git("rev-parse", "HEAD")

    def checkout(self, branch: str) -> Path:
        """Return a checkout of a branch like that of actions/checkout: one commit, without the refs of contentsync."""
        workspace = self.temporary / f"workspace-{len(list(self.temporary.glob('workspace-*')))}"
        self.clone.git("clone", "--quiet", "--depth=1", f"--branch={branch}", self.origin.path.as_uri(), str(workspace))
        return workspace

    @property
    def title(self) -> str:
        """Return the title of the page on the server."""
        (page,) = self.served.get("pages")["data"]
        return str(page["title"])


def config(served: Served, url: str | None = None) -> str:
    where = url or served.recorder.url
    return f'[targets.production]\nurl = "{where}"\ndirectory = {served.directory}\nrequests_per_minute = 60000\n'


@pytest.fixture
def project(tmp_path: Path, served: Served, program: Path) -> Project:
    return new_project(tmp_path, served, program)


def new_project(folder: Path, served: Served, program: Path) -> Project:
    """Return a project with one commit on `main`, which was never synced."""
    (folder / "contentsync/bin").mkdir(parents=True)
    (folder / "contentsync/bin/contentsync").symlink_to(program)
    origin = Tree.new(folder / "origin.git", "--bare")
    clone = Tree.new(folder / "clone")
    clone.git("remote", "add", "origin", str(origin.path))
    clone.write("site/contentsync.toml", config(served))
    clone.write("site/pages/about.md", SOUND)
    made = Project(origin, clone, served, folder)
    made.push("main")
    return made
