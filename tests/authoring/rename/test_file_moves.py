"""contentsync.authoring.rename.file_moves: translations, bundles and the names of files in each layout."""

import pytest

from contentsync.errors import Refused

from .conftest import Renamer, page

SITE = '[site]\nname = "T"\nlocales = ["en", "fr"]\n'


def test_translations_beside_an_entry_move_with_it(rename: Renamer) -> None:
    files = {f"articles/a{suffix}": page("A", "x") for suffix in (".md", ".fr.md")}
    assert rename(files, "article/a", "b").paths == ["articles/b.fr.md", "articles/b.md"]


def test_translations_in_language_folders_move_with_their_entry(rename: Renamer) -> None:
    config = f'{SITE}[content.articles]\nlocales = "folder"\n'
    files = {f"articles/{locale}/news/a.md": page("A", "x") for locale in ("en", "fr")}
    renamed = rename({"contentsync.toml": config, **files}, "articles/en/news/a.md", "articles/en/old/b.md")
    assert renamed.paths == ["articles/en/old/b.md", "articles/fr/old/b.md"]


def test_a_locale_placeholder_in_the_path_keeps_the_language_of_each_file(rename: Renamer) -> None:
    config = f'{SITE}[content.articles]\npath = "i18n/{{locale}}/blog"\n'
    files = {"i18n/en/blog/a.md": page("A", "x"), "i18n/fr/blog/a.md": page("A", "y")}
    renamed = rename({"contentsync.toml": config, **files}, "article/a", "b")
    assert renamed.paths == ["i18n/en/blog/b.md", "i18n/fr/blog/b.md"]


def test_a_translation_with_a_different_file_name_stays(rename: Renamer) -> None:
    config = f'{SITE}[content.articles]\nlocales = "folder"\ntranslation_key = "pair"\nignore = ["pair"]\n'
    files = {"articles/en/a.md": page("A", "x", "pair: 1\n"), "articles/fr/un.md": page("Un", "x", "pair: 1\n")}
    renamed = rename({"contentsync.toml": config, **files}, "article/a", "b")
    assert renamed.paths == ["articles/en/b.md", "articles/fr/un.md"]


def test_a_dated_name_keeps_its_date(rename: Renamer) -> None:
    files = {"articles/2026-03-01-a.md": page("A", "x"), "articles/2026-03-01-a.fr.md": page("A", "x")}
    renamed = rename(files, "article/a", "b")
    assert renamed.paths == ["articles/2026-03-01-b.fr.md", "articles/2026-03-01-b.md"]


def test_a_rename_that_drops_the_date_of_a_file_name_is_refused(rename: Renamer) -> None:
    with pytest.raises(Refused) as raised:
        rename.plan({"articles/2026-03-01-a.md": page("A", "x")}, "articles/2026-03-01-a.md", "articles/a.md")
    assert raised.value.message == "articles/2026-03-01-a.md: published_at of article a would change too"


@pytest.mark.parametrize(
    ("pattern", "slug", "paths"),
    [
        ("{year}-{name}", "2026-b", ["articles/2026-03-01-b.md"]),
        ("{year}-{name}", "b", ["articles/2026-03-01-a.md"]),
    ],
)
def test_a_file_is_renamed_to_match_the_slug_pattern_or_gets_a_slug(
    rename: Renamer, pattern: str, slug: str, paths: list[str]
) -> None:
    config = f'{SITE}[content.articles]\nslug = "{pattern}"\n'
    files = {"contentsync.toml": config, "articles/2026-03-01-a.md": page("A", "x")}
    renamed = rename(files, "article/2026-a", slug)
    assert renamed.paths == paths
    assert (f"slug: {slug}\n" in renamed.text(paths[0])) is (slug == "b")


def test_the_folder_of_an_index_moves_with_all_its_files(rename: Renamer) -> None:
    files = {
        "articles/a/index.md": page("A", "![p](p.png)"),
        "articles/a/index.fr.md": page("A", "x"),
        "articles/a/p.png": "",
        "articles/a/more/q.txt": "",
        "pages/x.md": page("X", "[p](../articles/a/p.png) [a](../articles/a/)"),
    }
    renamed = rename(files, "article/a", "b")
    names = ["index.fr.md", "index.md", "more/q.txt", "p.png"]
    assert renamed.paths == [*(f"articles/b/{name}" for name in names), "pages/x.md"]
    assert not (renamed.folder / "articles/a").exists()
    assert "[p](../articles/b/p.png) [a](../articles/b/)" in renamed.text("pages/x.md")


