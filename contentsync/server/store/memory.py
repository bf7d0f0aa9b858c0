"""What was read of the database, for as long as nobody has committed anything since."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple

from sqlalchemy import Connection

MEMORY = "contentsync.memory"  # where the `info` of a connection may hold one
MOST_RESULTS = 4_096

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Memory:
    """Results of `remembered` functions, by function and arguments, for one connection.

    They are true in one version of the whole database, and whoever begins a transaction says in which one it reads. So
    a token that was revoked a moment ago, by whatever process, is looked up again (decision 9). What writes says what
    its changes make untrue (`versions.moved`).
    """

    def __init__(self) -> None:
        self._version: int | None = None
        self._results: dict[Hashable, Any] = {}

    def keep_for(self, version: int) -> None:
        """Forget everything that was read in another version."""
        if version != self._version:
            self._results.clear()
            self._version = version

    def forget(self) -> None:
        """Forget everything."""
        self._results.clear()

    def keep(self, key: Hashable, result: Any) -> None:
        """Remember a result that is known without asking."""
        self._results[key] = result

    def __len__(self) -> int:
        return len(self._results)

    def result(self, key: Hashable, ask: Callable[[], T]) -> T:
        """What `ask` returned for the key before, or returns now."""
        if key in self._results:
            known: T = self._results[key]
            return known
        if len(self._results) >= MOST_RESULTS:
            self._results.clear()
        found = self._results[key] = ask()
        return found


def remembered(fn: Callable[[Connection, *Ts], T]) -> Callable[[Connection, *Ts], T]:
    """`fn`, which only reads, and by nothing but its arguments; asked again where the connection has no memory.

    The result is shared: nobody may change it.
    """

    @wraps(fn)
    def recall(connection: Connection, *args: *Ts) -> T:
        memory: Memory | None = connection.info.get(MEMORY)
        if memory is None:
            return fn(connection, *args)
        return memory.result((fn, *args), lambda: fn(connection, *args))

    return recall
