"""`contentsync serve`: the built-in server in a process of its own (docs/reference/commands.md, contentsync serve)."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ..errors import UsageError

if TYPE_CHECKING:
    import socket

    from ..server.store import Database

DATABASE = "sqlite:///.contentsync/site.db"

DatabaseOption = Annotated[
    str,
    typer.Option(
        "--db", envvar="CONTENTSYNC_DB", metavar="URL", help="The database: sqlite:///path or postgresql://host/name."
    ),
]


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
    rate_limit: Annotated[
        int,
        typer.Option("--rate-limit", metavar="N", min=0, help="Requests a minute of a token in a directory; 0 is off."),
    ] = 120,
    page_rate_limit: Annotated[
        int,
        typer.Option(
            "--page-rate-limit", metavar="N", min=0, help="Requests a minute of an address for pages; 0 is off."
        ),
    ] = 3000,
    address_connections: Annotated[
        int, typer.Option("--address-connections", metavar="N", min=1, help="Connections of an address at a time.")
    ] = 200,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", min=1, help="Processes; over 1 only on PostgreSQL.")
    ] = 1,
    max_body: Annotated[
        int, typer.Option("--max-body", metavar="BYTES", min=1024, help="The largest body that is taken.")
    ] = 10 * 1024 * 1024,
    cors_origin: Annotated[
        list[str] | None,
        typer.Option("--cors-origin", metavar="URL", help="Pages that may call the API; may be repeated."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option("--trusted-proxy", metavar="IP", help="Whose X-Forwarded-For is believed; may be repeated."),
    ] = None,
    log_format: Annotated[Literal["text", "json"], typer.Option("--log-format", help="How log lines look.")] = "text",
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], typer.Option("--log-level", help="From which on they are shown.")
    ] = "info",
    metrics_port: Annotated[
        int | None,
        typer.Option("--metrics-port", metavar="N", min=1, max=65535, help="Shows Prometheus /metrics there."),
    ] = None,
    migrate: Annotated[bool, typer.Option("--migrate", help="Bring an older database up to date first.")] = False,
) -> int:
    """Run the built-in server: the API, and each directory's site.

    A site is reached by the domain of its directory, or under /sites/SLUG/.
    """
    # Imported here: every command knows of this one, and few need the server.
    import asyncio

    from ..server.app import check_public_url
    from ..server.edge.process import run_server
    from ..server.edge.server_settings import ServerSettings

    if public_url is not None:
        check_public_url(public_url)
    with listen(host, port) as listener:
        address = address_of(listener)
        settings = ServerSettings(
            database=db,
            public_url=address if public_url is None else public_url,
            media=media,
            rate_limit=rate_limit,
            page_rate_limit=page_rate_limit,
            address_connections=address_connections,
            redis=os.environ.get("CONTENTSYNC_REDIS") or None,
            max_body=max_body,
            cors_origins=tuple(cors_origin or ()),
            trusted_proxies=tuple(trusted_proxy or ()),
            log_format=log_format,
            log_level=log_level,
        )
        settings.require_workers(workers)
        limit = settings.make_rate_limit()
        if limit is not None:
            asyncio.run(limit.check())
        _prepare(db, migrate=migrate)
        run_server(settings, listener, address, workers=workers, metrics_port=metrics_port)
    return 0


def _prepare(db: str, *, migrate: bool) -> None:
    """Make the database where there is none, and migrate an older one when that is asked for."""
    from ..server.store import State

    database = open_database(db)
    try:
        if migrate or database.state is State.EMPTY:
            database.migrate()
        database.require_current()
    finally:
        database.close()


def open_database(db: str) -> "Database":
    """Open the database of a URL, which is made if it is not there; below `.contentsync` it is kept from git."""
    from ..content.own_folder import hide_from_git
    from ..server.store import Database

    hide_from_git(Path(db.removeprefix("sqlite:///")))
    return Database.open(db)


def listen(host: str, port: int) -> "socket.socket":
    """A listening socket; port 0 is any free one. Raises UsageError."""
    import socket

    try:
        family, *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except UnicodeError as error:
        raise UsageError(f"'{host}' is no host", "write --host as 127.0.0.1, ::1 or 0.0.0.0") from error
    except OSError as error:
        raise UsageError(f"cannot listen on {host} port {port}: {error.strerror}", "choose another --port") from error


def address_of(listener: "socket.socket") -> str:
    """The URL of what listens there."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
