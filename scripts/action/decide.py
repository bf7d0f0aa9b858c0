"""Decide what a run of the action does, from its event, and write the `mode` to the output of the step.

The modes are validate, plan, sync and propose. A pull request from a fork, or without a token, is only validated. The
script also hides the token in the log. It imports only the standard library.
"""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from log import error, no_line, notice, output

SCHEDULED = ("schedule", "workflow_dispatch", "repository_dispatch")


class Wrong(Exception):
    """The workflow asks for something unsafe, or lacks something that it needs."""


def decide(name: str, event: Mapping[str, Any], ref: str, asked: Mapping[str, str]) -> tuple[str, str]:
    """Return the mode, and the reason if it does less than the user may expect. Raise Wrong."""
    command, token, url = asked["command"] or "auto", asked["token"], asked["url"]
    if command not in ("auto", "validate", "plan", "sync", "propose"):
        raise Wrong("command is auto, validate, plan, sync or propose")
    if name == "pull_request_target":
        raise Wrong("pull_request_target gives secrets to files without a review: use pull_request")
    if token and not url:
        raise Wrong("a token needs url: the server that it may be sent to, whatever the content says")
    if command == "validate":
        return "validate", ""
    if name.startswith("pull_request"):
        if command in ("sync", "propose"):
            raise Wrong(f"{command} is not for a pull request: command is plan or auto")
        if _is_fork(event):
            return "validate", "this pull request comes from a fork, so it is validated and not planned"
        if not token:
            return "validate", "there is no token in this run, so it is validated and not planned"
        return "plan", ""
    if command == "auto":
        if not _is_default_branch(name, event, ref):
            return "validate", "this is neither a pull request nor the default branch, so it is validated and no more"
        command = "sync"
    if command == "propose" and not _is_default_branch(name, event, ref):
        raise Wrong("propose is for the default branch: its pull requests are made from there")
    if not token:
        raise Wrong(f"there is no token to {command} with: is the secret there?")
    return command, ""


def _is_fork(event: Mapping[str, Any]) -> bool:
    """Return whether the head is in another repository, or in one that was deleted."""
    sides = [event["pull_request"][side].get("repo") or {} for side in ("head", "base")]
    head, base = (side.get("full_name") for side in sides)
    return head is None or head != base


def _is_default_branch(name: str, event: Mapping[str, Any], ref: str) -> bool:
    branch = event.get("repository", {}).get("default_branch")
    return name in ("push", *SCHEDULED) and (ref == f"refs/heads/{branch}" or (branch is None and name == "schedule"))


def main() -> int:
    asked = {name: os.environ.get(f"INPUT_{name.upper()}", "").strip() for name in ("command", "token", "url")}
    for line in asked["token"].splitlines():
        print(f"::add-mask::{no_line(line)}", flush=True)
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    try:
        mode, why = decide(os.environ["GITHUB_EVENT_NAME"], event, os.environ["GITHUB_REF"], asked)
    except Wrong as wrong:
        error(str(wrong))
        return 1
    if why:
        notice(why)
    output("mode", mode)
    return 0


if __name__ == "__main__":
    sys.exit(main())
