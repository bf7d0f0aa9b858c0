"""contentsync.content.keys: renamed and ignored keys, lists and objects in cells."""

from contentsync.model import Notes

from .conftest import CONFIG, Load, only, spots

HUGO = CONFIG + (
    '[content.articles]\nrename = { date = "published_at", image = "thumbnail_url", draft = "!active" }\n'
    'ignore = ["layout", "author"]\n'
)


def test_lists_and_objects_are_read_from_cells(read: Load) -> None:
    """CS-20"""
    cells = "name,additional_image_urls,social_links.github,social_links.x\nA,https://a.example/1 | https://a.example/2,https://g.example,\n"
    assert only(read({"listings/a.csv": cells})).fields == {
        "name": "A",
        "slug": "a",
        "additional_image_urls": ["https://a.example/1", "https://a.example/2"],
        "social_links": {"github": "https://g.example"},
    }


def test_an_empty_cell_clears_its_field(read: Load) -> None:
    cells = "name,slug,url,description,tags,is_featured,social_links.x\nA,,,,,,\n"
    assert only(read({"listings/a.csv": cells})).fields == {
        "name": "A",
        "slug": "a",
        "url": None,
        "description": None,
        "tags": [],
        "is_featured": False,
        "social_links": {},
    }


def test_notes_to_the_sync_may_be_columns(read: Load) -> None:
    content = read({"listings/a.csv": "name,sync.skip,sync.previous\nA,yes,b|c\nD,,\n"})
    assert [entry.notes for entry in content.entries] == [Notes(skip=True, previous=("b", "c")), Notes()]


def test_a_mistake_in_a_dotted_column_has_the_place_of_its_cell(read: Load) -> None:
    content = read({"listings/a.csv": "name,social_links.x\nA,nowhere\n"})
    assert spots(content) == [("listings/a.csv", 2, 3, "bad-url")]


def test_keys_are_renamed_negated_and_ignored(read: Load) -> None:
    text = "---\ntitle: A\ndate: 2026-03-01\ndraft: true\nlayout: post\nauthor: {name: x}\n---\nText\n"
    fields = only(read({"contentsync.toml": HUGO, "articles/a.md": text})).fields
    assert fields["published_at"] == "2026-03-01T00:00:00.000000Z"
    assert fields["active"] is False
    assert not {"layout", "author", "draft", "date"} & fields.keys()


def test_a_mistake_in_a_renamed_key_has_its_place(read: Load) -> None:
    text = "---\ntitle: A\nimage: nowhere\ndraft: perhaps\n---\nText\n"
    content = read({"contentsync.toml": HUGO, "articles/a.md": text})
    assert spots(content) == [("articles/a.md", 3, 8, "bad-url"), ("articles/a.md", 4, 8, "not-a-boolean")]


def test_a_key_and_what_is_renamed_to_it_cannot_both_be_given(read: Load) -> None:
    text = "---\ntitle: A\ndate: 2026-03-01\npublished_at: 2026-03-01\n---\nText\n"
    content = read({"contentsync.toml": HUGO, "articles/a.md": text})
    assert spots(content) == [("articles/a.md", 3, 1, "duplicate-key")]


def test_columns_are_renamed_before_cells_are_split(read: Load) -> None:
    config = (
        CONFIG
        + '[content.listings]\nrename = { Title = "name", images = "additional_image_urls", links = "social_links" }\n'
    )
    cells = "Title,images,links.x\nA,https://a.example/1|https://a.example/2,https://x.example\n"
    fields = only(read({"contentsync.toml": config, "listings/a.csv": cells})).fields
    assert fields["name"] == "A"
    assert len(fields["additional_image_urls"]) == 2
    assert fields["social_links"] == {"x": "https://x.example"}
