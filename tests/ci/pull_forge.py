"""A small server in the role of GitHub, Forgejo or GitLab: its pull requests, as far as `propose` needs them.

It is as strict as they are: it refuses requests without the token, unknown fields, branches that do not exist, and a
second pull request of a branch. It returns texts in its own form, and lists in pages with a header Link.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from ..hooks.repositories import Tree
from ..http_server import Answer, Request, answering

Dialect = Literal["github", "forgejo", "gitlab"]
OWN = "o/r"
PROJECT = "5"


@dataclass
class Pull:
    """A pull request."""

    number: int
    head: str
    title: str
    body: str
    labels: list[str] = field(default_factory=list)
    repository: str = OWN  # of the head
    base: str = "main"
    state: str = "open"
    merged: bool = False


@dataclass
class PullForge:
    """The pull requests, and the requests that the server received."""

    dialect: Dialect
    origin: Tree  # where the branches are
    token: str = "forge-t0ken"
    address: str = ""
    pulls: list[Pull] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    may_label: bool = True
    requests: list[tuple[str, str]] = field(default_factory=list)
    redirect: str = ""  # where every request is sent

    @property
    def writes(self) -> list[tuple[str, str]]:
        return [(method, path) for method, path in self.requests if method != "GET"]

    @property
    def open_pulls(self) -> list[Pull]:
        return [pull for pull in self.pulls if pull.state == "open"]

    @property
    def environ(self) -> dict[str, str]:
        """Return the variables that a runner of this forge sets."""
        if self.dialect == "gitlab":
            return {
                "GITLAB_CI": "true",
                "CI_API_V4_URL": self.address,
                "CI_PROJECT_ID": PROJECT,
                "CI_COMMIT_BRANCH": "main",
                "CONTENTSYNC_PROPOSE_TOKEN": self.token,
            }
        api = f"{self.address}/api/v1" if self.dialect == "forgejo" else self.address
        hub = {"GITHUB_API_URL": api, "GITHUB_REPOSITORY": OWN, "GITHUB_REF": "refs/heads/main"}
        return {**hub, "GITHUB_TOKEN": self.token, "GITHUB_ACTIONS": "true"}

    def add(self, head: str, body: str = "", **fields: Any) -> Pull:
        pull = Pull(len(self.pulls) + 1, head, "A title", body, **fields)
        self.pulls.append(pull)
        return pull

    def receive(self, request: Request) -> Answer:
        """Return the answer to a request, which is a redirect if there is one."""
        if self.redirect:
            return Answer.of_json(307, {}, {"Location": f"{self.redirect}{request.target}"})
        credentials = request.headers.get("PRIVATE-TOKEN" if self.dialect == "gitlab" else "Authorization", "")
        status, document, link = self.answer(request.method, request.target, credentials, request.body)
        return Answer.of_json(status, document, {"Link": link} if link else {})

    def answer(self, method: str, target: str, credentials: str, sent: bytes) -> tuple[int, Any, str]:
        """Return status, document and header Link."""
        parts = urlsplit(target)
        path, query = parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.requests.append((method, target))
        if credentials != (self.token if self.dialect == "gitlab" else f"Bearer {self.token}"):
            return 401, {}, ""
        self._follow_branches()
        body = json.loads(sent) if sent else {}
        path = path.removeprefix("/api/v1") if self.dialect == "forgejo" else path
        status, document = (self._gitlab if self.dialect == "gitlab" else self._hub)(method, path, query, body)
        if status == 200 and isinstance(document, list):
            return self._page(document, parts.path, query)
        return status, document, ""

    def _follow_branches(self) -> None:
        """GitHub and Forgejo close a pull request when its branch is deleted."""
        for pull in self.open_pulls if self.dialect != "gitlab" else ():
            if pull.repository == OWN and not self._has_branch(pull.head):
                pull.state = "closed"

    def _has_branch(self, name: str) -> bool:
        return (self.origin.path / "refs/heads" / name).is_file()  # a process of git for each request takes too long

    def _page(self, items: list[Any], path: str, query: Mapping[str, str]) -> tuple[int, Any, str]:
        default, most, name = {"github": (30, 100, "per_page"), "forgejo": (30, 50, "limit")}.get(
            self.dialect, (20, 100, "per_page")
        )
        size, page = min(int(query.get(name, default)), most), int(query.get("page", 1))
        rest = items[size * page :]
        link = f'<{self.address}{path}?page={page + 1}>; rel="next"' if rest else ""
        return 200, items[size * (page - 1) : size * page], link

    def _hub(self, method: str, path: str, query: Mapping[str, str], body: Any) -> tuple[int, Any]:
        pulls = f"/repos/{OWN}/pulls"
        if (method, path) == ("GET", pulls):
            return 200, [self._hub_pull(pull) for pull in self._listed(query)]
        if (method, path) == ("POST", pulls):
            if body.keys() != {"head", "base", "title", "body"} or not self._has_branch(body["head"]):
                return 422, {"message": "Validation Failed"}
            if any(pull.head == body["head"] and pull.repository == OWN for pull in self.open_pulls):
                return 422, {"message": "A pull request already exists"}
            return 201, self._hub_pull(self.add(body["head"], body["body"], base=body["base"]), body["title"])
        if one := re.fullmatch(rf"{pulls}/(\d+)", path):
            pull = self.pulls[int(one[1]) - 1]
            if method != "PATCH" or not body.keys() <= {"title", "body", "state"}:
                return 422, {}
            pull.title, pull.body = body.get("title", pull.title), body.get("body", pull.body)
            pull.state = body.get("state", pull.state)
            return 200, self._hub_pull(pull)
        if one := re.fullmatch(rf"/repos/{OWN}/issues/(\d+)/labels", path):
            return self._hub_label(self.pulls[int(one[1]) - 1], body["labels"])
        if self.dialect == "forgejo" and path == f"/repos/{OWN}/labels":
            if method == "GET":
                return 200, [{"id": number, "name": name} for number, name in enumerate(self.labels, 1)]
            if not self.may_label or not re.fullmatch("#[0-9a-f]{6}", body["color"]):
                return 403, {}
            self.labels.append(body["name"])
            return 201, {"id": len(self.labels), "name": body["name"]}
        return 404, {}

    def _hub_label(self, pull: Pull, labels: list[Any]) -> tuple[int, Any]:
        if self.dialect == "forgejo":
            if not all(isinstance(label, int) for label in labels):
                return 422, {}
            labels = [self.labels[label - 1] for label in labels]
        elif not self.may_label and not {*labels} <= {*self.labels}:
            return 403, {}
        pull.labels += [label for label in labels if label not in pull.labels]
        return 200, [{"name": label} for label in pull.labels]

    def _listed(self, query: Mapping[str, str]) -> list[Pull]:
        """Return the pull requests that a list contains, the newest first; a list of Forgejo has all branches."""
        found = [pull for pull in reversed(self.pulls) if pull.state == query.get("state", "open")]
        if self.dialect == "github" and "head" in query:
            owner, _, head = query["head"].partition(":")
            found = [it for it in found if it.head == head and it.repository.partition("/")[0] == owner]
        return found

    def _hub_pull(self, pull: Pull, title: str | None = None) -> dict[str, Any]:
        pull.title = title or pull.title
        body = pull.body.replace("\n", "\r\n") if self.dialect == "github" else pull.body
        return {
            "number": pull.number,
            "title": pull.title,
            "body": body or None,
            "state": pull.state,
            "labels": [{"name": label} for label in pull.labels],
            "head": {"ref": pull.head, "repo": {"full_name": pull.repository}},
            "base": {"ref": pull.base},
            "merged_at": "2026-03-01T00:00:00Z" if pull.merged else None,
            "html_url": f"https://forge.example.com/{OWN}/pulls/{pull.number}",
        }

    def _gitlab(self, method: str, path: str, query: Mapping[str, str], body: Any) -> tuple[int, Any]:
        requests = f"/projects/{PROJECT}/merge_requests"
        if (method, path) == ("GET", requests):
            state = {"opened": "open"}.get(query["state"], query["state"])
            found = [pull for pull in reversed(self.pulls) if pull.state == state and not pull.merged]
            return 200, [self._merge_request(it) for it in found if it.head == query.get("source_branch", it.head)]
        if (method, path) == ("POST", requests):
            keys = {"source_branch", "target_branch", "title", "description", "labels"}
            if body.keys() != keys or not self._has_branch(body["source_branch"]):
                return 400, {}
            if any(pull.head == body["source_branch"] and pull.repository == OWN for pull in self.open_pulls):
                return 409, {"message": ["Another open merge request already exists"]}
            pull = self.add(body["source_branch"], body["description"].rstrip(), labels=body["labels"].split(","))
            pull.title = body["title"]
            return 201, self._merge_request(pull)
        if one := re.fullmatch(rf"{requests}/(\d+)", path):
            pull = self.pulls[int(one[1]) - 1]
            if method != "PUT" or not body.keys() <= {"title", "description", "state_event", "add_labels"}:
                return 400, {}
            pull.title, pull.body = body.get("title", pull.title), body.get("description", pull.body).rstrip()
            pull.state = {"close": "closed", None: pull.state}[body.get("state_event")]
            pull.labels += body.get("add_labels", "").split(",") if "add_labels" in body else []
            return 200, self._merge_request(pull)
        return 404, {}

    def _merge_request(self, pull: Pull) -> dict[str, Any]:
        return {
            "iid": pull.number,
            "title": pull.title,
            "description": pull.body or None,
            "state": pull.state,
            "labels": pull.labels,
            "source_branch": pull.head,
            "target_branch": pull.base,
            "source_project_id": int(PROJECT) if pull.repository == OWN else 9,
            "target_project_id": int(PROJECT),
            "web_url": f"https://forge.example.com/{OWN}/-/merge_requests/{pull.number}",
        }


@contextmanager
def serving_pulls(dialect: Dialect, origin: Tree) -> Iterator[PullForge]:
    """Yield the server, on a port of this machine."""
    forge = PullForge(dialect, origin)
    with answering(forge.receive) as forge.address:
        yield forge
