"""Who is behind a token, looked up once for all requests that have come by then."""

import time
from typing import NamedTuple

from .access import Directory, Principal
from .store import Database
from .store.tokens import digest, principal_in

ARRIVED = "contentsync.arrived"  # where a request's state may hold when it came, in monotonic seconds
MOST = 1_024

Identity = tuple[Principal | None, Directory | None]


class _Known(NamedTuple):
    since: float  # a moment before it was looked up
    identity: Identity


class Identities:
    """Whom tokens stand for, and the directories that they open.

    A request is answered with what was looked up after it came, be it for another one: a client's many requests at once
    are one look-up, and a token that was revoked counts for none that is sent afterwards (decision 9). Where nobody
    notes when a request came, it is always looked up. The secrets themselves are not kept.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[tuple[str, int], _Known] = {}

    async def find(self, secret: str, directory_id: int, arrived: float | None) -> Identity:
        """Whom the secret stands for (`principal_in`), for a request that came at a moment, if that is known."""
        key = digest(secret), directory_id
        known = self._known.get(key)
        if known is not None and arrived is not None and arrived < known.since:
            return known.identity
        since = time.monotonic()
        identity = await self._database.read(principal_in, secret, directory_id)
        if identity[0] is not None:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = _Known(since, identity)
        return identity
