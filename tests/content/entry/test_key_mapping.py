"""contentsync.content.entry.key_mapping: renamed and ignored keys, lists and objects in cells."""

import pytest

from contentsync.model import Notes

from ..conftest import CONFIG, Load, only, spots

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


@pytest.mark.parametrize(
    ("column", "cell", "code"),
    [
        ("schema", '"{""a"": 1,}"', "not-json"),
        ("schema", '"[1]"', "not-an-object"),
        ("additional_image_urls", "https://a.example/1 https://a.example/2", "bad-url"),
        ("mood", "sunny; calm", "not-a-choice"),
    ],
)
def test_a_cell_with_an_unreadable_list_or_object_is_reported(read: Load, column: str, cell: str, code: str) -> None:
    """CS-20"""
    fields = "- {label: Mood, type: multi_select, options: [sunny, calm]}\n"
    content = read({"custom_fields.yaml": fields, "listings/a.csv": f"name,{column}\nA,{cell}\n"})
    assert spots(content) == [("listings/a.csv", 2, 3, code)]


@pytest.mark.parametrize(
    ("cell", "moods"),
    [
        ("sunny|calm", ["sunny", "calm"]),
        ('"sunny, calm"', ["sunny", "calm"]),
        ('"[""sunny"", ""calm""]"', ["sunny", "calm"]),
        ("sunny", ["sunny"]),
        ('"sunny, calm|"', ["sunny, calm"]),
        ("", None),
    ],
)
def test_a_cell_of_a_custom_list_is_read_in_any_list_notation(read: Load, cell: str, moods: list[str] | None) -> None:
    """CS-20"""
    files = {"custom_fields.yaml": "- {label: Mood, type: list}\n", "listings/a.csv": f"name,mood\nA,{cell}\n"}
    content = read(files)
    assert content.problems == ()
    assert content.entries[-1].fields["mood"] == moods


def test_a_cell_with_only_separators_is_an_empty_list(read: Load) -> None:
    """CS-20"""
    fields = only(read({"listings/a.csv": "name,tags,additional_image_urls\nA,|, | https://a.example |\n"})).fields
    assert (fields["tags"], fields["additional_image_urls"]) == ([], ["https://a.example"])


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


def test_sync_settings_can_be_columns(read: Load) -> None:
    content = read({"listings/a.csv": "name,sync.skip,sync.previous\nA,yes,b|c\nD,,\n"})
    assert content.errors == []
    assert [entry.notes for entry in content.entries] == [Notes(skip=True, previous=("b", "c")), Notes()]


def test_a_mistake_in_a_dotted_column_is_reported_at_its_cell(read: Load) -> None:
    content = read({"listings/a.csv": "name,social_links.x\nA,nowhere\n"})
    assert spots(content) == [("listings/a.csv", 2, 3, "bad-url")]


@pytest.mark.parametrize("header", ["seo.title", "seo.a.b", "sync.skp", "sync.a.b"])
def test_an_unknown_dotted_column_is_reported_once_at_the_header(read: Load, header: str) -> None:
    content = read({"listings/a.csv": f"name,{header}\nA,x\nB,y\n"})
    assert spots(content) == [("listings/a.csv", 1, 6, "unknown-key")]


@pytest.mark.parametrize(
    ("rename", "columns"),
    [
        ('links = "social_links"', "links,social_links.x"),
        ('links = "social_links", x = "social_links.x"', "links,x"),
        ('x = "social_links.x", links = "social_links"', "links,x"),
    ],
)
def test_renaming_to_an_object_and_to_a_part_of_it_is_an_error(read: Load, rename: str, columns: str) -> None:
    config = CONFIG + f"[content.listings]\nrename = {{ {rename} }}\n"
    content = read(
        {"contentsync.toml": config, "listings/a.csv": f"name,{columns}\nA,https://a.example,https://b.example\n"}
    )
    assert ("listings/a.csv", 1, "duplicate-key") in [(path, line, code) for path, line, _, code in spots(content)]
    assert content.entries == ()


@pytest.mark.parametrize(
    ("table", "hint"),
    [
        ('[content.pages]\nrename = { a = "titel" }', "title"),
        ('[content.pages]\nrename = { a = "!is_publshed" }', "is_published"),
        ('[content.custom_fields]\nrename = { a = "zzz" }', ""),
        ('[content.articles]\nrename = { a = "zzz" }', "custom_fields.yaml"),
        ('[content.listings]\nrename = { a = "socal_links.x" }', "social_links"),
    ],
)
def test_a_rename_to_an_unknown_field_is_reported_in_the_config(read: Load, table: str, hint: str) -> None:
    content = read({"contentsync.toml": f"{CONFIG}{table}\n"})
    assert spots(content) == [("contentsync.toml", 5, 10, "unknown-field")]
    assert hint in content.problems[0].hint


