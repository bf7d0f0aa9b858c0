"""The content of a database after its server was killed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from contentsync.model import Kind
from contentsync.server.store import Connection, versions
from contentsync.server.store.listing_links import LINKS
from contentsync.server.store.tables import TABLES
from contentsync.server.store.versions import CollectionState


@dataclass(frozen=True)
class Found:
    """The records of a directory, and what is wrong with the database as such."""

    listings: Mapping[str, tuple[Any, ...]]  # by name: the description, and the ids of each kind of link
    pages: Mapping[str, str]  # texts by title
    states: Mapping[Kind, CollectionState]
    counted: Mapping[Kind, int]
    damages: Sequence[str]


def find(connection: Connection, directory_id: int) -> Found:
    """Read everything there is."""
    links = _links(connection)
    query = "SELECT id, name, data, links FROM listings WHERE directory_id = :directory"
    rows = connection.all(query, {"directory": directory_id})
    torn = [f"listing {row.name} has other links beside it" for row in rows if orjson.loads(row.links) != links[row.id]]
    texts = [orjson.loads(data) for data in connection.column("SELECT data FROM pages")]
    return Found(
        listings={
            row.name: (orjson.loads(row.data)["description"], *map(tuple, links[row.id].values())) for row in rows
        },
        pages={text["title"]: text["markdown"] for text in texts},
        states=versions.collection_states(connection, directory_id),
        counted={kind: _count(connection, kind, directory_id) for kind in Kind},
        damages=[*_damages(connection), *torn],
    )


def _links(connection: Connection) -> dict[int, dict[str, list[int]]]:
    ids = connection.column("SELECT id FROM listings")
    links: dict[int, dict[str, list[int]]] = {listing_id: {field: [] for field in LINKS} for listing_id in ids}
    for field, (table, column, _) in LINKS.items():
        query = f"SELECT listing_id, {column} FROM {table} ORDER BY listing_id, position"
        for listing_id, other_id in connection.tuples(query):
            links[listing_id][field].append(other_id)
    return links


def _count(connection: Connection, kind: Kind, directory_id: int) -> int:
    table = "categories" if kind is Kind.CATEGORY else f"{kind.value}s"
    query = f"SELECT count(*) FROM {table} WHERE directory_id = :directory"
    count: int = connection.scalar(query, {"directory": directory_id})
    return count


def _damages(connection: Connection) -> list[str]:
    """Return the damages that the database itself finds in its file."""
    if connection.is_sqlite:
        found = connection.column("PRAGMA integrity_check")
        broken = connection.tuples("PRAGMA foreign_key_check")
        return [line for line in found if line != "ok"] + [f"broken reference {row}" for row in broken]
    # The rows by the table and by an index: both say the same, or one of them is damaged.
    wrong = []
    connection.run("SET LOCAL enable_bitmapscan = off")
    for table in TABLES:
        counts = []
        for scan in ("enable_seqscan", "enable_indexonlyscan"):
            connection.run(f"SET LOCAL {scan} = off")
            counts.append(connection.scalar(f"SELECT count(*) FROM {table}"))
            connection.run(f"SET LOCAL {scan} = on")
        if len(set(counts)) > 1:
            wrong.append(f"{table} has {counts} rows")
    return wrong
