"""contentsync.authoring.edit.collection_edits: entries of lists and tables change in place, and new ones."""

from pathlib import Path

import pytest

from contentsync.authoring.edit.collection_edits import Fields, split_by_size
from contentsync.authoring.edit.file_edits import RefusedEntries
from contentsync.authoring.edit.list_file import ListFile
from contentsync.authoring.edit.pull_edits import plan_edits
from contentsync.content.folder.load import load_content
from contentsync.errors import Refused
from contentsync.model import Entry, Kind

from ...content.conftest import write
from .pulls import Changes, entry, incoming, pulled

CATEGORIES = """\
# All of them
- title: A  # the first
  slug: a

# The second
- {title: B, slug: b, order: 2} # b
"""


def test_a_pull_changes_only_the_differing_values_of_a_list(tmp_path: Path) -> None:
    changes = {(Kind.CATEGORY, "a"): {"description": "One\nTwo"}, (Kind.CATEGORY, "b"): {"title": "C", "icon": "x: y"}}
    after = pulled(tmp_path, {"categories.yaml": CATEGORIES}, changes, [entry(Kind.CATEGORY, "new", parent_id="a")])
    assert after == {
        "categories.yaml": """\
# All of them
- title: A  # the first
  slug: a
  description: |-
    One
    Two

# The second
- {title: C, slug: b, order: 2, icon: "x: y"} # b
- title: Title
  slug: new
  parent_id: a
"""
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "[{title: A, slug: a}, {title: B, slug: b}]\n",
            "[{title: A, slug: a}, {title: X, slug: b},\n{title: Title, slug: new}]\n",
        ),
        (
            "  - title: A\n    slug: a\n  - title: B\n    slug: b",
            "  - title: A\n    slug: a\n  - title: X\n    slug: b\n  - title: Title\n    slug: new\n",
        ),
        ("-\n  slug: b\n  title: B\n", "-\n  slug: b\n  title: X\n- title: Title\n  slug: new\n"),
    ],
)
def test_a_pull_edits_a_list_in_any_yaml_style(tmp_path: Path, before: str, after: str) -> None:
    changes = {(Kind.TAG, "b"): {"title": "X"}}
    assert pulled(tmp_path, {"tags.yml": before}, changes, [entry(Kind.TAG, "new")]) == {"tags.yml": after}


@pytest.mark.parametrize(
    ("moods", "cell"),
    [
        (["calm"], "calm"),
        (["calm", "sunny, calm"], '"calm|sunny, calm"'),
        (["sunny, calm"], '"sunny, calm|"'),
        (["[sic]"], "[sic]|"),
    ],
)
def test_a_pulled_cell_of_a_custom_list_is_read_back_as_the_same_list(
    tmp_path: Path, moods: list[str], cell: str
) -> None:
    files = {"custom_fields.yaml": "- {label: Mood, type: list}\n", "listings/a.csv": "name,mood\nA,\n"}
    after = pulled(tmp_path, files, {(Kind.LISTING, "a"): {"mood": moods}})
    assert after == {"listings/a.csv": f"name,mood\nA,{cell}\n"}
    assert load_content(tmp_path).entries[-1].fields["mood"] == moods


@pytest.mark.parametrize("text", ["", "# nothing yet", "[]\n", "---\n"])
def test_a_new_entry_is_added_to_an_empty_list(tmp_path: Path, text: str) -> None:
    pulled(tmp_path, {"tags.yaml": text}, new=[entry(Kind.TAG, "new")])
    assert [entry.key for entry in load_content(tmp_path).entries] == ["new"]
    assert text.strip("[]\n") in (tmp_path / "tags.yaml").read_text()


def test_adding_an_entry_to_a_single_entry_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"tags\.yaml holds a single entry"):
        pulled(tmp_path, {"tags.yaml": "title: A\nslug: a\n"}, new=[entry(Kind.TAG, "new")])


def test_unchanged_items_of_a_list_keep_their_lines(tmp_path: Path) -> None:
    before = """\
- name: A
  slug: a
  additional_image_urls:
    # the door
    - https://example.com/1.png
    - "https://example.com/2.png"  # the hall
    - https://example.com/3.png
  social_links:
    github: https://github.com/a  # code
    mastodon: https://example.social/a
"""
    changes = {
        "additional_image_urls": ["https://example.com/2.png", "https://example.com/4.png"],
        "social_links": {"github": "https://github.com/b", "matrix": "https://matrix.to/a"},
    }
    after = pulled(tmp_path, {"listings/a.yaml": before}, {(Kind.LISTING, "a"): changes})
    assert (
        after["listings/a.yaml"]
        == """\
- name: A
  slug: a
  additional_image_urls:
    # the door
    - "https://example.com/2.png"  # the hall
    - https://example.com/4.png
  social_links:
    github: https://github.com/b  # code
    matrix: https://matrix.to/a
"""
    )


