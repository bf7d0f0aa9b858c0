"""contentsync.remote.connection_pool: a client of the service in this process answers as one of httpx does."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from contentsync.errors import AmbiguousOutcome, Conflicting, Rejected
from contentsync.remote.connection_pool import Application
from contentsync.remote.http_client import Service
from contentsync.remote.response import Answer

from ..embedded import open_server
from .directory import LOCALES

Result = TypeVar("Result")


@pytest.fixture
def application(tmp_path: Path) -> Iterator[Application]:
    """Yield the application of the built-in server."""
    embedded = open_server(tmp_path / "site.db", LOCALES)
    yield embedded.app
    embedded.close()


def ask(application: Application, question: Callable[[Service], Coroutine[Any, Any, Result]]) -> Result:
    """Return the answer of an application to a client in the same process."""

    async def answer() -> Result:
        async with Service("http://embedded", application=application) as service:
            return await question(service)

    return asyncio.run(answer())


def test_a_read_in_process_has_the_same_response_as_through_httpx(application: Application) -> None:
    async def read(service: Service) -> list[Answer]:
        params: dict[str, str | int] = {"locale": "fr", "include": "translations", "page": 1}
        articles = await service.get("/api/directories/1/articles", params)
        again = await service.get("/api/directories/1/articles", params, known_etag=articles.etag)
        return [articles, again, await service.get("/api/directories/1/articles/1")]

    async def read_through_httpx() -> list[Answer]:
        async with Service("http://embedded", transport=httpx.ASGITransport(application)) as service:
            return await read(service)

    article = {"title": "Été", "markdown": "Text", "translations": {"fr": {"title": "L'été"}}}
    ask(application, lambda service: service.post("/api/directories/1/articles", article))
    answers = ask(application, read)
    assert answers == asyncio.run(read_through_httpx())
    assert [answer.unchanged for answer in answers] == [False, True, False]


def test_a_write_returns_the_record_and_the_etags_of_its_list(application: Application) -> None:
    answer = ask(application, lambda service: service.post("/api/directories/1/tags", {"title": "Été"}, new_only=True))
    assert (answer.document["data"]["title"], answer.created) == ("Été", True)
    assert answer.list_etags.keys() == {"tags", "projects"}


def test_the_conditions_of_a_write_reach_the_service(application: Application) -> None:
    path = "/api/directories/1/tags"
    ask(application, lambda service: service.post(path, {"title": "Open"}))
    with pytest.raises(Conflicting):
        ask(application, lambda service: service.post(path, {"title": "Open"}, new_only=True))
    with pytest.raises(Conflicting):
        ask(application, lambda service: service.delete(f"{path}/1", match='"another"'))


def test_a_refused_write_names_the_fields(application: Application) -> None:
    with pytest.raises(Rejected) as raised:
        ask(application, lambda service: service.post("/api/directories/1/tags", {"title": 7}))
    assert (raised.value.status, [*raised.value.errors]) == (422, ["title"])


def test_a_write_is_ambiguous_if_the_service_raises_before_it_responds() -> None:
    async def broken(*arguments: object) -> None:
        raise RuntimeError

    with pytest.raises(AmbiguousOutcome, match="500"):
        ask(broken, lambda service: service.post("/api/directories/1/tags", {"title": "Open"}))
