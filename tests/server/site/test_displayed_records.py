"""Custom fields on pages and cards."""

from typing import Any

import pytest

from ..conftest import Api
from .conftest import ON_ONE_DATABASE, Reader
from .html_document import Element

pytestmark = ON_ONE_DATABASE


def shown(api: Api, type_: str, value: Any, **settings: Any) -> Element:
    """Return the value of a field as the page of a listing shows it."""
    api.make("custom-fields", label="Field", name="field", type=type_, **settings)
    api.make("projects", name="Adze", field=value)
    return Reader(api).read("/listings/adze/").one("dl", class_="facts").one("dd")


@pytest.mark.parametrize(
    ("type_", "value", "settings", "text"),
    [
        ("text", "a < b", {}, "a < b"),
        ("text", "12", {"value_prefix": "€ ", "value_suffix": " a day"}, "€ 12 a day"),
        ("textarea", "one\ntwo", {}, "one two"),
        ("number", 1200.5, {}, "1200.5"),
        ("number", 0, {"value_prefix": "€ "}, "€ 0"),
        ("date", "2026-03-01", {}, "1 March 2026"),
        ("select", "b", {"options": ["a", "b"]}, "b"),
        ("checkbox", True, {"show_label": True}, "Yes"),
        ("checkbox", False, {"show_label": True}, "No"),
        ("list", ["a", "b"], {}, "ab"),
        ("multi_select", ["a"], {"options": ["a", "b"]}, "a"),
        ("markdown", "**bold**", {}, "bold"),
        ("rich_editor", "<em>soft</em>", {}, "soft"),
        ("url", "https://www.example.org/a/", {"show_label": True}, "example.org/a"),
        ("url", "https://www.example.org/a/", {}, "Field"),
        ("email", "ada@example.org", {}, "ada@example.org"),
        ("button", "https://example.org/", {}, "Field"),
        ("file_upload", "docs/a b.pdf", {}, "a b.pdf"),
    ],
)
def test_a_value_is_displayed_according_to_its_type(
    api: Api, type_: str, value: Any, settings: dict[str, Any], text: str
) -> None:
    assert shown(api, type_, value, **settings).text == text


@pytest.mark.parametrize(
    ("type_", "value", "href"),
    [
        ("url", "https://www.example.org/a/", "https://www.example.org/a/"),
        ("button", "https://example.org/", "https://example.org/"),
        ("email", "ada@example.org", "mailto:ada@example.org"),
        ("file_upload", "https://cdn.example.org/a.pdf", "https://cdn.example.org/a.pdf"),
        ("file_upload", "docs/a b.pdf", "{mount}/storage/docs/a%20b.pdf"),
    ],
)
def test_a_url_value_is_a_link(api: Api, type_: str, value: str, href: str) -> None:
    link = shown(api, type_, value).one("a")
    assert link["href"] == href.format(mount=Reader(api).mount)
    assert link["rel"] == "noopener"


def test_a_rating_has_a_text_alternative(api: Api) -> None:
    rating = shown(api, "rating", 3.5).one(class_="rating")
    assert (rating.text, rating["aria-label"]) == ("●●●●○ 3.5/5", "3.5 of 5")


def test_a_rating_always_shows_its_label(api: Api, reader: Reader) -> None:
    """Without the label, it would look like the opinion of other readers."""
    api.make("custom-fields", label="Ease", type="rating", show_label=False, show_on_card=True)
    api.make("projects", name="Adze", ease=4)
    for label in (reader.read("/").one("dt"), reader.read("/listings/adze/").one("dt")):
        assert (label.text, label.attributes) == ("Ease", {})


def test_bodies_are_rendered_and_dates_are_machine_readable(api: Api, reader: Reader) -> None:
    api.make("custom-fields", label="Day", type="date")
    api.make("custom-fields", label="Note", type="markdown")
    api.make("projects", name="Adze", day="2026-03-01", note="**bold**")
    article = reader.read("/listings/adze/").one("article")
    assert article.one(class_="field-date").one("time")["datetime"] == "2026-03-01"
    assert article.one(class_="field-markdown").one("strong").text == "bold"


@pytest.mark.parametrize("type_", ["html", "javascript"])
def test_custom_fields_with_code_are_never_shown(api: Api, reader: Reader, type_: str) -> None:
    """XS-12: nor is `head_html`."""
    settings = {"show_on_card": True, "show_label": True, "show_label_on_card": True}
    api.make("custom-fields", label="Widget", type=type_, placement_on_card="after_title", **settings)
    code = "<b id=w>pwned</b><script>alert('pwned')</script>"
    category = api.make("categories", title="Saws", head_html=code)
    api.make("projects", name="Adze", widget=code, head_html=code, categories=[category["id"]])
    for page in reader.crawl().values():
        assert "pwned" not in page
        assert "Widget" not in page


