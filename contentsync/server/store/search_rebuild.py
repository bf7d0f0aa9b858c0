"""Build the search index from the records: in a migration, and to compare it with what writes have made of it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from .caching import STATEMENT_CACHE, StatementCache
from .deferred_changes import custom_field_ids
from .listing_store import LISTINGS
from .record_kinds import ARTICLES, CATEGORIES, ORGANIZERS, PAGES, TAGS
from .record_store import RecordStore
from .search_documents import index_record, insert_documents, search_document
from .sql import Connection, Row

BATCH = 500  # records

_TITLES: tuple[RecordStore, ...] = (CATEGORIES, TAGS)
_DOCUMENTS: tuple[RecordStore, ...] = (LISTINGS, ARTICLES, PAGES, ORGANIZERS)


def rebuild_index(connection: Connection, progress: Callable[[int, int], None]) -> None:
    """Empty the index, and fill it from the records of all directories, in the connection's transaction.

    `progress` is called with the number of records that are done, and that of all.
    """
    if connection.is_sqlite:
        connection.run("DELETE FROM search_index")
    for table in ("search_documents", "search_numbers", "search_words"):
        connection.run(f"DELETE FROM {table}")
    cache: StatementCache | None = connection.info.get(STATEMENT_CACHE)
    if cache is not None:
        cache.clear()  # it has words that are in the table no more
    total = sum(_count(connection, store) for store in (*_TITLES, *_DOCUMENTS))
    done = 0
    for store in (*_TITLES, *_DOCUMENTS):
        for directory_id, rows in _batches(connection, store):
            _index(connection, store, directory_id, rows)
            done += len(rows)
            progress(done, total)
    if connection.is_sqlite:
        connection.run("INSERT INTO search_index (search_index) VALUES ('optimize')")


def _count(connection: Connection, store: RecordStore) -> int:
    number: int = connection.scalar(f"SELECT count(*) FROM {store.table.name}")
    return number


def _batches(connection: Connection, store: RecordStore) -> Iterator[tuple[int, Sequence[Row]]]:
    """Yield the rows of all directories in the order of their ids, at most BATCH of one directory at a time."""
    query, after = f"{store.table.select} WHERE id > :after ORDER BY id LIMIT {BATCH}", 0
    while rows := connection.all(query, {"after": after}):
        after = rows[-1].id
        for directory_id, some in groupby(rows, key=lambda row: row.directory_id):
            yield directory_id, store.apply_deferred_changes(connection, directory_id, [*some])


def _index(connection: Connection, store: RecordStore, directory_id: int, rows: Sequence[Row]) -> None:
    """Add the records of one directory to the index.

    Categories and tags have no documents: only their words are recorded, one record at a time.
    """
    field_ids = custom_field_ids(connection, directory_id, store.kind).ids
    if store in _TITLES:
        for row in rows:
            index_record(connection, directory_id, store.kind, row.id, None, store.values(row), field_ids)
        return
    documents = [search_document(directory_id, store.kind, row.id, store.values(row), field_ids) for row in rows]
    insert_documents(connection, directory_id, [document for document in documents if document is not None])
