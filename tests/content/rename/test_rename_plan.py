"""contentsync.content.rename.rename_plan: what a rename changes is checked before anything is written."""

import pytest

from contentsync.content.load import load_content
from contentsync.errors import ContentError, Refused
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
        ("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "--allow-empty", "--message=x"),
    ):
        git_read(*words, folder=rename.folder, environ=environ_without_hook())
    files = {"contentsync.toml": config, "articles/a.md": page("A", "x")}
    (rename.folder / "articles").mkdir()
    for path, text in files.items():
        (rename.folder / path).write_text(text, encoding="utf-8")
    ada = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    git_read("add", ".", folder=rename.folder, environ=environ_without_hook())
    dated = {**environ_without_hook(), "GIT_AUTHOR_DATE": "2026-03-01T10:00:00Z"}
    git_read(*ada, "commit", "--quiet", "--message=x", folder=rename.folder, environ=dated)
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
