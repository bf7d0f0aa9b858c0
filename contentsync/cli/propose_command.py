"""`contentsync propose`: its options, and what it does. The imports that take long are made when it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import print_json, run_coroutine
from .option_groups import with_options
from .options import Folder, Format, FormatOption, content_folder, from_confirmed_files
from .plan_options import PlanOptions

if TYPE_CHECKING:
    from ..content.folder.load import Content
    from ..exchange.proposal.branches import QuietGit
    from ..exchange.proposal.proposal import ProposedChanges
    from ..sync.planning.plan import Policy
    from .session import Session


@with_options("target", "format_", "base", "attempts", "state_dir", "no_index", "allow_deletes", "push")
def propose(
    path: Folder = None,
    *,
    options: PlanOptions,
    format_: FormatOption = Format.TEXT,
    push: Annotated[
        str | None,
        typer.Option("--push", metavar="REMOTE", help="Make the branches in this remote repository, and not here."),
    ] = None,
) -> int:
    """Make branches from what was changed on the server."""
    from dataclasses import replace

    def make_branches(no_index: bool) -> int:
        return _propose(content_folder(path), replace(options, no_index=no_index), format_, push)

    return from_confirmed_files(make_branches, no_index=options.no_index)


def _propose(folder: Path, options: PlanOptions, format_: Format, push: str | None) -> int:
    """Make the branches. Raise IndexDiffers, before one is moved, if the index of our working tree is wrong."""
    from dataclasses import replace

    from ..content.folder.load import load_valid_content
    from ..errors import Refused
    from ..exchange.proposal.branches import LocalBranches, QuietGit, RemoteBranches
    from ..exchange.proposal.proposing import Proposer
    from ..hooks.worktree import Worktree
    from ..report.proposal_report import BLOCKED_HINT, ProposalDocument, proposal_text
    from ..sync.planning.drift_summary import DRIFT_POLICY
    from .plan_command import refusal_error
    from .session import Session
    from .terminal import stderr, stdout

    console = stderr()
    options.check(folder)
    inner, common_dir, commit = _repository(folder)
    worktree = Worktree(common_dir, common_dir / "contentsync" / "@propose")
    with worktree.lock(lambda: console.print("waiting for another propose in this repository")):
        worktree.check_out(commit)
        committed_content = load_valid_content(worktree.path / inner, options.index, may_break_rules=True)
        # The session has the committed entries, but the state, the cache and the embedded server of the user's folder.
        session = Session.from_content(replace(committed_content, folder=folder), options, console)
        gates = session.policy
        session = replace(session, policy=DRIFT_POLICY, all_locales=True)
        git = QuietGit(worktree.path)
        name = session.target.name
        _check_name(git, name)
        branches = LocalBranches(git) if push is None else RemoteBranches(git, push)
        changes = run_coroutine(_changes_on_server(session, committed_content, gates))
        proposal = Proposer(git, branches, commit, inner, name).propose(committed_content, changes)
    document = ProposalDocument(proposal, committed_content.entries, session.destination).build()
    if format_ is Format.JSON:
        print_json(document)
    else:
        stdout().print(proposal_text(document, session.destination), markup=False)
    if changes.refusals:
        outcome, is_json = "the deletions are not proposed", format_ is Format.JSON
        raise refusal_error(changes.refusals, outcome, is_printed_as_json=is_json)
    if blocked := [branch.name for branch in proposal.branches if branch.state == "blocked"]:
        message = f"left alone, because it is not ours to move: {', '.join(blocked)}"
        raise Refused(message, BLOCKED_HINT, is_printed_as_json=format_ is Format.JSON)
    return 0


async def _changes_on_server(session: "Session", committed_content: "Content", gates: "Policy") -> "ProposedChanges":
    """Read the server, and return what was changed there; `gates` has the limits for deletes.

    Raise Refused if it is not known which side has changed.
    """
    from ..errors import Refused, join_first, pluralize
    from ..exchange.proposal.proposal import contested_fields, sort_changes
    from ..model import Kind
    from ..sync.planning.drift_summary import summarize_drift
    from ..sync.planning.pull import plan_pull
    from ..sync.planning.pulled_deletes import check_deletes, with_deletes
    from ..sync.state.state_dir import TargetLock
    from ..value_text import printable
    from .plan_command import refusal_error
    from .pull_command import resolved_entries

    async with (
        TargetLock(session.state_dir, "propose", on_wait=session.console.print),
        session.open_plan(publishes=False) as planned,
    ):
        plan = planned.plan
    desired, command = resolved_entries(session, committed_content, set(Kind), plan.actual), session.destination.command
    locales = committed_content.config.site.locales[1:]  # without the default language
    slug_fields = committed_content.config.listing_slug_fields
    pulled = plan_pull(
        desired, plan.actual, plan.base, session.selection, locales, session.is_excluded, command, slug_fields
    )
    if pulled.local_changes and not plan.base.is_known:  # without a base, each difference counts as a local change
        count = pluralize(len(pulled.local_changes), "entry differs", "entries differ")
        names = join_first([f"{kind} {key}" for kind, key in pulled.local_changes])
        message = f"{count} from the server, and it is not known which side has changed: {printable(names)}"
        raise Refused(message, "sync once, or name the commit that was synced last with --base git:REF")
    pulled = with_deletes(pulled.without_local_changes(), desired, uncommitted={})
    refusals = check_deletes(pulled, desired, gates, command, is_server_empty=not plan.actual)
    if any(refusal.code in ("recreate", "empty-server") for refusal in refusals):  # its values may be old, too
        raise refusal_error(refusals, "nothing is proposed")
    contested = contested_fields(committed_content.folder, committed_content.config, desired, pulled.incoming.changes)
    drift = summarize_drift(plan, committed_content.config.submissions)
    return sort_changes(pulled, drift, contested, session.target.name, refusals)


def _repository(folder: Path) -> tuple[str, Path, str]:
    """Return the path of a content folder below the top of its repository, the repository's folder, and HEAD."""
    from ..errors import UsageError
    from ..git import environ_without_hook, git, git_line, working_tree

    top = working_tree(folder)
    if top is None:
        raise UsageError(f"propose needs a git repository, and {folder} is in none", "git init makes one")
    environ = environ_without_hook()
    common_dir = Path(top, git_line("rev-parse", "--git-common-dir", folder=top, environ=environ)).resolve()
    head = git("rev-parse", "--verify", "--quiet", "HEAD^{commit}", folder=top, environ=environ)
    if head.returncode:
        raise UsageError(f"the repository {top} has no commit to build on", "commit the content folder first")
    return folder.resolve().relative_to(top).as_posix(), common_dir, head.stdout.decode().strip()


def _check_name(git: "QuietGit", target: str) -> None:
    """Raise UsageError if a target's name cannot be a part of the name of a branch."""
    from ..errors import UsageError

    if target.startswith("@") or "/" in target or not git.succeeds("check-ref-format", f"refs/heads/{target}/edits"):
        raise UsageError(f"the target's name '{target}' cannot be a part of the name of a branch", "rename the target")
