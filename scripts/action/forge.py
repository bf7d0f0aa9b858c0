"""The API of GitHub, GitLab or Forgejo: requests that go to no other host, lists, and a comment that stays."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, Request, build_opener

PAGE = "per_page=100"
MOST_PAGES = 50


class Failed(Exception):
    """The API has not done it; `status` is 0 where there was no answer."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class _Straight(HTTPRedirectHandler):
    """Goes nowhere else: what is sent carries a token."""

    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True)
class Forge:
    """An API at an address, with the headers that it wants."""

    address: str
    headers: Mapping[str, str]
    page: str = PAGE  # the parameter for the size of a page; a forge may make smaller pages

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The document of the answer. Raises Failed."""
        return self._answer(method, path, body)[0]

    def _answer(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> tuple[Any, str]:
        """The document of the answer, and its header Link, which names the next page. Raises Failed."""
        request = Request(  # noqa: S310  # the address is the runner's own
            f"{self.address.rstrip('/')}{path}",
            None if body is None else json.dumps(body).encode(),
            {**self.headers, "Content-Type": "application/json", "User-Agent": "contentsync"},
            method=method,
        )
        try:
            with build_opener(_Straight).open(request, timeout=60) as answer:
                return json.load(answer), answer.headers.get("Link") or ""
        except HTTPError as failure:
            raise Failed(f"{method} {path} was answered with {failure.code}", failure.code) from None
        except (URLError, OSError, ValueError) as failure:
            raise Failed(f"{method} {path} was not answered: {failure}") from None

    def pages(self, path: str) -> Iterator[Any]:
        """All of a list, page after page. Raises Failed, also where there is no end to it."""
        size = int(self.page.partition("=")[2])
        for page in range(1, MOST_PAGES + 1):
            found, link = self._answer("GET", f"{path}{'&' if '?' in path else '?'}{self.page}&page={page}")
            yield from found
            if 'rel="next"' not in link if link else len(found) < size:
                return
        raise Failed(f"{path} has more than {MOST_PAGES} pages")

    def keep(self, comments: str, one: str, change: str, body: str, is_mine: Callable[[Any], bool]) -> None:
        """Makes the list `comments` hold a comment, changing ours that begins as it does: anybody can begin so.

        `one` and a number is the address of a comment, and `change` the method for it. Raises Failed.
        """
        first = body.partition("\n")[0]
        mine = (found for found in self.pages(comments) if str(found["body"]).startswith(first) and is_mine(found))
        old = next(mine, None)
        if old is None:
            self.ask("POST", comments, {"body": body})
        else:
            self.ask(change, f"{one}/{old['id']}", {"body": body})


def marker(target: str) -> str:
    """The hidden line by which the comment about a target is found again, as `plan --format markdown` begins."""
    return f"<!-- contentsync plan: {quote(target, safe='')} -->"


def text_of(target: str, commit: str) -> str:
    """The comment: the plan, or that there is none, so that nobody believes an older one."""
    if os.environ.get("PLANNED") == "success":
        plan = Path(os.environ["CONTENTSYNC_PLAN"]).read_text(encoding="utf-8")
        return f"{plan.rstrip()}\n<sub>As of {commit[:12]}.</sub>\n"
    sorry = f"There is no plan as of {commit[:12]}: the log of the run says why."
    return f"{marker(target)}\n### contentsync plan\n\n{sorry}\n"
