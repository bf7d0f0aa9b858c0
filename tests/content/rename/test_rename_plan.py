"""contentsync.content.rename.rename_plan: what a rename changes is checked before anything is written."""

import pytest

from contentsync.content.load import load_content
from contentsync.errors import ContentError, ContentsyncError, Refused
from contentsync.git import environ_without_hook, git_read

from .conftest import Renamer, page


def test_a_folder_with_errors_is_not_changed(rename: Renamer) -> None:
    with pytest.raises(ContentError):
        rename.plan({"pages/a.md": page("A"), "pages/b.md": "---\ntitel: B\n---\n"}, "page/a", "c")


def test_a_reference_that_would_mean_another_entry_is_refused(rename: Renamer) -> None:
    files = {
        "categories.yaml": "- {title: kit, slug: saws}\n- {title: Tools, slug: tools}\n",
        "listings/a.csv": "name,categories\nA,kit\n",
    }
    with pytest.raises(Refused) as raised:
        rename.plan(files, "category/tools", "kit")
    assert raised.value.message == "listings/a.csv: categories of listing a would change too"


def test_a_rename_that_leads_to_an_error_is_refused_with_its_reason(rename: Renamer) -> None:
    files = {"organizers/a.md": "---\nname: A\n---\n", "listings/a.csv": "name,organizers\nX,A\n"}
    with pytest.raises(Refused) as raised:
        rename.plan(files, "organizers/a.md", "organizers/🙂.md")
    reason = "organizers/🙂.md, line 1: no slug can be made from the file name"
    assert raised.value.message == f"the folder would have an error: {reason}"


def test_a_parent_and_both_references_of_one_entry_change(rename: Renamer) -> None:
    files = {
        "categories.yaml": "- {title: Tools, slug: tools}\n- {title: Saws, slug: saws, parent_id: tools}\n",
        "listings/a.yaml": "- {name: A, category_id: tools, categories: [saws, tools]}\n",
    }
    plan = rename(files, "category/tools", "kit").plan
    assert [(it.path, it.references) for it in plan.changed] == [("categories.yaml", 1), ("listings/a.yaml", 2)]
    content = load_content(rename.folder)
    assert not content.errors
    assert {entry.key: entry.fields.get("parent_id") for entry in content.entries}["saws"] == "kit"


def test_an_article_that_git_has_dated_keeps_its_date(rename: Renamer) -> None:
    config = '[site]\nname = "T"\n[content.articles]\ndates = "git"\n'
    rename.folder.mkdir()
    for words in (
        ("init", "--quiet"),
        ("commit", "--quiet", "--allow-empty", "--message=x"),
    ):
        git_read(*words, folder=rename.folder, environ=environ_without_hook())
    files = {"contentsync.toml": config, "articles/a.md": page("A", "x")}
    (rename.folder / "articles").mkdir()
    for path, text in files.items():
        (rename.folder / path).write_text(text, encoding="utf-8")
    git_read("add", ".", folder=rename.folder, environ=environ_without_hook())
    dated = {**environ_without_hook(), "GIT_AUTHOR_DATE": "2026-03-01T10:00:00Z"}
    git_read("commit", "--quiet", "--message=x", folder=rename.folder, environ=dated)
    renamed = rename({"contentsync.toml": config}, "article/a", "b")
    assert "published_at: 2026-03-01T10:00:00Z\n" in renamed.text("articles/b.md")


def test_a_link_into_a_text_of_another_entry_is_found_in_tables_and_lists(rename: Renamer) -> None:
    files = {
        "pages/about.md": page("About"),
        "listings/a.csv": "name,content\nA,[x](/pages/about/)\n",
        "listings/b.yaml": "- {name: B, content: '[x](/pages/about/) [y](/pages/about/#z)'}\n",
    }
    plan = rename(files, "page/about", "team").plan
    assert [(it.path, it.links) for it in plan.changed] == [("listings/a.csv", 1), ("listings/b.yaml", 2)]


@pytest.mark.parametrize(
    "path",
    [
        "pages/.b.md",
        "pages/.old/b.md",
        "pages/node_modules/b.md",
        "pages/x.md/b.md",
        f"pages/{'b' * 300}.md",
        f"pages/{'b' * 300}/b.md",
    ],
)
def test_a_path_at_which_no_file_is_read_is_refused(rename: Renamer, path: str) -> None:
    with pytest.raises(Refused) as raised:
        rename.plan({"pages/a.md": page("A")}, "pages/a.md", path)
    assert raised.value.message == f"page a would not be read from {path} any more"


def test_a_path_behind_a_symbolic_link_is_refused(rename: Renamer) -> None:
    rename.folder.mkdir()
    (rename.folder / "other").mkdir()
    (rename.folder / "pages").mkdir()
    files = {"pages/a.md": page("A"), "other/readme.txt": ""}
    (rename.folder / "pages/link").symlink_to("../other")
    with pytest.raises(ContentsyncError):
        rename.plan(files, "pages/a.md", "pages/link/a.md")


PICTURES = '[site]\nname = "T"\nlocales = ["en", "fr"]\nasset_base_url = "https://cdn.example.com/"\n[assets]\n'
SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'


@pytest.mark.parametrize(
    ("path", "keys", "changed"),
    [
        ("organizers/a.md", "logo_url: p.svg", "logo_url"),
        ("articles/a.md", "seo: {og_image: ./p.svg}", "seo"),
        ("listings/a.md", "additional_image_urls: [p.svg]", "additional_image_urls"),
        ("articles/a.fr.md", "seo: {og_image: p.svg}", "translations"),
    ],
)
def test_a_picture_that_would_become_another_one_is_refused(
    rename: Renamer, path: str, keys: str, changed: str
) -> None:
    folder, main = path.partition("/")[0], path.replace(".fr.", ".")
    title = "title" if folder == "articles" else "name"
    files = {
        "contentsync.toml": PICTURES,
        main: f"---\n{title}: A\n---\nText\n",
        path: f"---\n{title}: A\n{keys}\n---\nText\n",
        f"{folder}/p.svg": SVG,
        f"{folder}/new/p.svg": SVG,
    }
    with pytest.raises(Refused) as raised:
        rename.plan(files, main, f"{folder}/new/")
    assert raised.value.message.startswith(f"{main}: {changed} of ")


def test_a_picture_that_moves_with_its_entry_is_the_same(rename: Renamer) -> None:
    text = "---\ntitle: A\nthumbnail_url: p.svg\nthumbnail_alt_text: A\nseo: {og_image: p.svg}\n---\nText\n"
    files = {"contentsync.toml": PICTURES, "articles/a/index.md": text, "articles/a/p.svg": SVG}
    assert rename(files, "article/a", "b").paths == ["articles/b/index.md", "articles/b/p.svg"]
