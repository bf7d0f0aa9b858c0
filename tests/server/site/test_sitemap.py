"""The sitemap and robots.txt."""

from itertools import product
from string import ascii_lowercase
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from ..conftest import Api
from .conftest import Clock, Reader

URL = "{http://www.sitemaps.org/schemas/sitemap/0.9}url"
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
LASTMOD = "{http://www.sitemaps.org/schemas/sitemap/0.9}lastmod"
PART = "{http://www.sitemaps.org/schemas/sitemap/0.9}sitemap"
LINK = "{http://www.w3.org/1999/xhtml}link"

LATER = "2030-01-01T10:00:00Z"


def document(reader: Reader, path: str = "/sitemap.xml") -> Element:
    """Return the parsed XML of a sitemap."""
    answer = reader.ask(path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/xml; charset=utf-8")
    return ElementTree.fromstring(answer.content)


def paths(reader: Reader) -> set[str]:
    """Return the pages in a sitemap, below the site's address."""
    found = [str(url.findtext(LOC)) for url in document(reader).findall(URL)]
    assert all(each.startswith(f"{reader.site}/") for each in found)
    assert len(found) == len(set(found))
    return {each.removeprefix(reader.site) for each in found}


def test_a_sitemap_contains_every_visible_page(api: Api, reader: Reader) -> None:
    assert paths(reader) == {"/"}
    category = api.make("categories", title="Tools")
    api.make("projects", name="Lathe", categories=[category["id"]])
    api.make("articles", title="News", markdown="A")
    api.make("pages", title="About", placement="footer")
    api.make("organizers", name="Ada")
    assert paths(reader) == {
        *("/", "/categories/", "/categories/tools/", "/listings/lathe/", "/blog/", "/blog/news/"),
        *("/pages/about/", "/organizers/", "/organizers/ada/"),
    }
    assert all(reader.status(path) == 200 for path in paths(reader))


def test_a_sitemap_contains_no_hidden_pages(api: Api, reader: Reader) -> None:
    api.make("projects", name="Off", is_active=False)
    api.make("projects", name="Soon", starts_at=LATER)
    api.make("articles", title="Off", markdown="A", active=False)
    api.make("articles", title="Soon", markdown="A", published_at=LATER)
    api.make("articles", title="Elsewhere", markdown="A", seo={"canonical": "https://example.com/a"})
    api.make("pages", title="Off", is_published=False, placement="footer")
    api.make("pages", title="Unlisted")
    api.make("pages", title="Out", placement="footer", is_external=True, external_url="https://example.com")
    api.make("organizers", name="Off", is_active=False)
    api.make("categories", title="Off", is_active=False)
    assert paths(reader) == {"/", "/blog/"}


def test_a_sitemap_contains_an_entry_from_its_start_on(api: Api, reader: Reader, clock: Clock) -> None:
    """TM-08"""
    api.make("projects", name="Soon", starts_at=LATER)
    api.make("articles", title="Soon", markdown="A", published_at=LATER)
    clock.moment = "2030-01-01T10:00:00.000000Z"
    assert paths(reader) == {"/", "/listings/soon/", "/blog/", "/blog/soon/"}


def test_a_sitemap_contains_the_modification_time_of_a_page(api: Api, reader: Reader) -> None:
    made = api.make("projects", name="Lathe")
    [url] = [url for url in document(reader).findall(URL) if str(url.findtext(LOC)).endswith("/lathe/")]
    assert url.findtext(LASTMOD) == made["updated_at"]


def test_a_changed_link_or_field_updates_the_modification_time(api: Api, reader: Reader) -> None:
    tag = api.make("tags", title="Free")["id"]
    listing = api.make("projects", name="Lathe", tags=[tag])
    article = api.make("articles", title="News", markdown="A")
    api.delete(f"/tags/{tag}")
    api.make("custom-fields", label="Source", type="text", fieldable_type="article")
    now = {"/lathe/": api.show("projects", listing["id"]), "/news/": api.show("articles", article["id"])}
    assert now["/lathe/"]["updated_at"] > listing["updated_at"]
    found = {str(url.findtext(LOC)): url.findtext(LASTMOD) for url in document(reader).findall(URL)}
    for path, record in now.items():
        assert [at for url, at in found.items() if url.endswith(path)] == [record["updated_at"]]


def test_a_page_in_two_languages_has_two_sitemap_entries(polyglot: Reader) -> None:
    polyglot.api.make("articles", title="A", markdown="B", translations={"fr": {"title": "Un"}})
    polyglot.api.make("articles", title="C", markdown="D")
    assert paths(polyglot) == {
        "/",
        "/?locale=fr",
        "/blog/",
        "/blog/?locale=fr",
        "/blog/a/",
        "/blog/a/?locale=fr",
        "/blog/c/",
    }
    both = [url for url in document(polyglot).findall(URL) if "/blog/a/" in str(url.findtext(LOC))]
    english = f"{polyglot.site}/blog/a/"
    for url in both:
        languages = {link.get("hreflang"): link.get("href") for link in url.findall(LINK)}
        assert languages == {"en": english, "fr": f"{english}?locale=fr", "x-default": english}
        assert polyglot.read("/blog/a/").languages == languages


def test_a_large_sitemap_has_parts(api: Api) -> None:
    locales = tuple("".join(letters) for letters in product(ascii_lowercase, repeat=2))[:80]
    many = Reader(api.service.directory("Babel", api.user, locales=locales))
    many.api.make("categories", title="Towers")
    parts = [str(each.findtext(LOC)) for each in document(many).findall(PART)]
    assert parts == [f"{many.site}/sitemap-{number}.xml" for number in range(1, 11)]
    urls = [
        url.findtext(LOC) for number in range(1, 11) for url in document(many, f"/sitemap-{number}.xml").findall(URL)
    ]
    assert len(urls) == len(set(urls)) == 80 * 3  # home, categories and one category
    assert [many.status(f"/sitemap-{number}.xml") for number in ("0", "11", "01", "x", "9" * 20)] == [404] * 5


def test_every_page_is_in_exactly_one_part_of_a_sitemap(api: Api) -> None:
    locales = tuple("".join(letters) for letters in product(ascii_lowercase, repeat=2))[:50]
    many = Reader(api.service.directory("Babel", api.user, locales=locales))
    for first in (0, 100):
        listings = [{"name": f"L{number}"} for number in range(first, first + 100)]
        many.api.post("/projects/bulk", {"listings": listings})
    for number in range(3):
        many.api.make("articles", title=f"A{number}", markdown="x", translations={locales[1]: {"title": "x"}})
        many.api.make("organizers", name=f"O{number}")
    parts = [str(each.findtext(LOC)).removeprefix(many.site) for each in document(many).findall(PART)]
    found = [str(url.findtext(LOC)) for part in parts for url in document(many, part).findall(URL)]
    assert len(found) == len(set(found))
    listed = {f"{many.site}/listings/l{number}/" for number in range(200)}
    written = {f"{many.site}/blog/a{number}/{query}" for number in range(3) for query in ("", f"?locale={locales[1]}")}
    known = {f"{many.site}/organizers/o{number}/" for number in range(3)}
    assert set(found) >= listed | written | known
    every = ("/", "/blog/", "/organizers/")
    assert len(found) == len(listed | written | known) + len(every) * len(locales)
    assert many.status(f"/sitemap-{len(parts) + 1}.xml") == 404


def test_a_small_sitemap_has_no_parts(reader: Reader) -> None:
    assert reader.status("/sitemap-1.xml") == 404


def test_robots_txt_contains_the_sitemap_and_no_hidden_page(api: Api, reader: Reader) -> None:
    api.make("pages", title="Secret")
    answer = reader.ask("/robots.txt")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.text == f"User-agent: *\nDisallow: /api/\n\nSitemap: {reader.site}/sitemap.xml\n"
