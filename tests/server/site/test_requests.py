"""Methods, slashes, redirects and missing pages."""

from itertools import pairwise

import pytest

from ..conftest import Api, Service
from .conftest import Reader
from .html_document import Document


@pytest.fixture(scope="module")
def library(service: Service) -> Reader:
    """Return a site with a page of each kind."""
    api = service.directory("Tools", service.user("Ada"))
    api.make("categories", title="Saws")
    api.make("organizers", name="Guild")
    api.make("projects", name="Adze")
    api.make("articles", title="News", markdown="x")
    api.make("pages", title="About")
    return Reader(api)


PAGES = (
    "/",
    "/categories/",
    "/categories/saws/",
    "/listings/adze/",
    "/blog/",
    "/blog/news/",
    "/pages/about/",
    "/organizers/",
    "/organizers/guild/",
)


def test_every_page_is_html_that_must_be_revalidated(library: Reader) -> None:
    """XS-18"""
    for path in PAGES:
        answer = library.ask(path)
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.headers["Cache-Control"] == "no-cache"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        page = Document(answer.text)
        assert len(page.all("h1")) == len(page.all("main")) == 1
        levels = [int(each.name[1]) for each in page.one("main").walk() if each.name in ("h1", "h2", "h3", "h4")]
        assert levels[0] == 1
        assert all(after - before <= 1 for before, after in pairwise(levels)), (path, levels)
        ids = [each["id"] for each in page.root.walk() if "id" in each.attributes]
        assert len(ids) == len(set(ids)), path


def test_a_path_without_a_trailing_slash_redirects(library: Reader) -> None:
    for path in PAGES:
        answer = library.ask(path.removesuffix("/"), page="1")
        assert answer.status_code == 301
        assert answer.headers["Location"] == f"{library.mount}{path}?page=1"


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example",
        "/\\evil.example",
        "/.evil.example",
        "/blog//evil.example",
        "/blog/news//",
        "/%2f%2fevil.example",
        "/blog%0d%0aX: y",
    ],
)
def test_a_malformed_path_is_missing_and_never_redirects(library: Reader, path: str) -> None:
    """XS-11, XS-15: a redirect to a path with other slashes could leave the site."""
    for query in ("", "?next=https://evil.example", "?locale=//evil.example"):
        answer = library.api.service.visit("GET", f"{library.mount}{path}{query}")
        assert answer.status_code == 404
        assert "Location" not in answer.headers


def test_redirects_stay_on_the_domain_of_the_directory(api: Api) -> None:
    """XS-15: two slashes at the beginning would name another host."""
    api.service.directory("Fort", api.user, domain="fort.example.org")
    for path in ("//evil.example", "//evil.example/", "//blog", "//categories/saws"):
        answer = api.service.visit("GET", f"http://fort.example.org{path}", headers={"Host": "fort.example.org"})
        assert answer.status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_pages_allow_only_get_and_head(library: Reader, method: str) -> None:
    for path in PAGES:
        answer = library.ask(path, method)
        assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD")
    assert library.ask("/nothing/", method).status_code == 404


def test_head_has_the_same_headers_as_get(library: Reader) -> None:
    for path in PAGES:
        shown, head = library.ask(path), library.ask(path, "HEAD")
        assert head.status_code == 200
        assert head.headers["Content-Length"] == shown.headers["Content-Length"]


@pytest.mark.parametrize(
    "path",
    ["/nothing/", "/listings/", "/listings/none/", "/listings/Adze/", "/listings/adze/more/", "/blog/none/",
     "/pages/none/", "/categories/none/", "/organizers/none/", "/sitemap-1.xml", "/static/", "/static/../base.html",
     "/favicon.ico", "/index.html", "/listings/%00/", "/listings/adze%0a/", "/.env"],
)  # fmt: skip
def test_an_unknown_path_is_a_404_page_of_the_site(library: Reader, path: str) -> None:
    answer = library.api.service.visit("GET", library.mount + path)
    assert answer.status_code == 404
    page = Document(answer.text)
    assert page.title == "Page not found · Tools"
    assert page.meta("robots") == "noindex, follow"
    assert page.link("canonical") is None
    main = page.one("main")
    assert main.one("a", class_="button")["href"] == f"{library.mount}/"
    assert main.one("form")["action"] == f"{library.mount}/"
    assert main.one("a", class_="tag").text == "Saws"


