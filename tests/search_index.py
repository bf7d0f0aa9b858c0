"""Checks of the search index: its content, and differences to a rebuilt index."""

from typing import Any

from contentsync.model import Kind
from contentsync.server.store import Connection
from contentsync.server.store.migration import no_progress
from contentsync.server.store.search_documents import key_range
from contentsync.server.store.search_rebuild import rebuild_index

Index = dict[str, list[Any]]


def index_of(connection: Connection, directory_id: int) -> Index:
    """Return all rows of the index of a directory, by table, in their order."""
    tokens = "SELECT rowid AS key, tokens FROM search_index"
    if not connection.is_sqlite:
        tokens = "SELECT key, tokens FROM search_documents"
    tables = {
        "documents": "SELECT key, starts_at, ends_at, choices FROM search_documents",
        "tokens": tokens,
        "numbers": "SELECT key, field_id, number FROM search_numbers",
    }
    keys = key_range(directory_id, Kind.LISTING).low, key_range(directory_id, Kind.ORGANIZER).high
    found = {name: connection.tuples(query) for name, query in tables.items()}
    of_directory = {name: sorted(row for row in rows if keys[0] <= row[0] <= keys[1]) for name, rows in found.items()}
    words = connection.tuples("SELECT word, reversed FROM search_words WHERE directory_id = :id", {"id": directory_id})
    return {**of_directory, "words": sorted(words)}


def index_faults(connection: Connection, directory_id: int) -> list[str]:
    """Return the differences to a rebuilt index, which replaces it; a word without a record is no difference."""
    before = index_of(connection, directory_id)
    rebuild_index(connection, no_progress)
    after = index_of(connection, directory_id)
    differing = [name for name in ("documents", "tokens", "numbers") if before[name] != after[name]]
    missing = set(after["words"]) - set(before["words"])
    return [
        *(f"the {name} of the index differ" for name in differing),
        *(f"the index lacks the word {word}" for word, _ in sorted(missing)),
    ]
