"""contentsync.authoring.adopt.site_languages: translated files, and folders of languages above or below the files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from contentsync.authoring.adopt.adoption import propose_adoption
from contentsync.authoring.adopt.generators.generated_site import Generator, Site
from contentsync.authoring.adopt.key_survey import Survey
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers, merged_config
from contentsync.authoring.adopt.repository_tree import RepositoryTree
from contentsync.authoring.adopt.site_languages import (
    LanguageLayout,
    find_layout,
    language_folders,
    propose_locales,
    propose_pairing,
)
from contentsync.content.config.config import read_config
from contentsync.content.folder.load import load_content
from contentsync.content.folder.scan import ContentFile
from contentsync.content.formats.draft import Draft
from contentsync.model import Kind

from .repositories import NOW, Files, write


@pytest.mark.parametrize(
    ("path", "files", "settings", "layout"),
    [
        ("posts", ["posts/a.md"], {}, LanguageLayout("posts")),
        ("en/posts", ["en/posts/a.md", "fr/posts/a.md", "fr/x.md"], {},
         LanguageLayout("{locale}/posts", languages=("en", "fr"))),
        ("en/posts", ["en/posts/a.md", "fr/x.md"], {}, LanguageLayout("en/posts")),
        ("de/posts", ["de/posts/a.md", "en/posts/a.md"], {"lang": "de"},
         LanguageLayout("{locale}/posts", languages=("de", "en"))),
        ("_posts", ["_posts/a.md", "fr/_posts/a.md"], {}, LanguageLayout("{locale}/_posts", languages=("en", "fr"))),
        ("_posts", ["_posts/a.md", "en/_posts/a.md"], {}, LanguageLayout("_posts")),  # which language has no folder?
        ("_posts", ["_posts/a.md", "en/_posts/a.md"], {"lang": "fr"},
         LanguageLayout("{locale}/_posts", languages=("fr", "en"))),
        ("a/posts", ["a/posts/a.md", "a/fr/posts/a.md"], {},
         LanguageLayout("a/{locale}/posts", languages=("en", "fr"))),
        ("blog", ["blog/en/a.md", "blog/fr/a.md"], {}, LanguageLayout("blog", True, ("en", "fr"))),
        ("blog", ["blog/a.md", "blog/is/a.md"], {}, LanguageLayout("blog")),  # a word
        ("blog", ["blog/a.md", "blog/io/a.md", "blog/os/a.md"], {}, LanguageLayout("blog")),  # words too
        ("blog", ["blog/en/a.md", "blog/fil/a.md", "blog/pt-br/a.md", "blog/zh-Hans/a.md"], {},
         LanguageLayout("blog", True, ("en", "fil", "pt-BR", "zh-Hans"))),
        ("blog", ["blog/a.md", "blog/FR/a.md", "blog/PT-br/a.md"], {},
         LanguageLayout("blog", True, ("en", "fr", "pt-BR"))),
        ("blog", ["blog/en-US/a.md", "blog/de/a.md"], {"lang": "en-US"},
         LanguageLayout("blog", True, ("en-US", "de"))),
        ("blog", ["blog/a.md", "blog/fr/a.md"], {"languages": ["en", "fr"]},
         LanguageLayout("blog", True, ("en", "fr"))),
        ("blog", ["blog/a.md", "blog/fr/a.png", "blog/de/a.png"], {}, LanguageLayout("blog")),
    ],
)  # fmt: skip
def test_folders_of_languages_are_recognised(
    path: str, files: list[str], settings: Mapping[str, object], layout: LanguageLayout
) -> None:
    tree = RepositoryTree(tuple(sorted(files)), frozenset())
    assert find_layout(path, tree, Site(Generator.JEKYLL, settings=settings)) == layout


def post(title: str, **keys: str) -> str:
    """Return a post with these keys in its front matter."""
    return "\n".join(["---", f"title: {title}", *(f"{key}: {value}" for key, value in keys.items()), "---", "Text\n"])


def adopted(folder: Path, files: Files) -> tuple[str, list[str]]:
    answers = DefaultAnswers()
    config = propose_adoption(write(folder, files), answers, NOW).config
    (folder / "contentsync.toml").write_bytes(config)
    return config.decode(), answers.guesses


def test_translations_with_repeated_values_are_adopted_without_errors(tmp_path: Path) -> None:
    files: Files = {}
    for number in range(4):
        own = {"date": "2024-01-01", "draft": "false"}
        files[f"content/en/posts/{number}.md"] = post("A", **own, tags="[news]", slug=f"a-{number}")
        files[f"content/fr/posts/{number}.md"] = post("Un", **own, tags="[nouvelles]", slug=f"un-{number}")
    config, _ = adopted(tmp_path, files | {"hugo.toml": ""})
    assert 'path = "content/{locale}/posts"' in config
    assert (
        'ignore_in_translations = [\n    "categories", # fixes 4 problems\n    "slug", # fixes 4 problems\n]' in config
    )
    content = load_content(tmp_path)
    assert content.errors == []
    assert {entry.fields["translations"]["fr"]["title"] for entry in content.entries} == {"Un"}


def test_a_draft_translation_stays_an_error(tmp_path: Path) -> None:
    files: Files = {
        "posts/en/a.md": post("A", date="2024-01-01", draft="false"),
        "posts/fr/a.md": post("Un", date="2024-01-01", draft="true"),
    }
    adopted(tmp_path, files)
    assert [problem.code for problem in load_content(tmp_path).errors] == ["not-translated"]


def test_translated_pages_become_separate_pages(tmp_path: Path) -> None:
    config, _ = adopted(tmp_path, {"docs/en/a.md": post("A"), "docs/fr/a.md": post("Un")})
    assert 'locales = "folder"\norphan_translations = "entry"\nslug = "{path}"\n' in config
    assert sorted(entry.key for entry in load_content(tmp_path).entries) == ["a", "fr-a"]


def test_the_user_is_asked_about_translations_without_an_entry(tmp_path: Path) -> None:
    files: Files = {f"posts/fr/{name}.md": post("Un", date="2024-01-01") for name in "ab"}
    config, guesses = adopted(tmp_path, files | {"posts/en/c.md": post("C", date="2024-01-01")})
    assert "2 files in 'fr' translate no entry. Are they articles of their own? yes" in guesses
    assert 'orphan_translations = "entry"' in config
    assert load_content(tmp_path).errors == []


@pytest.mark.parametrize(
    ("values", "key"),
    [({"translationKey": "a"}, "translationKey"), ({"lang-ref": "a"}, "lang-ref"), ({"other": "a"}, "")],
)
def test_a_key_shared_by_files_of_several_languages_pairs_them(values: dict[str, str], key: str) -> None:
    survey = Survey(Kind.ARTICLE, NOW)
    for _ in range(2):
        survey.add(Draft(Kind.ARTICLE, "a.md", values=dict(values)))
    config, _ = read_config(Path(), b'[site]\nlocales = ["en", "fr"]\n')
    assert [it.value for it in propose_pairing(config, {Kind.ARTICLE: survey})] == ([key] if key else [])
    survey.add(Draft(Kind.ARTICLE, "a.md", values=dict(values)))  # more often than there are languages
    assert [*propose_pairing(config, {Kind.ARTICLE: survey})] == []


def test_a_language_folder_needs_a_second_language_beside_it() -> None:
    tree = RepositoryTree(("content/en/a.md", "content/fr/a.md", "content/posts/b.md", "docs/en/c.md"), frozenset())
    assert language_folders(tree, "content") == ["en", "fr"]
    assert language_folders(tree, "docs") == []


def test_a_language_of_the_config_is_not_added_in_another_spelling(tmp_path: Path) -> None:
    text = b'[site]\nname = "A"\nlocales = ["en", "pt-br"]\n'
    files = articles("a/x.md", "a/x.pt-BR.md", "a/y.md", "a/y.pt-BR.md")
    assert merged_config(text, propose_locales(Site(Generator.PLAIN), files)) == (text, [])


def articles(*paths: str) -> list[ContentFile]:
    return [ContentFile(Kind.ARTICLE, path, path, ".md") for path in paths]


@pytest.mark.parametrize(
    ("settings", "files", "locales"),
    [
        ({}, ["a/x.md", "a/y.md"], []),
        ({}, ["a/x.md", "a/x.fr.md", "a/y.md", "a/y.fr.md"], ["en", "fr"]),
        ({}, ["a/x.md", "a/x.fr.md"], []),  # one file may be named so by chance
        ({}, ["a/node.js.md", "a/vue.js.md", "a/x.md"], []),
        ({}, ["a/x.md", "a/x.pt-br.md", "a/y.md", "a/y.pt-br.md"], ["en", "pt-BR"]),
        ({}, ["a/x.md", "a/x.FR.md", "a/y.md", "a/y.fr.md"], ["en", "fr"]),
        ({"lang": "pt-BR", "languages": ["pt-BR", "pt"]}, ["a/x.md", "a/x.pt.md"], ["pt-BR", "pt"]),
        ({"lang": "en", "languages": ["en", "pt-BR"]}, ["a/x.md", "a/x.pt-BR.md"], ["en", "pt-BR"]),
        ({}, ["a/x.is.md", "a/x.it.md", "a/y.is.md", "a/y.it.md"], []),  # beside no file of theirs
        ({}, ["a/x.en.md", "a/x.fr.md", "a/y.en.md", "a/y.fr.md"], ["en", "fr"]),
        ({"lang": "de-AT"}, ["a/x.md"], ["de"]),
        ({"languages": {"de": {}, "en": {}}, "defaultContentLanguage": "de"}, ["a/x.md", "a/x.en.md"], ["de", "en"]),
        ({"languages": ["en", "fr", "es"]}, ["a/x.en.md", "a/x.es.md"], ["en", "es"]),
    ],
)
def test_the_languages_are_those_of_the_translated_files(
    settings: dict[str, Any], files: list[str], locales: list[str]
) -> None:
    assert [it.value for it in propose_locales(Site(Generator.JEKYLL, settings=settings), articles(*files))] == locales
