"""A site and its readers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from contentsync.server.store import Connection
from contentsync.server.store.versions import now

from ..conftest import Api, Service
from .html_document import Document

SEEN_OF_A_SITE = (
    "/",
    "/categories/",
    "/blog/",
    "/organizers/",
    "/feed.xml",
    "/atom.xml",
    "/sitemap.xml",
    "/colours.css",
)


# For tests of templates, whose output does not depend on the database.
ON_ONE_DATABASE = pytest.mark.parametrize("url", ["sqlite"], indirect=True, scope="session")


def enlarge(api: Api, number: int) -> None:
    """Let the directory count as one with so many listings."""

    def update_total(connection: Connection) -> None:
        update = "UPDATE collections SET total = :total WHERE directory_id = :directory AND kind = 'listing'"
        connection.run(update, {"total": number, "directory": api.directory_id})

    api.service.run(update_total)
    api.make("tags", title="Old")  # so that nothing is answered from a cache


class Clock:
    """The server's clock, which a test can set."""

    def __init__(self) -> None:
        self.moment: str | None = None

    def __call__(self) -> str:
        return self.moment or now()


@dataclass(frozen=True)
class Reader:
    """A reader of a directory's site; paths are relative to it."""

    api: Api
    locale: str | None = None

    @property
    def mount(self) -> str:
        """The prefix of every path."""
        return f"/sites/{self.api.slug}"

    @property
    def site(self) -> str:
        """The address of the site."""
        return self.api.site

    def speaking(self, locale: str) -> "Reader":
        """Return a reader of another language."""
        return replace(self, locale=locale)

    def ask(self, path: str, method: str = "GET", **query: Any) -> httpx.Response:
        """Return the server's response."""
        asked = query if self.locale is None else {**query, "locale": self.locale}
        return self.api.service.visit(method, self.mount + path, params=asked or None)

    def status(self, path: str, **query: Any) -> int:
        return self.ask(path, **query).status_code

    def read(self, path: str = "/", **query: Any) -> Document:
        """Return a page; fail if it does not exist."""
        answer = self.ask(path, **query)
        assert answer.status_code == 200, (path, query, answer.status_code)
        return Document(answer.text)

    def names(self, path: str = "/", **query: Any) -> list[str]:
        """Return the titles of the cards on a page."""
        return [each.text for each in self.read(path, **query).one("main").all(class_="card-title")]

    def crawl(self) -> dict[str, str]:
        """Follow all links from the home page, the feeds and the sitemap; return the responses by path."""
        found: dict[str, str] = {}
        left = [f"{self.mount}{path}" for path in SEEN_OF_A_SITE]
        while left:
            path = left.pop()
            if path in found or not path.startswith(f"{self.mount}/"):
                continue
            answer = self.api.service.visit("GET", path)
            found[path] = answer.text
            if answer.headers.get("Content-Type", "").startswith("text/html") and answer.status_code == 200:
                page = Document(answer.text)
                left += [each["href"] for each in page.all("a") if "href" in each.attributes]
            elif path.endswith(".xml"):
                left += [urlsplit(part.split("<")[0]).path for part in answer.text.split("<loc>")[1:]]
        return found


@pytest.fixture(scope="session")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def service(url: str, clock: Clock) -> Iterator[Service]:
    """Yield the server with a clock that tests may set."""
    with Service(url, clock=clock) as service:
        yield service


@pytest.fixture(autouse=True)
def real_time(clock: Clock) -> Iterator[None]:
    """Use the real time, unless the test sets the clock."""
    clock.moment = None
    yield
    clock.moment = None


@pytest.fixture
def reader(api: Api) -> Reader:
    """Return a reader of Ada's directory."""
    return Reader(api)


@pytest.fixture
def polyglot(bilingual: Api) -> Reader:
    """Return a reader of Ada's directory in English and French."""
    return Reader(bilingual)