@pytest.mark.parametrize("place", ["after_categories", "after_tags", "before_content", "after_content", None])
def test_a_field_is_shown_at_its_configured_place(api: Api, reader: Reader, place: str | None) -> None:
    category, tag = api.make("categories", title="SAWS"), api.make("tags", title="OLD")
    api.make("custom-fields", label="Field", type="textarea", placement=place)
    api.make("projects", name="Adze", content="CONTENT", field="VALUE", categories=[category["id"]], tags=[tag["id"]])
    marks = ["SAWS", "OLD", "CONTENT"]
    after = {"after_categories": 1, "after_tags": 2, "before_content": 2, "after_content": 3, None: 3}[place]
    text = reader.read("/listings/adze/").one("article").text
    assert [word for word in text.split() if word in {*marks, "VALUE"}] == [*marks[:after], "VALUE", *marks[after:]]


@pytest.mark.parametrize("kind", ["listing", "organizer"])
def test_short_fields_and_contact_details_share_one_box(api: Api, reader: Reader, kind: str) -> None:
    for place in ("before_content", "after_content"):
        api.make("custom-fields", label=place, type="text", placement=place, fieldable_type=kind)
    texts = {"email": "ada@example.org", "content": "CONTENT", "before_content": "FIRST", "after_content": "LAST"}
    if kind == "listing":
        api.make("projects", name="Adze", url="https://adze.example.org/", **texts)
    else:
        api.make("organizers", name="Adze", website_url="https://adze.example.org/", **texts)
    box = reader.read("/listings/adze/" if kind == "listing" else "/organizers/adze/").one("section", class_="fact-box")
    assert [each.text for each in box.all("dd")] == ["ada@example.org", "FIRST", "LAST"]
    assert box.one("a", class_="button")["href"] == "https://adze.example.org/"


def test_a_card_shows_the_description_above_the_facts(api: Api, reader: Reader) -> None:
    api.make("custom-fields", label="Fee", type="number", show_on_card=True, placement_on_card="after_title")
    api.make("projects", name="Adze", description="It hews.", fee=7)
    assert reader.read().one("li", class_="card").text == "Adze It hews. Fee 7"


def test_an_address_can_break_between_its_parts(api: Api, reader: Reader) -> None:
    api.make("custom-fields", label="Mail", type="email")
    api.make("projects", name="Adze", email="ada.b@example.org", mail="a&b@example.org")
    page = reader.ask("/listings/adze/").text
    assert ">ada<wbr>.b<wbr>@example<wbr>.org</a>" in page
    assert ">a&amp;b<wbr>@example<wbr>.org</a>" in page


@pytest.mark.parametrize(
    ("place", "after"),
    [("after_title", 1), ("before_categories", 1), ("after_categories", 2), ("before_buttons", 3), (None, 1)],
)
def test_a_card_shows_a_field_at_its_configured_place(api: Api, reader: Reader, place: str | None, after: int) -> None:
    category, tag = api.make("categories", title="SAWS"), api.make("tags", title="OLD")
    api.make("custom-fields", label="Field", type="text", placement_on_card=place, show_on_card=True)
    api.make("projects", name="ADZE", field="VALUE", categories=[category["id"]], tags=[tag["id"]])
    marks = ["ADZE", "SAWS", "OLD"]
    text = reader.read("/").one("li", class_="card").text
    assert [word for word in text.split() if word in {*marks, "VALUE"}] == [*marks[:after], "VALUE", *marks[after:]]


def test_hidden_fields_are_not_shown(api: Api, reader: Reader) -> None:
    api.make("custom-fields", label="Hidden", type="text", is_visible=False, show_on_card=True)
    api.make("custom-fields", label="Page only", name="page_only", type="text")
    api.make("projects", name="Adze", hidden="SECRET", page_only="ONLY HERE")
    assert not any("SECRET" in page for page in reader.crawl().values())
    assert "ONLY HERE" in reader.read("/listings/adze/").text
    assert "ONLY HERE" not in reader.read("/").text


def test_an_empty_value_is_not_shown(api: Api, reader: Reader) -> None:
    api.make("custom-fields", label="Field", type="text", show_label=True)
    api.make("projects", name="Adze")
    assert reader.read("/listings/adze/").all("dl", class_="facts") == []


def test_a_hidden_label_is_available_to_screen_readers(api: Api, reader: Reader) -> None:
    api.make("custom-fields", label="Shown", type="text", show_label=True, icon="★", show_icon=True, order=1)
    api.make("custom-fields", label="Spoken", type="text", icon="★", order=2)
    api.make("projects", name="Adze", shown="a", spoken="b")
    shown, spoken = reader.read("/listings/adze/").all("dt")
    assert (shown.text, "class" in shown.attributes) == ("★ Shown", False)
    assert (spoken.text, spoken["class"]) == ("Spoken", "visually-hidden")