def test_pictures_of_a_moved_folder_are_found_at_their_new_paths(rename: Renamer) -> None:
    """The folder is read as it will be before a file moves: a picture that is missing there would refuse the rename.

    Addresses in an asset store are made from the paths of the pictures.
    """
    config = f'{SITE}asset_base_url = "https://cdn.example.com/"\n[assets]\npath = "media"\n'
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
    files = {
        "contentsync.toml": config,
        "articles/a/index.md": page("A", "![p](p.svg)", "thumbnail_url: ./p.svg\nthumbnail_alt_text: P\n"),
        "articles/a/p.svg": svg,
    }
    renamed = rename(files, "article/a", "b")
    assert renamed.paths == ["articles/b/index.md", "articles/b/p.svg"]
    links_to_change_by_hand = renamed.plan.unchanged
    assert links_to_change_by_hand == ()


def test_pictures_of_an_asset_folder_with_an_address_stay_after_a_rename(rename: Renamer) -> None:
    config = f'{SITE}[assets]\npath = "media"\nbase_url = "https://www.example.com/"\n'
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
    keys = "thumbnail_url: /p.svg\nthumbnail_alt_text: P\nseo: {og_image: ./q.svg}\n"
    files = {
        "contentsync.toml": config,
        "articles/a/index.md": page("A", "![p](/p.svg) ![q](q.svg)", keys),
        "articles/a/q.svg": svg,
        "media/p.svg": svg,
    }
    renamed = rename(files, "article/a", "b")
    assert renamed.paths == ["articles/b/index.md", "articles/b/q.svg", "media/p.svg"]
    assert "![p](/p.svg) ![q](q.svg)" in renamed.text("articles/b/index.md")


def test_a_folder_with_other_entries_stays_and_the_index_gets_a_slug(rename: Renamer) -> None:
    files = {"pages/docs/_index.md": page("Docs"), "pages/docs/setup.md": page("Setup")}
    renamed = rename(files, "page/docs", "manual")
    assert renamed.paths == ["pages/docs/_index.md", "pages/docs/setup.md"]
    assert "slug: manual\n" in renamed.text("pages/docs/_index.md")
    with pytest.raises(Refused) as raised:
        rename.plan({}, "pages/docs", "pages/guide")
    assert raised.value.message == "pages/docs contains other entries: pages/docs/setup.md"
    with pytest.raises(Refused) as raised:
        rename.plan({f"pages/docs/{name}.md": page(name) for name in "abcd"}, "pages/docs", "pages/guide")
    assert raised.value.message.endswith("pages/docs/a.md, pages/docs/b.md, pages/docs/c.md and 2 more")


def test_a_file_at_a_new_path_is_not_overwritten(rename: Renamer) -> None:
    files = {"articles/a.md": page("A", "x"), "articles/a.fr.md": page("A", "x"), "articles/b.fr.md": page("B", "x")}
    config = f'{SITE}[content.articles]\norphan_translations = "entry"\n'
    with pytest.raises(Refused) as raised:
        rename.plan({"contentsync.toml": config, **files}, "articles/a.md", "articles/b.md")
    assert "b" in raised.value.message


def test_a_symbolic_link_in_the_folder_of_an_index_is_not_moved(rename: Renamer) -> None:
    (rename.folder / "pages/a").mkdir(parents=True)
    (rename.folder / "pages/a/photo.jpg").symlink_to("../../photo.jpg")
    with pytest.raises(Refused) as raised:
        rename.plan({"photo.jpg": "x", "pages/a/index.md": page("A")}, "pages/a", "pages/old/a")
    assert raised.value.message == "pages/a/photo.jpg is a symbolic link"


def test_translations_keep_the_case_in_which_their_language_is_written(rename: Renamer) -> None:
    files = {f"articles/a{suffix}": page("A", "x") for suffix in (".md", ".FR.md")}
    assert rename(files, "article/a", "b").paths == ["articles/b.FR.md", "articles/b.md"]


def test_folders_of_languages_keep_the_case_in_which_they_are_written(rename: Renamer) -> None:
    config = f'{SITE}[content.articles]\nlocales = "folder"\n'
    files = {f"articles/{folder}a.md": page("A", "x") for folder in ("", "FR/")}
    assert rename({"contentsync.toml": config, **files}, "article/a", "b").paths == [
        "articles/FR/b.md",
        "articles/b.md",
    ]
