"""Pages stay small however many categories, tags and pages a directory has."""

import pytest

from ..conftest import Service
from .conftest import ON_ONE_DATABASE, Reader

pytestmark = ON_ONE_DATABASE

MOST = 50_000


@pytest.fixture(scope="module")
def wide(service: Service) -> Reader:
    """Return a site with more records of every kind than a page lists."""
    api = service.directory("Wide", service.user("Ada"))
    top = [api.make("categories", title=f"Category number {number}")["id"] for number in range(101)]
    for number in range(101):
        api.make("categories", title=f"Below number {number}", parent_id=top[0])
        api.make("tags", title=f"Tag number {number}")
    for number in range(31):
        api.make("pages", title=f"Page number {number}", placement="footer")
    api.make("projects", name="Adze", categories=top[:50])
    return Reader(api)


@pytest.fixture(scope="module")
def deep(service: Service) -> Reader:
    """Return a site with a chain of categories, and a listing at its end."""
    api = service.directory("Deep", service.user("Ada"))
    parent: int | None = None
    for level in range(30):
        parent = api.make("categories", title=f"Level {level}", parent_id=parent)["id"]
    api.make("projects", name="Adze", categories=[parent])
    return Reader(api)


@pytest.mark.parametrize(
    "path", ["/", "/categories/", "/categories/category-number-0/", "/listings/adze/", "/nothing/"]
)
def test_no_page_contains_all_records_of_a_large_directory(wide: Reader, path: str) -> None:
    answer = wide.ask(path)
    assert len(answer.content) < MOST
    assert answer.text.count("Page number") == 30


def test_the_sidebar_links_to_the_list_of_all_categories(wide: Reader) -> None:
    *shown, last = wide.read().one("aside").all("a")
    assert len(shown) == 30
    assert (last.text, last["href"]) == ("All categories", f"{wide.mount}/categories/")


def test_the_list_of_categories_has_pages(wide: Reader) -> None:
    names = [name for page in range(1, 7) for name in wide.names("/categories/", page=page)]
    assert sorted(names) == sorted(f"Category number {number}" for number in range(101))
    second = wide.read("/categories/", page=2)
    assert second.title == "Categories, Page 2 · Wide"
    assert second.link("canonical") == f"{wide.site}/categories/?page=2"
    assert second.link("prev") == f"{wide.site}/categories/"
    assert wide.status("/categories/", page=7) == 404


def test_a_filter_with_too_many_options_contains_only_the_current_one(wide: Reader) -> None:
    form = wide.read().one("form", class_="filters")
    assert [each["name"] for each in form.all("select")] == ["sort"]
    form = wide.read(category="category-number-5", tag="tag-number-7").one("form", class_="filters")
    assert [[each.text for each in menu.all("option")] for menu in form.all("select")[:2]] == [
        ["All categories", "Category number 5 (0)"],
        ["All tags", "Tag number 7 (0)"],
    ]


def test_breadcrumbs_of_a_deep_category_show_its_last_ancestors(deep: Reader) -> None:
    for path in ("/", "/categories/level-29/", "/listings/adze/"):
        answer = deep.ask(path)
        assert answer.status_code == 200
        assert "– – – – –" not in answer.text
    crumbs = deep.read("/categories/level-29/").one("nav", class_="breadcrumbs").all("li")
    assert [each.text for each in crumbs] == ["Home", *(f"Level {level}" for level in range(22, 30))]


def test_the_home_page_shows_each_category_once(deep: Reader) -> None:
    home = deep.read("/")
    assert [each["href"] for each in home.one("nav", class_="tiles").all("a")] == [f"{deep.mount}/categories/level-0/"]
    assert home.all("aside") == []


def test_the_sidebar_shows_the_subcategories_of_the_page(deep: Reader) -> None:
    def shown(path: str) -> list[str]:
        return [each.text for each in deep.read(path).one("aside").all("a")]

    assert shown("/organizers/") == ["Level 0"]
    assert shown("/categories/level-1/") == ["Level 0", "Level 1", "Level 2"]
    assert shown("/categories/level-29/") == [f"Level {level}" for level in range(4)]
