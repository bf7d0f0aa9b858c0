"""contentsync.dev.app: whom the server for the browser answers, and what."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from starlette.responses import PlainTextResponse

from contentsync.dev import app as module
from contentsync.dev.app import make_app, script_of
from contentsync.dev.board import Board

SITE = PlainTextResponse("the site")


Ask = Callable[..., httpx.Response]


@pytest.fixture
def ask() -> Ask:
    """Get a path as a browser on this machine does."""

    async def asked(path: str, headers: dict[str, str]) -> httpx.Response:
        transport = httpx.ASGITransport(make_app(SITE, "/sites/demo/", Board()))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8300") as client:
            return await client.get(path, headers=headers)

    return lambda path, **headers: asyncio.run(asked(path, headers))


@pytest.mark.parametrize("host", ["127.0.0.1:8300", "localhost:8300", "localhost"])
def test_this_machine_is_answered(ask: Ask, host: str) -> None:
    assert ask("/sites/demo/", Host=host).text == "the site"


@pytest.mark.parametrize("path", ["/", "/sites/demo/", "/_contentsync/events", "/_contentsync/live.js"])
@pytest.mark.parametrize("host", ["evil.example", "evil.example:8300", "127.0.0.1.evil.example", "0.0.0.0:8300", ""])
def test_a_page_whose_name_was_made_to_lead_here_is_refused(ask: Ask, path: str, host: str) -> None:
    """DNS rebinding: the browser then takes us for that page's own server, and says so in Host."""
    assert ask(path, Host=host).status_code == 400


def test_the_first_page_is_that_of_the_site(ask: Ask) -> None:
    answer = ask("/")
    assert (answer.status_code, answer.headers["location"]) == (307, "/sites/demo/")


@pytest.mark.parametrize("name", ["live.js", "overlay.js", "overlay.css"])
def test_what_pages_load_is_never_kept(ask: Ask, name: str) -> None:
    answer = ask(f"/_contentsync/{name}")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text


def test_nothing_is_open_to_other_origins(ask: Ask) -> None:
    answer = ask("/_contentsync/live.js", Origin="https://evil.example")
    assert "access-control-allow-origin" not in answer.headers


def test_the_script_knows_of_which_version_a_page_is() -> None:
    board = Board()
    before = script_of(board)
    board.post(changed=True)
    assert before != script_of(board)
    assert all(board.version.partition("-")[0] in script for script in (before, script_of(board)))


@pytest.mark.parametrize("name", ["live.js", "overlay.js", "overlay.css"])
def test_what_a_page_loads_is_small(name: str) -> None:
    assert (Path(module.__file__).parent / name).stat().st_size < 5 * 1024