def test_a_pull_of_categories_replaces_the_key_category_id(tmp_path: Path) -> None:
    files = {"categories.yaml": CATEGORIES, "listings/x.yaml": "name: X\nslug: x\ncategory_id: a\n"}
    pulled(tmp_path, files, {(Kind.LISTING, "x"): {"categories": ["b"]}})
    assert {entry.key: entry.fields.get("categories") for entry in load_content(tmp_path).entries}["x"] == ["b"]


def test_new_listings_go_into_a_separate_list_file(tmp_path: Path) -> None:
    files = {"listings/tools.csv": "name,slug\nA,a\n"}
    new = [entry(Kind.LISTING, "b", name="=1+1", phone_number="01234", address="12:30", description="no")]
    after = pulled(tmp_path, files, new=new)
    assert after == {
        "listings/pulled.yaml": (
            '- name: "=1+1"\n  slug: b\n  description: "no"\n  phone_number: "01234"\n  address: "12:30"\n'
        )
    }
    assert list(pulled(tmp_path, files, new=[entry(Kind.LISTING, "c")])) == ["listings/pulled.yaml"]
    assert [entry.key for entry in load_content(tmp_path).entries] == ["a", "b", "c"]


def test_new_entries_go_to_another_file_once_a_list_is_long() -> None:
    new: list[tuple[Entry, Fields]] = [(it, it.fields) for it in (entry(Kind.LISTING, f"x{n}") for n in range(8))]
    assert [len(portion) for portion in split_by_size(new, 120)] == [3, 3, 2]
    assert [len(portion) for portion in split_by_size(new, 1)] == [1] * 8
    file = ListFile(b"- {name: A}\n", Kind.LISTING, "listings/pulled.yaml")
    assert (file.takes_new_entries(13), file.takes_new_entries(12)) == (True, False)
    assert not ListFile(b"name: A\n", Kind.LISTING, "listings/pulled.yaml").takes_new_entries(100)


TABLE = '\ufeffsep=;\r\nname;slug;"description";tags;is_featured\r\n"A";a; "x;y" ;red|blue;yes\r\nB;b;;;no\r\n'


def test_a_pull_changes_only_the_differing_cells_of_a_table(tmp_path: Path) -> None:
    """CS-17"""
    files = {"listings/t.csv": TABLE, "tags.yaml": "[{title: r, slug: red}, {title: b, slug: blue}]\n"}
    changes: Changes = {
        (Kind.LISTING, "a"): {"name": 'A "1"', "tags": ["blue"]},
        (Kind.LISTING, "b"): {"description": "=1+1\n;", "is_featured": True},
    }
    after = pulled(tmp_path, files, changes)
    assert after["listings/t.csv"] == (
        '\ufeffsep=;\r\nname;slug;"description";tags;is_featured\r\n'
        '"A ""1""";a; "x;y" ;blue;yes\r\n'
        'B;b;"=1+1\r\n;";;true\r\n'
    )


def test_links_and_pictures_in_cells_keep_the_form_of_the_author(tmp_path: Path) -> None:
    header = "name,slug,content,logo_url,additional_image_urls\n"
    files = {
        "contentsync.toml": '[site]\nname = "T"\nasset_base_url = "https://cdn.example.com/"\n[assets]\n',
        "images/a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
        "pages/b.md": "---\ntitle: B\n---\n",
        "listings/b.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
        "listings/t.csv": f"{header}A,a,[one](../pages/b.md),../images/a.svg,../images/a.svg | b.svg\n",
    }
    content = load_content(write(tmp_path, files))
    sent = next(it for it in content.entries if it.kind is Kind.LISTING).fields
    assert (sent["content"], sent["logo_url"]) == ("[one](/pages/b/)", "https://cdn.example.com/images/a.svg")
    pictures = [*reversed(sent["additional_image_urls"])]
    changes = {"content": f"Edited: {sent['content']}", "logo_url": sent["logo_url"], "additional_image_urls": pictures}
    after = pulled(tmp_path, files, {(Kind.LISTING, "a"): changes})
    assert after == {
        "listings/t.csv": f"{header}A,a,Edited: [one](../pages/b.md),../images/a.svg,b.svg|../images/a.svg\n"
    }