def test_organizers_and_articles_show_their_fields_too(api: Api, reader: Reader) -> None:
    for kind in ("organizer", "article"):
        api.make("custom-fields", label=f"Of {kind}", name=kind, type="text", fieldable_type=kind, show_on_card=True)
    api.make("organizers", name="Guild", organizer="Association")
    api.make("articles", title="News", markdown="x", article="Report")
    assert [("Association" in reader.read(path).text) for path in ("/organizers/", "/organizers/guild/")] == [
        True,
        True,
    ]
    assert [("Report" in reader.read(path).text) for path in ("/blog/", "/blog/news/")] == [True, True]


# A value of each type, and of those whose texts may look like anything, some more.
VALUES = (
    ("text", "http://[bad"),
    ("text", "hello"),
    ("number", 2_000_000),
    ("checkbox", True),
    ("date", "2026-03-01"),
    ("url", "https://example.org/"),
    ("rating", 3.5),
    ("list", ["a"]),
    ("multi_select", ["a"]),
    ("markdown", "**bold**"),
)
TYPES = (
    "text", "textarea", "number", "date", "file_upload", "url", "button", "email", "rich_editor", "markdown",
    "checkbox", "rating", "select", "list", "multi_select",
)  # fmt: skip


@pytest.mark.parametrize(("before", "value"), VALUES, ids=lambda each: str(each)[:12])
def test_a_value_that_does_not_fit_the_new_type_breaks_no_page(
    api: Api, reader: Reader, before: str, value: Any
) -> None:
    """The type of a field can change while its values stay; every page is shown with every value."""
    options: dict[str, Any] = {"options": ["a", "b"]}
    made = api.make("custom-fields", label="Field", name="field", type=before, show_on_card=True, **options)
    api.make("projects", name="Adze", field=value)
    for after in TYPES:
        api.change("custom-fields", made["id"], type=after)
        for path in ("/", "/listings/adze/"):
            answer = reader.ask(path)
            assert answer.status_code == 200, (after, path)
            assert len(answer.text) < 10_000, (after, path)


@pytest.mark.parametrize(
    ("value", "after", "shown"),
    [("3", "number", True), ("much", "number", False), ("a@b.example", "email", True), ("a", "select", True)],
)
def test_a_value_that_fits_the_new_type_is_shown(api: Api, reader: Reader, value: str, after: str, shown: bool) -> None:
    made = api.make("custom-fields", label="Field", name="field", type="text", options=["a"])
    api.make("projects", name="Adze", field=value)
    api.change("custom-fields", made["id"], type=after)
    assert bool(reader.read("/listings/adze/").all("dl", class_="facts")) is shown


@pytest.mark.parametrize(
    ("type_", "text"), [("markdown", "**bold** word"), ("rich_editor", "<b>bold</b> word"), ("textarea", "bold word")]
)
def test_a_card_shows_only_the_beginning_of_a_text(api: Api, reader: Reader, type_: str, text: str) -> None:
    """XS-16: eighteen complete texts would make a page of megabytes."""
    api.make("custom-fields", label="Field", name="field", type=type_, show_on_card=True)
    api.make("projects", name="Adze", field=text + " word" * 1000)
    field = reader.read().one("li", class_="card").one("dd")
    assert field.text.startswith("bold word word")
    assert field.text.endswith("word…")
    assert len(field.text) <= 200
    assert field.all("strong") == field.all("b") == []


def test_only_the_body_of_a_page_has_heading_ids(api: Api, reader: Reader) -> None:
    api.make("custom-fields", label="One", name="one", type="markdown")
    api.make("custom-fields", label="Two", name="two", type="rich_editor")
    api.make("projects", name="Adze", content="## Use", one="## Use", two="<h2 id='use'>Use</h2>")
    page = reader.read("/listings/adze/").one("main")
    assert [each.text for each in page.all("h2")] == ["Use"] * 3
    assert len(page.all("h2", id="use")) == 1


@pytest.mark.parametrize(("value", "stars"), [(0.5, "●○○○○"), (2.5, "●●●○○"), (2.4, "●●○○○"), (5, "●●●●●")])
def test_half_a_point_of_a_rating_is_a_whole_point(api: Api, value: float, stars: str) -> None:
    assert shown(api, "rating", value).one(class_="rating").text == f"{stars} {value}/5"


def test_a_renamed_field_is_shown_and_a_deleted_one_is_not(api: Api) -> None:
    field = api.make("custom-fields", label="Source", type="text", show_on_card=True)["id"]
    api.make("projects", name="Adze", source="A forge")
    api.change("custom-fields", field, name="origin")
    reader = Reader(api)
    assert "A forge" in reader.ask("/").text
    assert "A forge" in reader.ask("/listings/adze/").text
    api.delete(f"/custom-fields/{field}")
    assert "A forge" not in reader.ask("/").text + reader.ask("/listings/adze/").text
