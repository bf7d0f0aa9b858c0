"""docs/server.md shows the limits that the server keeps."""

import re
from pathlib import Path

from contentsync.server.edge.http_connection import HEAD_BYTES, HEADER_COST, KEEP_ALIVE, URL_BYTES, HttpConnection
from contentsync.server.edge.process import BODY_SECONDS, GRACE_SECONDS
from contentsync.server.edge.server_settings import ADDRESS_CONNECTIONS, PAGE_RATE_LIMIT, RATE_LIMIT
from contentsync.server.quota import MAX_BODY
from contentsync.server.store.read_pool import MAX_QUEUE_SECONDS, MAX_WAITING

PAGE = (Path(__file__).parents[3] / "docs" / "server.md").read_text(encoding="utf-8")


def test_the_documented_limits_equal_those_of_the_code() -> None:
    table = re.search(r"\| what \| limit \| answer .*?\n\n", PAGE, re.DOTALL)
    assert table is not None
    shown = [re.findall(r"\d+(?:,\d+)*", row.split(" | ")[1]) for row in table[0].splitlines()[2:] if row]
    assert shown == [
        [str(RATE_LIMIT)],
        [],
        [f"{PAGE_RATE_LIMIT:,}"],
        [str(MAX_BODY // 1024**2)],
        [],
        [str(BODY_SECONDS)],
        [f"{HttpConnection.head_seconds:.0f}"],
        [str(URL_BYTES // 1024), str(HEAD_BYTES // 1024), str(HEADER_COST)],
        ["1,024"],
        [str(MAX_WAITING), str(MAX_QUEUE_SECONDS)],
        [str(HttpConnection.max_connections)],
        [str(ADDRESS_CONNECTIONS)],
        [str(KEEP_ALIVE)],
        [f"{HttpConnection.read_seconds:.0f}"],
    ]
    assert f"within {GRACE_SECONDS} seconds, and exits with 0" in PAGE
