"""authoring.rename.rename_plan: checks before anything is written; then all of the files and git's index."""

from pathlib import Path

import pytest

from contentsync.authoring.rename.folder_state import FolderState
from contentsync.authoring.rename.rename_plan import apply_rename, plan_rename, plan_renamings
from contentsync.authoring.rename.renaming import find_renaming
from contentsync.content.files.source_file import FolderView
from contentsync.content.folder.load import load_content
from contentsync.errors import ContentError, ContentsyncError, Refused
from contentsync.git import environ_without_hook, git_read

from ...content.conftest import write
from .conftest import Renamed, Renamer, page


def test_a_rename_in_a_folder_with_errors_is_refused(rename: Renamer) -> None:
    with pytest.raises(ContentError):
        rename.plan({"pages/a.md": page("A"), "pages/b.md": "---\ntitel: B\n---\n"}, "page/a", "c")


def test_a_rename_that_changes_the_meaning_of_a_reference_is_refused(rename: Renamer) -> None:
    files = {
        "categories.yaml": "- {title: kit, slug: saws}\n- {title: Tools, slug: tools}\n",
        "listings/a.csv": "name,categories\nA,kit\n",
    }
    with pytest.raises(Refused) as raised:
        rename.plan(files, "category/tools", "kit")
    assert raised.value.message == "listings/a.csv: categories of listing a would change too"


def test_a_rename_that_would_cause_an_error_is_refused_with_the_reason(rename: Renamer) -> None:
    files = {"organizers/a.md": "---\nname: A\n---\n", "listings/a.csv": "name,organizers\nX,A\n"}
    with pytest.raises(Refused) as raised:
        rename.plan(files, "organizers/a.md", "organizers/🙂.md")
    reason = "organizers/🙂.md, line 1: no slug can be made from the file name"
    assert raised.value.message == f"the folder would have an error: {reason}"


def test_a_rename_changes_a_parent_and_both_category_references(rename: Renamer) -> None:
    files = {
        "categories.yaml": "- {title: Tools, slug: tools}\n- {title: Saws, slug: saws, parent_id: tools}\n",
        "listings/a.yaml": "- {name: A, category_id: tools, categories: [saws, tools]}\n",
    }
    plan = rename(files, "category/tools", "kit").plan
    assert [(it.path, it.references) for it in plan.changed] == [("categories.yaml", 1), ("listings/a.yaml", 2)]
    content = load_content(rename.folder)
    assert not content.errors
    assert {entry.key: entry.fields.get("parent_id") for entry in content.entries}["saws"] == "kit"


def test_a_listing_is_renamed_in_the_notes_of_distinct_ones(rename: Renamer) -> None:
    shop = "---\nname: B\nurl: http://a.org/b\nsync:\n  distinct:\n    - 'HTTPS://a.org/b'  # another one\n---\n"
    files = {"listings/a.yaml": "- {name: A, url: https://a.org/b}\n", "listings/b.md": shop}
    renamed = rename(files, "listing/https://a.org/b", "https://www.a.org/b")
    assert renamed.text("listings/b.md") == shop.replace("HTTPS://a.org/b", "https://www.a.org/b")
    assert [(it.path, it.references) for it in renamed.plan.changed] == [("listings/b.md", 1)]


@pytest.mark.parametrize("key", ["url: https://a.org\n", ""], ids=["with a URL", "without one"])
def test_links_to_the_file_of_a_listing_follow_its_move(rename: Renamer, key: str) -> None:
    files = {
        "listings/a.md": f"---\nname: A\n{key}---\n[p](../pages/p.md)\n",
        "listings/t.csv": "name,url,content\nT,https://t.org,[a](a.md)\n",
        "pages/p.md": page("P", "[a](../listings/a.md) [b](/listings/a/)"),
    }
    renamed = rename(files, "listings/a.md", "listings/old/a.md")
    assert "[p](../../pages/p.md)" in renamed.text("listings/old/a.md")
    assert renamed.text("listings/t.csv").endswith(",[a](old/a.md)\n")
    assert "[a](../listings/old/a.md) [b](/listings/a/)" in renamed.text("pages/p.md")


def test_links_to_a_listing_whose_slug_has_its_url_are_named_after_a_rename(rename: Renamer) -> None:
    files = {
        "contentsync.toml": '[content.listings]\nslug = "{name}-{url}"\n',
        "listings/t.csv": "name,url\nT,https://t.org\n",
        "pages/p.md": page("P", "[t](/listings/t-https-t-org/) [all](/listings/)"),
    }
    plan = rename.plan(files, "listing/https://t.org", "https://t.dev")
    assert [link.target for link in plan.unchanged] == ["/listings/t-https-t-org/"]