def test_unknown_api_paths_are_not_html_pages(library: Reader) -> None:
    for path in ("/api", "/api/", "/api/nothing", "/api/directories/x"):
        answer = library.api.service.visit("GET", path)
        assert answer.status_code == 404
        assert answer.headers["Content-Type"] == "application/json"


def test_a_versioned_style_sheet_is_immutable(library: Reader) -> None:
    library.api.make("tags", title="Old", color="#123", text_color="#fff")
    sheets = [each["href"] for each in library.read().all("link", rel="stylesheet")]
    assert len(sheets) == 2
    for sheet in sheets:
        assert sheet.startswith(f"{library.mount}/")
        path = sheet.partition("?")[0]
        cached, passing = (library.api.service.visit("GET", url) for url in (sheet, f"{path}?v=0"))
        assert cached.headers["Content-Type"] == "text/css; charset=utf-8"
        assert cached.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert passing.headers["Cache-Control"] == "no-cache"
        assert cached.content == passing.content


def test_a_new_colour_changes_the_version(api: Api, reader: Reader) -> None:
    """XS-07: colours are strict, and in a file of their own."""
    tag = api.make("tags", title="Old", color="#123456", text_color="#fff")
    before = reader.read().all("link", rel="stylesheet")[1]["href"]
    assert reader.ask("/colours.css").text == f".tag-{tag['id']}{{background:#123456;color:#fff}}\n"
    api.change("tags", tag["id"], color="#654321")
    assert reader.read().all("link", rel="stylesheet")[1]["href"] != before


@pytest.mark.parametrize(
    ("colours", "css"),
    [
        ({"color": "#123"}, "background:#123;color:#fff"),
        ({"color": "#ffee00"}, "background:#ffee00;color:#000"),
        ({"text_color": "#eeeeee80"}, "background:#000;color:#eeeeee80"),
        ({"text_color": "#00f"}, "background:#fff;color:#00f"),
    ],
)
def test_a_missing_tag_text_colour_is_black_or_white(
    api: Api, reader: Reader, colours: dict[str, str], css: str
) -> None:
    tag = api.make("tags", title="Old", **colours)
    assert reader.ask("/colours.css").text == f".tag-{tag['id']}{{{css}}}\n"


@pytest.mark.parametrize("path", ["//evil.example/x", "/%5cevil.example/x", "/nothing/"])
def test_a_404_page_has_no_other_languages(api: Api, path: str) -> None:
    """XS-15: an unknown path may lead anywhere."""
    host = f"{api.slug}.example.org"
    api.service.directory("Fjord", api.user, domain=host, locales=("en", "fr"))
    answer = api.service.visit("GET", f"http://{host}{path}", headers={"Host": host})
    assert answer.status_code == 404
    assert "evil" not in answer.text
    assert Document(answer.text).all("nav", class_="locales") == []
    assert Document(api.service.visit("GET", "/", headers={"Host": host}).text).all("nav", class_="locales")


@pytest.mark.parametrize("path", ["/", "/blog/news/", "/feed.xml", "/atom.xml", "/sitemap.xml"])
def test_an_unchanged_page_is_a_304(library: Reader, path: str) -> None:
    """RFC 9110, 13.1.2"""
    api, url = library.api, f"{library.mount}{path}"
    first = api.service.visit("GET", url)
    again = api.service.visit("GET", url, headers={"If-None-Match": f'"x", W/{first.headers["ETag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    of_body = ("content-encoding", "content-length", "content-type")
    cached = {name: value for name, value in first.headers.items() if name not in of_body}
    assert dict(again.headers) == cached
    other = api.service.visit("GET", url, headers={"If-None-Match": '"x"'})
    assert (other.status_code, other.content) == (200, first.content)
