"""Pages of lists that were made before, for as long as they are true."""

from collections import OrderedDict
from threading import Lock

from fastapi import Request

MOST_BYTES = 32 * 1024 * 1024
MOST_ADDRESSES = 16_384  # that were asked for once

Key = tuple[str, bytes, bytes]


class AnswerCache:
    """Bodies by ETag and address, kept in memory, each server process for itself.

    An ETag stands for everything that a list shows, so nothing has to be thrown away when something changes. A body is
    kept when its address is asked for again: who reads a long list from end to end drives nothing out.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._bodies: OrderedDict[Key, bytes] = OrderedDict()
        self._size = 0
        self._once: set[int] = set()  # hashes of keys
        self._lock = Lock()  # PostgreSQL is read by several threads

    def get(self, request: Request, tag: str) -> bytes | None:
        """The body, if it is known."""
        key = _key(request, tag)
        with self._lock:
            body = self._bodies.get(key)
            if body is not None:
                self._bodies.move_to_end(key)
            return body

    def put(self, request: Request, tag: str, body: bytes) -> None:
        """Remember the body from the second time on; those that were not asked for the longest time make room, but not
        all for one.
        """
        key = _key(request, tag)
        with self._lock:
            if len(body) > self._most // 8 or self._is_new(key):
                return
            self._size += len(body) - len(self._bodies.pop(key, b""))
            self._bodies[key] = body
            while self._size > self._most:
                self._size -= len(self._bodies.popitem(last=False)[1])

    def _is_new(self, key: Key) -> bool:
        """Whether it is asked for the first time; of very many, the early ones are forgotten."""
        if hash(key) in self._once:
            return False
        if len(self._once) >= MOST_ADDRESSES:
            self._once.clear()
        self._once.add(hash(key))
        return True


def _key(request: Request, tag: str) -> Key:
    return tag, request.scope["raw_path"], request.scope["query_string"]
