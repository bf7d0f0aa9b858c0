"""`contentsync serve`: the built-in server in a process of its own (docs/reference/commands.md, contentsync serve)."""

import os
import sys
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ..errors import UsageError
from .option_groups import with_options

if TYPE_CHECKING:
    import socket

    from ..server.store import Database


DATABASE = "sqlite:///.contentsync/site.db"
MAX_SITES = 10  # whose addresses are printed

DatabaseOption = Annotated[
    str,
    typer.Option(
        "--db", envvar="CONTENTSYNC_DB", metavar="URL", help="The database: sqlite:///path or postgresql://host/name."
    ),
]


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """The options that are settings of the server, with the names that they have in `ServerSettings`."""

    media: Annotated[
        Path | None, typer.Option("--media", metavar="DIR", help="A folder whose files are served under /storage/.")
    ] = None
    rate_limit: Annotated[
        int,
        typer.Option(
            "--rate-limit", metavar="N", min=0, help="Requests per minute for a token in a directory; 0: no limit."
        ),
    ] = 120
    page_rate_limit: Annotated[
        int,
        typer.Option(
            "--page-rate-limit", metavar="N", min=0, help="Page requests per minute for a client address; 0: no limit."
        ),
    ] = 3000
    address_connections: Annotated[
        int, typer.Option("--address-connections", metavar="N", min=1, help="Open connections for a client address.")
    ] = 200
    max_body: Annotated[
        int, typer.Option("--max-body", metavar="BYTES", min=1024, help="The largest request body.")
    ] = 10 * 1024 * 1024
    cors_origins: Annotated[
        tuple[str, ...],
        typer.Option("--cors-origin", metavar="URL", help="An origin whose pages may call the API; may be repeated."),
    ] = ()
    trusted_proxies: Annotated[
        tuple[str, ...],
        typer.Option(
            "--trusted-proxy", metavar="IP", help="A proxy whose X-Forwarded-For is trusted; may be repeated."
        ),
    ] = ()
    log_format: Annotated[Literal["text", "json"], typer.Option("--log-format", help="The form of log lines.")] = "text"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        typer.Option("--log-level", help="The lowest level that is logged."),
    ] = "info"


@with_options(
    *("db", "host", "port", "public_url", "media", "rate_limit", "page_rate_limit", "address_connections", "workers"),
    *("max_body", "cors_origins", "trusted_proxies", "log_format", "log_level", "metrics_port", "migrate"),
)
def serve(
    *,
    db: DatabaseOption = DATABASE,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0: any free port.")] = 8000,
    public_url: Annotated[
        str | None,
        typer.Option(
            "--public-url",
            metavar="URL",
            help="The beginning of all links; default: the address that the server listens on.",
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option("--workers", metavar="N", min=1, help="The number of processes; more than 1 needs PostgreSQL."),
    ] = 1,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            "--metrics-port", metavar="N", min=1, max=65535, help="A port for Prometheus metrics, at /metrics."
        ),
    ] = None,
    migrate: Annotated[bool, typer.Option("--migrate", help="Migrate an older database first.")] = False,
    options: ServeOptions,
) -> int:
    """Run the built-in server: the API, and each directory's site.

    The site of a directory is at its domain, and at /sites/SLUG/.
    """
    # Imported here, because every command imports this module, and few need the server.
    import asyncio

    from ..server.asgi import check_public_url
    from ..server.edge.process import run_server
    from ..server.edge.server_settings import ServerSettings

    if public_url is not None:
        check_public_url(public_url)
    with listen(host, port) as listener:
        address = address_of(listener)
        settings = ServerSettings(
            database=db,
            public_url=address if public_url is None else public_url,
            content_folder=_content_folder(db),
            redis=os.environ.get("CONTENTSYNC_REDIS") or None,
            **asdict(options),
        )
        settings.require_workers(workers)
        limit = settings.make_rate_limit()
        if limit is not None:
            asyncio.run(limit.check())  # raises an error if Redis rejects the password
        _prepare_database(db, settings.public_url, migrate=migrate)
        run_server(settings, listener, address, workers=workers, metrics_port=metrics_port)
    return 0


def _prepare_database(db: str, public_url: str, *, migrate: bool) -> None:
    """Create a missing database, or with `migrate`, migrate an older one; print the addresses of the sites.

    Raise Refused if the database is not current then.
    """
    from ..server.store import State, accounts
    from ..value_text import printable
    from .terminal import migration_progress, stderr

    with closing(open_database(db)) as database:
        is_new = database.state is State.EMPTY
        if migrate or is_new:
            with migration_progress(stderr()) as progress:
                database.migrate(progress)
        database.require_current()
        if is_new:
            stderr().print(
                printable(f"contentsync: created the database {database.url}, which has no directory yet"),
                "  contentsync admin user create and contentsync admin directory create make the first ones",
                sep="\n",
                markup=False,
            )
        directories = database.run_read(accounts.all_directories)
        for directory in directories[:MAX_SITES]:
            print(f"contentsync: site {directory.site_url(public_url.rstrip('/'))}/", file=sys.stderr)
        if len(directories) > MAX_SITES:
            more = f"contentsync: and {len(directories) - MAX_SITES} more sites: contentsync admin directory list"
            print(more, file=sys.stderr)


def _content_folder(db: str) -> Path | None:
    """Return the content folder of an embedded target's database if it reads pictures as files, else None."""
    from ..content.config.config import read_config
    from ..content.files.content_folder import find_folder

    file = db.removeprefix("sqlite:///")
    if file == db:  # another database than SQLite
        return None
    try:
        folder = find_folder(Path(file).absolute().parent)
    except UsageError:
        return None
    config, _problems = read_config(folder)
    return folder if config.assets else None


def open_database(db: str) -> "Database":
    """Open or create the database at a URL; hide a file below `.contentsync` from git."""
    from ..content.files.content_folder import make_private_root_of
    from ..server.store import connect_database

    file = db.removeprefix("sqlite:///")
    if file != db:  # the URL of another database stays as it is
        make_private_root_of(Path(file))
    return connect_database(db)


def listen(host: str, port: int) -> "socket.socket":
    """Return a socket that listens on a host and port; port 0 is any free port. Raise UsageError if it cannot."""
    import socket

    try:
        family, *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except UnicodeError as error:
        raise UsageError(f"'{host}' is not a host", "write --host as 127.0.0.1, ::1 or 0.0.0.0") from error
    except OSError as error:
        raise UsageError(f"cannot listen on {host} port {port}: {error.strerror}", "choose another --port") from error


def address_of(listener: "socket.socket") -> str:
    """Return the URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
