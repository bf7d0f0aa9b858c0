"""Which directory is meant: by the name of the host, or by a path."""

from itertools import count
from typing import Any

import httpx
import pytest

from ..conftest import Api, Service
from .html_document import Document

_NUMBERS = count(1)


@pytest.fixture(scope="module")
def domain() -> str:
    """Return a domain that no other test has used."""
    return f"tools-{next(_NUMBERS)}.example.org"


@pytest.fixture(scope="module")
def home(service: Service, domain: str) -> Api:
    """Return a directory with a domain, and a listing."""
    home = service.directory("Home", service.user("Ada"), domain=domain)
    home.make("projects", name="Adze")
    home.make("pages", title="About", placement="footer", markdown="[Adze](/listings/adze/)")
    return home


def visit(api: Api, host: str, path: str = "/", **options: Any) -> httpx.Response:
    """Return the answer to a visitor who uses this host name."""
    return api.service.visit("GET", path, headers={"Host": host}, **options)


def test_a_directory_is_found_by_its_domain(home: Api, domain: str) -> None:
    page = Document(visit(home, domain, "/pages/about/").text)
    assert page.title == "About · Home"
    links = {each["href"] for each in page.one("body").all("a")}
    assert links >= {"/", "/pages/about/", "/listings/adze/"}
    assert not any(link.startswith(("/sites", "http")) for link in links)
    assert visit(home, domain, "/listings/adze/").status_code == 200


def test_the_site_and_the_api_use_the_same_addresses(home: Api, domain: str) -> None:
    listing = home.all("projects")[0]
    assert listing["listing_url"] == f"https://{domain}/listings/adze/"
    page = Document(visit(home, domain, "/listings/adze/").text)
    assert page.link("canonical") == page.meta("og:url") == listing["listing_url"]


def test_a_directory_with_a_domain_is_also_served_under_its_path(home: Api, domain: str) -> None:
    """For example before its name is in the DNS; feeds and sitemaps contain the domain in any case."""
    page = Document(home.service.visit("GET", f"/sites/{home.slug}/pages/about/").text)
    links = {each["href"] for each in page.one("body").all("a")}
    assert f"/sites/{home.slug}/listings/adze/" in links
    assert all(link.startswith((f"/sites/{home.slug}/", "#")) for link in links)
    assert page.link("canonical") == f"https://{domain}/pages/about/"


@pytest.mark.parametrize("written", ["{}", "{}:443", "{}:8000", "{}.", "{}.:80", "{}:"])
def test_a_host_is_recognised_in_any_spelling(home: Api, domain: str, written: str) -> None:
    """AU-18"""
    for host in (written.format(domain), written.format(domain.upper())):
        assert Document(visit(home, host).text).title == "Home"


def test_an_international_domain_name_has_two_equal_forms(api: Api) -> None:
    """AU-18: punycode"""
    number = next(_NUMBERS)
    written = f"bücher-{number}.example"
    ascii_name = written.encode("idna").decode()
    cafe = api.service.directory("Livres", api.user, domain=ascii_name)
    assert Document(visit(cafe, ascii_name.upper()).text).title == "Livres"


@pytest.mark.parametrize(
    "host",
    [
        "unknown.example.org",
        "evil-{}",
        "{}.evil.example",
        "www.{}",
        "127.0.0.1",
        "localhost:8000",
        "[::1]:8000",
        "xn--",
        "xn--a.example",
    ],
)
def test_an_unknown_host_shows_no_site(home: Api, domain: str, host: str) -> None:
    """AU-18: 404, never another tenant."""
    for path in ("/listings/adze/", "/pages/about", "/sitemap.xml", "/static/site.css"):
        answer = visit(home, host.format(domain), path)
        assert (answer.status_code, answer.json()) == (404, {"message": "Not Found"})


@pytest.mark.parametrize(
    "host", ["{0}@evil.example", "evil.example/{0}", "{0}#", "{0}:80:80", "{0} {0}", "", "[::1", "a\tb"]
)
def test_a_malformed_host_is_a_400(home: Api, domain: str, host: str) -> None:
    """AU-18"""
    assert visit(home, host.format(domain)).status_code == 400


