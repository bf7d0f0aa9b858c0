"""The responses to the browser: the site, its script, and the events after each sync."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse

from contentsync.cli.target_connection import connect_embedded, directory_settings
from contentsync.content.config.config_tables import SiteSettings
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.dev import live_reload
from contentsync.dev.live_reload import EventBroadcaster, LivePreview, make_app, script_url
from contentsync.dev.mirror import Mirror, SyncSummary
from contentsync.dev.preview_database import open_database, open_state_dir

from ..content.conftest import write

SITE = PlainTextResponse("the site")
FILES = {"articles/a.md": "---\ntitle: A\n---\n\nText.\n", "pages/about.md": "---\ntitle: About\n---\n"}


Ask = Callable[..., httpx.Response]


@pytest.fixture
def ask() -> Ask:
    """Get a path as a browser on this machine does."""

    async def get(path: str, headers: dict[str, str]) -> httpx.Response:
        transport = httpx.ASGITransport(make_app(SITE, "/sites/demo/", EventBroadcaster(), Path()))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8300") as client:
            return await client.get(path, headers=headers)

    return lambda path, **headers: asyncio.run(get(path, headers))


@pytest.mark.parametrize("host", ["127.0.0.1:8300", "localhost:8300", "localhost"])
def test_a_request_with_a_local_host_name_is_answered(ask: Ask, host: str) -> None:
    assert ask("/sites/demo/", Host=host).text == "the site"


@pytest.mark.parametrize("path", ["/", "/sites/demo/", "/_contentsync/events", "/_contentsync/live.js"])
@pytest.mark.parametrize("host", ["evil.example", "evil.example:8300", "127.0.0.1.evil.example", "0.0.0.0:8300", ""])
def test_a_request_with_a_foreign_host_name_is_refused(ask: Ask, path: str, host: str) -> None:
    """DNS rebinding: the browser takes this server for that of the foreign page, and sends its name as Host."""
    assert ask(path, Host=host).status_code == 400


def test_files_of_a_media_folder_are_served_below_storage(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"png")
    app = make_app(SITE, "/sites/demo/", EventBroadcaster(), Path(), tmp_path)

    async def get(path: str) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8300") as client:
            return await client.get(path)

    for path in ("/storage/a.png", "/sites/demo/storage/a.png"):
        assert asyncio.run(get(path)).content == b"png"
    assert asyncio.run(get("/storage/b.png")).status_code == 404


def test_the_root_redirects_to_the_home_page(ask: Ask) -> None:
    answer = ask("/")
    assert (answer.status_code, answer.headers["location"]) == (307, "/sites/demo/")


@pytest.mark.parametrize("name", ["live.js", "overlay.js", "overlay.css"])
def test_scripts_and_styles_are_never_cached(ask: Ask, name: str) -> None:
    answer = ask(f"/_contentsync/{name}")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text


def test_a_foreign_origin_gets_no_access(ask: Ask) -> None:
    answer = ask("/_contentsync/live.js", Origin="https://evil.example")
    assert "access-control-allow-origin" not in answer.headers


def test_the_script_url_contains_the_version() -> None:
    broadcaster = EventBroadcaster()
    before = script_url(broadcaster)
    broadcaster.send(changed=True)
    assert before != script_url(broadcaster)
    assert all(broadcaster.version.partition("-")[0] in script for script in (before, script_url(broadcaster)))


@pytest.mark.parametrize("name", ["live.js", "overlay.js", "overlay.css"])
def test_scripts_and_styles_are_small(name: str) -> None:
    assert (Path(live_reload.__file__).parent / name).stat().st_size < 5 * 1024


async def next_state(messages: AsyncIterator[str]) -> dict[str, Any]:
    async with asyncio.timeout(5):
        found: dict[str, Any] = json.loads(await anext(messages))
    return found


def test_a_new_page_gets_the_current_problems_at_once() -> None:
    async def story() -> None:
        broadcaster = EventBroadcaster()
        broadcaster.send(["a mistake"])
        assert (await next_state(broadcaster.messages()))["problems"] == ["a mistake"]

    asyncio.run(story())


def test_every_page_gets_a_change_with_a_new_version() -> None:
    async def story() -> None:
        broadcaster = EventBroadcaster()
        pages = [broadcaster.messages(), broadcaster.messages()]
        before = [(await next_state(page))["version"] for page in pages]
        broadcaster.send([], changed=True)
        after = [(await next_state(page))["version"] for page in pages]
        assert before[0] == before[1] != after[0] == after[1] == broadcaster.version

    asyncio.run(story())


def test_a_page_gets_only_the_latest_of_several_states() -> None:
    async def story() -> None:
        broadcaster = EventBroadcaster()
        page = broadcaster.messages()  # of one browser tab
        await next_state(page)  # the state when it was opened
        broadcaster.send(["one"])
        broadcaster.send(["two"])
        assert (await next_state(page))["problems"] == ["two"]

    asyncio.run(story())


def test_the_version_changes_with_the_site_but_not_with_problems() -> None:
    """An open page loads the site again if the version is another one."""
    broadcaster = EventBroadcaster()
    before = broadcaster.version
    broadcaster.send(["a mistake"])
    assert broadcaster.version == before
    broadcaster.send(["a mistake"], changed=True)
    assert broadcaster.version != before


def test_the_address_of_a_changed_page_is_sent_only_to_open_pages() -> None:
    async def story() -> None:
        broadcaster = EventBroadcaster()
        page = broadcaster.messages()
        await next_state(page)
        broadcaster.send([], changed=True, page="/blog/a/")
        assert (await next_state(page))["page"] == "/blog/a/"
        assert (await next_state(broadcaster.messages()))["page"] == ""

    asyncio.run(story())


def test_an_unchanged_state_is_not_sent_again() -> None:
    async def story() -> None:
        broadcaster = EventBroadcaster()
        page = broadcaster.messages()
        broadcaster.send(["a mistake"])
        await next_state(page)
        broadcaster.send(["a mistake"])
        broadcaster.send(["another one"])
        assert (await next_state(page))["problems"] == ["another one"]
        waiting = asyncio.ensure_future(anext(page))
        broadcaster.send(["another one"])
        await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()

    asyncio.run(story())


def test_versions_of_two_runs_differ() -> None:
    assert EventBroadcaster().version != EventBroadcaster().version


def test_close_ends_the_messages() -> None:
    async def story() -> None:
        broadcaster = EventBroadcaster()
        page = broadcaster.messages()
        await next_state(page)
        broadcaster.close()
        assert [message async for message in page] == []

    asyncio.run(story())


class Preview:
    """A folder that is shown, and the summaries of its syncs."""

    def __init__(self, folder: Path, apply_settings: Callable[[SiteSettings], bool]) -> None:
        self.folder = folder
        self.broadcaster = EventBroadcaster()
        self.summaries: list[SyncSummary] = []
        self._apply_settings = apply_settings

    def run(self, story: Callable[[LivePreview], Awaitable[None]], home: str | None = None) -> None:
        """Run a story."""

        async def run_story() -> None:
            state_dir = open_state_dir(self.folder)
            embedded = open_database(state_dir, directory_settings(SiteSettings(name="Demo")), "http://127.0.0.1:8300")
            async with connect_embedded(embedded) as remote:
                mirror = Mirror(self.folder, remote, state_dir, InMemoryCache(), self._apply_settings)
                await story(LivePreview(self.folder, mirror, self.broadcaster, home, self._report))

        asyncio.run(run_story())

    def _report(self, summary: SyncSummary, seconds: float) -> None:
        self.summaries.append(summary)

    async def state(self) -> Any:
        """Return the state that a newly opened page gets."""
        return json.loads(await anext(self.broadcaster.messages()))


def keep_settings(site: SiteSettings) -> bool:
    """Report unchanged settings."""
    return False


def failing_once() -> Callable[[SiteSettings], bool]:
    """Return a function that raises an unexpected error once."""
    errors = iter([ZeroDivisionError("unexpected")])

    def apply_settings(site: SiteSettings) -> bool:
        for error in errors:
            raise error
        return False

    return apply_settings


def test_an_unexpected_error_is_reported_and_the_next_save_works(tmp_path: Path) -> None:
    preview = Preview(write(tmp_path, FILES), failing_once())

    async def story(live: LivePreview) -> None:
        await live.refresh()
        [problem] = (await preview.state())["problems"]
        assert "unexpected" in problem["message"]
        assert isinstance(preview.summaries[0].failure, ZeroDivisionError)
        await live.refresh()
        assert (await preview.state())["problems"] == []
        assert preview.summaries[1] == SyncSummary(write_count=2, changed=True)

    preview.run(story)


@pytest.mark.parametrize(("home", "page"), [("/sites/demo", "/sites/demo/blog/a/"), (None, "")])
def test_pages_follow_saves_only_with_follow(tmp_path: Path, home: str | None, page: str) -> None:
    preview = Preview(write(tmp_path, FILES), keep_settings)

    async def story(live: LivePreview) -> None:
        await live.refresh()
        messages = preview.broadcaster.messages()
        await anext(messages)
        write(preview.folder, {"articles/a.md": "---\ntitle: Again\n---\n\nText.\n"})
        await live.refresh()
        assert json.loads(await anext(messages))["page"] == page

    preview.run(story, home)
