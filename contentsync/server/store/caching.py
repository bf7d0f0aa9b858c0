"""The caches that the server has in memory between requests.

| cache                           | key                     | an entry is valid while                     |
|---------------------------------|-------------------------|---------------------------------------------|
| `StatementCache`                | function, arguments     | no other connection commits to the file     |
| `page_cursors.PageCursors`      | directory               | no listing in it was deleted                |
| `listing_links.EmbeddedRecords` | directory               | no category, tag or organizer in it changed |
| `catalogue.CatalogueCache`      | directory               | nothing that the catalogue shows changed    |
| `listing_counts`                | catalogue, filter       | no listing changed, began or ended          |
| `api.auth.TokenCache`           | token digest, directory | the request arrived before the lookup began |
| `api.http.PageCache`            | ETag, URL               | always: the ETag stands for the content     |

A `StatementCache` belongs to one SQLite connection, the others to one server process.
All of them are bounded. No entry lives for a fixed time: a change is visible to the next request (decision 9).
"""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Generic, TypeVar, TypeVarTuple

from ..bounded_cache import BoundedCache
from .sql import Connection

STATEMENT_CACHE = "contentsync.statement_cache"  # the key in the `info` of a connection that has one
MAX_RESULTS = 4_096  # in one cache

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class StatementCache:
    """Results of `cached_until_commit` functions for one connection, by function and arguments.

    The results are valid for one version of the whole database: call `use_version` at the start of each transaction.
    A write must drop the results that it makes stale, as `versions.bump_version` does.
    """

    def __init__(self) -> None:
        self._version: int | None = None
        self._results: dict[Hashable, Any] = {}

    def use_version(self, version: int) -> None:
        """Drop all results if they are of another version of the database."""
        if version != self._version:
            self._results.clear()
            self._version = version

    def clear(self) -> None:
        """Drop all results."""
        self._results.clear()

    def put(self, key: Hashable, result: Any) -> None:
        """Cache a result without a query; the key is a tuple of the function and its arguments."""
        self._results[key] = result

    def __len__(self) -> int:
        return len(self._results)

    def get(self, key: Hashable, query: Callable[[], T]) -> T:
        """Return the cached result, or call `query` and cache its result."""
        if key in self._results:
            cached_result: T = self._results[key]
            return cached_result
        if len(self._results) >= MAX_RESULTS:
            self._results.clear()
        result = self._results[key] = query()
        return result


def cached_until_commit(fn: Callable[[Connection, *Ts], T]) -> Callable[[Connection, *Ts], T]:
    """Cache the results of a function in the StatementCache of the connection, by function and arguments.

    A connection that has no such cache calls the function each time. The function must only read. Callers share the
    result and must not change it.
    """

    @wraps(fn)
    def read(connection: Connection, *args: *Ts) -> T:
        cache: StatementCache | None = connection.info.get(STATEMENT_CACHE)
        if cache is None:
            return fn(connection, *args)
        return cache.get((fn, *args), lambda: fn(connection, *args))

    return read


class DirectoryCache(Generic[T]):
    """One cached value for each recently used directory, valid for one version of the directory's data."""

    def __init__(self, max_directories: int) -> None:
        self._entries: BoundedCache[int, tuple[Hashable, T]] = BoundedCache(max_directories)

    def get(self, directory_id: int, version: Hashable, make: Callable[[], T]) -> T:
        """Return the directory's cached value if it is of this version; else call `make` and cache its result."""
        entry = self._entries.get(directory_id)
        if entry is None or entry[0] != version:
            entry = version, make()
            self._entries.put(directory_id, entry)
        return entry[1]

    def drop(self, directory_id: int) -> None:
        """Remove the directory's value from the cache."""
        self._entries.drop(directory_id)

    def __len__(self) -> int:
        return len(self._entries)
