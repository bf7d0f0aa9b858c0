"""The built-in server as a stricter or stranger service of the same shape: an ASGI application around it.

The hosted service knows none of our additions (docs/contract.md 10, 18), and other services of
this shape change what they are given, count requests, or write over a listing whose URL comes again.
"""

import json
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.types import ASGIApp, Message, Receive, Scope, Send

Record = dict[str, Any]
Altering = Callable[[str, Record], Record]  # of a collection and a body or a record
Clock = Callable[[], float]

_CONDITIONS = (b"if-match", b"if-none-match")
_ACTIVE = ("is_active", "is_published", "active")
_JSON = ("schema", "settings", "default_value", "validation_rules")  # documents, which are stored as they are


@dataclass(frozen=True)
class Manners:
    """In what a service differs from the built-in one; by default in nothing."""

    conditionals: bool = True  # ETag, If-Match, If-None-Match
    list_etags: bool = True  # what a write makes of them
    include: bool = True  # ?include=translations
    overwriting: bool = False  # a create with a known URL writes over that listing
    per_minute: int | None = None  # requests, counted by `clock`
    booleans_as_numbers: bool = False  # 1 and 0
    numbers_as_text: bool = False
    unreturned: frozenset[tuple[str, str]] = frozenset()  # collection and key: accepted, stored, in no answer
    active_only: bool = False  # lists leave out what is not active; a record is still answered by its id
    directory_locales: bool = True  # whether a directory shows its languages
    stores: Altering | None = None  # what it makes of a body before it stores it
    shows: Altering | None = None  # what it makes of a record before it shows it


UNRETURNED = frozenset({("tags", "color"), ("pages", "new_tab"), ("organizers", "phone")})

STRICT = Manners(
    conditionals=False,
    include=False,
    overwriting=True,
    per_minute=120,
    booleans_as_numbers=True,
    numbers_as_text=True,
    unreturned=UNRETURNED,
    active_only=True,
    directory_locales=False,
)

LIKE_OURS = Manners()