@pytest.mark.parametrize("path", ["listings/t.csv", "listings/a.md"])
def test_a_custom_field_named_like_a_picture_field_keeps_its_address(path: str, tmp_path: Path) -> None:
    text = "name,slug,thumbnail_url\nA,a,{}\n" if path.endswith(".csv") else "---\nname: A\nthumbnail_url: {}\n---\n"
    files = {
        "contentsync.toml": '[site]\nname = "T"\nasset_base_url = "https://cdn.example.com/"\n[assets]\n',
        "custom_fields.yaml": "- {label: Thumbnail, name: thumbnail_url, type: url}\n",
        "images/a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
        path: text.format("https://example.org/"),
    }
    address = "https://cdn.example.com/images/a.svg"
    after = pulled(tmp_path, files, {(Kind.LISTING, "a"): {"thumbnail_url": address}})
    assert after == {path: text.format(address)}


def test_a_new_column_contains_the_server_value_of_every_row(tmp_path: Path) -> None:
    files = {"listings/t.tsv": "slug\tname\tsocial_links.x\na\tA\t\n\nb\tB\thttps://b.example.com/\nc\tC\t"}
    links = {"x": "https://b.example.com/", "y": "https://y.example.com/"}
    changes: Changes = {
        (Kind.LISTING, "a"): {"email": "a@example.com", "is_active": False},
        (Kind.LISTING, "b"): {"social_links": links},
    }
    after = pulled(tmp_path, files, changes)
    assert after["listings/t.tsv"] == (
        "slug\tname\tsocial_links.x\temail\tis_active\tsocial_links.y\n"
        "a\tA\t\ta@example.com\tfalse\t\n"
        "\n"
        "b\tB\thttps://b.example.com/\t\t\thttps://y.example.com/\n"
        "c\tC\t\t\t\t"
    )


LINKS = {"github": "https://github.com/a", "x": "https://x.com/a"}
IMAGES = ("additional_image_urls", "https://a.org/1|https://a.org/2")
JSON_LD = {"@type": "Thing", "offers": {"price": 5}}


@pytest.mark.parametrize("target", [None, "t.csv"])
@pytest.mark.parametrize(
    ("fields", "columns", "cells", "empty"),
    [
        ({"social_links": LINKS}, "social_links.github,social_links.x", "https://github.com/a,https://x.com/a", ","),
        ({"schema": JSON_LD}, "schema", '"{""@type"": ""Thing"", ""offers"": {""price"": 5}}"', ""),
        (
            {"additional_image_urls": ["https://a.org/1", "https://a.org/2"]},
            "additional_image_urls",
            "https://a.org/1|https://a.org/2",
            "",
        ),
        ({"tags": ["red", "blue"]}, "tags", "red|blue", ""),
        ({"moods": ["calm", "a, b"]}, "moods", '"calm|a, b"', ""),
    ],
)
def test_a_new_object_or_list_value_gets_new_columns(
    tmp_path: Path, fields: dict[str, object], columns: str, cells: str, empty: str, target: str | None
) -> None:
    """The last of three listings is new if `target` names a file for new ones; the others change."""
    files = {
        "contentsync.toml": f'[content.listings]\npull_to = "{target}"\n' if target else "",
        "custom_fields.yaml": "- {label: Moods, name: moods, type: list}\n",
        "listings/t.csv": "name,slug\nA,a\nB,b\n" + ("" if target else "C,c\n"),
        "tags.yaml": "[{title: r, slug: red}, {title: b, slug: blue}]\n",
    }
    last = {} if target else {(Kind.LISTING, "c"): fields}
    new = [entry(Kind.LISTING, "c", **{**fields, "name": "C"})] if target else []
    after = pulled(tmp_path, files, {(Kind.LISTING, "a"): fields, **last}, new=new)
    assert after == {"listings/t.csv": f"name,slug,{columns}\nA,a,{cells}\nB,b,{empty}\nC,c,{cells}\n"}
    read = {it.key: it.fields for it in load_content(tmp_path).entries if it.kind is Kind.LISTING}
    assert read["a"].items() >= fields.items() <= read["c"].items()


