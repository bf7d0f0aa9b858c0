"""Sync a branch to a target, from a hook: check out its commit, sync the copy, and update the ref."""

import os
import shlex
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

from ..content.config.config import read_config
from ..errors import ContentError, Refused, UsageError
from ..git import NO_COMMIT, git
from ..hooks import ENVIRONMENT, Hook
from ..hooks.deployment import Deployment
from ..hooks.repository import Repository
from ..printed_commands import PrintedCommands
from ..value_text import printable
from .plan_options import ApplyOptions, OutputOptions, PlanOptions
from .session import Session
from .sync_command import sync
from .target_connection import choose_target
from .terminal import stderr


def deploy(hook: Hook, target: str | None, branch: str | None, folder: str | None) -> int:
    """Sync the last commit of the branch, unless the hook was called for another branch; return the exit code.

    A missing branch is that of HEAD, and a missing folder is the only one of the commit. Raise UsageError without a
    target.
    """
    deployment = _deployment(Repository.find(Path()), target, branch)
    if not _concerns_branch(hook, deployment.branch):
        return 0
    waiting = f"waiting: another sync of {deployment.branch} to {deployment.target} is running"
    with deployment.lock(lambda: _print(waiting)):
        commit, synced, attempts = deployment.branch_commit(), deployment.synced_commit(), deployment.attempts()
        if commit is None:
            _print(f"{deployment.branch} was deleted: nothing is synced")
            return 0
        if commit == synced and not attempts:  # the target has the commit, and no other sync has begun since
            return 0
        deployment.require_descent(commit, synced)
        _require_server_url(hook, deployment, folder)
        _target_url(deployment, commit, folder, os.environ)  # raises Refused before the copy is changed
        copy = deployment.check_out(commit, folder)
        options = PlanOptions(deployment.target, base=_base_option(synced), attempts=attempts, no_index=True)
        code = _sync(deployment, copy, options, commit)
        if code == 0:
            deployment.record_synced(commit, synced)
        elif code == Refused.exit_code:
            _print_consent_steps(hook, deployment, copy, options, commit)
        return code


def sync_hook_options(
    repository: Repository, hooks: Collection[Hook], target: str | None, branch: str | None, folder: str | None
) -> tuple[list[str], str | None]:
    """Return the options of `hook run` for hooks that sync, and the target's URL.

    The URL is None if the branch has no commit, or if none of the hooks syncs.
    """
    if not any(hook.syncs for hook in hooks):
        if target or branch or folder:
            raise UsageError("--target, --branch and --folder are for post-merge and post-receive")
        return [], None
    deployment = _deployment(repository, target, branch)
    options = ["--target", deployment.target, "--branch", deployment.branch]
    commit = deployment.branch_commit()
    url = None if commit is None else _target_url(deployment, commit, folder, environ={})
    return [*options, *(["--folder", folder] if folder else [])], url


def _require_server_url(hook: Hook, deployment: Deployment, folder: str | None) -> None:
    """Raise Refused if the environment of the hook does not name the only server that may get the token."""
    if not os.environ.get("CONTENTSYNC_URL"):
        words = ["--hook", hook, "--target", deployment.target, "--branch", deployment.branch]
        words += ["--folder", folder] if folder else []
        install = PrintedCommands(str(Path.cwd()))("hook install", *words)
        raise Refused(
            "CONTENTSYNC_URL is not set, and any commit could name another server for the token: nothing is synced",
            f"run {install} again, or write CONTENTSYNC_URL=... into {ENVIRONMENT} beside the hook",
        )


def _sync(deployment: Deployment, copy: Path, options: PlanOptions, commit: str) -> int:
    """Sync the copy of the commit without asking, and return the exit code."""
    is_first_sync = options.base == _base_option(synced=None) and not options.attempts
    if is_first_sync:
        _print(f"the first sync to {deployment.target} from here: nothing is deleted")
    session = Session.open(copy, options, stderr())
    apply_options = ApplyOptions(yes=True, before_write=lambda: deployment.record_attempt(commit))
    return sync(session, session.open_plan(only_must_match=True), apply_options, OutputOptions())


def _base_option(synced: str | None) -> str:
    """Return the value of `--base`: the commit that was synced last; for None, the commit of zeros."""
    return f"git:{synced or NO_COMMIT}"


def _print_consent_steps(hook: Hook, deployment: Deployment, copy: Path, options: PlanOptions, commit: str) -> None:
    """Print the three commands that give the consent, each below what it does."""
    hook_path = shlex.quote(str(deployment.common_dir / "hooks" / hook))
    attempt_words = ["git", f"--git-dir={deployment.common_dir}", *deployment.attempt_command(commit)]
    _print(
        "If that is right, run these three commands on this machine:",
        "  # record that the sync of this commit begins",
        f"  {shlex.join(attempt_words)}",
        "  # sync it: set the token, and add the option that the refusal names",
        f"  {options.commands(copy)('sync')}",
        "  # call the hook again, which records the commit as synced",
        f"  (cd {shlex.quote(str(Path.cwd()))} && {hook_path} < /dev/null)",
    )


def _concerns_branch(hook: Hook, branch: str) -> bool:
    """Return whether the hook was called for the branch."""
    ref = os.fsencode(f"refs/heads/{branch}")
    if hook is Hook.POST_MERGE:
        return git("symbolic-ref", "--quiet", "HEAD").stdout.strip() == ref
    # One line for each ref, `old new name` (githooks(5)); without lines, a user runs the hook to sync missed commits.
    updates = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
    return not updates or any(line.endswith(b" " + ref) for line in updates.splitlines())


def _deployment(repository: Repository, target: str | None, branch: str | None) -> Deployment:
    """Return the deployment of a branch; None: that of HEAD. Raise UsageError without a target or a branch."""
    if target is None:
        raise UsageError("a hook that syncs needs a target", "add --target NAME, a target of contentsync.toml")
    if branch is None:
        head = git("symbolic-ref", "--quiet", "--short", "HEAD", folder=repository.top or repository.common_dir)
        if head.returncode:
            raise UsageError("HEAD is not on a branch", "name the one to sync with --branch NAME")
        branch = os.fsdecode(head.stdout).strip()
    return Deployment(repository.common_dir, branch, target)


def _target_url(deployment: Deployment, commit: str, folder: str | None, environ: Mapping[str, str]) -> str:
    """Return the URL of the target at a commit. Raise Refused if it is embedded, or not the environment's server.

    Raise ContentError if the config of the commit has errors.
    """
    with deployment.check_out_config(commit, folder) as checked_out:
        config, problems = read_config(checked_out)
        if any(problem.is_error for problem in problems):
            raise ContentError(problems, checked_out)
    target = choose_target(config.targets, config.default_target, deployment.target, environ)
    if target.is_embedded:
        raise Refused(
            f"the target '{target.name}' is {target.url}, and hooks sync only to a server",
            "use contentsync sync or contentsync dev for an embedded target",
        )
    return target.url


def _print(*lines: str) -> None:
    for line in lines:
        stderr().print(printable(line), markup=False)