def test_a_renamed_article_keeps_its_date_from_git(rename: Renamer) -> None:
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


def test_links_in_tables_and_lists_are_counted_for_each_file(rename: Renamer) -> None:
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
def test_a_new_path_that_would_not_be_read_is_refused(rename: Renamer, path: str) -> None:
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
def test_a_rename_that_changes_a_picture_is_refused(rename: Renamer, path: str, keys: str, changed: str) -> None:
    """The new folder has another file of the same name, to which the relative path would lead."""
    folder, main = path.partition("/")[0], path.replace(".fr.", ".")  # `path` is `main`, or its translation
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


def test_a_picture_that_moves_with_its_entry_does_not_block_the_rename(rename: Renamer) -> None:
    text = "---\ntitle: A\nthumbnail_url: p.svg\nthumbnail_alt_text: A\nseo: {og_image: p.svg}\n---\nText\n"
    files = {"contentsync.toml": PICTURES, "articles/a/index.md": text, "articles/a/p.svg": SVG}
    assert rename(files, "article/a", "b").paths == ["articles/b/index.md", "articles/b/p.svg"]


FILES = {
    "articles/a.md": page("A", "x"),
    "articles/a.fr.md": page("A", "y"),
    "pages/x.md": page("X", "[a](/blog/a/)"),
}


def git(folder: Path, *words: str) -> str:
    return git_read(*words, folder=folder, environ=environ_without_hook()).decode()


def commit(folder: Path, *paths: str) -> None:
    git(folder, "init", "--quiet")
    git(folder, "add", *(paths or (".",)))
    git(folder, "commit", "--quiet", "--message=Site")


def snapshot(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and ".git" not in file.parts)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_git_shows_a_rename_and_keeps_the_staged_content(rename: Renamer) -> None:
    rename.plan(FILES, "article/a", "b")
    commit(rename.folder)
    (rename.folder / "articles/a.fr.md").write_text(page("A", "changed"), encoding="utf-8")
    rename({}, "article/a", "b")
    assert git(rename.folder, "status", "--porcelain").splitlines() == [
        "RM articles/a.fr.md -> articles/b.fr.md",
        "RM articles/a.md -> articles/b.md",
        " M pages/x.md",
    ]
    assert git(rename.folder, "show", ":articles/b.fr.md") == page("A", "y")


def test_untracked_files_are_renamed_without_staging(rename: Renamer) -> None:
    rename.plan(FILES, "article/a", "b")
    commit(rename.folder, "articles/a.md", "pages")
    renamed = rename({}, "article/a", "b")
    assert (renamed.folder / "articles/b.fr.md").is_file()
    status = git(rename.folder, "status", "--porcelain").splitlines()
    assert "RM articles/a.md -> articles/b.md" in status
    assert "?? articles/b.fr.md" in status


def test_a_content_folder_inside_a_repository_is_staged_with_its_full_path(tmp_path: Path) -> None:
    rename = Renamer(tmp_path / "repository/my site")
    rename.plan(FILES, "article/a", "b")
    commit(tmp_path / "repository")
    rename({}, "article/a", "b")
    assert '"my site/articles/a.md" -> "my site/articles/b.md"' in git(rename.folder, "status", "--porcelain")


def test_nothing_changes_if_git_cannot_stage_the_moves(rename: Renamer) -> None:
    plan = rename.plan(FILES, "article/a", "b")
    commit(rename.folder)
    (rename.folder / ".git/index.lock").touch()
    before = snapshot(rename.folder)
    with pytest.raises(Refused) as raised:
        apply_rename(plan)
    assert "index.lock" in raised.value.message
    assert snapshot(rename.folder) == before


@pytest.mark.parametrize("staged", ["articles/b.md", "articles/b.md/note.txt", "articles/b.fr.md"])
def test_staged_content_at_the_new_path_is_not_replaced(rename: Renamer, staged: str) -> None:
    plan = rename.plan(FILES, "article/a", "b")
    commit(rename.folder)
    file = rename.folder / staged
    file.parent.mkdir(exist_ok=True)
    file.write_text("work that was never committed", encoding="utf-8")
    git(rename.folder, "add", ".")
    file.unlink()
    if file.parent.name == "b.md":
        file.parent.rmdir()
    before = snapshot(rename.folder)
    with pytest.raises(Refused) as raised:
        apply_rename(plan)
    assert raised.value.message.startswith(f"git's index has {staged}")
    assert snapshot(rename.folder) == before
    assert git(rename.folder, "show", f":{staged}") == "work that was never committed"


