"""The page monitor records forbidden events and no others."""

from collections.abc import Iterator

import pytest

from ..http_server import Answer, Request, answering
from .reader import Reader, Windows

PAGES = {
    "/calm": ("", "<p>Nothing happens."),
    "/dialog": ("", "<script>alert(1)</script>"),
    "/error": ("", "<script>throw new Error('uncaught')</script>"),
    "/missing": ("", "<link rel=stylesheet href=/nothing.css>"),
    "/inline": ("script-src 'none'", "<script>document.title = 1</script>"),
    "/handler": ("script-src 'none'", "<img src=/calm onerror='document.title = 1'>"),
    "/frame": ("", "<iframe src=http://elsewhere.invalid/></iframe>"),
    "/fetch": ("", "<script>fetch('http://elsewhere.invalid/').catch(() => 0)</script>"),
    "/picture": ("", "<img alt='' src=http://elsewhere.invalid/picture.png>"),
}


def answer(request: Request) -> Answer:
    """Answer with PAGES."""
    policy, body = PAGES.get(request.target, ("", ""))
    headers = {"Content-Type": "text/html; charset=utf-8", **({"Content-Security-Policy": policy} if policy else {})}
    page = f"<!doctype html><link rel=icon href=data:,>{body}".encode()
    return Answer(200 if request.target in PAGES else 404, page, headers)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with answering(answer) as address:
        yield address


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("/dialog", "dialogs"),
        ("/error", "errors"),
        ("/missing", "errors"),
        ("/inline", "violations"),
        ("/handler", "violations"),
        ("/frame", "foreign"),
        ("/fetch", "foreign"),
    ],
)
def test_forbidden_behaviour_is_detected(windows: Windows, address: str, path: str, seen: str) -> None:
    reader = Reader(windows)
    reader.open(address + path).wait_for_timeout(50)
    assert getattr(reader.monitor, seen)
    with pytest.raises(AssertionError):
        reader.leave()


@pytest.mark.parametrize("path", ["/calm", "/picture"])
def test_allowed_behaviour_passes(windows: Windows, address: str, path: str) -> None:
    reader = Reader(windows)
    reader.open(address + path).wait_for_timeout(50)
    assert len(reader.monitor.images) == (path == "/picture")
    reader.leave()
