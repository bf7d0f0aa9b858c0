"""Write the plan of a pull request, as Markdown, to the file CONTENTSYNC_PLAN and to the summary of the run.

If that leaves something out, the whole plan is in the file CONTENTSYNC_WHOLE_PLAN, and the output `artifact` of the
step is the name to attach it with.
A plan that a sync would refuse is written too, but the run fails with the reasons.
"""

import os
import sys
from itertools import takewhile
from pathlib import Path

from command import Command, Unpinned
from deployed import GitFailed
from log import error, only_text, output, summary
from whole_plan import artifact_name

REFUSED = 3  # the exit code of a plan that a sync would refuse


def main() -> int:
    plan = Path(os.environ["CONTENTSYNC_PLAN"])
    whole = Path(os.environ["CONTENTSYNC_WHOLE_PLAN"])
    for file in (plan, whole):
        file.unlink(missing_ok=True)
    try:
        command = Command.of_environment()
        base = command.deployed.fetch()
    except (Unpinned, GitFailed) as failure:
        error(str(failure))
        return 1
    with only_text():
        code, markdown = command.run("plan", *base, "--format", "markdown", "--whole", str(whole.absolute()))
    if code in (0, REFUSED) and markdown:
        plan.write_text(markdown, encoding="utf-8")
        summary(markdown)
        if whole.exists():
            output("artifact", artifact_name(command.target))
        if code:
            error(f"the plan is refused: {'; '.join(reasons(markdown)) or 'the log has the reason'}")
    return code


def reasons(markdown: str) -> list[str]:
    """Return the reasons why a plan is refused, which `plan --format markdown` shows in a box at its beginning."""
    _above, _heading, below = markdown.partition("\n> **Refused as it is:**\n")
    return [line.removeprefix("> - ") for line in takewhile(lambda line: line.startswith("> "), below.splitlines())]


if __name__ == "__main__":
    sys.exit(main())
