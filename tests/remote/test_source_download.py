"""A download of a source: limits, redirects and headers, over a real connection."""

import asyncio
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from contentsync.content.config.config_tables import source_url_fault
from contentsync.errors import RemoteError, Unreachable
from contentsync.remote.source_download import Download, download

from ..http_server import listening

seen: list[tuple[str, dict[str, str]]] = []
redirects: dict[str, str] = {}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        seen.append((self.headers["Host"], {name.lower(): value for name, value in self.headers.items()}))
        if target := redirects.get(self.path):
            self.send_response(302)
            self.send_header("Location", target)
            self.send_header("Set-Cookie", "session=1")
        elif self.headers.get("If-None-Match") == '"1"':
            self.send_response(304)
        elif self.path.startswith("/missing"):
            self.send_response(404)
        else:
            self.send_response(200)
            self.send_header("Content-Type", "text/csv")
            self.send_header("ETag", '"1"')
            self.end_headers()
            if self.path == "/slow":
                time.sleep(0.5)
            self.wfile.write(b"a" * 100)
            return
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def address() -> Iterator[str]:
    seen.clear()
    redirects.clear()
    with listening(Handler) as address:
        yield address


def fetched(url: str, *, etag: str = "", limit: int = 1000, seconds: float = 5) -> Download | None:
    """Return what a source has downloaded; None if it is unchanged."""
    return asyncio.run(download(url, source_url_fault, etag=etag, limit=limit, seconds=seconds))


def test_data_is_not_downloaded_again_while_its_etag_is_the_same(address: str) -> None:
    assert fetched(address) == Download(b"a" * 100, "text/csv", '"1"')
    assert fetched(address, etag='"1"') is None


def test_no_token_is_sent(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTENTSYNC_TOKEN", "secret")
    fetched(address)
    assert "authorization" not in seen[0][1]
    assert "secret" not in str(seen)


def test_a_redirect_to_another_host_sends_neither_etag_nor_cookies(address: str) -> None:
    redirects["/here"] = "/there"
    redirects["/there"] = address.replace("127.0.0.1", "localhost") + "/data"
    assert fetched(f"{address}/here", etag='"0"')
    (_, first), (_, second), (host, third) = seen
    assert first["if-none-match"] == second["if-none-match"] == '"0"'
    assert host.startswith("localhost")
    assert "if-none-match" not in third
    assert "cookie" not in second.keys() | third.keys()


@pytest.mark.parametrize("target", ["http://example.org/", "https://a:b@example.org/", "file:///etc/passwd", "/loop"])
def test_an_unsafe_or_endless_redirect_is_refused(address: str, target: str) -> None:
    redirects["/loop"] = target
    with pytest.raises(RemoteError, match="redirects"):
        fetched(f"{address}/loop")


def test_size_and_time_are_limited(address: str) -> None:
    with pytest.raises(RemoteError, match="cannot be read"):
        fetched(address, limit=99)
    with pytest.raises(Unreachable, match=r"within 0\.2 s"):
        fetched(f"{address}/slow", seconds=0.2)


def test_a_failure_is_reported_without_the_query_of_the_address(address: str) -> None:
    with pytest.raises(RemoteError, match="status 404") as failure:
        fetched(f"{address}/missing?key=secret")
    assert "secret" not in str(failure.value)
    with pytest.raises(Unreachable, match=r"1/x cannot be reached: the connection was refused") as unreachable:
        fetched("http://127.0.0.1:1/x?key=secret")
    assert "secret" not in str(unreachable.value)
    with pytest.raises(Unreachable, match=r"there is no address for the name nobody\.invalid"):
        fetched("https://nobody.invalid/x")
