"""A client that writes until the server is gone, and keeps account of it."""

import json
import random
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from .ledger import GONE, Ledger

BULK = 10  # listings in one request


class Writer:
    """Writes listings and a page in one directory as fast as it is answered; ends when it is not.

    `refused` holds the answers that are neither success nor 503.
    """

    def __init__(
        self, name: str, address: str, headers: dict[str, str], base: str, links: dict[str, list[int]], ledger: Ledger
    ) -> None:
        self.name = name
        self._connection = HTTPConnection(urlsplit(address).netloc, timeout=30)
        self._headers, self._base, self._links, self._ledger = headers, base, links, ledger
        self._random = random.Random(f"{name} {ledger.acknowledged}")
        self.refused: list[str] = []

    def run(self) -> None:
        """Writes until the connection ends."""
        try:
            while True:
                self._random.choice((self._create, self._create_many, self._change, self._delete, self._write_page))()
        except (HTTPException, OSError):
            self._connection.close()

    def _create(self) -> None:
        name = f"{self.name}-{len(self._ledger.listings)}"
        state = self._state()
        self._ledger.listings[name] = [GONE, state]
        answer = self._ask("POST", "/projects", self._body(name, state))
        if answer is not None:
            self._ledger.ids[name] = answer["data"]["id"]
            self._ledger.listings[name] = [state]

    def _create_many(self) -> None:
        first = len(self._ledger.listings)
        states = {f"{self.name}-{first + at}": self._state() for at in range(BULK)}
        self._ledger.listings |= {name: [GONE, state] for name, state in states.items()}
        self._ledger.together.append(list(states))
        body = {"listings": [self._body(name, state) for name, state in states.items()]}
        answer = self._ask("POST", "/projects/bulk", body)
        if answer is not None:
            self._ledger.ids |= {listing["name"]: listing["id"] for listing in answer["data"]}
            self._ledger.listings |= {name: [state] for name, state in states.items()}
            self._ledger.together.pop()

    def _change(self) -> None:
        if not self._ledger.ids:
            return
        name = self._random.choice(list(self._ledger.ids))
        [before], state = self._ledger.listings[name], self._state()
        self._ledger.listings[name] = [before, state]
        if self._ask("PUT", f"/projects/{self._ledger.ids[name]}", self._body(name, state)) is not None:
            self._ledger.listings[name] = [state]

    def _delete(self) -> None:
        if len(self._ledger.ids) < 5:
            return
        name = self._random.choice(list(self._ledger.ids))
        self._ledger.listings[name].append(GONE)
        if self._ask("DELETE", f"/projects/{self._ledger.ids.pop(name)}") is not None:
            self._ledger.listings[name] = [GONE]

    def _write_page(self) -> None:
        text = f"text {self._random.random()}"
        self._ledger.page.append(text)
        if self._ask("POST", "/pages", {"title": self._ledger.page_name, "markdown": text}) is not None:
            self._ledger.page = [text]

    def _state(self) -> tuple[Any, ...]:
        """A description, and the links by field, in an order of their own."""
        links = tuple(tuple(self._random.sample(ids, len(ids))) for ids in self._links.values())
        return f"text {self._random.random()}", *links

    def _body(self, name: str, state: tuple[Any, ...]) -> dict[str, Any]:
        return {"name": name, "description": state[0], **dict(zip(self._links, state[1:], strict=True))}

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer; None when the server could not do it, and has not."""
        content = None if body is None else json.dumps(body)
        self._connection.request(method, self._base + path, content, self._headers)
        response = self._connection.getresponse()
        text = response.read()
        if response.status in (200, 201):
            self._ledger.acknowledged += 1
            return json.loads(text)
        self.refused.append(f"{method} {path}: {response.status} {text[:200]!r}")
        raise HTTPException
