"""An LRU cache with a limit on the total size of its values."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """A thread-safe LRU cache: PostgreSQL's readers run in several threads.

    `capacity` limits the sum of `size_of(value)`; by default it is the number of values.
    """

    def __init__(self, capacity: int, size_of: Callable[[V], int] = lambda value: 1) -> None:
        self._capacity = capacity
        self._size_of = size_of
        self._size = 0
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """Return the value and mark it as the last used one; None if it is not cached."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: K, value: V) -> None:
        """Store the value; drop the least recently used values, if need be all of them, until the rest fits."""
        with self._lock:
            if key in self._values:
                self._size -= self._size_of(self._values[key])
            self._values[key] = value
            self._values.move_to_end(key)
            self._size += self._size_of(value)
            while self._size > self._capacity:
                _key, oldest = self._values.popitem(last=False)
                self._size -= self._size_of(oldest)

    def drop(self, key: K) -> None:
        """Drop the value, if it is cached."""
        with self._lock:
            if key in self._values:
                self._size -= self._size_of(self._values.pop(key))

    def __len__(self) -> int:
        return len(self._values)
