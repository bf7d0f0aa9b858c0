"""contentsync.authoring.rename.reference_rewriting: only keys, links and references change in a file."""

import pytest

from contentsync.errors import Refused

from .conftest import Renamer, page

CATEGORIES = (
    "# Ours\r\n- title: 'Tools' # all\r\n  slug: \"tools\"\r\n\r\n- { title: Saws, slug: saws, parent_id: tools }\r\n"
)


def test_a_renamed_yaml_entry_keeps_comments_quotes_and_line_ends(rename: Renamer) -> None:
    after = rename({"categories.yaml": CATEGORIES}, "category/tools", "kit").text("categories.yaml")
    expected = CATEGORIES.replace('"tools"', '"kit"\r\n  sync:\r\n    previous: [tools]')
    assert after == expected.replace("parent_id: tools", "parent_id: kit")


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            "listings/a.csv",
            'name,categories\nA,"saws | tools"\nB,tools-2\n',
            'name,categories\nA,"saws | kit"\nB,tools-2\n',
        ),
        ("listings/a.tsv", "name\tcategories\r\nA\ttools\r\n", "name\tcategories\r\nA\tkit\r\n"),
        ("listings/a.csv", "name,category_id\nA,tools\n", "name,category_id\nA,kit\n"),
        ("listings/a.csv", "name,categories\nA,Tools\n", "name,categories\nA,Tools\n"),
        (
            "listings/a.yaml",
            "- name: A\n  categories: [ 'tools', saws ] # 2\n- name: B\n  categories:\n    # first\n    - \"tools\"\n",
            "- name: A\n  categories: [ 'kit', saws ] # 2\n- name: B\n  categories:\n    # first\n    - \"kit\"\n",
        ),
        ("listings/a.yaml", "- {name: A, categories: Tools}\n", "- {name: A, categories: Tools}\n"),
        (
            "listings/a.json",
            '[{"name": "A",\n  "categories": ["tools",   "saws"]}]',
            '[{"name": "A",\n  "categories": ["kit",   "saws"]}]',
        ),
        (
            "listings/a.toml",
            "[[listings]]\nname = 'A'\ncategories = ['tools', \"saws\"] # x\n",
            "[[listings]]\nname = 'A'\ncategories = ['kit', \"saws\"] # x\n",
        ),
        (
            "listings/a.md",
            "---\nname: A\ncategory_id: tools\n---\ntools\n",
            "---\nname: A\ncategory_id: kit\n---\ntools\n",
        ),
        (
            "listings/a.md",
            "+++\nname = 'A'\ncategories = [\n  'tools'\n]\n+++\n",
            "+++\nname = 'A'\ncategories = [\n  'kit'\n]\n+++\n",
        ),
    ],
)
def test_references_by_slug_change_and_references_by_title_stay(
    rename: Renamer, path: str, before: str, after: str
) -> None:
    categories = "- {title: Tools, slug: tools}\n- {title: Saws, slug: saws}\n- {title: More, slug: tools-2}\n"
    renamed = rename({"categories.yaml": categories, path: before}, "category/tools", "kit")
    assert renamed.text(path) == after


@pytest.mark.parametrize(
    ("path", "before"),
    [
        ("listings/a.csv", 'name,content\nA,"See [x](/pages/about/), ""[y](/pages/about/)"""\n'),
        ("listings/a.yaml", "- name: A\n  content: |\n    First.\n    See [x](/pages/about/).\n"),
        (
            "listings/a.yaml",
            "- name: A\n  content: >-\n    First\n    [x](/pages/about/)\n\n    [y](/pages/about/)\n",
        ),
        ("listings/a.yaml", '- {name: A, content: "See \\"x\\": [x](/pages/about/)"}\n'),
        ("listings/a.json", '[{"name": "A", "content": "One\\n[x](/pages/about/)\\t[y](/pages/about/)"}]'),
        ("listings/a.toml", '[[listings]]\nname = "A"\ncontent = """\n[x](/pages/about/)"""\n'),
        ("pages/x.md", "---\r\ntitle: X\r\n---\r\n[a](/pages/about/)\r\nb\n[c](/pages/about/)\r\n"),
        ("articles/x.html", "---\ntitle: X\n---\n<p><a href='/pages/about/'>x</a></p>\n"),
        (
            "articles/x.md",
            "---\ntitle: X\ntranslations:\n  fr: {title: Y, markdown: '[x](/pages/about/)'}\n---\nText\n",
        ),
        ("pages/x.md", "\ufeff---\ntitle: X\n---\n\n\n  [a](/pages/about/)  \n"),
    ],
)
def test_only_the_link_changes_in_a_file_that_links_to_the_entry(rename: Renamer, path: str, before: str) -> None:
    renamed = rename({"pages/about.md": page("About"), path: before}, "page/about", "team")
    assert renamed.text(path) == before.replace("/pages/about/", "/pages/team/")
    assert not renamed.plan.unchanged


