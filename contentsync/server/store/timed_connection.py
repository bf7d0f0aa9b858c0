"""Connections to PostgreSQL on which no statement waits for ever."""

import time
from contextvars import ContextVar
from typing import Any

import psycopg
from psycopg.abc import RV, PQGen

# Seconds that a statement of this thread may wait for the server's next word; None for as long as it takes.
ANSWER_SECONDS: ContextVar[float | None] = ContextVar("answer_seconds", default=None)


class TimedConnection(psycopg.Connection[tuple[object, ...]]):
    """A connection that is closed when the server leaves a statement without an answer.

    Keepalives do not notice a server that is frozen: its system goes on to confirm what arrives.
    """

    def wait(self, gen: PQGen[RV], *args: Any, **options: Any) -> RV:
        """Run the driver's generator; raises OperationalError after ANSWER_SECONDS of silence."""
        seconds = ANSWER_SECONDS.get()
        if seconds is None:
            return super().wait(gen, *args, **options)
        try:
            return super().wait(_within(gen, seconds), *args, **options)
        except _NoAnswer:
            self.close()  # where it is in the conversation is not known any more
            raise


class _NoAnswer(psycopg.OperationalError):
    """The server was silent for too long."""


def _within(gen: PQGen[RV], seconds: float) -> PQGen[RV]:
    """The driver's generator, which fails after so many seconds without a word; the driver asks every 0.1 s."""
    until = time.monotonic() + seconds
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if not ready and time.monotonic() >= until:
                gen.close()
                raise _NoAnswer(f"no answer within {seconds:g} seconds")
            wanted = gen.send(ready)
    except StopIteration as ended:
        value: RV = ended.value
        return value
