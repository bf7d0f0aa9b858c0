"""Write the plan of a pull request, as Markdown, to the file CONTENTSYNC_PLAN and to the summary of the run."""

import os
import sys
from pathlib import Path

from command import Command, Unpinned
from deployed import GitFailed
from log import error, only_text, summary


def main() -> int:
    plan = Path(os.environ["CONTENTSYNC_PLAN"])
    plan.unlink(missing_ok=True)
    try:
        command = Command.of_environment()
        base = command.deployed.fetch()
    except (Unpinned, GitFailed) as failure:
        error(str(failure))
        return 1
    with only_text():
        code, markdown = command.run("plan", *base, "--format", "markdown")
    if code == 0:
        plan.write_text(markdown, encoding="utf-8")
        summary(markdown)
    return code


if __name__ == "__main__":
    sys.exit(main())
