"""Sync a merged commit, with the commit that was synced last as the base, and record it in the remote repository.

Before the first write, the commit is recorded there as begun. So the next run knows what a failed or interrupted run
may have written.
"""

import re
import sys

from command import Command, Unpinned
from deployed import Deployed, GitFailed
from log import error, notice, only_text, summary, warning

MOST = 60_000  # characters of a summary


def main() -> int:
    try:
        command = Command.of_environment()
        deployed = command.deployed
        commit = deployed.require_clean()
        base = deployed.fetch()
    except (Unpinned, GitFailed) as failure:
        error(str(failure))
        return 1
    try:
        is_new = deployed.begin(commit)
    except GitFailed as failure:
        error(f"nothing is synced: the repository cannot remember that {commit[:12]} was begun: {failure}")
        return 1
    before = command.journals()
    with only_text():
        code, text = command.run("sync", *base, "--yes")
        print(text, end="", flush=True)
    summary(f"### contentsync sync to `{command.target}`\n\n{block(text or f'exit code {code}: see the log')}\n")
    if code:
        if is_new and before is not None and command.journals() == before:  # nothing was written
            _forget(deployed, commit)
        return code
    if not command.is_whole:
        notice(f"--only has synced a part of {commit[:12]}, so {deployed.ref} stays where it is")
        return 0
    try:
        deployed.move(commit)
    except GitFailed as failure:
        error(f"the site is synced, but {deployed.ref} could not be moved to {commit[:12]}: {failure}")
        return 1
    _forget(deployed, *{*deployed.begun(), commit})
    return 0


def _forget(deployed: Deployed, *commits: str) -> None:
    try:
        deployed.forget(*commits)
    except GitFailed as failure:
        warning(f"the repository still remembers an attempt to sync {', '.join(commits)}: {failure}")


def block(text: str) -> str:
    """Return a text as a code block, which the text cannot end."""
    longest = max((len(ticks) for ticks in re.findall("`+", text)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"{fence}\n{text[:MOST].rstrip()}\n{fence}"


if __name__ == "__main__":
    sys.exit(main())
