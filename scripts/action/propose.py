"""Keep a pull request with edits of the server and one with submissions: open, update and close them.

`contentsync propose` makes the branches and pushes them. The text of a pull request begins with a hidden line with two
digests, of what is proposed and of the text. So a run without changes writes nothing, a text that a user has edited
stays until there is something else to propose, and a proposal that a user has declined by closing it stays closed.
"""

import hashlib
import json
import re
import sys
from typing import Any

from command import Command, Unpinned
from deployed import GitFailed
from log import error, notice, only_text, printable, summary, warning
from pull_requests import Failed, NoForge, PullRequest, PullRequests, of_environment

_MARKER = re.compile(r"<!-- contentsync proposal ([0-9a-f]{32}) ([0-9a-f]{16}) -->")
WITHDRAWN = "<!-- contentsync proposal withdrawn -->"
_WANTED = ("new", "updated", "unchanged")
_NO_LABEL = (403, 404, 422)  # the token may not create labels


def main() -> int:
    try:
        command = Command.of_environment()
        pulls = of_environment()
        deployed = command.deployed
        base = deployed.fetch()
    except (Unpinned, NoForge, GitFailed) as failure:
        error(str(failure))
        return 1
    with only_text():
        code, text = command.run("propose", *base, "--push", deployed.remote, "--format", "json", may_push=True)
    branches = branches_of(text)
    if not branches:
        error(f"nothing is proposed: contentsync propose ended with {code}")
        return code or 1
    lines = []
    has_failed = False
    for branch in branches:
        try:
            lines.append(f"- `{branch['name']}`: {settle(pulls, branch)}")
        except Failed as failure:
            needed = "; the job needs pull-requests: write (docs/ci.md)" if failure.status in (403, 404) else ""
            error(f"{branch['name']}: {failure}{needed}")
            has_failed = True
    summary("\n".join([f"### contentsync proposals from `{command.target}`", "", *lines, ""]))
    is_blocked = any(branch["state"] == "blocked" for branch in branches)
    return 1 if has_failed else 0 if is_blocked and code == 3 else code


def branches_of(text: str) -> list[Any]:
    """Return the branches in the output of `contentsync propose`; [] if it is not a proposal."""
    try:
        document = json.loads(text)
    except ValueError:
        return []
    found = document.get("branches") if isinstance(document, dict) else None
    return found if isinstance(found, list) else []


def settle(pulls: PullRequests, branch: Any) -> str:
    """Open, update or close the pull request of a branch, and return what was done. Raise Failed."""
    name, state = branch["name"], branch["state"]
    if state == "blocked":
        why = printable((branch.get("problem") or {}).get("message") or "it has commits that are not ours")
        warning(f"{name} is left alone: {why}")
        return "left alone, because it has commits of someone else"
    return _propose(pulls, branch) if state in _WANTED else _withdraw(pulls, name)


def _propose(pulls: PullRequests, branch: Any) -> str:
    name, title, labels = branch["name"], branch["title"], branch["labels"]
    digests = (branch["digest"], _text_digest(branch))
    body = f"<!-- contentsync proposal {' '.join(digests)} -->\n{branch['description']}"
    pull = pulls.find(name, "open")
    if pull is not None:
        if _digests(pull) == digests:
            return f"unchanged, {pull.address}"
        pulls.change(pull, {"title": title, "body": body})
        _add_labels(pulls, pull, labels)
        return f"updated, {pull.address}"
    declined = pulls.find(name, "closed")
    if declined is not None and _digests(declined)[:1] == (branch["digest"],):
        notice(f"{name}: {declined.address} was closed, and there is nothing else to propose")
        return f"declined in {declined.address}"
    pull = pulls.open(name, title, body, labels)
    _add_labels(pulls, pull, labels)
    return f"opened, {pull.address}"


def _withdraw(pulls: PullRequests, name: str) -> str:
    """Close the pull request. Some forges close it when its branch is deleted: mark it, as it was not declined."""
    pull = pulls.find(name, "open")
    if pull is not None:
        pulls.change(pull, {"body": _withdrawn(pull), "state": "closed"})
        return f"closed, {pull.address}"
    pull = pulls.find(name, "closed")
    if pull is not None and _digests(pull):
        pulls.change(pull, {"body": _withdrawn(pull)})
    return "nothing to propose"


def _add_labels(pulls: PullRequests, pull: PullRequest, labels: list[str]) -> None:
    missing = [label for label in labels if label not in pull.labels]
    try:
        if missing:
            pulls.add_labels(pull, missing)
    except Failed as failure:
        if failure.status not in _NO_LABEL:
            raise
        warning(f"{pull.address} has no label {', '.join(missing)}: create it once, or let the token create labels")


def _text_digest(branch: Any) -> str:
    text = json.dumps([branch["title"], branch["description"], branch["labels"]])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _digests(pull: PullRequest) -> tuple[str, ...]:
    """Return the digests of a pull request: of its proposal and its text; () if it is withdrawn or not one of ours."""
    found = _MARKER.match(pull.body.lstrip())
    return found.groups() if found else ()


def _withdrawn(pull: PullRequest) -> str:
    return _MARKER.sub(WITHDRAWN, pull.body, count=1)


if __name__ == "__main__":
    sys.exit(main())
