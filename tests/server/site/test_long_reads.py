"""Pages are answered while long reads run, and a visitor whose long read cannot run gets a page with a message."""

import asyncio
from contextlib import AbstractAsyncContextManager

import httpx
import pytest

from contentsync.server.store.read_pool import MAX_WAITING, QueuedRead, ReadQueue

from .. import blocked_reads
from ..conftest import Api, Service
from .conftest import Reader
from .html_document import Document

SHORT = {
    "/": 200,
    "/?page=2": 404,
    "/?tag=steel": 200,
    "/?category=saws": 200,
    "/?sort=featured": 200,
    "/?sort=newest": 200,
    "/?field.unknown=x": 200,
    "/?q=saw&category=nothing": 404,
    "/categories/": 200,
    "/categories/saws/": 200,
    "/categories/blades/?q=saw": 301,
    "/listings/adze/": 200,
    "/listings/adze": 301,
    "/listings/nothing/": 404,
    "/blog/": 200,
    "/blog/news/": 200,
    "/pages/about/": 200,
    "/organizers/": 200,
    "/organizers/guild/": 200,
    "/feed.xml": 200,
    "/robots.txt": 200,
    "/colours.css": 200,
    "/nothing/": 404,
    "/nothing/?q=saw": 404,
}
LONG_LISTS = ("/?q=saw", "/?field.size=small", "/?sort=name", "/categories/saws/?sort=name")
SITEMAP = "/sitemap.xml"


@pytest.fixture(scope="module")
def library(service: Service) -> Reader:
    """Return a site in English and French with a page of each kind."""
    api = service.directory("Tools", service.user("Ada"), locales=("en", "fr"))
    category = api.make("categories", title="Blades")["id"]
    api.change("categories", category, slug="saws", title="Saws")
    api.make("tags", title="Steel")
    api.make("custom-fields", label="Size", type="select", options=["small", "large"], filterable=True)
    api.make("organizers", name="Guild")
    api.make("projects", name="Adze", categories=[category])
    api.make("articles", title="News", markdown="x")
    api.make("pages", title="About")
    return Reader(api)


def blocked(api: Api, queue: ReadQueue, waiting: int = 0) -> AbstractAsyncContextManager[None]:
    """Occupy the directory's places in a queue until the end of the block, with `waiting` reads behind them."""
    return blocked_reads.blocked(api.service.database, QueuedRead(queue, api.directory_id), waiting)


def test_no_other_page_waits_for_a_long_read(library: Reader) -> None:
    """A search that never ends does not delay pages of other directories."""
    service = library.api.service

    async def meet() -> dict[str, int]:
        async with blocked(library.api, ReadQueue.LISTS):
            searching = [asyncio.create_task(service.ask("GET", library.mount + path)) for path in LONG_LISTS]
            answers = {path: await service.ask("GET", library.mount + path) for path in (*SHORT, SITEMAP)}
            organizers = await service.ask(
                "GET", f"/api/directories/{library.api.directory_id}/organizers", headers=library.api.headers
            )
            assert organizers.status_code == 200
            assert not any(search.done() for search in searching)
        assert {(await search).status_code for search in searching} == {200}
        return {path: answer.status_code for path, answer in answers.items()}

    assert service.meet(meet()) == {**SHORT, SITEMAP: 200}


def test_a_refused_long_read_is_a_page_in_the_language_of_the_visitor(library: Reader) -> None:
    service = library.api.service

    async def meet(query: str) -> httpx.Response:
        async with blocked(library.api, ReadQueue.LISTS, MAX_WAITING):
            return await service.ask("GET", f"{library.mount}/?q=saw{query}")

    for query, language, words in (("", "en", "Try again"), ("&locale=fr", "fr", "Réessayer")):
        answer = service.meet(meet(query))
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Content-Language"] == language
        link = Document(answer.text).one("p", class_="actions").all("a")[0]
        assert (link.text, link["href"]) == (words, f"{library.mount}/?q=saw{query}")


def test_a_visitor_cannot_add_markup_to_the_busy_page(library: Reader) -> None:
    service = library.api.service

    async def meet() -> httpx.Response:
        async with blocked(library.api, ReadQueue.LISTS, MAX_WAITING):
            return await service.ask("GET", f"{library.mount}/", params={"q": '"><b>x', '"><i>': '"><u>', "path": "p"})

    answer = service.meet(meet())
    assert answer.status_code == 503
    assert not any(tag in answer.text for tag in ("<b>", "<i>", "<u>"))


def test_sitemaps_and_the_api_have_a_separate_queue(library: Reader) -> None:
    service, api = library.api.service, library.api
    organizers = f"/api/directories/{api.directory_id}/organizers"
    etag = api.get("/organizers").headers["ETag"]

    async def meet() -> None:
        async with blocked(api, ReadQueue.EXPORTS, MAX_WAITING):
            for path in LONG_LISTS:
                assert (await service.ask("GET", library.mount + path)).status_code == 200
            assert (await service.ask("GET", library.mount + SITEMAP)).status_code == 503
            refused = await service.ask("GET", organizers, headers=api.headers)
            assert (refused.status_code, int(refused.headers["Retry-After"]) > 0) == (503, True)
            unchanged = await service.ask("GET", organizers, headers={**api.headers, "If-None-Match": etag})
            assert unchanged.status_code == 304
            written = asyncio.create_task(
                service.ask("POST", organizers, headers=api.headers, json={"name": "Another guild"})
            )
            await asyncio.sleep(0.05)
            assert not written.done()  # it is written, and is never refused
        assert (await written).status_code == 201

    service.meet(meet())
