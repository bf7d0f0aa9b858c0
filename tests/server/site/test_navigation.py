"""Custom pages in the menus around every page."""

from ..conftest import Api
from .conftest import ON_ONE_DATABASE, Reader

pytestmark = ON_ONE_DATABASE


def test_pages_are_in_the_menus_of_their_placement_in_order(api: Api, reader: Reader) -> None:
    """docs/contract.md 1"""
    for placement in ("navbar", "sidebar", "footer"):
        api.make("pages", title=f"Last {placement}", placement=placement, order=2)
        api.make("pages", title=f"First {placement}", placement=placement, order=1)
    page = reader.read()
    for placement, menu in (
        ("navbar", page.one("nav", class_="site-nav")),
        ("sidebar", page.one("aside")),
        ("footer", page.one("footer")),
    ):
        assert [each.text for each in menu.all("a")] == [f"First {placement}", f"Last {placement}"]
        assert menu.all("a")[0]["href"] == f"{reader.mount}/pages/first-{placement}/"


def test_an_external_page_is_a_link_that_can_open_a_tab(api: Api, reader: Reader) -> None:
    """XS-15, docs/contract.md 2.1"""
    external = {"is_external": True, "placement": "navbar"}
    api.make("pages", title="Here", external_url="https://here.example.org/", order=1, **external)
    api.make("pages", title="There", external_url="https://there.example.org/", new_tab=True, order=2, **external)
    here, there = reader.read().one("nav", class_="site-nav").all("a")
    assert here.attributes == {"href": "https://here.example.org/", "rel": "noopener"}
    assert there.attributes == {"href": "https://there.example.org/", "rel": "noopener", "target": "_blank"}
    assert there.text == "There (opens in a new tab)"
    answer = reader.ask("/pages/there/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "https://there.example.org/")


def test_the_current_page_is_marked_in_the_menu(api: Api, reader: Reader) -> None:
    api.make("pages", title="About", placement="navbar", markdown="Us")
    api.make("categories", title="Saws")
    page = reader.read("/pages/about/")
    assert page.one("nav", class_="site-nav").one("a", aria_current="page").text == "About"
    assert reader.read("/categories/saws/").one("aside").one("a", aria_current="page").text == "Saws"


def test_menus_link_to_existing_pages_only(api: Api, reader: Reader) -> None:
    assert reader.read().all("nav", class_="site-nav") == []
    api.make("categories", title="Saws", show_on_sidebar=False)
    api.make("articles", title="News", markdown="x")
    api.make("organizers", name="Guild")
    page = reader.read()
    assert [each.text for each in page.one("nav", class_="site-nav").all("a")] == ["Categories", "Blog", "Organizers"]
    assert page.all("aside") == []


def test_a_new_page_is_in_the_menu_at_once(api: Api, reader: Reader) -> None:
    assert reader.read().all("nav", class_="site-nav") == []
    made = api.make("pages", title="About", placement="navbar")
    assert [each.text for each in reader.read().one("nav", class_="site-nav").all("a")] == ["About"]
    api.change("pages", made["id"], placement="footer")
    assert reader.read().all("nav", class_="site-nav") == []
    assert [each.text for each in reader.read().one("footer").all("a")] == ["About"]


def test_links_in_bodies_stay_on_the_requested_host(api: Api, reader: Reader) -> None:
    api.make("pages", title="About", markdown="[Adze](/listings/adze/) [Out](https://example.org/) ![](/storage/a.png)")
    body = reader.read("/pages/about/").one("main").one(class_="prose")
    assert [each["href"] for each in body.all("a")] == [f"{reader.mount}/listings/adze/", "https://example.org/"]
    assert body.one("img")["src"] == f"{reader.mount}/storage/a.png"


def test_a_redirect_has_an_ascii_host(api: Api, reader: Reader) -> None:
    api.make("pages", title="Out", is_external=True, external_url="https://bücher.example:81/ü?x=ü")
    assert reader.ask("/pages/out/").headers["Location"] == "https://xn--bcher-kva.example:81/%C3%BC?x=%C3%BC"
