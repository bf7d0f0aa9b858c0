"""The five ways in which the files of a folder reach a server."""

import os
import shutil
import time
from abc import ABC, abstractmethod
from contextlib import ExitStack
from pathlib import Path

from ..end_to_end.conftest import contentsync
from ..end_to_end.test_terminal import at_a_terminal
from ..end_to_end.watching import until, watch
from ..exit_codes import CHANGES, REFUSED
from ..histories.routes import Said, said_by_hook
from ..hooks.conftest import call_post_receive, install_post_receive
from ..hooks.repositories import Tree
from .scene import TARGET, Scene

REF = f"refs/contentsync/{TARGET}"
NO_COMMIT = f"git:{'0' * 40}"
QUIET = 7.0  # seconds: a delete waits for five


class Way(ABC):
    """A way to the server, which begins when the first commit is there; on `cleanup` is what ends later."""

    begins_synced = False  # by hand
    deletes_wait = False  # other changes are written before deletes are refused

    def __init__(self, scene: Scene, home: Path, program: Path, cleanup: ExitStack) -> None:
        self._scene, self._home, self._program, self._cleanup = scene, home, program, cleanup

    @abstractmethod
    def begin(self) -> None:
        """Sync the first commit, unless that is done."""

    @abstractmethod
    def deliver(self) -> Said:
        """Sync what the author has changed, without consent."""

    @abstractmethod
    def consent(self, options: tuple[str, ...], trailer: str) -> Said:
        """Sync with consent; where it can be given in a commit, by this trailer."""

    @abstractmethod
    def pending(self) -> str:
        """Return what the next plan would do; nothing if it is empty."""

    def _run(self, command: str, *words: str, at: Path | None = None) -> Said:
        ran = contentsync(command, at or self._scene.path, "--target", TARGET, *words, env=self._scene.served.env)
        assert ran.code in (0, CHANGES, REFUSED), ran
        return Said(ran.out + ran.err, ran.code == REFUSED)

    def _plan(self, *words: str, at: Path | None = None) -> str:
        folder = at or self._scene.path
        ran = contentsync("plan", folder, "--detailed-exitcode", *words, env=self._scene.served.env)
        return "" if ran.code == 0 else ran.out + ran.err


class ByHand(Way):
    """`contentsync sync --yes` in the working tree, with a state file."""

    begins_synced = True

    def begin(self) -> None:
        """Nothing is left to do."""

    def deliver(self) -> Said:
        return self._run("sync", "--yes")

    def consent(self, options: tuple[str, ...], trailer: str) -> Said:
        return self._run("sync", "--yes", *options)

    def pending(self) -> str:
        return self._plan()


class AtATerminal(ByHand):
    """`contentsync sync`, which asks: the author says no, and then yes."""

    def deliver(self) -> Said:
        writes = self._scene.our_writes
        assert self._answer(b"n\n").refused
        assert self._scene.our_writes == writes
        return self._answer(b"y\n")

    def consent(self, options: tuple[str, ...], trailer: str) -> Said:
        return self._answer(b"y\n", options)

    def _answer(self, keys: bytes, options: tuple[str, ...] = ()) -> Said:
        before = dict(os.environ)
        os.environ.update(self._scene.served.env)
        try:
            code, shown = at_a_terminal(self._scene.path, keys, options=options, program=self._program)
        finally:
            os.environ.clear()
            os.environ.update(before)
        return Said(shown, code == REFUSED)


