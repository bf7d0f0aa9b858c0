"""Proposals that are killed, and the one more run that must have the result of a run that was not."""

import json
import os
import random
import shlex
import shutil
import signal
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from ...end_to_end.conftest import contentsync
from ...forked import CommandProcess
from ...histories.proposals import PAGE
from ...hooks.repositories import Tree
from ...in_process import environment
from ...served import Served
from ...sync_faults.killable import Ended, run_killable

SCENES = ("first", "next", "pushed")
EDITS, SUBMISSIONS = "contentsync/live/edits", "contentsync/live/submissions"
KILLED = -signal.SIGKILL
# The call with a number and its children are killed after some seconds, and so is the run that made it.
_GIT = """#!/bin/sh
exec 3<&0
echo >>{calls}
test "$(wc -l <{calls})" -eq "${{KILL% *}}" || exec {git} "$@" 3<&-
setsid {git} "$@" <&3 3<&- &
sleep "${{KILL#* }}"
kill -9 -- -$!
kill -9 $PPID
"""
# The server of the remote repository is on another machine, so it is not killed.
_REMOTE = {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "remote.origin.receivepack",
    "GIT_CONFIG_VALUE_0": "setsid git-receive-pack",
}
_SHARED = ((".contentsync", "cache"), (".contentsync", "lock"))  # each command may write there
_TABLE = "name,url,description\nOne,https://one.example.org/,First\nTwo,https://two.example.org/,Second\n"