def test_a_file_in_the_index_is_not_replaced_by_a_folder(rename: Renamer) -> None:
    plan = rename.plan(FILES, "articles/a.md", "articles/old/a.md")
    commit(rename.folder)
    (rename.folder / "articles/old").write_text("work", encoding="utf-8")
    git(rename.folder, "add", ".")
    (rename.folder / "articles/old").unlink()
    with pytest.raises(Refused):
        apply_rename(plan)
    assert git(rename.folder, "show", ":articles/old") == "work"


@pytest.mark.parametrize("taken", ["articles/b.md", "articles/b.fr.md"])
def test_nothing_changes_if_the_new_path_appears_before_the_rename(rename: Renamer, taken: str) -> None:
    plan = rename.plan(FILES, "article/a", "b")
    (rename.folder / taken).write_text("", encoding="utf-8")
    before = snapshot(rename.folder)
    with pytest.raises(ContentsyncError) as raised:
        apply_rename(plan)
    assert raised.value.message == f"{taken} exists already"
    assert snapshot(rename.folder) == before


def test_nothing_changes_if_a_file_changes_before_the_rename(rename: Renamer) -> None:
    plan = rename.plan(FILES, "article/a", "b")
    (rename.folder / "pages/x.md").write_text(page("X", "Now"), encoding="utf-8")
    before = snapshot(rename.folder)
    with pytest.raises(ContentsyncError) as raised:
        apply_rename(plan)
    assert raised.value.message == "pages/x.md has changed meanwhile"
    assert snapshot(rename.folder) == before


def test_planning_a_rename_writes_nothing(rename: Renamer) -> None:
    rename.plan(FILES, "article/a", "b")
    before = snapshot(rename.folder)
    plan_rename(rename.folder, "article/a", "b", rename.folder)
    assert snapshot(rename.folder) == before


def test_a_new_path_that_git_ignores_is_refused(rename: Renamer) -> None:
    rename.plan({**FILES, ".gitignore": "drafts/\n"}, "article/a", "b")
    commit(rename.folder)
    with pytest.raises(Refused) as raised:
        rename.plan({}, "articles/a.md", "articles/drafts/a.md")
    assert raised.value.message == "git would ignore articles/drafts/a.md"


def test_an_ignored_file_can_be_renamed(rename: Renamer) -> None:
    rename.plan({**FILES, ".gitignore": "articles/\n"}, "article/a", "b")
    git(rename.folder, "init", "--quiet")
    assert rename({}, "articles/a.md", "articles/drafts/a.md").plan.renaming.key == "a"


def test_one_plan_renames_several_entries(rename: Renamer) -> None:
    body = "[a](/pages/a/) [b](b.md) [[a]] [both](/?tag=red&category=saws) {} {}"
    files = {
        "categories.yaml": "- {title: Saws, slug: saws}\n",
        "tags.yaml": "- {title: Red, slug: red}\n- {title: Blue, slug: blue}\n",
        "listings/x.csv": "name,url,categories,tags,sync.previous\nX,https://x.dev,saws,red|blue,\n",
        "pages/a.md": page("A", "[b](b.md)"),
        "pages/b.md": page("B", "[a](a.md)"),
        "pages/c.md": page("C", body.format("[old](/?tag=blue)", "[x](/listings/)")),
    }
    folder = write(rename.folder, files)
    present = FolderState.read(FolderView(folder), None)
    index, entries = present.folder_index(), present.content.entries
    names = {
        "page/a": "b-2",
        "page/b": "a-2",
        "tag/red": "green",
        "tag/blue": "cyan",
        "category/saws": "kit",
        "listing/https://x.dev": "https://y.dev",
    }
    renamings = [find_renaming(index, entries, old, new, folder) for old, new in names.items()]
    apply_rename(plan := plan_renamings(index, present, renamings))
    renamed = Renamed(folder, plan)
    assert not plan.unchanged
    assert not {"pages/a.md", "pages/b.md"} & {*renamed.paths}
    assert renamed.text("pages/b-2.md").endswith("[b](a-2.md)\n")
    assert renamed.text("pages/a-2.md").endswith("[a](b-2.md)\n")
    new_body = (
        "[a](/pages/b-2/) [b](a-2.md) [[b-2|a]] [both](/?tag=green&category=kit) [old](/?tag=cyan) [x](/listings/)"
    )
    assert renamed.text("pages/c.md") == page("C", new_body)
    assert renamed.text("listings/x.csv").endswith("\nX,https://y.dev,kit,green|cyan,https://x.dev\n")