@pytest.mark.parametrize(
    ("kind", "target"),
    [("articles", "title"), ("articles", "seo.title"), ("articles", "sync"), ("listings", "mood"), ("pages", "order")],
)
def test_only_a_boolean_field_can_be_negated(read: Load, kind: str, target: str) -> None:
    config = f'{CONFIG}[content.{kind}]\nrename = {{ a = "!{target}" }}\n'
    content = read({"contentsync.toml": config, "custom_fields.yaml": "- {label: Mood, type: text}\n"})
    assert spots(content) == [("contentsync.toml", 5, 10, "not-a-boolean")]
    assert f"!{target}, but {target} has no opposite" in content.problems[0].message


@pytest.mark.parametrize("target", ["is_active", "sync.skip", "open"])
def test_a_boolean_custom_field_or_sync_setting_can_be_negated(read: Load, target: str) -> None:
    config = f'{CONFIG}[content.listings]\nrename = {{ a = "!{target}" }}\n'
    content = read({"contentsync.toml": config, "custom_fields.yaml": "- {label: Open, type: checkbox}\n"})
    assert content.problems == ()


def test_the_entries_of_a_rename_table_have_locations(read: Load) -> None:
    config = CONFIG + '[content.pages.rename]\na = "title"\n"b c" = "slugg"\n'
    assert spots(read({"contentsync.toml": config})) == [("contentsync.toml", 6, 9, "unknown-field")]


def test_a_key_can_be_renamed_to_a_custom_field_of_its_kind(read: Load) -> None:
    fields = "- {label: Image, type: text}\n- {label: Mood, type: text, fieldable_type: article}\n"
    config = CONFIG + '[content.listings]\nrename = { bild = "image", sk = "sync.skip", links = "social_links.x" }\n'
    assert read({"contentsync.toml": config, "custom_fields.yaml": fields}).problems == ()
    content = read({"contentsync.toml": config.replace('"image"', '"mood"'), "custom_fields.yaml": fields})
    assert spots(content) == [("contentsync.toml", 5, 10, "unknown-field")]


@pytest.mark.parametrize("fields", ["- {label: Image, type: txt}\n", "- label: ["])
def test_a_rename_to_an_unreadable_custom_field_is_not_reported(read: Load, fields: str) -> None:
    config = CONFIG + '[content.listings]\nrename = { bild = "image" }\n'
    content = read({"contentsync.toml": config, "custom_fields.yaml": fields})
    assert [spot[0] for spot in spots(content)] == ["custom_fields.yaml"]


def test_keys_are_renamed_negated_and_ignored(read: Load) -> None:
    text = "---\ntitle: A\ndate: 2026-03-01\ndraft: true\nlayout: post\nauthor: {name: x}\n---\nText\n"
    fields = only(read({"contentsync.toml": HUGO, "articles/a.md": text})).fields
    assert fields["published_at"] == "2026-03-01T00:00:00.000000Z"
    assert fields["active"] is False
    assert not {"layout", "author", "draft", "date"} & fields.keys()


def test_a_mistake_in_a_renamed_key_is_reported_at_its_value(read: Load) -> None:
    text = "---\ntitle: A\nimage: [nowhere]\ndraft: perhaps\n---\nText\n"
    content = read({"contentsync.toml": HUGO, "articles/a.md": text})
    assert spots(content) == [("articles/a.md", 3, 8, "not-text"), ("articles/a.md", 4, 8, "not-a-boolean")]


def test_a_key_and_a_second_key_renamed_to_it_are_an_error(read: Load) -> None:
    text = "---\ntitle: A\ndate: 2026-03-01\npublished_at: 2026-03-01\n---\nText\n"
    content = read({"contentsync.toml": HUGO, "articles/a.md": text})
    assert spots(content) == [("articles/a.md", 3, 1, "duplicate-key")]


def test_a_key_can_be_renamed_to_a_part_of_an_object(read: Load) -> None:
    config = CONFIG + '[content.articles]\nrename = { summary = "seo.description", og = "seo.og_title" }\n'
    text = "---\ntitle: A\nsummary: B\nseo: {title: C}\nog: D\n---\nText\n"
    fields = only(read({"contentsync.toml": config, "articles/a.md": text})).fields
    assert fields["seo"] == {"title": "C", "description": "B", "og_title": "D"}


