"""Each path has one spelling and each method one meaning."""

from itertools import product
from typing import Any
from urllib.parse import quote, unquote

import pytest

from contentsync.server.api.routing import ServiceRoute
from contentsync.server.asgi import create_app
from contentsync.server.store import connect_database

from .conftest import Edge, Site, Tenant

VARIANTS = {
    "a slash at the end": "{0}/",
    "two slashes": "/{0}",
    "a parameter": "{0};x",
    "a dot segment": "/.{0}",
    "a way up and down": "/api/..{0}",
    "a backslash": "{0}\\",
    "an encoded dot segment": "/%2e{0}",
    "an encoded slash at the end": "{0}%2f",
    "a NUL": "{0}%00",
    "an encoded question mark": "{0}%3f",
}


@pytest.fixture(scope="module")
def operations(site: Site) -> list[tuple[str, str]]:
    """Method and path of every operation of the service, in Bob's directory."""
    database = connect_database(site.url)
    routes = [route for route in create_app(database).routes if isinstance(route, ServiceRoute)]
    database.close()
    values = {"directory_id": site.bob.directory, "record_id": 1, "category": "tools"}
    paths = [(route, route.path_format.format(**values)) for route in routes if route.path.startswith("/api/")]
    return [(method, path) for route, path in paths for method in sorted(route.methods or ())]


def ask(edge: Edge, tenant: Tenant, method: str, path: str) -> int:
    """Return the status for a path that is sent unchanged."""
    bare, _, query = path.partition("?")
    request: dict[str, Any] = {"method": method, "path": unquote(bare), "raw_path": bare.encode()}
    request |= {"query_string": query.encode(), "headers": [(b"authorization", f"Bearer {tenant.token}".encode())]}
    start, *_ = edge.run(request, {"type": "http.request", "body": b"{}", "more_body": False})
    return int(start["status"])


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
def test_other_spellings_of_a_path_are_not_found(
    edge: Edge, site: Site, operations: list[tuple[str, str]], variant: str
) -> None:
    """SL-08, AU-10: on every route, for the owner too."""
    for method, path in operations:
        if "/category/" in path and variant.startswith("{0}"):
            continue  # a category may be called anything
        assert ask(edge, site.bob, method, variant.format(path)) == 404, (method, path)


def test_paths_are_case_sensitive(edge: Edge, site: Site, operations: list[tuple[str, str]]) -> None:
    """SL-08"""
    for method, path in operations:
        assert ask(edge, site.bob, method, path.replace("/api/", "/API/")) == 404
        last = path.rpartition("/")[2]
        if last.isalpha() and "/category/" not in path:
            assert ask(edge, site.bob, method, path.removesuffix(last) + last.capitalize()) in (404, 405)


def test_an_encoded_path_is_decoded_before_routing(edge: Edge, site: Site, operations: list[tuple[str, str]]) -> None:
    """SL-08, AU-10: authorisation follows routing."""
    for method, path in operations:
        if "directories/" in path:
            encoded = "/" + quote(path[1:].replace("a", "%61"), safe="/%").replace("%2561", "%61")
            assert ask(edge, site.ada, method, path) == ask(edge, site.ada, method, encoded) == 403, (method, path)


def test_the_method_cannot_be_overridden(edge: Edge, site: Site, operations: list[tuple[str, str]]) -> None:
    """AU-10: an unknown method is a 405 without effect, with any headers and fields."""
    known: dict[str, set[str]] = {}
    for method, path in operations:
        known.setdefault(path, set()).add(method)
    override = {"X-HTTP-Method-Override": "GET", "X-Method-Override": "GET", **site.bob.headers}
    for path, method in product(known, ("OPTIONS", "TRACE", "PATCH", "DELETE", "POST", "PUT", "QUERY")):
        if method not in known[path]:
            answer = edge.ask(method, f"{path}?_method=GET", override)
            assert answer.status_code == 405, (method, path)
            assert set(answer.headers["Allow"].split(", ")) == known[path]


@pytest.mark.parametrize(
    "query",
    [
        "page=1' OR '1'='1",
        "page=1) OR 1=1--",
        "page=1;DROP TABLE pages",
        "page=-1",
        "page=1e1",
        "page=0x1",
        "page=\u0661",
        "page[]=1",
        "page=1&page=x'",
        "locale=en' OR 1=1--",
        "include=translations' --",
    ],
)
def test_a_query_value_is_accepted_or_a_422(edge: Edge, site: Site, query: str) -> None:
    """SL-09"""
    name, _, value = query.partition("=")
    answer = edge.get(site.bob.path("/articles"), site.bob.headers, params={name: value})
    assert answer.status_code == 422 or (name == "page[]" and answer.status_code == 200)


@pytest.mark.parametrize("text", ["') OR 1=1 --", '" OR ""="', "%", "_", "x\\", "a'; DROP TABLE articles; --"])
def test_texts_in_paths_and_bodies_are_never_executed(edge: Edge, site: Site, text: str) -> None:
    """SL-09"""
    listed = edge.get(site.bob.path(f"/articles/category/{quote(text, safe='')}"), site.bob.headers)
    assert (listed.status_code, listed.json()["data"]) == (200, [])
    asked = edge.ask("POST", site.bob.path("/articles/exists"), site.bob.headers, json={"slug": text})
    assert (asked.status_code, asked.json()) == (200, {"message": "Article does not exist in this directory"})


@pytest.mark.parametrize(
    "path",
    [
        "/docs",
        "/redoc",
        "/admin",
        "/debug",
        "/metrics",
        "/.git/config",
        "/.env",
        "/",
        "/api",
        "/api/",
        "/storage/",
        "*",
    ],
)
def test_debug_and_documentation_pages_do_not_exist(edge: Edge, site: Site, path: str) -> None:
    """AU-19"""
    assert ask(edge, site.ada, "GET", path) == 404


@pytest.mark.parametrize("depth", [10, 200, 254, 255, 1000, 5000, 200_000])
def test_deeply_nested_json_is_refused_early(edge: Edge, site: Site, depth: int) -> None:
    """XS-16, I7"""
    for opening, closing in (('{"a":', "}"), ("[", "]")):
        deep = opening * depth + "1" + closing * depth
        for path, body in (
            ("/projects", f'{{"name":"A","url":"no","schema":{deep}}}'),
            ("/custom-fields", f'{{"label":"A","type":"none","settings":{deep}}}'),
            ("/projects/bulk", f'{{"listings":[{deep}]}}'),
            ("/pages", deep),
        ):
            answer = edge.ask("POST", site.bob.path(path), site.bob.headers, content=body)
            refused = answer.status_code in (400, 422) or answer.json()["total_errors"] == 1
            assert refused, (path, depth)
