"""What a service holds, read from its own database: the judge of what a sync did."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contentsync.model import RECORDS, Kind

Key = tuple[Kind, str]  # of a record: its slug, or a custom field's name

_LINKS = ("category", "tag", "organizer")


@dataclass(frozen=True)
class Stored:
    """One record."""

    id: int
    content: Mapping[str, Any]  # with names in the place of ids
    updated_at: str

    def value(self, name: str) -> Any:
        """Return a field, which may be in the JSON of the record."""
        return self.content.get(name, self.content.get("data", {}).get(name))


Records = dict[Key, Stored]


def read_records(database: Path) -> Records:
    """Every record, whatever its directory."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("BEGIN")  # the service may still be at what it was sent before the client died
        rows = {kind: connection.execute(f"SELECT * FROM {_table(kind)}").fetchall() for kind in Kind}
        names = {kind: {row["id"]: row[RECORDS[kind].key_field] for row in rows[kind]} for kind in Kind}
        links = {name: _links(connection, name) for name in _LINKS}
        records: Records = {}
        for kind in Kind:
            for row in rows[kind]:
                content = _content(kind, row, names)
                if "field_ids" in content:
                    custom = [field for field in rows[Kind.CUSTOM_FIELD] if _belongs(field, kind, row)]
                    content["data"] = _with_present_fields(
                        content["data"], json.loads(content.pop("field_ids")), custom
                    )
                if kind is Kind.LISTING:
                    content |= {
                        name: sorted(
                            names[Kind(name)][other]
                            for other in links[name].get(row["id"], [])
                            if other
                            in names[Kind(name)]  # a deleted one stays in the row until it is read (decision 16)
                        )
                        for name in _LINKS
                    }
                records[kind, names[kind][row["id"]]] = Stored(row["id"], content, row["updated_at"])
    return records


def _table(kind: Kind) -> str:
    return "categories" if kind is Kind.CATEGORY else f"{kind}s"


def _content(kind: Kind, row: sqlite3.Row, names: Mapping[Kind, Mapping[int, str]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for column in row.keys():  # noqa: SIM118 - a Row iterates over its values
        if column in ("data", "seo", "translations"):
            content[column] = _without_stamps(json.loads(row[column]))
        elif column == "parent_id":
            content[column] = names[kind].get(row[column])
        elif column not in ("id", "directory_id", "created_at", "updated_at", "links", "user_id"):
            content[column] = row[column]
    return content


def _belongs(field: sqlite3.Row, kind: Kind, row: sqlite3.Row) -> bool:
    return bool(field["fieldable_type"] == kind and field["directory_id"] == row["directory_id"])


def _with_present_fields(
    data: Mapping[str, Any], written: Mapping[str, int], custom: Sequence[sqlite3.Row]
) -> dict[str, Any]:
    """Return data with the custom fields of now; a row keeps those that it was written with (decision 16)."""
    values = {id_: data.get(name) for name, id_ in written.items()}
    others = {name: value for name, value in data.items() if name not in written}
    return others | {field["name"]: values.get(field["id"]) for field in custom}


def _without_stamps(document: Any) -> Any:
    if not isinstance(document, dict):
        return document
    return {
        name: _without_stamps(value)
        for name, value in document.items()
        if name not in ("id", "created_at", "updated_at", "parent_id", "user_id")
    }


def _links(connection: sqlite3.Connection, name: str) -> dict[int, list[int]]:
    links: dict[int, list[int]] = {}
    for listing, other in connection.execute(f"SELECT listing_id, {name}_id FROM listing_{_table(Kind(name))}"):
        links.setdefault(listing, []).append(other)
    return links
