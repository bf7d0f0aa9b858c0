"""`contentsync serve`: the built-in server in a process of its own (cli.md)."""

import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UsageError

if TYPE_CHECKING:
    import socket

    from ..server.store import Database

DATABASE = "sqlite:///.contentsync/site.db"

DatabaseOption = Annotated[
    str, typer.Option("--db", envvar="CONTENTSYNC_DB", metavar="URL", help="The database, as sqlite:///path.")
]

GRACE = 10  # seconds that running requests get when the server is told to stop


def serve(
    db: DatabaseOption = DATABASE,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes any free port.")] = 8000,
    public_url: Annotated[
        str | None, typer.Option("--public-url", metavar="URL", help="What links start with; default: the address.")
    ] = None,
    media: Annotated[
        Path | None, typer.Option("--media", metavar="DIR", help="A folder whose files are shown under /storage/.")
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", min=1, help="Processes; 1 is the only choice yet.")
    ] = 1,
    rate_limit: Annotated[
        int, typer.Option("--rate-limit", metavar="N", min=0, help="Requests a minute; 0 is off, the only choice yet.")
    ] = 0,
    migrate: Annotated[bool, typer.Option("--migrate", help="Bring an older database up to date first.")] = False,
) -> int:
    """Run the built-in server."""
    from ..server import check_public_url, create_app
    from ..server.store import Database

    if rate_limit:
        print("contentsync: rate limiting is not built yet, so --rate-limit has no effect", file=sys.stderr)
    if media is not None and not media.is_dir():
        raise UsageError(f"there is no folder {media}", "--media names a folder that exists")
    if workers > 1:
        raise UsageError("several workers need PostgreSQL, which is not there yet", "leave --workers out")
    if public_url is not None:
        check_public_url(public_url)
    with _listen(host, port) as listener:
        address = _address(listener)
        database = Database.open(db)
        try:
            _prepare(database, migrate=migrate)
            app = create_app(database, public_url=address if public_url is None else public_url, media=media)
            _run(app, listener, address)
        finally:
            database.close()
    return 0


def _prepare(database: "Database", *, migrate: bool) -> None:
    """Migrate an empty database, and an older one when that is asked for."""
    from ..server.store import State

    if migrate or database.state is State.EMPTY:
        database.migrate()
    database.require_current()


def _listen(host: str, port: int) -> "socket.socket":
    import socket

    try:
        family, *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise UsageError(f"cannot listen on {host} port {port}: {error.strerror}", "choose another --port") from error


def _address(listener: "socket.socket") -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _run(app: object, listener: "socket.socket", address: str) -> None:
    """Serve until SIGINT or SIGTERM; requests that are running are answered first."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: "list[socket.socket] | None" = None) -> None:
            await super().startup(sockets)
            print(f"contentsync: serving on {address} (Ctrl-C stops it)", file=sys.stderr, flush=True)

    config = uvicorn.Config(
        app,  # type: ignore[arg-type]  # any ASGI application; naming its type would import the server here
        lifespan="off",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    # Once it has stopped, uvicorn raises the signal again: both of them end the command in the same way.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        Server(config).run(sockets=[listener])
