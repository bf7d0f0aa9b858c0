"""The plan as a comment of a GitHub pull request, which is updated in place."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from forge import Failed, Forge, text_of
from log import error, warning


def main() -> int:
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    pull = event["pull_request"]
    target, repository = os.environ["CONTENTSYNC_TARGET"], f"/repos/{os.environ['GITHUB_REPOSITORY']}"
    token = os.environ["GITHUB_TOKEN"]
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
    forge = Forge(os.environ["GITHUB_API_URL"], headers)
    comments = f"{repository}/issues/{pull['number']}/comments"
    body = text_of(target, pull["head"]["sha"])
    try:
        me = login(forge)
        one = f"{repository}/issues/comments"
        forge.keep(comments, one, "PATCH", body, lambda comment: is_mine(comment["user"], me))
    except Failed as failure:
        if failure.status in (403, 404):  # the plan is in the summary as well
            warning(f"the plan is not on the pull request: {failure}; the job needs permissions: pull-requests: write")
            return 0
        error(str(failure))
        return 1
    return 0


def login(forge: Forge) -> str | None:
    """Return the name of the token's user; None if it is the token of an app, such as that of the run."""
    try:
        return str(forge.ask("GET", "/user")["login"])
    except Failed as failure:
        if failure.status in (401, 403, 404):
            return None
        raise


def is_mine(user: Any, me: str | None) -> bool:
    """Return whether a comment is by the token's user, or by an app if the token is that of an app."""
    return bool(user) and (user.get("type") == "Bot" if me is None else user.get("login") == me)


if __name__ == "__main__":
    sys.exit(main())