@dataclass
class Simulator:
    """The application. `meanwhile` holds what another user does just before the request of that number (from 1)."""

    app: ASGIApp
    manners: Manners = LIKE_OURS
    clock: Clock = lambda: 0.0
    meanwhile: dict[int, Callable[[], Awaitable[object]]] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)  # method and path with the query
    bodies: list[tuple[str, str, Record]] = field(default_factory=list)  # method, collection and body of each write
    refused: int = 0  # of the requests, because they were too many
    _times: deque[float] = field(default_factory=deque)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        query = scope["query_string"].decode()
        self.requests.append((scope["method"], f"{scope['path']}?{query}" if query else scope["path"]))
        happening = self.meanwhile.pop(len(self.requests), None)
        if happening:
            await happening()
        wait = self.count()
        if wait:
            self.refused += 1
            status, headers, body = _too_many(wait)
        else:
            status, headers, body = await self._answered(scope, await _body(receive))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def count(self) -> int:
        """Counts a request; the seconds until one is let in, 0 if this one is."""
        if self.manners.per_minute is None:
            return 0
        now = self.clock()
        while self._times and self._times[0] <= now - 60:
            self._times.popleft()
        if len(self._times) >= self.manners.per_minute:
            return int(self._times[0] + 60 - now) + 1
        self._times.append(now)
        return 0

    async def _answered(self, scope: Scope, body: bytes) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        collection, manners = _collection(scope["path"]), self.manners
        if body and scope["method"] in ("POST", "PUT"):
            self.bodies.append((scope["method"], collection, json.loads(body)))
        if manners.stores and body:
            body = _mapped(body, collection, manners.stores)
        if not manners.conditionals:
            scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] not in _CONDITIONS]}
        if not manners.include:
            left = [pair for pair in parse_qsl(scope["query_string"].decode()) if pair[0] != "include"]
            scope = {**scope, "query_string": urlencode(left).encode()}
        if manners.active_only and scope["method"] == "GET" and _is_list(scope["path"]):
            status, headers, answer = await self._active(scope)
        else:
            status, headers, answer = await _asked(self.app, scope, body)
        if manners.overwriting and scope["method"] == "POST" and collection == "projects" and status in (200, 201):
            answer = await self._overwritten(scope, body, answer)
        if manners.shows and status in (200, 201) and answer:
            answer = _mapped(answer, collection, manners.shows)
        if status in (200, 201) and answer:
            answer = _mapped(answer, collection, self._shown)
        hidden = {b"content-length"}
        hidden |= set() if manners.conditionals else {b"etag"}
        hidden |= set() if manners.list_etags else {b"x-list-etags"}
        kept = [pair for pair in headers if pair[0] not in hidden]
        if status not in (204, 304):
            kept.append((b"content-length", b"%d" % len(answer)))
        return status, kept, answer

    def _shown(self, collection: str, record: Record) -> Record:
        """A record in the manners of the service."""
        manners = self.manners
        if "id" not in record:
            return record  # a message, or a user
        left_out = {key for of, key in manners.unreturned if of == collection}
        if not collection and not manners.directory_locales:
            left_out.add("locales")
        return {
            name: value if name in _JSON else self._written(value)
            for name, value in record.items()
            if name not in left_out
        }

    def _written(self, value: Any) -> Any:
        """A value in the types of the service."""
        if isinstance(value, dict):
            return {name: self._written(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [self._written(inner) for inner in value]
        if isinstance(value, bool):
            return int(value) if self.manners.booleans_as_numbers else value
        return str(value) if isinstance(value, int | float) and self.manners.numbers_as_text else value

    async def _active(self, scope: Scope) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        """A list of the active records, in pages where it has pages."""
        query = dict(parse_qsl(scope["query_string"].decode()))
        number = int(query.pop("page", "1"))
        records: list[Record] = []
        for page in count(1):
            asked = {**scope, "query_string": urlencode(query | {"page": str(page)}).encode()}
            status, headers, answer = await _asked(self.app, asked, b"")
            if status != 200:
                return status, headers, answer
            document = json.loads(answer)
            records += document["data"]
            if page >= document.get("meta", {"last_page": 1})["last_page"]:
                break
        active = [record for record in records if all(record.get(flag, True) for flag in _ACTIVE)]
        if "meta" in document:
            size = document["meta"]["per_page"]
            meta = {"current_page": number, "last_page": max(1, -(-len(active) // size)), "total": len(active)}
            document["meta"] |= meta
            active = active[(number - 1) * size : number * size]
        return status, headers, json.dumps(document | {"data": active}).encode()

    async def _overwritten(self, scope: Scope, body: bytes, answer: bytes) -> bytes:
        """The answer of a create after each listing that was found by its URL has got the fields that were sent."""
        sent, document = json.loads(body), json.loads(answer)
        bodies = sent.get("listings", [sent])
        records = document["data"] if isinstance(document["data"], list) else [document["data"]]
        path = scope["path"].removesuffix("/bulk")
        written = []
        for record in records:
            fields = next((one for one in bodies if one.get("url") and one["url"] == record.get("url")), None)
            if fields:
                place = f"{path}/{record['id']}"
                target = {**scope, "method": "PUT", "path": place, "raw_path": place.encode(), "query_string": b""}
                _, _, changed = await _asked(self.app, target, json.dumps(fields).encode())
                written.append(json.loads(changed)["data"])
            else:
                written.append(record)
        return json.dumps(document | {"data": written if isinstance(document["data"], list) else written[0]}).encode()


def _is_list(path: str) -> bool:
    return path.count("/") == 4  # /api/directories/1/pages


def _collection(path: str) -> str:
    """`pages` in /api/directories/1/pages/2."""
    return (path.split("/") + [""] * 5)[4]


def _mapped(text: bytes, collection: str, alter: Altering) -> bytes:
    document = json.loads(text)
    if not isinstance(document, dict):
        return text
    for name in ("data", "listings"):
        if isinstance(document.get(name), list):
            return json.dumps(document | {name: [alter(collection, record) for record in document[name]]}).encode()
        if isinstance(document.get(name), dict):
            return json.dumps(document | {name: alter(collection, document[name])}).encode()
    return json.dumps(alter(collection, document)).encode()


def _too_many(wait: int) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    body = b'{"message": "Too Many Attempts."}'
    headers: Mapping[bytes, bytes] = {
        b"content-type": b"application/json",
        b"content-length": b"%d" % len(body),
        b"retry-after": b"%d" % wait,
        b"x-ratelimit-remaining": b"0",
    }
    return 429, list(headers.items()), body


async def _body(receive: Receive) -> bytes:
    body: bytes = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            return body


async def _asked(app: ASGIApp, scope: Scope, body: bytes) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Status, headers and body of what the application answers."""
    answer: list[Message] = []
    length = [(b"content-length", b"%d" % len(body))] if body else []
    headers = [pair for pair in scope["headers"] if pair[0] != b"content-length"] + length

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        answer.append(message)

    await app({**scope, "headers": headers}, receive, send)
    reported: bytes = b"".join(message.get("body", b"") for message in answer)
    return answer[0]["status"], list(answer[0].get("headers", ())), reported