@pytest.mark.parametrize(
    ("header", "fields"),
    [("social_links", {"social_links": LINKS}), ("schema.@type", {"schema": JSON_LD})],
)
def test_an_object_is_refused_if_its_columns_would_be_misread(
    tmp_path: Path, header: str, fields: dict[str, object]
) -> None:
    with pytest.raises(Refused, match="no cell can hold"):
        pulled(tmp_path, {"listings/t.csv": f"name,slug,{header}\nA,a,\n"}, {(Kind.LISTING, "a"): fields})


def test_new_entries_go_into_the_only_table_of_a_collection(tmp_path: Path) -> None:
    config = '[site]\nname = "T"\n[content.listings]\npath = "tools.csv"\nrename = { web = "url" }\n'
    files = {"contentsync.toml": config, "tools.csv": "name,web\nA,https://a.example.com/\n"}
    new = [Entry(Kind.LISTING, "https://b.example.com", {"name": "B", "slug": "b", "url": "https://b.example.com/"})]
    assert pulled(tmp_path, files, new=new) == {
        "tools.csv": "name,web\nA,https://a.example.com/\nB,https://b.example.com/\n"
    }


@pytest.mark.parametrize("changes", [{"content": "    code"}, {"social_links": {"a.b": "https://example.com/"}}])
def test_a_value_that_no_cell_can_contain_is_refused(tmp_path: Path, changes: dict[str, object]) -> None:
    with pytest.raises(Refused, match="no cell can hold"):
        pulled(tmp_path, {"listings/t.csv": "name,slug\nA,a\n"}, {(Kind.LISTING, "a"): changes})


def pull_to(pattern: str) -> dict[str, str]:
    """Return a folder with two categories whose new listings are written to files of this name."""
    return {
        "contentsync.toml": f'[content.listings]\npull_to = "{pattern}"\n',
        "categories.yaml": "- {title: A, slug: a}\n- {title: CON, slug: con}\n",
    }


def new_listings() -> list[Entry]:
    return [
        entry(Kind.LISTING, "z", categories=["a"], description='One, "two", three', is_featured=True),
        entry(Kind.LISTING, "b", email="b@example.com", is_active=False, categories=["a", "con"]),
        entry(Kind.LISTING, "c", description="Two\nlines"),
        entry(Kind.LISTING, "d", categories=["con"]),
    ]


def test_new_listings_become_a_table_with_only_the_columns_in_use(tmp_path: Path) -> None:
    after = pulled(tmp_path, pull_to("all.csv"), new=new_listings())
    assert after == {
        "listings/all.csv": """\
name,slug,description,email,categories,is_active,is_featured
Title,b,,b@example.com,a|con,false,
Title,c,"Two
lines",,,,
Title,d,,,con,,
Title,z,"One, ""two"", three",,a,,true
"""
    }
    rows = {it.key: it.fields for it in load_content(tmp_path).entries if it.kind is Kind.LISTING}
    assert rows["b"]["is_active"] is False
    assert rows["d"]["is_active"] is True  # an empty cell is the default, as on the server
    assert rows["b"]["categories"] == ["a", "con"]


def test_new_listings_go_to_the_file_of_their_first_category(tmp_path: Path) -> None:
    after = pulled(tmp_path, pull_to("by/{category}.yaml"), new=new_listings())
    assert {path: text.count("slug:") for path, text in after.items()} == {
        "listings/by/a.yaml": 2,
        "listings/by/category-con.yaml": 1,  # Windows reserves the name con
        "listings/by/uncategorized.yaml": 1,
    }


def test_new_listings_are_appended_to_a_table_without_changing_its_rows(tmp_path: Path) -> None:
    table = 'slug;name\r\n"a" ; "A"\r\nq;Q'
    files = {**pull_to("{category}.csv"), "listings/uncategorized.csv": table}
    after = pulled(tmp_path, files, new=[entry(Kind.LISTING, "b")])
    assert after == {"listings/uncategorized.csv": f"{table}\r\nb;Title\r\n"}
    assert (tmp_path / "listings/uncategorized.csv").read_bytes().startswith(table.encode())