def test_two_hosts_are_a_400(home: Api, domain: str) -> None:
    """AU-18"""
    for second in (domain, "unknown.example.org"):
        answer = home.service.visit("GET", "/", headers=[("Host", domain), ("Host", second)])
        assert answer.status_code == 400
        assert "Adze" not in answer.text


def test_a_domain_serves_no_other_directory_under_a_path(home: Api, other: Api, domain: str) -> None:
    """AU-18: pages of two directories never have the same origin."""
    other.make("projects", name="Bistro")
    assert Document(other.service.visit("GET", f"/sites/{other.slug}/").text).title == "Cafes"
    for path in (f"/sites/{other.slug}/", f"/sites/{other.slug}", f"/sites/{other.slug}/listings/bistro/"):
        answer = visit(home, domain, path)
        assert answer.status_code == 404
        assert "Bistro" not in answer.text
        assert Document(answer.text).title == "Page not found · Home"


def test_the_public_host_also_serves_directories_without_a_domain(url: str) -> None:
    """The API returns the addresses of their pages there."""
    number = next(_NUMBERS)
    name = f"both-{number}.example.org"
    with Service(url, public_url=f"https://{name}") as service:
        owner = service.user(f"Operator{number}")
        service.directory(f"Home{number}", owner, domain=name)
        guest = service.directory(f"Guest{number}", owner)
        listing = guest.make("projects", name="Adze")
        assert listing["listing_url"] == f"https://{name}/sites/{guest.slug}/listings/adze/"
        page = service.visit("GET", f"/sites/{guest.slug}/listings/adze/", headers={"Host": name})
        assert Document(page.text).link("canonical") == listing["listing_url"]
        titles = [
            Document(service.visit("GET", path, headers={"Host": name}).text).title for path in ("/", "/sites/none/")
        ]
        assert titles == [f"Home{number}", f"Page not found · Home{number}"]


def test_links_start_with_the_path_of_the_public_url(url: str) -> None:
    """A proxy removes this path."""
    with Service(url, public_url="https://example.org/tools/") as service:
        number = next(_NUMBERS)
        guest = service.directory(f"Guest{number}", service.user(f"Operator{number}"))
        listing = guest.make("projects", name="Adze")
        page = Document(service.visit("GET", f"/sites/{guest.slug}/").text)
        link = page.one("h2", class_="card-title").one("a")["href"]
        assert f"https://example.org{link}" == listing["listing_url"]


def test_a_forwarded_host_is_ignored(home: Api, domain: str) -> None:
    answer = home.service.visit("GET", "/", headers={"Host": "unknown.example.org", "X-Forwarded-Host": domain})
    assert answer.status_code == 404


def test_a_path_selects_the_directory_on_any_other_host(api: Api) -> None:
    """A proxy may use any name for the server."""
    for host in ("127.0.0.1:8000", "upstream", "localhost"):
        page = Document(visit(api, host, f"/sites/{api.slug}/").text)
        assert page.link("canonical") == f"{api.site}/"


@pytest.mark.parametrize("path", ["/sites/", "/sites", "/sites/none/", "/sites/{}x/", "/Sites/{}/", "//sites/{}/"])
def test_an_unknown_directory_is_a_404(api: Api, path: str) -> None:
    answer = api.service.visit("GET", path.format(api.slug))
    assert (answer.status_code, answer.json()) == (404, {"message": "Not Found"})


def test_the_public_host_does_not_serve_directories_with_a_domain(url: str) -> None:
    """AU-18: its pages are in its own origin alone."""
    number = next(_NUMBERS)
    name = f"tenants-{number}.example.org"
    with Service(url, public_url=f"https://{name}") as service:
        owner = service.user(f"Operator{number}")
        service.directory(f"Home{number}", owner, domain=name)
        bees = service.directory(f"Bees{number}", owner, domain=f"bees-{number}.example.org")
        answer = service.visit("GET", f"/sites/{bees.slug}/", headers={"Host": name})
        assert answer.status_code == 404
        assert Document(answer.text).title == f"Page not found · Home{number}"
