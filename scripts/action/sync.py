"""The sync of what has been merged, from the commit that was synced last; then that one is remembered."""

import re
import sys

from command import Command, Unpinned
from deployed import GitFailed
from log import error, only_text, summary

MOST = 60_000  # characters of a summary


def main() -> int:
    try:
        command = Command.of_environment()
        commit = command.deployed.require_clean()
        base = command.deployed.fetch()
    except (Unpinned, GitFailed) as failure:
        error(str(failure))
        return 1
    with only_text():
        code, text = command.run("sync", base, "--yes")
        print(text, end="", flush=True)
    summary(f"### contentsync sync to `{command.target}`\n\n{block(text or f'exit code {code}: see the log')}\n")
    if code:
        return code
    try:
        command.deployed.move(commit)
    except GitFailed as failure:
        error(f"the site is synced, but {command.deployed.ref} could not be moved to {commit[:12]}: {failure}")
        return 1
    return 0


def block(text: str) -> str:
    """A text as code that it cannot end."""
    longest = max((len(ticks) for ticks in re.findall("`+", text)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"{fence}\n{text[:MOST].rstrip()}\n{fence}"


if __name__ == "__main__":
    sys.exit(main())
