"""What a user would pick instead of the server."""

import json
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..measurement import cores
from ..yardsticks import yardstick_python
from .bodies import REFERRED, bulk, encoded, listing
from .load import request
from .processes import free_port, running

ROOT = Path(__file__).parent.parent.parent

_SECRET = "bench"  # noqa: S105  # no one else reaches it
_TABLE = """CREATE TABLE projects (id INTEGER PRIMARY KEY, name TEXT NOT NULL, slug TEXT, url TEXT UNIQUE,
    description TEXT, content TEXT, categories TEXT, tags TEXT, organizers TEXT)"""


@dataclass(frozen=True)
class Other:
    """A running server: the requests that it understands. It answers 201 to creates."""

    port: int
    create: Callable[[int], bytes]  # the listing of a number
    create_many: Callable[[int], bytes]  # a hundred, from a number on
    page: bytes


@contextmanager
def datasette(folder: Path) -> Iterator[Other]:
    """Datasette with its JSON API for writing; it keeps links as JSON, in the row alone."""
    database = folder / "datasette.db"
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(_TABLE)
    connection.close()
    start = [yardstick_python(), "-m", "datasette"]
    made = [*start, "create-token", "root", "--secret", _SECRET]
    token = f"Bearer {subprocess.run(made, check=True, capture_output=True, text=True).stdout.strip()}"
    port = free_port()
    insert = "/datasette/projects/-/insert"
    command = [*start, "serve", str(database), "--root", "--secret", _SECRET, "--port", str(port)]
    with running(command, port, folder / "datasette.log"):
        yield Other(
            port,
            lambda number: request("POST", insert, token, encoded({"row": listing(number)})),
            lambda first: request("POST", insert, token, bulk("rows", first)),
            request("GET", "/datasette/projects.json?_size=100", token),
        )


@contextmanager
def django_rest(folder: Path) -> Iterator[Other]:
    """Django REST framework under gunicorn, with as many workers as gunicorn's documentation advises."""
    python = yardstick_python()
    environment = {
        "BENCH_DATABASE": str(folder / "django.db"),
        "DJANGO_SETTINGS_MODULE": "bench.server.django_rest.settings",
        "PYTHONPATH": str(ROOT),
    }
    prepare = [python, "-m", "bench.server.django_rest.prepare", json.dumps(REFERRED)]
    prepared = subprocess.run(prepare, env={**os.environ, **environment}, check=True, capture_output=True, text=True)
    token = f"Token {prepared.stdout.strip()}"
    port = free_port()
    workers = [
        "--workers",
        str(2 * cores() + 1),
        "--worker-class",
        "gthread",
        "--no-control-socket",
    ]  # sync ones close every connection
    application = "django.core.wsgi:get_wsgi_application()"
    command = [python, "-m", "gunicorn", *workers, "--bind", f"127.0.0.1:{port}", application]
    with running(command, port, folder / "django.log", **environment):
        yield Other(
            port,
            lambda number: request("POST", "/projects", token, encoded(listing(number))),
            lambda first: request("POST", "/projects/bulk", token, bulk("listings", first)),
            request("GET", "/projects", token),
        )


Others = Mapping[str, Callable[[Path], AbstractContextManager[Other]]]

OTHERS: Others = {
    "Datasette": datasette,
    "Django REST framework": django_rest,
}
