"""Two servers, one on each database, that get the same requests."""

import json
import re
from collections import Counter, defaultdict
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any, Self

import httpx

from contentsync.model import RECORDS, Kind
from contentsync.server.store import accounts

from ..conftest import Api, Service, User
from .requests import NEEDED, Asked

_PLACE = re.compile(r"<(\w+):(\d+)>")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_HEADERS = ("content-type", "etag", "retry-after", "location", "allow", "www-authenticate")


class Twins:
    """The servers on SQLite and on PostgreSQL; a context manager."""

    def __init__(self, *urls: str) -> None:
        self._stack = ExitStack()
        self._urls = urls
        self.answers: Counter[int] = Counter()  # by status

    @property
    def asked(self) -> int:
        """Return the number of requests that each server has answered."""
        return self.answers.total()

    def __enter__(self) -> Self:
        self._services = [self._stack.enter_context(Service(url)) for url in self._urls]
        self.since = datetime.now(UTC).isoformat()
        people = [[service.user(name) for name in ("Ada", "Eve", "Bob")] for service in self._services]
        assert len({repr(some) for some in people}) == 1
        self._people = people[0]
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def directory(self) -> "Pair":
        """Return a new directory on both servers: a record of each kind, an owner, a submitter and a foreign user."""
        pair = Pair(self, [self._clients(service) for service in self._services], self._people)
        for kind in Kind:
            title = RECORDS[kind].title_field
            pair.ask(Asked("owner", "POST", f"/{kind.collection}", {title: "first", **NEEDED.get(kind, {})}))
        return pair

    def _clients(self, service: Service) -> dict[str, Api]:
        ada, eve, bob = self._people
        owner = service.directory("Tools", ada, locales=("en", "fr"))
        service.run(accounts.add_submitter, directory_id=owner.directory_id, user_id=eve.id)
        tokens = {who: service.token(user)[1] for who, user in (("submitter", eve), ("stranger", bob))}
        others = {
            who: Api(service, owner.directory_id, owner.slug, owner.user, secret) for who, secret in tokens.items()
        }
        return {"owner": owner, **others}


class Pair:
    """One directory on both servers."""

    def __init__(self, twins: Twins, clients: list[dict[str, Api]], people: list[User]) -> None:
        self._twins = twins
        self._clients = clients
        self._made: dict[str, list[int]] = defaultdict(list, user=[user.id for user in people])
        self._tags: list[dict[str, str]] = [{} for _ in clients]  # the last ETag by path

    def ask(self, asked: Asked) -> None:
        """Send a request to both servers; raise AssertionError if the answers differ in more than their times."""
        path, body = self._placed(asked.path), self._placed(asked.body)
        answers = []
        for clients, tags in zip(self._clients, self._tags, strict=True):
            headers = {}
            if asked.match is not None:
                name = "If-None-Match" if asked.method in ("GET", "HEAD") else "If-Match"
                headers[name] = {"last": tags.get(path, '"none"'), "other": '"other"', "*": "*"}[asked.match]
            # Escapes only: half of a surrogate pair can be sent in no other way.
            content = b"" if body is None else json.dumps(body).encode()
            try:
                answer = clients[asked.who].request(
                    asked.method, path, params=asked.query, headers=headers, content=content
                )
            except Exception as error:
                raise AssertionError(f"{asked.who} {asked.method} {path} {body}") from error
            if "etag" in answer.headers:
                tags[path] = answer.headers["etag"]
            answers.append(answer)
        self._twins.answers[answers[0].status_code] += 1
        shown = [self._shown(answer) for answer in answers]
        assert shown[0] == shown[1], f"{asked.method} {path} {body}"
        assert answers[0].status_code < 500, f"{asked.method} {path} {body}: {answers[0].text}"
        if answers[0].status_code == 201:
            self._made[_kind_of(path)].append(answers[0].json()["data"]["id"])
        elif path == "/projects/bulk" and answers[0].status_code == 200:
            self._made["listing"] += [listing["id"] for listing in answers[0].json()["data"]]

    def _placed(self, value: Any) -> Any:
        """Return the value with ids in place of positions."""
        if isinstance(value, dict):
            return {key: self._placed(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self._placed(each) for each in value]
        if not isinstance(value, str):
            return value
        whole = _PLACE.fullmatch(value)
        if whole:
            return self._id(whole)
        return _PLACE.sub(lambda match: str(self._id(match)), value)

    def _id(self, place: re.Match[str]) -> int:
        made = self._made[place[1]]
        return made[int(place[2]) % len(made)] if made else 999_999_999

    def _shown(self, answer: httpx.Response) -> tuple[int, dict[str, str], str]:
        headers = {name: self._undated(answer.headers[name]) for name in _HEADERS if name in answer.headers}
        if "-" not in headers.get("etag", "-"):  # a hash of instants
            headers["etag"] = "of a list"
        return answer.status_code, headers, self._undated(answer.text)

    def _undated(self, text: str) -> str:
        """Return the text without the times of this run; times from the requests stay."""
        until = datetime.now(UTC).isoformat()
        return _INSTANT.sub(lambda match: "now" if self._twins.since <= match[0] <= until else match[0], text)


def _kind_of(path: str) -> str:
    collection = path.split("/")[1]
    names = {"categories": "category", "custom-fields": "custom_field", "projects": "listing"}
    return names.get(collection, collection.removesuffix("s"))