@pytest.mark.parametrize(
    ("path", "before"),
    [
        ("listings/a.yaml", '- {name: A, content: "At /pages/about/ or [x](/pages/about/), `/pages/about/`"}\n'),
        ("listings/a.yaml", "- name: A\n  content: /pages/about/ or [x](/pages/about/)\n"),
        ("listings/a.toml", '[[listings]]\nname = "A"\ncontent = """\n/pages/about/ [x](/pages/about/)"""\n'),
        ("listings/a.yaml", "- name: A\n  content: >-\n    At /pages/about/\n    or [x](/pages/about/)\n"),
        ("listings/a.yaml", "- name: A\n  content: |\n    /pages/about/\n    /pages/about/ or [x](/pages/about/)\n"),
        ("listings/a.json", '[{"name": "A", "content": "/pages/about/\\n/pages/about/ [x](/pages/about/)"}]'),
        ("listings/a.json", '[{"name": "A", "content": "[x](\\/pages\\/about\\/)"}, {"name": "B", "content": "C"}]'),
        ("pages/x.md", "---\ntitle: X\n---\n/pages/about/ [x](/pages/about/)\n"),
    ],
)
def test_equal_text_outside_of_the_link_stays(rename: Renamer, path: str, before: str) -> None:
    renamed = rename({"pages/about.md": page("About"), path: before}, "page/about", "team")
    assert renamed.text(path) == before.replace("(/pages/about/)", "(/pages/team/)")


def test_a_rename_is_refused_if_a_link_cannot_be_located(rename: Renamer) -> None:
    """The file has the link with escapes, so that only the text of another entry has its characters."""
    listings = '[{"name": "A", "content": "[x](\\/pages\\/about\\/)"}, {"name": "B", "content": "/pages/about/"}]'
    with pytest.raises(Refused, match="cannot be changed in place") as refused:
        rename({"pages/about.md": page("About"), "listings/a.json": listings}, "page/about", "team")
    assert refused.value.hint == "change the file by hand, in another form, and run again"


def test_a_slug_in_the_front_matter_is_changed_in_place(rename: Renamer) -> None:
    renamed = rename({"pages/who.md": page("About", keys="slug: 'about' # short\n")}, "page/about", "team")
    assert renamed.text("pages/who.md") == page("About", keys="slug: 'team' # short\nsync:\n  previous: [about]\n")


def test_a_slug_and_its_file_name_are_renamed_together(rename: Renamer) -> None:
    renamed = rename({"pages/about.md": page("About", keys="slug: about\n")}, "page/about", "team")
    assert renamed.text("pages/team.md") == page("About", keys="slug: team\nsync:\n  previous: [about]\n")


def test_moving_a_file_to_another_folder_records_no_former_slug(rename: Renamer) -> None:
    files = {"pages/about.md": page("About"), "pages/sub/x.md": page("X")}
    assert rename(files, "pages/about.md", "pages/sub/").text("pages/sub/about.md") == page("About")


def test_a_tag_with_a_slug_derived_from_its_title_gets_an_explicit_slug(rename: Renamer) -> None:
    files = {"tags.yaml": "- title: Open source\n", "listings/a.csv": "name,tags\nA,open-source\nB,Open source\n"}
    renamed = rename(files, "tag/open-source", "free")
    assert renamed.text("tags.yaml") == "- title: Open source\n  slug: free\n  sync:\n    previous: [open-source]\n"
    assert renamed.text("listings/a.csv") == "name,tags\nA,free\nB,Open source\n"


def test_a_renamed_row_records_its_former_key_if_the_column_exists(rename: Renamer) -> None:
    table = "name,url,sync.previous\nA,https://a.example/,\nB,https://b.example/,x\n"
    renamed = rename({"listings/a.csv": table}, "listing/https://b.example", "https://c.example/")
    note = "x|https://b.example"
    assert renamed.text("listings/a.csv") == table.replace("https://b.example/,x", f"https://c.example/,{note}")
    table = "name,url\nA,https://a.example/\n"
    renamed = rename({"listings/a.csv": table}, "listing/https://a.example", "https://d.example/")
    assert renamed.text("listings/a.csv") == "name,url\nA,https://d.example/\n"


def test_a_rename_that_needs_a_new_column_is_refused(rename: Renamer) -> None:
    with pytest.raises(Refused) as raised:
        rename.plan({"listings/a.csv": "name\nSaw\n"}, "listing/saw", "hand-saw")
    assert raised.value.message == "listings/a.csv has no column slug"


def test_renamed_columns_and_keys_of_the_config_are_used(rename: Renamer) -> None:
    config = '[site]\nname = "T"\n[content.listings]\nrename = { Kategorie = "categories", Text = "content" }\n'
    files = {
        "contentsync.toml": config,
        "categories.yaml": "- {title: Tools, slug: tools}\n",
        "listings/a.csv": "name,Kategorie,Text\nA,tools,[x](/categories/tools/)\n",
        "listings/b.yaml": "- {name: B, Kategorie: [tools], Text: '[x](/categories/tools/)'}\n",
    }
    renamed = rename(files, "category/tools", "kit")
    assert renamed.text("listings/a.csv") == "name,Kategorie,Text\nA,kit,[x](/categories/kit/)\n"
    assert renamed.text("listings/b.yaml") == "- {name: B, Kategorie: [kit], Text: '[x](/categories/kit/)'}\n"


def test_an_inherited_value_of_a_group_is_changed_once(rename: Renamer) -> None:
    config = '[content.listings]\nitems = "groups[].entries[]"\ninherit = { categories = "groups[].category" }\n'
    text = "groups:\n- category: tools\n  entries:\n  - {name: A}\n  - {name: B}\n"
    files = {"contentsync.toml": config, "categories.yaml": "- {title: Tools, slug: tools}\n", "listings/a.yaml": text}
    renamed = rename(files, "category/tools", "kit")
    assert renamed.text("listings/a.yaml") == text.replace("tools", "kit")
    assert sum(it.references for it in renamed.plan.changed) == 1
