"""The API of GitHub, GitLab or Forgejo: requests without redirects, complete lists, and a comment that is updated."""

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
    """A request has failed; `status` is 0 if there was no answer."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class _Straight(HTTPRedirectHandler):
    """Follow no redirect, because a request contains a token."""

    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True)
class Forge:
    """An API at an address, with the headers of each request."""

    address: str
    headers: Mapping[str, str]
    page: str = PAGE  # the parameter for the size of a page; a forge may make smaller pages

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Send a request and return the document of the answer. Raise Failed."""
        return self._answer(method, path, body)[0]

    def _answer(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> tuple[Any, str]:
        """Return the document of the answer, and its header Link, which names the next page. Raise Failed."""
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
        """Yield the items of a list, page after page. Raise Failed, also for a list with too many pages."""
        size = int(self.page.partition("=")[2])
        for page in range(1, MOST_PAGES + 1):
            found, link = self._answer("GET", f"{path}{'&' if '?' in path else '?'}{self.page}&page={page}")
            yield from found
            if 'rel="next"' not in link if link else len(found) < size:
                return
        raise Failed(f"{path} has more than {MOST_PAGES} pages")

    def keep(self, comments: str, one: str, change: str, body: str, is_mine: Callable[[Any], bool]) -> None:
        """Update our comment with the same first line, or add one to the list at the path `comments`. Raise Failed.

        `one` is the path of a comment without its number, and `change` the method that changes one. `is_mine` is
        needed because any user can write a comment with the same first line.
        """
        first = body.partition("\n")[0]
        mine = (found for found in self.pages(comments) if str(found["body"]).startswith(first) and is_mine(found))
        old = next(mine, None)
        if old is None:
            self.ask("POST", comments, {"body": body})
        else:
            self.ask(change, f"{one}/{old['id']}", {"body": body})


def marker(target: str) -> str:
    """Return the hidden first line of the comment about a target, which is also that of `plan --format markdown`."""
    return f"<!-- contentsync plan: {quote(target, safe='')} -->"


def text_of(target: str, commit: str) -> str:
    """Return the comment: the plan, also if it is refused, or a sentence that there is none, in place of an older plan.

    The step that plans deletes the file first. If that step was skipped, the file may be that of an earlier run.
    """
    file = Path(os.environ["CONTENTSYNC_PLAN"])
    has_planned = os.environ.get("PLANNED") in ("success", "failure", "failed")  # GitLab says `failed`
    if has_planned and file.exists():
        plan = file.read_text(encoding="utf-8")
        return f"{plan.rstrip()}\n<sub>As of {commit[:12]}.</sub>\n"
    sorry = f"There is no plan as of {commit[:12]}: the log of the run says why."
    return f"{marker(target)}\n### contentsync plan\n\n{sorry}\n"
