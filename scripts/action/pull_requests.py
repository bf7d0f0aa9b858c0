"""The pull requests of a repository at GitHub or Forgejo, or its merge requests at GitLab, by the branch to merge.

All of them are of the repository itself: a fork may have a branch of the same name.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol
from urllib.parse import urlencode

from forge import Failed, Forge

State = Literal["open", "closed"]  # a merged one is neither
_COLOUR = "#5319e7"  # of a new label


class NoForge(Exception):
    """The environment names no repository, or has no token for it."""


@dataclass(frozen=True)
class PullRequest:
    """A pull request, as far as these scripts look at it."""

    number: int
    body: str
    labels: frozenset[str]
    address: str  # for people


class PullRequests(Protocol):
    """The pull requests of a repository. Each method raises Failed."""

    def find(self, branch: str, state: State) -> PullRequest | None:
        """Return the newest pull request that would merge a branch into the default one."""

    def open(self, branch: str, title: str, body: str, labels: Sequence[str]) -> PullRequest:
        """Open a pull request."""

    def change(self, pull: PullRequest, fields: Mapping[str, str]) -> None:
        """Change `title`, `body` or `state` of a pull request."""

    def add_labels(self, pull: PullRequest, labels: Sequence[str]) -> None:
        """Add labels that the pull request lacks. A forge may refuse to create them."""


@dataclass(frozen=True)
class GitHub:
    """The pull requests of a repository at GitHub."""

    forge: Forge
    repository: str  # owner/name
    base: str  # the branch to merge into
    newest: str = "sort=updated&direction=desc"

    @property
    def pulls(self) -> str:
        return f"/repos/{self.repository}/pulls"

    def find(self, branch: str, state: State) -> PullRequest | None:
        owner = self.repository.partition("/")[0]
        query = urlencode({"state": state, "head": f"{owner}:{branch}", "base": self.base})
        path = f"{self.pulls}?{query}&{self.newest}"
        # Many may be closed, and only the newest one counts.
        found = self.forge.pages(path) if state == "open" else self.forge.ask("GET", f"{path}&{self.forge.page}")
        return next((self._read(pull) for pull in found if self._is_of(pull, branch)), None)

    def _is_of(self, pull: Any, branch: str) -> bool:
        head, base = pull["head"], pull["base"]
        is_own = (head.get("repo") or {}).get("full_name") == self.repository
        is_merged = bool(pull.get("merged_at") or pull.get("merged"))
        return is_own and not is_merged and (head["ref"], base["ref"]) == (branch, self.base)

    def _read(self, pull: Any) -> PullRequest:
        labels = frozenset(str(label["name"]) for label in pull.get("labels") or ())
        return PullRequest(int(pull["number"]), str(pull.get("body") or ""), labels, str(pull.get("html_url") or ""))

    def open(self, branch: str, title: str, body: str, labels: Sequence[str]) -> PullRequest:
        fields = {"head": branch, "base": self.base, "title": title, "body": body}
        return self._read(self.forge.ask("POST", self.pulls, fields))

    def change(self, pull: PullRequest, fields: Mapping[str, str]) -> None:
        self.forge.ask("PATCH", f"{self.pulls}/{pull.number}", fields)

    def add_labels(self, pull: PullRequest, labels: Sequence[str]) -> None:
        self._label(pull, labels)

    def _label(self, pull: PullRequest, labels: Iterable[Any]) -> None:
        self.forge.ask("POST", f"/repos/{self.repository}/issues/{pull.number}/labels", {"labels": [*labels]})


@dataclass(frozen=True)
class Forgejo(GitHub):
    """The pull requests of a repository at Forgejo or Gitea: a list of them has all branches, and labels have ids."""

    newest: str = "sort=recentupdate"

    def add_labels(self, pull: PullRequest, labels: Sequence[str]) -> None:
        path = f"/repos/{self.repository}/labels"
        ids = {str(label["name"]): label["id"] for label in self.forge.pages(path)}
        for name in labels:
            if name not in ids:
                ids[name] = self.forge.ask("POST", path, {"name": name, "color": _COLOUR})["id"]
        self._label(pull, (ids[name] for name in labels))


@dataclass(frozen=True)
class GitLab:
    """The merge requests of a project at GitLab."""

    forge: Forge
    project: str  # its number
    base: str

    @property
    def requests(self) -> str:
        return f"/projects/{self.project}/merge_requests"

    def find(self, branch: str, state: State) -> PullRequest | None:
        query = {
            "state": "opened" if state == "open" else "closed",
            "source_branch": branch,
            "target_branch": self.base,
            "order_by": "updated_at",
        }
        path = f"{self.requests}?{urlencode(query)}"
        found = self.forge.pages(path) if state == "open" else self.forge.ask("GET", f"{path}&{self.forge.page}")
        own = (it for it in found if str(it["source_project_id"]) == str(it["target_project_id"]) == self.project)
        return next((self._read(it) for it in own if it["source_branch"] == branch), None)

    def _read(self, request: Any) -> PullRequest:
        labels = frozenset(map(str, request.get("labels") or ()))
        body, address = str(request.get("description") or ""), str(request.get("web_url") or "")
        return PullRequest(int(request["iid"]), body, labels, address)

    def open(self, branch: str, title: str, body: str, labels: Sequence[str]) -> PullRequest:
        fields = {
            "source_branch": branch,
            "target_branch": self.base,
            "title": title,
            "description": body,
            "labels": ",".join(labels),
        }
        return self._read(self.forge.ask("POST", self.requests, fields))

    def change(self, pull: PullRequest, fields: Mapping[str, str]) -> None:
        names = {"body": "description", "state": "state_event"}
        changes = {names.get(name, name): value for name, value in fields.items()}
        if changes.get("state_event") == "closed":
            changes["state_event"] = "close"
        self.forge.ask("PUT", f"{self.requests}/{pull.number}", changes)

    def add_labels(self, pull: PullRequest, labels: Sequence[str]) -> None:
        self.forge.ask("PUT", f"{self.requests}/{pull.number}", {"add_labels": ",".join(labels)})


def of_environment() -> PullRequests:
    """Return the pull requests of this run's repository, into the branch that is checked out. Raise NoForge."""
    if "GITLAB_CI" in os.environ:
        token = _needed("CONTENTSYNC_PROPOSE_TOKEN")
        forge = Forge(_needed("CI_API_V4_URL"), {"PRIVATE-TOKEN": token})
        return GitLab(forge, _needed("CI_PROJECT_ID"), _needed("CI_COMMIT_BRANCH"))
    api, repository = _needed("GITHUB_API_URL").rstrip("/"), _needed("GITHUB_REPOSITORY")
    branch = _needed("GITHUB_REF").removeprefix("refs/heads/")
    headers = {"Authorization": f"Bearer {_needed('GITHUB_TOKEN')}"}
    if api.endswith("/api/v1"):  # GitHub's own server has /api/v3
        return Forgejo(Forge(api, headers, page="limit=50"), repository, branch)
    return GitHub(Forge(api, {**headers, "Accept": "application/vnd.github+json"}), repository, branch)


def _needed(name: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        raise NoForge(f"{name} is not set (docs/ci.md)")
    return value


__all__ = ["Failed", "Forge", "NoForge", "PullRequest", "PullRequests", "of_environment"]
