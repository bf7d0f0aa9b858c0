"""Troubles that a sync of a commit can meet."""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from ..sync_faults import corruption
from ..sync_faults.proxy import Exchange, Fault, passed_on, refused
from ..sync_faults.wrong_answers import ANSWERS, Meeting
from .server import Server

WRITES = (1, 1, 1, 2, 2, 3, 4, 5, 8)  # which write meets the trouble: a commit needs few
READS = 7  # one for each kind, before the first write
LAST_MOMENT = 140
KILLED = ("before", "instead of the answer to", "after")  # a write
LIST_FAULTS: Mapping[str, Fault] = {
    "an answer of another time": corruption.reshaped(corruption.other_time),
    "a lost answer": corruption.lost,
    "half an answer": corruption.reshaped(corruption.half),
    "a list without ids": corruption.rewritten(corruption.without_ids),
    "an empty answer": corruption.answering(b"{}"),
    "422": corruption.refusing(422),
}
READINGS = (*("list-unchanged",) * 4, *(name for name in ANSWERS if name.startswith("list-")), *LIST_FAULTS)


@dataclass(frozen=True)
class Trouble:
    """One of them; `begin` arms the server."""

    name: str
    begin: Callable[[Server], None]

    @classmethod
    def of(cls, name: str, fault: Fault, first: int = 1) -> "Trouble":
        """Return the trouble that a fault meets all requests from a number on."""
        return cls(name, lambda server: _arm(server, fault, first, forever=True))

    def __str__(self) -> str:
        return self.name


def end(server: Server) -> None:
    """Make the server healthy again."""
    server.stage.run(server.stage.proxy.disarm())
    server.cancel_death()
    server.is_healthy = True


def refusing(collection: str) -> Trouble:
    """Return a refusal of every write to a collection."""

    async def chosen(exchange: Exchange) -> None:
        is_met = exchange.method != "GET" and f"/{collection}" in exchange.path
        await (corruption.refusing(422) if is_met else passed_on)(exchange)

    return Trouble.of(f"422 of {collection}", chosen)


def killed(write: int, when: str) -> Trouble:
    """Return a kill of the command at a write: before it, `instead of the answer to` it, or after it."""
    name = f"killed {when} write {write}"
    return Trouble(name, lambda server: _arm(server, _killing(server, write, when), 1, forever=True))


def drawn(chance: random.Random) -> Trouble:
    """Return a trouble."""
    kind = chance.choice(("refusal", "refusal", "refusal", "death", "kill", "kill", "network", "lost answer"))
    if kind == "death":
        moment = chance.randint(1, LAST_MOMENT)
        return Trouble(f"death at moment {moment}", lambda server: server.crash_at_point(moment))
    if kind == "network":
        number = chance.choice((chance.randint(1, READS), *(READS + write for write in WRITES)))
        return Trouble.of(f"no network from request {number}", refused, number)
    if kind == "kill":
        return killed(chance.choice(WRITES), chance.choice(KILLED))
    return of_a_write(chance, kind)


def of_a_write(chance: random.Random, kind: str = "") -> Trouble:
    """Return a `refusal` or a `lost answer` of a write, or of all from it on."""
    kind = kind or chance.choice(("refusal", "lost answer"))
    number, forever = chance.choice(WRITES), chance.random() < 0.3
    again = chance.random() < 0.5
    if kind == "lost answer":
        fault: Fault = corruption.lost
    else:
        status, done = chance.choice(((422, False), (500, False), (500, True), (503, False)))
        kind, fault = f"{status}{' (done)' if done else ''}", corruption.refusing(status, done=done)
    span = "from" if forever else "at"
    name = f"{kind} {span} write {number}{', each time' if again else ''}"
    met = _Writes(fault, number, forever=forever, again=again)
    return Trouble.of(name, met)


def of_a_list(chance: random.Random) -> Trouble:
    """Return a wrong answer to the reading of a list, or of all lists from it on, or of the whole run."""
    name, forever = chance.choice(READINGS), chance.random() < 0.3
    if name in ANSWERS:
        met: Fault = Meeting(ANSWERS[name], chance.randint(1, READS), forever=forever)
        return Trouble.of(f"{name}{', each time' if forever else ''}", met)
    first = 1 if forever else chance.randint(1, READS)
    fault = LIST_FAULTS[name]
    return Trouble(
        f"{name} {'from' if forever else 'at'} request {first}",
        lambda server: _arm(server, fault, first, forever=forever),
    )


@contextmanager
def meeting(server: Server, trouble: Trouble) -> Iterator[None]:
    """Let the server meet a trouble until the end of the block."""
    trouble.begin(server)
    try:
        yield
    finally:
        end(server)


def _arm(server: Server, fault: Fault, first: int, *, forever: bool) -> None:
    server.is_healthy = False
    server.stage.run(server.stage.proxy.arm(fault, first, forever=forever))


def _killing(server: Server, number: int, when: str) -> Fault:
    """Return a fault that kills the command at a write."""

    async def killed(exchange: Exchange) -> None:
        if when == "before":
            server.kill()
            return
        answer = await exchange.answer()
        if when == "after":
            await exchange.send(answer.raw())
        server.kill()

    return _Writes(killed, number, forever=False, again=False)


class _Writes:
    """A fault of the write of a number, or of all from it on; with `again` also of the same one when it is repeated."""

    def __init__(self, fault: Fault, first: int, *, forever: bool, again: bool) -> None:
        self._fault = fault
        self._first = first
        self._forever = forever
        self._again = again
        self._count = 0
        self._met: set[tuple[str, str, bytes]] = set()

    async def __call__(self, exchange: Exchange) -> None:
        await (self._fault if self._is_met(exchange) else passed_on)(exchange)

    def _is_met(self, exchange: Exchange) -> bool:
        if exchange.method == "GET" or exchange.path.endswith("/exists"):
            return False
        self._count += 1
        write = exchange.method, exchange.path, exchange.request.partition(b"\r\n\r\n")[2]
        is_first = self._count >= self._first if self._forever else self._count == self._first
        if is_first:
            self._met.add(write)
        return is_first or (self._again and write in self._met)
