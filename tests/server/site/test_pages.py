"""The content of the pages of listings (in the API: `projects`), categories, articles and organizers."""

import pytest

from ..conftest import Api
from .conftest import Reader


def test_a_listing_page_shows_all_its_fields(api: Api, reader: Reader) -> None:
    organizer = api.make("organizers", name="Guild", description="Makers")
    api.make(
        "projects",
        name="Adze",
        description="It hews.",
        content="## Use\n\nBoth *hands*.",
        url="https://adze.example.org/",
        is_no_follow=True,
        image_url="https://img.example.org/a.png",
        image_alt_text="An adze",
        additional_image_urls=["https://img.example.org/b.png"],
        video_url="https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        phone_number="+44 20 7946 0000",
        email="ada@example.org",
        address="1 Lane",
        latitude=51.5,
        longitude=-0.25,
        social_links={"Mastodon": "https://social.example.org/@adze"},
        organizers=[organizer["id"]],
    )
    page = reader.read("/listings/adze/").one("main")
    assert page.one("h1").text == "Adze"
    assert page.one(class_="lead").text == "It hews."
    assert page.one(class_="prose").one("em").text == "hands"
    assert page.one("a", href="https://adze.example.org/")["rel"] == "noopener nofollow"
    assert page.one("img", alt="An adze")["src"] == "https://img.example.org/a.png"
    assert page.one("img", alt="Picture 1 of Adze")["src"] == "https://img.example.org/b.png"
    frame = page.one("iframe")
    assert frame["src"] == "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"
    assert "allow-top-navigation" not in frame["sandbox"]
    assert page.one("a", href="tel:+442079460000").text == "+44 20 7946 0000"
    assert page.one("a", href="mailto:ada@example.org").text == "ada@example.org"
    assert "mlat=51.5&mlon=-0.25" in next(each["href"] for each in page.all("a") if "openstreetmap" in each["href"])
    assert page.one("a", href="https://social.example.org/@adze")["rel"] == "noopener nofollow"
    assert page.one("a", href=f"{reader.mount}/organizers/guild/").text == "Guild"


@pytest.mark.parametrize(
    "video", ["https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ", "https://video.example.org/a.mp4"]
)
def test_a_video_of_another_host_is_only_a_link(api: Api, reader: Reader, video: str) -> None:
    """XS-13"""
    api.make("projects", name="Adze", video_url=video)
    page = reader.read("/listings/adze/").one("main")
    assert page.all("iframe") == []
    assert page.one("a", href=video).text == "Watch the video"


@pytest.mark.parametrize(
    ("content", "html"),
    [
        ("Both *hands*", "em"),
        ("<p>Both <em>hands</em></p>", "em"),
        ("\n <!-- x --><p>Both <em>hands</em></p>", "em"),
        ("<https://example.org/> *hands*", "em"),
    ],
)
def test_the_body_of_a_listing_is_markdown_or_html(api: Api, reader: Reader, content: str, html: str) -> None:
    """docs/contract.md 14"""
    api.make("projects", name="Adze", content=content)
    assert reader.read("/listings/adze/").one("main").one(class_="prose").one(html).text == "hands"


def test_a_category_page_shows_its_listings_and_those_of_subcategories(api: Api, reader: Reader) -> None:
    saws = api.make("categories", title="Saws", description="All that cut", content="*Care* for them", icon="🪚")["id"]
    fine = api.make("categories", title="Fine", parent_id=saws)["id"]
    api.make("projects", name="Rip saw", categories=[saws])
    api.make("projects", name="Dovetail saw", categories=[fine])
    api.make("projects", name="Plane")
    page = reader.read("/categories/saws/")
    assert page.title == "Saws · Tools"
    assert page.meta("description") == "All that cut"
    assert page.one("h1").text == "🪚 Saws"
    assert page.one("main").one(class_="prose").one("em").text == "Care"
    assert [each.text for each in page.all("h2", class_="card-title")] == ["Dovetail saw", "Rip saw"]
    assert page.link("canonical") == f"{api.site}/categories/saws/"
    assert page.one("main").one("a", href=f"{reader.mount}/categories/fine/", class_="tag").text == "Fine"


def test_a_category_has_its_own_seo_texts(api: Api, reader: Reader) -> None:
    api.make("categories", title="Saws", seo_title="The best saws", seo_description="Sharp")
    page = reader.read("/categories/saws/")
    assert (page.title, page.meta("description"), page.meta("og:title")) == ("The best saws", "Sharp", "Saws")


