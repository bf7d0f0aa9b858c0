"""uvicorn on raw sqlite3: JSON in, rows written, JSON out, without a token, a rule, a route or a line of log.

`python -m bench.server.bare DATABASE PORT`; the database is one that the server has prepared.
"""

import asyncio
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import orjson
import uvicorn
from starlette.types import Receive, Scope, Send

from .ours import Ours
from .processes import free_port, running
from .raw import Transaction, change, commit, connect, creation


@contextmanager
def bare(prepared: Path, folder: Path) -> Iterator[Ours]:
    """The running server on a copy of the database; it understands what ours does of creates and changes."""
    port, database = free_port(), shutil.copy(prepared, folder / "bare.db")
    with running([sys.executable, "-m", "bench.server.bare", str(database), str(port)], port, folder / "bare.log"):
        yield Ours(port, "")


class Bare:
    """The application. What waits for the disk at the same time is committed together, as our server does it."""

    def __init__(self, database: Path) -> None:
        self._connection = connect(database)
        self._ids = count(1)
        self._waiting: list[tuple[Transaction, asyncio.Future[None]]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message["body"], message["more_body"]
        value, path = orjson.loads(body), scope["path"]
        many = path.endswith("/bulk")
        if scope["method"] == "PUT":
            transaction = change(int(path.rpartition("/")[2]), value)
        else:
            transaction = creation(self._ids, value["listings"] if many else [value])
        await self._written(transaction)
        text = f'{{"data":[{",".join(row["data"] for row in transaction[0][1])}]}}'.encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(text))]
        status = 201 if scope["method"] == "POST" and not many else 200
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": text})

    async def _written(self, transaction: Transaction) -> None:
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((transaction, done))
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._commit)  # requests that have come in already join
        await done

    def _commit(self) -> None:
        group, self._waiting = self._waiting, []
        commit(self._connection, [transaction for transaction, _ in group])
        for _, done in group:
            done.set_result(None)


if __name__ == "__main__":
    application = Bare(Path(sys.argv[1]))
    uvicorn.run(application, port=int(sys.argv[2]), lifespan="off", ws="none", access_log=False, log_level="warning")