class Scene:
    """A synced repository in which the user is at work, while others have changed the server.

    In `first`, nothing was proposed yet. In `next`, the branches of an earlier run are updated and deleted, and in
    `pushed` those of a remote repository.
    """

    def __init__(self, served: Served, home: Path, name: str) -> None:
        self._served = served
        self._home = home
        self._now = home / "now"
        self.tree = Tree.new(self._now / "site")
        self._environ = {"CONTENTSYNC_TOKEN": served.reader, "TMPDIR": str(home)}
        words = ("--push", "origin") if name == "pushed" else ()
        self._arguments = ["propose", str(self.tree.path), "--format", "json", *words]
        self._origin = Tree.new(self._now / "origin.git", "--bare") if name == "pushed" else self.tree
        if name == "pushed":
            self.tree.git("remote", "add", "origin", str(self._origin.path))
        self._begin()
        if name != "first":
            self._propose()
            self._change_again()
        self._work()
        shutil.copytree(self._now, home / "before", symlinks=True)
        self._belongings = self._read_belongings()
        self._result = _without_commits(self._propose()), self._branches()

    def _begin(self) -> None:
        url, directory = self._served.recorder.url, self._served.directory
        self.tree.write(
            "contentsync.toml",
            f'[targets.live]\nurl = "{url}"\ndirectory = {directory}\nrequests_per_minute = 60000\non_drift = "keep"\n',
        )
        for slug in ("about", "team"):
            self.tree.write(f"pages/{slug}.md", PAGE.format(slug.title(), slug, "Text."))
        self.tree.write("listings/all.csv", _TABLE)
        self.tree.git("add", ".")
        assert self.tree.commit().returncode == 0
        assert contentsync("sync", self.tree.path, "--yes", env=self._served.env).code == 0
        self._edit("about", title="About us")
        listing = self._served.get("projects")["data"][0]
        self._served.update(f"projects/{listing['id']}", {"description": "Theirs"})
        self._served.create("pages", {"title": "New", "markdown": "New."})
        submitted = {"name": "Sent in", "url": "https://sent.example.org/", "is_active": False}
        self._submission = self._served.create("projects", submitted)["data"]["id"]

    def _change_again(self) -> None:
        """One branch is to change now, and the other one to go."""
        self._edit("team", title="Our team")
        self._served.delete(f"projects/{self._submission}")

    def _edit(self, slug: str, title: str) -> None:
        page = next(page for page in self._served.get("pages")["data"] if page["slug"] == slug)
        self._served.update(f"pages/{page['id']}", {"slug": slug, "title": title})

    def _work(self) -> None:
        """Leave changes in the working tree and in the index, as a user does who has not committed yet."""
        self.tree.git("branch", "other")
        self.tree.write("pages/team.md", PAGE.format("Staged", "team", "Text."))
        self.tree.git("add", "pages/team.md")
        self.tree.write("pages/team.md", PAGE.format("Not staged", "team", "Text."))
        self.tree.write("pages/draft.md", PAGE.format("Draft", "draft", "Text."))

    def reset(self) -> None:
        """Put everything back as it was before the run."""
        shutil.rmtree(self._now)
        shutil.copytree(self._home / "before", self._now, symlinks=True)

    def moments(self) -> tuple[str, ...]:
        """Return the moments at which a run can die."""
        self.reset()
        return self._killable().moments

    def die(self, moment: int) -> Iterator[str]:
        """Yield what is wrong after a run that dies at a moment (from 1), and after one more."""
        self.reset()
        ended = self._killable(crash_at=moment)
        if ended.code not in (0, KILLED):
            yield f"ended with {ended.code}: {ended.said}"
        yield from self._recovers()

    def kill(self, chance: random.Random) -> Iterator[str]:
        """Yield what is wrong after a run that is killed at random together with the git that it waits for."""
        programs = self._programs
        self.reset()
        (self._home / "calls").unlink(missing_ok=True)
        call, seconds = chance.randint(1, programs), f"{chance.uniform(0, 0.01):.4f}"
        path = f"{self._home}{os.pathsep}{os.environ['PATH']}"
        environ = {**self._environ, **_REMOTE, "PATH": path, "KILL": f"{call} {seconds}"}
        ended = CommandProcess(self._arguments, environment(environ)).end()
        if ended[0] != KILLED:
            yield f"ended with {ended}"
        # A git of the user takes this lock too, so a run must not delete it.
        (self.tree.path / ".git/packed-refs.lock").unlink(missing_ok=True)
        yield from self._recovers()

    @cached_property
    def _programs(self) -> int:
        """The number of calls of git; from now on, there is a git that kills itself and the run."""
        git = shutil.which("git")
        assert git
        (self._home / "git").write_text(_GIT.format(git=shlex.quote(git), calls=shlex.quote(f"{self._home}/calls")))
        (self._home / "git").chmod(0o755)
        return self.moments().count("before a program")

    def _recovers(self) -> Iterator[str]:
        yield from self._disturbed("after the kill")
        result = _without_commits(self._propose()), self._branches()
        if result != self._result:
            yield f"another result: {result} in place of {self._result}"
        yield from self._disturbed("after the next run")
        locks = {str(file.relative_to(self.tree.path)) for file in self.tree.path.rglob(".git/**/*.lock")}
        if left := locks - {".git/contentsync/@propose.lock"}:
            yield f"locks remain: {sorted(left)}"
        worktrees = self.tree.git("worktree", "list", "--porcelain").split("\n\n")
        if len(worktrees) != 2 or any(line in worktrees[1] for line in ("locked", "prunable")):
            yield f"working trees remain: {worktrees}"
        if problems := self.tree.git("fsck", "--connectivity-only", "--no-dangling"):
            yield f"git fsck: {problems}"

    def _propose(self) -> Any:
        ran = contentsync(*self._arguments, env=self._environ)
        assert ran.code == 0, ran.out + ran.err
        return ran.document

    def _killable(self, crash_at: int | None = None) -> Ended:
        return run_killable(self._arguments, self._environ, crash_at=crash_at)

    def _disturbed(self, when: str) -> Iterator[str]:
        belongings = self._read_belongings()
        for name in sorted(belongings.keys() | self._belongings.keys()):
            if belongings.get(name) != self._belongings.get(name):
                yield f"{name} has changed {when}: {belongings.get(name)!r}"

    def _read_belongings(self) -> Mapping[str, bytes]:
        """Return what no run may touch: the files, the index, HEAD, the config and the refs besides our branches."""
        top = self.tree.path
        files = [file for file in top.rglob("*") if file.is_file() and ".git" not in file.parts]
        files = [file for file in files if file.relative_to(top).parts[:2] not in _SHARED]
        files += [top / ".git" / name for name in ("index", "HEAD", "config")]
        refs = [line for line in self.tree.git("for-each-ref").split("\n") if "/contentsync/" not in line]
        return {"refs": str(refs).encode(), **{str(file.relative_to(top)): file.read_bytes() for file in files}}

    def _branches(self) -> list[str]:
        """Return the trees and subjects of our branches, the newest commit first."""
        known = [name for name in (EDITS, SUBMISSIONS) if not self._origin.run("rev-parse", name).returncode]
        main = self.tree.git("rev-parse", "main")
        return [self._origin.git("log", "--format=%T %s", name, f"^{main}") for name in known]


def _without_commits(document: Any) -> str:
    """Return a document without what the moment of the kill may change: what was to be moved, and times in commits."""
    for branch in document["branches"]:
        del branch["state"], branch["commit"]
    return json.dumps(document)
