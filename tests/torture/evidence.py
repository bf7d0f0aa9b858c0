"""The content of a database after its server was killed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Connection, func, select

from contentsync.model import Kind
from contentsync.server.store import versions
from contentsync.server.store.listing_links import LINKS
from contentsync.server.store.tables import listings, metadata, pages
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
    query = select(listings.c.id, listings.c.name, listings.c.data, listings.c.links)
    rows = connection.execute(query.where(listings.c.directory_id == directory_id)).all()
    torn = [f"listing {row.name} has other links beside it" for row in rows if orjson.loads(row.links) != links[row.id]]
    texts = [orjson.loads(data) for data in connection.execute(select(pages.c.data)).scalars()]
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
    ids = connection.execute(select(listings.c.id)).scalars()
    links: dict[int, dict[str, list[int]]] = {listing_id: {field: [] for field in LINKS} for listing_id in ids}
    for field, (table, column, _) in LINKS.items():
        query = select(table.c.listing_id, column).order_by(table.c.listing_id, table.c.position)
        for listing_id, other_id in connection.execute(query):
            links[listing_id][field].append(other_id)
    return links


def _count(connection: Connection, kind: Kind, directory_id: int) -> int:
    table = metadata.tables["categories" if kind is Kind.CATEGORY else f"{kind.value}s"]
    query = select(func.count()).where(table.c.directory_id == directory_id)
    count: int = connection.execute(query).scalar_one()
    return count


def _damages(connection: Connection) -> list[str]:
    """Return the damages that the database itself finds in its file."""
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        return [line for line in found if line != "ok"] + [f"broken reference {row}" for row in broken]
    # The rows by the table and by an index: both say the same, or one of them is damaged.
    wrong = []
    connection.exec_driver_sql("SET LOCAL enable_bitmapscan = off")
    for table in metadata.sorted_tables:
        counts = []
        for scan in ("enable_seqscan", "enable_indexonlyscan"):
            connection.exec_driver_sql(f"SET LOCAL {scan} = off")
            counts.append(connection.execute(select(func.count()).select_from(table)).scalar_one())
            connection.exec_driver_sql(f"SET LOCAL {scan} = on")
        if len(set(counts)) > 1:
            wrong.append(f"{table.name} has {counts} rows")
    return wrong
