"""PostgreSQL behind PgBouncer, which gives each transaction whichever session is free."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from contentsync.server.store import Connection, connect_database

from ...postgresql import Cluster

PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ.get('PATH')}{os.pathsep}/usr/sbin")
pytestmark = pytest.mark.skipif(PGBOUNCER is None, reason="there is no pgbouncer: apt-get install pgbouncer")


@pytest.fixture
def pooled(cluster: Cluster, tmp_path: Path) -> Iterator[str]:
    """Yield the URL of a database behind a pooler in transaction mode with a single shared session."""
    options = conninfo_to_dict(cluster.database())
    target = " ".join(f"{name}={options[name]}" for name in ("host", "port", "user", "password") if options.get(name))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = f"listen_addr=127.0.0.1\nlisten_port={port}\nunix_socket_dir=\nauth_type=any\npool_mode=transaction\n"
    file = tmp_path / "pgbouncer.ini"
    file.write_text(f"[databases]\n* = {target}\n[pgbouncer]\n{settings}default_pool_size=1\n")
    as_no_user = ["-u", "nobody"] if os.geteuid() == 0 else []
    with subprocess.Popen([str(PGBOUNCER), "-q", *as_no_user, str(file)], stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + 10
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.02)
        yield f"postgresql://{options['user']}@127.0.0.1:{port}/{options['dbname']}"
        process.terminate()


def test_processes_sharing_a_session_do_not_exchange_statements(pooled: str) -> None:
    def number(connection: Connection, column: str) -> int:
        return int(connection.scalar(f"SELECT {column} FROM (SELECT 1 AS one, 2 AS two) AS numbers"))

    with closing(connect_database(pooled)) as first, closing(connect_database(pooled)) as second:
        for _ in range(10):  # psycopg prepares what it has seen five times
            assert [first.run_read(number, "one"), second.run_read(number, "two")] == [1, 2]
