"""Two directories, their users, and requests of the document's operations with tokens of all kinds."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import httpx

from contentsync.model import Kind
from contentsync.server.access import READ, WRITE
from contentsync.server.api.openapi.openapi_document import build_document
from contentsync.server.store import Connection, tables, tokens

from ..server.conftest import Api, Service
from .authorisation import Place

DOCUMENT = build_document()
OPERATIONS: Mapping[str, tuple[str, str, dict[str, Any]]] = {
    says["operationId"]: (method, path, says)
    for path, item in DOCUMENT["paths"].items()
    for method, says in item.items()
    if method != "parameters"
}
KINDS = {f"{{{'project' if kind is Kind.LISTING else kind}_id}}": kind for kind in Kind}
CANARY = "canary-7f3a"
NONE = 999_999_999
OF_A_REQUEST = frozenset({"date", "content-length", "x-request-id"})  # headers


@dataclass(frozen=True)
class Probe:
    """One request: an operation with the ids that stand in its path."""

    operation: str
    method: str  # HEAD, too
    directory: Place | None = None
    record: Place | None = None

    def __str__(self) -> str:
        places = [place.value for place in (self.directory, self.record) if place]
        return " ".join([self.method, self.operation, *places])


class World:
    """A directory of Ada with the submitter Eve, one of Bob with a canary in every text, and tokens of all kinds."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.own = service.directory("Tools", service.user("Ada"))
        self.eve = self.own.submitter("Eve")
        self.foreign = service.directory(CANARY, service.user(CANARY))
        self._numbers = count(1)
        self.records = {
            Place.OWN: {kind: self.made(self.own, kind) for kind in Kind},
            Place.SUBMITTED: {kind: self.made(self.eve, kind) for kind in (Kind.LISTING, Kind.ORGANIZER)},
            Place.FOREIGN: {kind: self.made(self.foreign, kind, CANARY) for kind in Kind},
            Place.MISSING: dict.fromkeys(Kind, NONE),
        }
        self.directories = {
            Place.OWN: self.own.directory_id,
            Place.FOREIGN: self.foreign.directory_id,
            Place.MISSING: NONE,
        }

    def made(self, api: Api, kind: Kind, word: str = "") -> int:
        """The id of a new record."""
        body = self.fresh(example(f"create_{kind}"), word)
        record_id: int = api.make(kind.collection, **body)["id"]
        return record_id

    def fresh(self, body: Any, word: str = "") -> Any:
        """The body with names that nothing has yet."""
        if isinstance(body, list):
            return [self.fresh(item, word) for item in body]
        if isinstance(body, dict):
            return {name: self.fresh(value, word) if name != "url" else None for name, value in body.items()} | {
                name: f"{body[name]} {word} {next(self._numbers)}"
                for name in ("title", "name", "label")
                if name in body
            }
        return body

    def credentials(self, caller: str) -> dict[str, str]:
        """The headers that the caller sends."""
        if caller == "none":
            return {}
        ada = self.own.user
        elsewhere = self.service.directory("Cafes", ada if caller == "bound to another" else self.service.user("Carl"))
        secrets: dict[str, Callable[[], str]] = {
            "malformed": lambda: "cs_x",
            "unknown": tokens.make_secret,
            "expired": lambda: self._token(expires_at=datetime.now(UTC) - timedelta(seconds=1)),
            "revoked": self._revoked,
            "read only": lambda: self._token(scopes=(READ,)),
            "write only": lambda: self._token(scopes=(WRITE,)),
            "bound to this directory": lambda: self._token(directory_id=self.own.directory_id),
            "bound to another": lambda: self._token(directory_id=elsewhere.directory_id),
            "owner of another directory": lambda: elsewhere.token,
            "submitter here": lambda: self.eve.token,
            "submitter elsewhere": lambda: elsewhere.submitter("Sam").token,
            "owner": lambda: self.own.token,
        }
        return {"Authorization": f"Bearer {secrets[caller]()}"}

    def send(self, probe: Probe, headers: Mapping[str, str], *, fresh: bool = False) -> httpx.Response:
        """The answer to a probe, with the document's example as its body; `fresh` makes it succeed again and again."""
        method, path, says = OPERATIONS[probe.operation]
        if probe.directory:
            path = path.replace("{directory_id}", str(self.directories[probe.directory])).replace(
                "{category}", "Guides"
            )
        for name, kind in KINDS.items():
            if probe.record and name in path:
                again = fresh and method == "delete"
                is_listing = probe.record is Place.SUBMITTED and kind is Kind.LISTING  # a submitter has one organizer
                maker = self.eve if is_listing else self.own
                record_id = self.made(maker, kind) if again else self.records[probe.record][kind]
                path = path.replace(name, str(record_id))
        body = example(probe.operation) if "requestBody" in says else None
        if fresh and probe.operation.startswith("create_"):
            body = self.fresh(body)
        return self.service.request(probe.method, path, json=body, headers=dict(headers))

    def _token(self, **limits: Any) -> str:
        return self.service.token(self.own.user, **limits)[1]

    def _revoked(self) -> str:
        token_id, secret = self.service.token(self.own.user)
        self.service.run(tokens.revoke_token, token_id=token_id)
        return secret


def example(operation: str) -> dict[str, Any]:
    """The document's own example of a request."""
    content = OPERATIONS[operation][2]["requestBody"]["content"]["application/json"]
    return dict(content["example"])


def probes() -> Iterator[Probe]:
    """Every operation with every combination of ids; what is read, with HEAD too."""
    for operation, (method, path, _) in OPERATIONS.items():
        kind = next((kind for name, kind in KINDS.items() if name in path), None)
        for verb in ("GET", "HEAD") if method == "get" else (method.upper(),):
            if "{directory_id}" not in path:
                yield Probe(operation, verb)
                continue
            for directory in (Place.OWN, Place.FOREIGN, Place.MISSING):
                if kind is None:
                    yield Probe(operation, verb, directory)
                    continue
                for record in Place:
                    if record is not Place.SUBMITTED or kind in (Kind.LISTING, Kind.ORGANIZER):
                        yield Probe(operation, verb, directory, record)


PROBES = list(probes())


def rows_of(connection: Connection, directory_id: int) -> dict[str, list[Any]]:
    """Everything in the database that belongs to the directory."""
    ids: dict[str, set[int]] = {"directories": {directory_id}}
    found: dict[str, list[Any]] = {}
    for table in tables.TABLES.values():
        references = (_REFERENCE.search(line) for line in table.lines)
        links = [(each["column"], each["table"]) for each in references if each and each["table"] in ids]
        rows = [row._asdict() for row in connection.all(table.select)]
        mine = [row for row in rows if any(row[name] in ids[other] for name, other in links)]
        if table.name == "directories":
            mine = [row for row in rows if row["id"] == directory_id]
        elif "id" in table.columns and links:
            ids[table.name] = {row["id"] for row in mine}
        found[table.name] = sorted(map(str, mine))
    return found


_REFERENCE = re.compile(r"FOREIGN KEY \((?P<column>\w+)\) REFERENCES (?P<table>\w+)")


def seen(response: httpx.Response) -> Any:
    """Return all parts by which a client can distinguish two answers."""
    headers = {name: value for name, value in response.headers.items() if name not in OF_A_REQUEST}
    return response.status_code, response.content, headers
