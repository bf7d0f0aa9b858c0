"""What the server keeps in memory between requests.

| cache                           | key                     | an entry is valid while                     |
|---------------------------------|-------------------------|---------------------------------------------|
| `StatementCache`                | function, arguments     | nobody has committed to the file            |
| `page_cursors.PageCursors`      | directory               | none of its listings was deleted            |
| `listing_links.EmbeddedRecords` | directory               | no category, tag or organizer in it changed |
| `catalogue.CatalogueCache`      | directory               | nothing that the catalogue shows changed    |
| `auth.TokenCache`               | token digest, directory | the request arrived before the lookup began |
| `api.pagination.PageCache`      | ETag, URL               | always: the ETag stands for the content     |

A `StatementCache` belongs to one SQLite connection, the others to one server process.
All of them are bounded. No entry has a lifetime in seconds, so a change is visible to the next request (decision 9).
"""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Generic, TypeVar, TypeVarTuple

from sqlalchemy import Connection

from ..bounded_cache import BoundedCache

STATEMENT_CACHE = "contentsync.statement_cache"  # the key in the `info` of a connection that has one
MAX_RESULTS = 4_096

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class StatementCache:
    """Results of `cached` functions for one connection, by function and arguments.

    The results are valid for one version of the whole database: whoever begins a transaction calls `use_version`.
    Writes must drop what they make untrue themselves (`versions.bump_version`).
    """

    def __init__(self) -> None:
        self._version: int | None = None
        self._results: dict[Hashable, Any] = {}

    def use_version(self, version: int) -> None:
        """Drop every result that was read in another version."""
        if version != self._version:
            self._results.clear()
            self._version = version

    def clear(self) -> None:
        """Drop every result."""
        self._results.clear()

    def put(self, key: Hashable, result: Any) -> None:
        """Store a result that is known without a query."""
        self._results[key] = result

    def __len__(self) -> int:
        return len(self._results)

    def get(self, key: Hashable, query: Callable[[], T]) -> T:
        """Return the stored result, or call `query` and store what it returns."""
        if key in self._results:
            cached_result: T = self._results[key]
            return cached_result
        if len(self._results) >= MAX_RESULTS:
            self._results.clear()
        result = self._results[key] = query()
        return result


def cached(fn: Callable[[Connection, *Ts], T]) -> Callable[[Connection, *Ts], T]:
    """Cache a function that only reads and depends only on its arguments; without a StatementCache, call it each time.

    Callers share the result and must not change it.
    """

    @wraps(fn)
    def read(connection: Connection, *args: *Ts) -> T:
        cache: StatementCache | None = connection.info.get(STATEMENT_CACHE)
        if cache is None:
            return fn(connection, *args)
        return cache.get((fn, *args), lambda: fn(connection, *args))

    return read


class DirectoryCache(Generic[T]):
    """One value for each of the directories that were used last, each valid for one version of its data."""

    def __init__(self, max_directories: int) -> None:
        self._entries: BoundedCache[int, tuple[Hashable, T]] = BoundedCache(max_directories)

    def get(self, directory_id: int, version: Hashable, make: Callable[[], T]) -> T:
        """Return the directory's value in this version; `make` it where the cache has none or an older one."""
        entry = self._entries.get(directory_id)
        if entry is None or entry[0] != version:
            entry = version, make()
            self._entries.put(directory_id, entry)
        return entry[1]

    def drop(self, directory_id: int) -> None:
        """Forget the directory's value."""
        self._entries.drop(directory_id)

    def __len__(self) -> int:
        return len(self._entries)
