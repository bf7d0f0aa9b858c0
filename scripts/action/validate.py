"""Validate the folder, and annotate the consents in the commits of a pull request, also from a fork.

A checkout may lack the base branch and older commits: these are fetched first.
"""

import os
import subprocess
import sys
from pathlib import Path

from deployed import Deployed, GitFailed
from environment import environment
from log import error


def main() -> int:
    folder = os.environ.get("CONTENTSYNC_PATH") or "."
    base = os.environ.get("GITHUB_BASE_REF", "")
    try:
        since = Deployed(folder, "").fetch_branch(base) if base else None
    except GitFailed as failure:
        error(f"the consents in the commits of the pull request cannot be read: {failure}")
        return 1
    words = ["--commits", since] if since else []
    program = Path(os.environ["RUNNER_TEMP"], "contentsync", "bin", "contentsync")
    done = subprocess.run(  # noqa: S603  # a list of words
        [program, "validate", "--format", "github", *words, "--", folder],
        env=environment(),
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
