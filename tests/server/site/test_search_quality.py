"""The search finds expected entries: 300 hand-written searches, on both databases (search_queries.txt)."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from contentsync.content.folder.load import load_content
from contentsync.model import BULK_SIZE, RECORDS, Kind
from contentsync.server.store import connect_database

from ...end_to_end.conftest import EXAMPLE
from ...postgresql import Cluster
from ..conftest import Api, Service
from . import search_town
from .conftest import Reader

QUERIES = Path(__file__).parent / "search_queries.txt"
TODAY = "2026-11-15T12:00:00.000000Z"  # between the events of content-example
NOTHING = "nothing"  # the name that stands for no results at all
ENGINES = ("SQLite", "PostgreSQL")
ON_BOTH = pytest.mark.parametrize("engine", ["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.whole)])

_ROW = re.compile(r"(?P<text>.+) → (?P<name>.+?)(?: \((?P<kind>page|article|organizer)\))?")
_LINK = re.compile(r'<a href="(/[^"?]+/)"[^>]*>(.*?)</a>', re.DOTALL)
_TAG = re.compile("<[^>]+>")
_KINDS = {"listings": Kind.LISTING, "blog": Kind.ARTICLE, "pages": Kind.PAGE, "organizers": Kind.ORGANIZER}


class Query(NamedTuple):
    """A search, and the entry that the visitor looks for."""

    group: str
    directory: str
    text: str
    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.text} → {self.name}"


class Result(NamedTuple):
    """An entry on a page of results."""

    kind: Kind
    name: str


def read_queries() -> Iterator[Query]:
    """Yield the rows of the file."""
    group = directory = ""
    for line in QUERIES.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            group, directory = line.removeprefix("== ").split(", ")
        elif line and not line.startswith("#"):
            row = _ROW.fullmatch(line)
            assert row is not None, line
            yield Query(group, directory, row["text"], Kind(row["kind"] or Kind.LISTING), row["name"])


class Site:
    """The two directories on one database, and their search results."""

    def __init__(self, service: Service) -> None:
        ada = service.user("Ada")
        self._readers = {
            "example": Reader(service.directory("Example", ada, locales=("en", "fr"))),
            "town": Reader(service.directory("Town", ada)),
        }
        _fill_example(self._readers["example"].api)
        _fill_town(self._readers["town"].api)
        self._found: dict[tuple[str, str], list[Result]] = {}

    def results(self, query: Query) -> list[Result]:
        """Return the first page of results."""
        key = query.directory, query.text
        if key not in self._found:
            self._found[key] = _results(self._readers[query.directory], query.text)
        return self._found[key]

    def finds(self, query: Query, first: int) -> bool:
        """Return whether the entry is among the `first` results of its kind."""
        results = self.results(query)
        if query.name == NOTHING:
            return not results
        return query.name in [result.name for result in results if result.kind is query.kind][:first]


def _results(reader: Reader, text: str) -> list[Result]:
    """Return the entries that the page of results links to; 600 pages are too many for a parser."""
    answer = reader.ask("/", q=text)
    assert answer.status_code == 200, text
    _, _, main = answer.text.partition("<main")
    links = _LINK.findall(main.partition("</main>")[0])
    entries = [(link.removeprefix(reader.mount).split("/"), name) for link, name in links]
    return [
        Result(_KINDS[folder], unescape(_TAG.sub("", name)).strip())
        for (_, folder, *slug), name in entries
        if folder in _KINDS and any(slug)
    ]


def _fill_example(api: Api) -> None:
    """Create the entries of content-example."""
    ids: dict[tuple[Kind, Any], int] = {}
    order = list(RECORDS)
    entries = load_content(EXAMPLE).entries
    for entry in sorted(entries, key=lambda each: (order.index(each.kind), "parent_id" in each.fields)):
        fields = dict(entry.fields)
        for name, kind in RECORDS[entry.kind].references.items():
            keys = fields.get(name)
            if keys is not None:
                fields[name] = [ids[kind, key] for key in keys] if isinstance(keys, list) else ids[kind, keys]
        ids[entry.kind, entry.key] = api.make(entry.kind.collection, **fields)["id"]


def _fill_town(api: Api) -> None:
    categories = {title: api.make("categories", title=title)["id"] for title in search_town.CATEGORIES}
    tags = {title: api.make("tags", title=title)["id"] for title in search_town.TAGS}
    organizers = {name: api.make("organizers", name=name)["id"] for name in search_town.ORGANIZERS}
    api.make("custom-fields", **search_town.MOTTO)
    for title in search_town.PAGES:
        api.make("pages", title=title, placement="footer")
    for title in search_town.ARTICLES:
        api.make("articles", title=title, markdown="x", published_at="2026-01-15T10:00:00Z")
    listings = [
        {
            **{name: value for name, value in each.items() if name not in ("category", "organizer")},
            "url": f"https://example.com/{number}",
            "categories": [categories[each["category"]]],
            "tags": [tags[title] for title in each.get("tags", ())],
            "organizers": [organizers[each["organizer"]]] if each.get("organizer") else [],
        }
        for number, each in enumerate(search_town.listings())
    ]
    for first in range(0, len(listings), BULK_SIZE):
        body = {"listings": listings[first : first + BULK_SIZE]}
        assert api.post("/projects/bulk", body).json()["total_created"] == len(body["listings"])


@pytest.fixture(scope="module")
def site(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Site]]:
    """Yield the directories on the database of a name, which are filled once."""
    with ExitStack() as stack:
        sites: dict[str, Site] = {}

        def site(engine: str) -> Site:
            if engine not in sites:
                file = tmp_path_factory.mktemp("search") / "site.db"
                url = cluster.database() if engine == "PostgreSQL" else f"sqlite:///{file}"
                database = connect_database(url)
                database.migrate()
                database.close()
                sites[engine] = Site(stack.enter_context(Service(url, clock=lambda: TODAY)))
            return sites[engine]

        yield site


def searches(group: str) -> list[Query]:
    return [query for query in read_queries() if query.group == group]


def not_found(site: Site, queries: list[Query], first: int) -> list[str]:
    """Return the searches that do not find their entry among the `first` results, with these results."""
    return [
        f"{query}, not {[result.name for result in site.results(query)][:first]}"
        for query in queries
        if not site.finds(query, first)
    ]


@ON_BOTH
def test_an_exact_name_is_the_first_result(site: Callable[[str], Site], engine: str) -> None:
    missed = not_found(site(engine), searches("exact name"), first=1)
    assert not missed, "\n".join(missed)


@ON_BOTH
def test_a_misspelt_word_finds_the_entry(site: Callable[[str], Site], engine: str) -> None:
    queries = searches("one typing error")
    missed = not_found(site(engine), queries, first=5)
    assert len(missed) <= len(queries) * 0.05, "\n".join(missed)


@ON_BOTH
def test_another_word_of_an_entry_finds_it(site: Callable[[str], Site], engine: str) -> None:
    missed = not_found(site(engine), searches("other words"), first=10)
    assert not missed, "\n".join(missed)


@pytest.mark.whole
def test_both_databases_find_the_same_first_ten_results(site: Callable[[str], Site]) -> None:
    queries = list(read_queries())
    found = {engine: [site(engine).results(query)[:10] for query in queries] for engine in ENGINES}
    pairs = zip(queries, *found.values(), strict=True)
    differing = [f"{query.text}: {one} and {other}" for query, one, other in pairs if one != other]
    assert len(differing) <= len(queries) * 0.05, "\n".join(differing)


@ON_BOTH
def test_results_are_ordered_by_field_then_featured_then_newest(site: Callable[[str], Site], engine: str) -> None:
    results = site(engine).results(Query("order", "town", "espresso", Kind.LISTING, "Espresso"))
    assert [result.name for result in results][:7] == [
        "Espresso",  # an exact name; the others have it in the description
        *("The Sunny Feather", "The Scarlet Anchor", "The Golden Pelican"),  # featured
        *("The Velvet Chimney", "The Copper Orchard", "The Hollow Teapot"),
    ]


def test_the_file_contains_300_different_searches() -> None:
    queries = list(read_queries())
    assert len(queries) == len({(query.directory, query.text, query.name) for query in queries}) == 300
