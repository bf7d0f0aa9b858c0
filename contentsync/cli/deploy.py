"""A branch to a target, from a hook: the copy is made what the branch is, synced, and the ref moved."""

import os
import shlex
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from ..content.config import read_config
from ..content.content_folder import CONFIG
from ..errors import ContentError, Refused, UsageError
from ..git import NOTHING, git
from ..hooks.deployment import Deployment
from ..hooks.names import ENVIRONMENT, Hook
from ..hooks.repository import Repository
from ..report.words import printable
from .options import Options
from .session import Session
from .sync import Manner, Telling, sync
from .targets import choose
from .terminal import talk


def deploy(hook: Hook, target: str | None, branch: str | None, folder: str | None) -> int:
    """Syncs the branch as it is now, if what has happened is about it and it is not synced already; the exit code."""
    deployment = _deployment(Repository.at(Path()), target, branch)
    if not _is_meant(hook, deployment.branch):
        return 0
    waiting = f"waiting: another sync of {deployment.branch} to {deployment.target} is at work"
    with deployment.locked(lambda: _tell(waiting)):
        commit, before, attempts = deployment.tip(), deployment.synced(), deployment.attempts()
        if commit is None:
            _tell(f"{deployment.branch} has gone: nothing is synced")
            return 0
        if commit == before and not attempts:
            return 0
        deployment.require_descent(commit, before)
        _require_pin()
        _server(deployment, commit, folder, os.environ)  # before the copy can be what it must not be
        place = deployment.check_out(commit, folder)
        options = Options(deployment.target, base=_base(before), attempts=attempts)
        code = _sync(deployment, place, options, commit)
        if code == 0:
            deployment.move(commit, before)
        elif code == Refused.exit_code:
            _tell_consent(hook, deployment, place, options, commit)
        return code


def syncing_options(
    repository: Repository, hooks: Collection[Hook], target: str | None, branch: str | None, folder: str | None
) -> tuple[list[str], str | None]:
    """What `hook run` is called with by the hooks that sync, and the target's server, if anything is committed yet."""
    if not any(hook.syncs for hook in hooks):
        if target or branch or folder:
            raise UsageError("--target, --branch and --folder are for post-merge and post-receive")
        return [], None
    deployment = _deployment(repository, target, branch)
    options = ["--target", deployment.target, "--branch", deployment.branch]
    commit = deployment.tip()
    url = None if commit is None else _server(deployment, commit, folder, {})
    return [*options, *(["--folder", folder] if folder else [])], url


def _require_pin() -> None:
    if not os.environ.get("CONTENTSYNC_URL"):
        raise Refused(
            "no server is named that the token may go to, and any commit could name another: nothing is synced",
            f"contentsync hook install again, or write CONTENTSYNC_URL=... into {ENVIRONMENT} beside the hook",
        )


def _sync(deployment: Deployment, place: Path, options: Options, commit: str) -> int:
    if options.base == _base(None) and not options.attempts:
        _tell(f"the first sync to {deployment.target} from here: nothing is deleted")
    session = Session.open(place, options, talk())
    return sync(session, Manner(yes=True, begin=lambda: deployment.begin(commit)), Telling())


def _base(before: str | None) -> str:
    return f"git:{before or NOTHING}"


def _tell_consent(hook: Hook, deployment: Deployment, place: Path, options: Options, commit: str) -> None:
    """How somebody does by hand what no hook does unasked; the first command remembers that it was begun."""
    again = shlex.quote(str(deployment.common_dir / "hooks" / hook))
    words = ["contentsync", "sync", str(place), "--target", deployment.target, "--base", options.base]
    words += [word for attempt in options.attempts for word in ("--attempt", attempt)]
    begin = ["git", f"--git-dir={deployment.common_dir}", *deployment.beginning(commit)]
    _tell(
        "If that is right, run these three, the second with the option that the refusal names and with the token:",
        f"  {shlex.join(begin)}",
        f"  {shlex.join(words)}",
        f"  (cd {shlex.quote(str(Path.cwd()))} && {again} < /dev/null)",
    )


def _is_meant(hook: Hook, branch: str) -> bool:
    """Whether what has just happened is about the branch."""
    ref = os.fsencode(f"refs/heads/{branch}")
    if hook is Hook.POST_MERGE:
        return git("symbolic-ref", "--quiet", "HEAD").stdout.strip() == ref
    # A line a ref, `old new name` (githooks(5)). Without any, somebody calls to catch up.
    moved = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
    return not moved or any(line.endswith(b" " + ref) for line in moved.splitlines())


def _deployment(repository: Repository, target: str | None, branch: str | None) -> Deployment:
    if target is None:
        raise UsageError("a hook that syncs needs a target", "--target NAME, as contentsync.toml calls it")
    if branch is None:
        head = git("symbolic-ref", "--quiet", "--short", "HEAD", at=repository.top or repository.common_dir)
        if head.returncode:
            raise UsageError("HEAD names no branch", "--branch NAME says which one is synced")
        branch = os.fsdecode(head.stdout).strip()
    return Deployment(repository.common_dir, branch, target)


def _server(deployment: Deployment, commit: str, folder: str | None, environ: Mapping[str, str]) -> str:
    """Where the target is by a commit. Raises Refused where that is not where the environment says."""
    with TemporaryDirectory(prefix="contentsync-") as temporary:
        Path(temporary, CONFIG).write_bytes(deployment.config(commit, folder))
        config, problems = read_config(Path(temporary))
        if any(problem.is_error for problem in problems):
            raise ContentError(problems, Path(temporary))
    target = choose(config.targets, config.default_target, deployment.target, environ)
    if target.embedded:
        raise Refused(
            f"the target '{target.name}' is {target.url}, and hooks sync to a server",
            "contentsync sync and contentsync dev are for the one inside the command",
        )
    return target.url


def _tell(*lines: str) -> None:
    for line in lines:
        talk().print(printable(line), markup=False)