def test_one_page_lists_all_categories(api: Api, reader: Reader) -> None:
    saws = api.make("categories", title="Saws", order=2)["id"]
    api.make("categories", title="Fine", parent_id=saws)
    api.make("categories", title="Planes", order=1)
    assert reader.names("/categories/") == ["Planes", "Saws"]
    assert reader.read("/categories/").one("main").one("a", href=f"{reader.mount}/categories/fine/").text == "Fine"


def test_the_blog_shows_the_newest_articles_first(api: Api, reader: Reader) -> None:
    for day in (2, 3, 1):
        date = f"2026-01-0{day}T00:00:00Z"
        api.make("articles", title=f"Day {day}", markdown=f"On *day* {day}.", published_at=date)
    page = reader.read("/blog/")
    posts = page.all("li", class_="post")
    assert [each.one("h2").text for each in posts] == ["Day 3", "Day 2", "Day 1"]
    assert posts[0].one("time").attributes == {"datetime": "2026-01-03T00:00:00.000000Z"}
    assert posts[0].one(class_="summary").text == "On day 3."


def test_blog_categories_can_have_any_name(api: Api, reader: Reader) -> None:
    name = 'R&D <"news">'
    api.make("articles", title="One", markdown="x", categories=[name, "Other"])
    api.make("articles", title="Two", markdown="x", categories=["Other"])
    api.make("articles", title="Three", markdown="x", categories=["Draft"], active=False)
    menu = reader.read("/blog/").one("nav", aria_label="Blog").all("a")
    assert [each.text for each in menu] == ["All articles", "Other", name]
    answer = api.service.visit("GET", menu[2]["href"])
    assert answer.status_code == 200
    page = reader.read("/blog/", category=name)
    assert page.one("h1").text == name
    assert [each.text for each in page.all("h2", class_="card-title")] == ["One"]
    assert page.link("canonical") == f"{api.site}/blog/?category=R%26D+%3C%22news%22%3E"
    assert reader.status("/blog/", category="Draft") == reader.status("/blog/", category="\0") == 404
    assert reader.status("/blog/", category="Other\0") == 404


def test_the_blog_is_paginated(api: Api, reader: Reader) -> None:
    for number in range(21):
        api.make("articles", title=f"Post {number}", markdown="x", published_at=f"2026-01-{number + 1:02}T00:00:00Z")
    assert len(reader.names("/blog/")) == 20
    page = reader.read("/blog/", page=2)
    assert [each.text for each in page.all("h2", class_="card-title")] == ["Post 0"]
    assert page.link("prev") == f"{api.site}/blog/"
    assert page.link("canonical") == f"{api.site}/blog/?page=2"
    assert reader.status("/blog/", page=3) == 404


def test_an_article_is_rendered_in_its_format(api: Api, reader: Reader) -> None:
    api.make("articles", title="Mark", markdown="<b>x</b> *y*")
    api.make("articles", title="Html", content="<p>a *b* <em>c</em></p>")
    assert reader.read("/blog/mark/").one("main").one(class_="prose").text == "x y"
    assert reader.read("/blog/html/").one("main").one(class_="prose").text == "a *b* c"


def test_an_organizer_page_shows_its_profile_and_listings(api: Api, reader: Reader) -> None:
    """docs/contract.md 1 and 4.4.7"""
    guild = api.make(
        "organizers",
        name="Guild",
        description="Makers",
        content="*Since* 1400",
        website_url="https://guild.example.org/",
        cover_image_url="https://img.example.org/cover.png",
    )
    api.make("projects", name="Adze", organizers=[guild["id"]])
    page = reader.read("/organizers/guild/").one("main")
    assert page.one("h1").text == "Guild"
    assert page.one(class_="prose").one("em").text == "Since"
    assert page.one("a", href="https://guild.example.org/").text == "Website"
    assert page.one("img", src="https://img.example.org/cover.png")["alt"] == ""
    assert page.one("h3", class_="card-title").one("a")["href"] == f"{reader.mount}/listings/adze/"


def test_the_list_of_organizers_is_paginated_in_order(api: Api, reader: Reader) -> None:
    for number in range(21):
        api.make("organizers", name=f"Guild {number}", order=-number)
    assert reader.names("/organizers/") == [f"Guild {number}" for number in range(20, 0, -1)]
    assert reader.names("/organizers/", page=2) == ["Guild 0"]