def test_a_listing_that_fits_in_no_cell_is_added_to_the_list_file(tmp_path: Path) -> None:
    code = entry(Kind.LISTING, "code", content="    indented\n\ntext")
    after = pulled(tmp_path, pull_to("all.csv"), new=[code, entry(Kind.LISTING, "plain", content="text")])
    assert after["listings/all.csv"] == "name,slug,content\nTitle,plain,text\n"
    assert list(after) == ["listings/all.csv", "listings/pulled.yaml"]
    texts = {it.key: it.fields["content"] for it in load_content(tmp_path).entries if it.kind is Kind.LISTING}
    assert texts == {"code": "    indented\n\ntext", "plain": "text"}


def test_a_pull_never_writes_to_a_file_that_the_config_excludes(tmp_path: Path) -> None:
    files = {**pull_to("all.csv"), "listings/all.csv": "not,content\n"}
    files["contentsync.toml"] += 'exclude = ["all.csv"]\n'
    after = pulled(tmp_path, files, new=[entry(Kind.LISTING, "b")])
    assert list(after) == ["listings/all-2.csv"]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ('pull_to = "../all.csv"', "relative path"),
        ('pull_to = "all.txt"', "must end with one of .csv"),
        ('pull_to = "{name}.csv"', "no other braces"),
        ('pull_to = "con.csv"', "every system"),
        ('path = "all.csv"\npull_to = "new.csv"', "is a single file"),
    ],
)
def test_a_pull_to_setting_for_an_unreadable_path_is_an_error(tmp_path: Path, setting: str, message: str) -> None:
    (tmp_path / "contentsync.toml").write_text(f"[content.listings]\n{setting}\n", encoding="utf-8")
    [problem] = [problem for problem in load_content(tmp_path).problems if problem.is_error]
    assert message in problem.message
    assert problem.where.path == "contentsync.toml"


def test_a_refused_pull_reports_every_entry_that_cannot_be_written(tmp_path: Path) -> None:
    files = {
        "contentsync.toml": '[[markdown.replace]]\nfind = "@@"\nreplace = "at"\n',
        "listings/a.csv": "name,slug,content\nA,a,\nB,b,\n",
        "listings/b.yaml": "- {name: C, slug: c}\n- {name: D, slug: d}\n",
        "pages/p.md": "---\ntitle: P\n---\nText.\n",
        "pages/q.md": "---\ntitle: Q\n---\nText.\n",
    }
    changes: Changes = {
        (Kind.LISTING, "a"): {"content": "    code"},
        (Kind.LISTING, "b"): {"name": "New"},
        (Kind.LISTING, "c"): {"content": "@@"},
        (Kind.LISTING, "d"): {"name": "New"},
        (Kind.PAGE, "p"): {"markdown": "@@"},
        (Kind.PAGE, "q"): {"title": "New"},
    }
    content = load_content(write(tmp_path, files))
    with pytest.raises(RefusedEntries) as refused:
        plan_edits(content, incoming(content, changes, (), ()))
    assert [*refused.value.by_entry] == [(Kind.PAGE, "p"), (Kind.LISTING, "a"), (Kind.LISTING, "c")]
    assert refused.value.message == "pages/p.md: markdown would contain syntax that [[markdown.replace]] replaces"


@pytest.mark.parametrize(
    ("before", "after", "verb"),
    [("import A from 'a'\n\nText.", "New.", "contains"), ("Text.", "import A from 'a'\n\nText.", "would contain")],
)
def test_a_pull_never_loses_the_imports_of_a_file(tmp_path: Path, before: str, after: str, verb: str) -> None:
    content = load_content(write(tmp_path, {"contentsync.toml": "", "pages/p.mdx": f"---\ntitle: P\n---\n{before}\n"}))
    with pytest.raises(RefusedEntries) as refused:
        plan_edits(content, incoming(content, {(Kind.PAGE, "p"): {"markdown": after}}, (), ()))
    assert (
        refused.value.message
        == f"pages/p.mdx: markdown {verb} an import, export or comment of MDX, which is not read as text"
    )


def test_a_refused_new_column_reports_all_entries_that_need_it(tmp_path: Path) -> None:
    files = {"listings/a.csv": "name,slug\nA,a\nB,b\nC,c\n"}
    changes: Changes = {
        (Kind.LISTING, "a"): {"description": "New"},
        (Kind.LISTING, "b"): {"content": "    code"},
        (Kind.LISTING, "c"): {"content": "New"},
    }
    content = load_content(write(tmp_path, files))
    with pytest.raises(RefusedEntries) as refused:
        plan_edits(content, incoming(content, changes, (), ()))
    assert [*refused.value.by_entry] == [(Kind.LISTING, "b"), (Kind.LISTING, "c")]
