"""A small server in the role of GitHub's API or GitLab's: the comments of one request, in pages."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ..http_server import Answer, Request, answering

BOT = {"login": "github-actions[bot]", "type": "Bot", "id": 7}
USER = {"login": "mallory", "type": "User", "id": 8}


@dataclass
class Forge:
    """The requests that the server received, and the comments that it stores."""

    token: str = "forge-t0ken"
    address: str = ""
    comments: list[dict[str, Any]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    redirect: str = ""  # where everybody is sent

    def add(self, body: str, author: dict[str, Any]) -> dict[str, Any]:
        """Add a comment with a number of its own and return it; GitHub names its author `user`."""
        comment = {"id": len(self.comments) + 1, "body": body, "user": author, "author": author}
        self.comments.append(comment)
        return comment

    @property
    def bodies(self) -> list[str]:
        """Return the texts of the comments of the bot."""
        return [comment["body"] for comment in self.comments if comment["user"] == BOT]

    def receive(self, request: Request) -> Answer:
        """Return the answer to a request, which is a redirect if there is one."""
        if self.redirect:
            return Answer(307, headers={"Location": f"{self.redirect}{request.target}"})
        bearer = request.headers.get("Authorization", "")
        credentials = [bearer, bearer.removeprefix("Bearer "), request.headers.get("PRIVATE-TOKEN", "")]
        return Answer.of_json(*self.answer(request.method, request.target, credentials, request.body))

    def answer(self, method: str, target: str, credentials: list[str], sent: bytes) -> tuple[int, Any]:
        """Return status and document."""
        path, query = urlsplit(target).path, parse_qs(urlsplit(target).query)
        self.asked.append(f"{method} {path}")
        if self.token not in credentials:
            return 401, {}
        if path == "/user":
            is_gitlab = f"Bearer {self.token}" not in credentials
            return (200, BOT) if is_gitlab else (403, {"message": "Resource not accessible by integration"})
        if re.fullmatch(r"/repos/o/r/issues/3/comments|/projects/5/merge_requests/3/notes", path):
            if method == "POST":
                return 201, self.add(json.loads(sent)["body"], BOT)
            size, page = int(query["per_page"][0]), int(query["page"][0])
            return 200, self.comments[size * (page - 1) : size * page]
        one = re.fullmatch(r"/repos/o/r/issues/comments/(\d+)|/projects/5/merge_requests/3/notes/(\d+)", path)
        if one and method == ("PATCH" if one[1] else "PUT"):
            comment = self.comments[int(one[1] or one[2]) - 1]
            comment["body"] = json.loads(sent)["body"]
            return 200, comment
        return 404, {}


@contextmanager
def forging() -> Iterator[Forge]:
    """Yield the server, on a port of this machine."""
    forge = Forge()
    with answering(forge.receive) as forge.address:
        yield forge
