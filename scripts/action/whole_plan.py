"""Add a line to the plan and to the summary of the run that says where the attached file with the whole plan is."""

import os
import sys
from pathlib import Path
from urllib.parse import quote

from log import summary


def main() -> int:
    plan, whole = (Path(os.environ[name]) for name in ("CONTENTSYNC_PLAN", "CONTENTSYNC_WHOLE_PLAN"))
    if plan.exists() and whole.exists():
        line = f"The whole plan: {place(whole.name)}."
        with plan.open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
        summary(line)
    return 0


def artifact_name(target: str) -> str:
    """Return the name of the attached file with the whole plan; each target of a run has its own."""
    return f"contentsync-plan-{quote(target, safe='')}"


def place(file: str) -> str:
    """Return the name of the attached file, with a link to the run that it is attached to."""
    environ = os.environ
    if "GITLAB_CI" in environ:
        return f"`{file}` of [this job]({environ['CI_JOB_URL']}/artifacts/browse)"
    run = f"{environ['GITHUB_SERVER_URL']}/{environ['GITHUB_REPOSITORY']}/actions/runs/{environ['GITHUB_RUN_ID']}"
    return f"artifact `{artifact_name(environ['CONTENTSYNC_TARGET'])}` of [this run]({run})"


if __name__ == "__main__":
    sys.exit(main())