class ByCi(Way):
    """A push to a forge, whose CI clones the repository and runs `contentsync sync --yes --base git:REF`."""

    def begin(self) -> None:
        self._origin = Tree.new(self._home / "origin.git", "--bare")
        self._scene.tree.git("remote", "add", "origin", str(self._origin.path))
        assert not self.deliver().refused

    def deliver(self) -> Said:
        self._scene.commit("Work")
        return self._sync()

    def consent(self, options: tuple[str, ...], trailer: str) -> Said:
        if trailer:
            self._scene.commit(f"Consent\n\nContentsync-Allow: {trailer}")
            return self._sync()
        return self._sync(*options)

    def pending(self) -> str:
        return self._plan("--base", self._base, at=self._checkout())

    def run_again(self, commit: str) -> Said:
        """Run the job of an earlier commit once more."""
        checkout = self._checkout()
        Tree(checkout).git("checkout", "--quiet", commit)
        return self._run("sync", "--yes", "--base", self._base, at=checkout)

    @property
    def _base(self) -> str:
        return f"git:{REF}" if self._origin.git("for-each-ref", REF) else NO_COMMIT

    def _sync(self, *options: str) -> Said:
        self._scene.tree.git("push", "--quiet", "origin", "main")
        checkout = self._checkout()
        said = self._run("sync", "--yes", "--base", self._base, *options, at=checkout)
        if not said.refused:
            Tree(checkout).git("push", "--quiet", "origin", f"HEAD:{REF}")
        return said

    def _checkout(self) -> Path:
        checkout = self._home / "checkout"
        shutil.rmtree(checkout, ignore_errors=True)
        self._origin.git("clone", "--quiet", str(self._origin.path), str(checkout))
        Tree(checkout).git("fetch", "--quiet", "origin", "+refs/contentsync/*:refs/contentsync/*")
        return checkout


class ByHook(Way):
    """A push to a bare repository with our hook."""

    def begin(self) -> None:
        self._origin = Tree.new(self._home / "origin.git", "--bare")
        self._scene.tree.git("remote", "add", "origin", str(self._origin.path))
        install_post_receive(self._origin, TARGET, self._scene.served.env, self._program)
        assert not self._push().refused

    def deliver(self) -> Said:
        self._scene.commit("Work")
        return self._push()

    def consent(self, options: tuple[str, ...], trailer: str) -> Said:
        if trailer:
            self._scene.commit(f"Consent\n\nContentsync-Allow: {trailer}")
            return self._push()
        commit = self._origin.git("rev-parse", "main")
        self._origin.git("update-ref", f"refs/contentsync/@attempts/{TARGET}/{commit}", commit)
        said = self._run("sync", "--yes", "--base", f"git:{REF}", *options, at=self._copy)
        again = call_post_receive(self._origin)
        assert said.refused or again.returncode == 0, again
        return said

    def pending(self) -> str:
        return self._plan("--base", f"git:{REF}", at=self._copy)

    @property
    def _copy(self) -> Path:
        return self._origin.path / "contentsync" / TARGET

    def _push(self) -> Said:
        return said_by_hook(self._scene.tree.run("push", "origin", "main").stderr.replace("remote: ", ""))


class ByWatch(ByHand):
    """`contentsync watch --prune`, which runs while the files change; consent is a sync by hand."""

    deletes_wait = True

    def begin(self) -> None:
        running = watch(self._scene.path, self._scene.served.env, "--prune", "--target", TARGET)
        self._watching = self._cleanup.enter_context(running)
        until(lambda: self._said)

    def deliver(self) -> Said:
        """Wait until it has said nothing for longer than a delete waits."""
        quiet, said = time.monotonic(), ""
        while time.monotonic() < quiet + QUIET:
            if self._said != said:
                quiet, said = time.monotonic(), self._said
            time.sleep(0.05)
        return Said(said, "nothing was written" in said)

    def consent(self, options: tuple[str, ...], trailer: str) -> Said:
        self._cleanup.close()
        return super().consent(options, trailer)

    @property
    def _said(self) -> str:
        return "\n".join(self._watching.lines) + self._watching.stderr_text


WAYS: dict[str, type[Way]] = {
    "sync": AtATerminal,
    "sync --yes": ByHand,
    "CI": ByCi,
    "hook": ByHook,
    "watch": ByWatch,
}