@pytest.mark.parametrize("seo", ["{description: C}", "C", ""])
def test_a_key_renamed_to_a_key_that_is_set_is_an_error(read: Load, seo: str) -> None:
    config = CONFIG + '[content.articles]\nrename = { summary = "seo.description" }\n'
    text = f"---\ntitle: A\nsummary: B\nseo: {seo}\n---\nText\n"
    content = read({"contentsync.toml": config, "articles/a.md": text})
    assert ("articles/a.md", 3, 1, "duplicate-key") in spots(content)


def test_a_mistake_in_a_key_renamed_to_a_part_is_reported_at_its_value(read: Load) -> None:
    config = CONFIG + '[content.articles]\nrename = { image = "seo.og_image" }\n'
    content = read({"contentsync.toml": config, "articles/a.md": "---\ntitle: A\nimage: nowhere\n---\nText\n"})
    assert spots(content) == [("articles/a.md", 3, 8, "bad-url")]


def test_an_ignored_column_includes_its_dotted_parts(read: Load) -> None:
    config = CONFIG + '[content.listings]\nignore = ["author", "gone"]\n'
    cells = "name,author.b,author.x.y,authority\nA,,z,q\n"
    content = read({"contentsync.toml": config, "listings/a.csv": cells})
    assert spots(content) == [("listings/a.csv", 1, 26, "unknown-key")]


def test_a_mistake_in_a_renamed_column_is_reported_at_its_cell(read: Load) -> None:
    config = CONFIG + '[content.listings]\nrename = { links = "social_links", off = "!is_active" }\n'
    cells = "links.x,name,off,links.y\nnowhere,A,perhaps,https://y.example\n"
    content = read({"contentsync.toml": config, "listings/a.csv": cells})
    assert spots(content) == [("listings/a.csv", 2, 1, "bad-url"), ("listings/a.csv", 2, 11, "not-a-boolean")]


def test_two_columns_can_exchange_their_names(read: Load) -> None:
    config = CONFIG + '[content.listings]\nrename = { name = "description", title = "name" }\n'
    fields = only(read({"contentsync.toml": config, "listings/a.csv": "name,title\nB,A\n"})).fields
    assert (fields["name"], fields["description"]) == ("A", "B")


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


def test_an_ignored_key_can_have_any_value(read: Load) -> None:
    config = CONFIG + '[content.articles]\nignore = ["layout", "deep"]\n'
    text = "---\ntitle: A\nlayout: *default\ndeep: {of: &x [1]}\nslug: *no\n---\nText\n"
    content = read({"contentsync.toml": config, "articles/a.md": text})
    assert spots(content) == [("articles/a.md", 5, 7, "yaml-alias")]


NESTED = (
    '[content.pages]\nignore = ["nav"]\n[content.pages.rename]\n"nav.key" = "title"\n"nav.order" = "order"\n'
    '"nav.hide" = "!is_published"\n'
)


def test_a_key_inside_an_object_is_renamed_and_the_rest_ignored(read: Load) -> None:
    page = "---\nnav: {key: About, order: 3, hide: yes, parent: Home}\n---\nText\n"
    fields = only(read({"contentsync.toml": NESTED, "pages/a.md": page})).fields
    assert (fields["title"], fields["order"], fields["is_published"]) == ("About", 3, False)
    assert "nav" not in fields


def test_an_object_without_other_keys_needs_no_setting(read: Load) -> None:
    config = '[content.pages.rename]\n"nav.key" = "title"\n'
    assert (
        only(read({"contentsync.toml": config, "pages/a.md": "---\nnav: {key: A}\n---\nText\n"})).fields["title"] == "A"
    )
    content = read({"contentsync.toml": config, "pages/a.md": "---\nnav:\n  key: A\n  parent: B\n---\nText\n"})
    assert [(it.code, it.subject, it.where.line) for it in content.problems] == [("unknown-key", "nav", 2)]


def test_a_problem_of_a_nested_key_is_reported_at_its_value(read: Load) -> None:
    page = "---\nnav:\n  key: A\n  order: first\n---\nText\n"
    content = read({"contentsync.toml": NESTED, "pages/a.md": page})
    assert spots(content) == [("pages/a.md", 4, 10, "not-an-integer")]


def test_a_nested_key_beside_its_field_is_an_error(read: Load) -> None:
    page = "---\ntitle: B\nnav: {key: A}\n---\nText\n"
    content = read({"contentsync.toml": NESTED, "pages/a.md": page})
    assert [(it.code, it.message) for it in content.problems] == [
        ("duplicate-key", "nav.key means title, but title is also set")
    ]


def test_a_nested_key_of_a_list_is_renamed(read: Load) -> None:
    config = '[content.listings.rename]\n"links.web" = "url"\n'
    text = "- {name: A, links: {web: https://example.org}}\n"
    assert only(read({"contentsync.toml": config, "listings/a.yaml": text})).key == "https://example.org"
