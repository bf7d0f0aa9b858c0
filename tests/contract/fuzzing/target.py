"""The server that is fuzzed, a process of its own, and the document as it holds for its one directory."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from contentsync.server.api.openapi.openapi_document import build_document
from contentsync.server.store import accounts, connect_database, tokens

from ...serving import serving

LOCALES = ["en", "fr"]

# What stands for the keys that the document leaves open: custom fields, and what they take.
FIELDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "level": ({"type": "select", "options": ["easy", "hard"]}, {"enum": ["easy", "hard", "", None]}),
    "stars": (
        {"type": "rating"},
        {
            "type": ["number", "string", "null"],
            "minimum": 0,
            "maximum": 5,
            "pattern": r"^(?:[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)?$",
        },
    ),
    "checked": (
        {"type": "checkbox"},
        {
            "type": ["boolean", "string", "null"],
            "pattern": "^(?:[tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|[yY][eE][sS]|[nN][oO]|[oO][nN]|[oO][fF][fF]|[01])?$",
        },
    ),
}
STANDING = 3  # categories, tags and organizers that are there from the beginning, with ids from 1
CARRIERS = {"listing": "Listing", "organizer": "Organizer", "article": "Article"}


@dataclass(frozen=True, slots=True)
class Target:
    """Where the server listens, and a token of the directory's owner."""

    address: str
    token: str
    directory_id: int
    owner_id: int

    @property
    def document(self) -> dict[str, Any]:
        """The server's document, narrowed to its one directory: nothing is allowed that the whole one forbids."""
        narrow = build_document()
        schemas = narrow["components"]["schemas"]
        for name in ("Url", "ShortUrl"):  # ASCII names only: others are drawn fifty times as slowly
            schemas[name]["anyOf"] = schemas[name]["anyOf"][:1]
        for carrier, model in CARRIERS.items():
            for body in (schemas[f"{model}Create"], schemas[f"{model}Update"]):
                body["additionalProperties"] = False
                body["properties"] |= {f"{carrier}_{name}": value for name, (_, value) in FIELDS.items()}
                if "translations" in body["properties"]:
                    body["properties"]["translations"]["propertyNames"] = {"enum": LOCALES[1:]}
                if "user_id" in body["properties"]:
                    body["properties"]["user_id"] = {"enum": [self.owner_id, None]}
        for path in narrow["paths"].values():
            for parameter in path.get("parameters", []):
                if parameter["name"] == "directory_id":
                    parameter["schema"] = {"type": "integer", "enum": [self.directory_id]}
            for operation in path.values():
                for parameter in operation.get("parameters", []) if isinstance(operation, dict) else []:
                    if parameter["name"] == "locale":
                        parameter["schema"] = {"enum": LOCALES}
                    elif parameter["name"] == "If-Match":
                        parameter["schema"] = {"enum": ["*", '"2001-01-01T00:00:00.000000Z"']}
        return narrow


@contextmanager
def fuzzed(folder: Path) -> Iterator[Target]:
    """A server on a new database in the folder; raises AssertionError when it said something it should not."""
    url = f"sqlite:///{folder / 'site.db'}"
    directory_id, owner_id, token = _prepare(url)
    with serving(url, "--rate-limit", "0") as server:
        target = Target(server.address, token, directory_id, owner_id)
        _fill(target)
        yield target
        server.stop(signal.SIGTERM)
    _, traceback, rest = server.log.partition("Traceback")
    assert not traceback, rest[:8000]


def _prepare(url: str) -> tuple[int, int, str]:
    database = connect_database(url)
    try:
        database.migrate()
        owner = database.run_write(accounts.create_user, email="ada@example.com", name="Ada")
        directory_id = database.run_write(
            accounts.create_directory, name="Tools", slug="tools", owner_id=owner, locales=tuple(LOCALES)
        )
        return directory_id, owner, database.run_write(tokens.create_token, user_id=owner)[1]
    finally:
        database.close()


def _fill(target: Target) -> None:
    fields = [
        ("custom-fields", {"label": f"{carrier} {name}", "fieldable_type": carrier, **field})
        for carrier in CARRIERS
        for name, (field, _) in FIELDS.items()
    ]
    standing = [
        record
        for number in range(STANDING)
        for record in (
            ("categories", {"title": f"Category {number}"}),
            ("tags", {"title": f"Tag {number}"}),
            ("organizers", {"name": f"Organizer {number}"}),
        )
    ]
    with httpx.Client(headers={"Authorization": f"Bearer {target.token}"}) as client:
        for collection, body in (*fields, *standing):
            client.post(
                f"{target.address}/api/directories/{target.directory_id}/{collection}", json=body
            ).raise_for_status()
