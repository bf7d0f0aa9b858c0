"""contentsync.content.unknown_locales: folders of languages that the site does not have."""

import pytest

from contentsync.content.load import Content

from .conftest import CONFIG, Load

TEXT = "---\ntitle: A\n---\nText\n"
BELOW = '[content.articles]\nlocales = "folder"\n'
ABOVE = '[content.articles]\npath = "site/{locale}/posts"\n'


def warned(content: Content) -> dict[str, str]:
    return {it.where.path: it.message for it in content.problems if it.code == "unknown-locale-folder"}


@pytest.mark.parametrize(
    ("settings", "file", "folder", "result"),
    [
        (BELOW, "articles/de/a.md", "articles/de", "the files in this folder are separate entries"),
        (BELOW, "articles/pt-BR/a.md", "articles/pt-BR", "the files in this folder are separate entries"),
        (ABOVE, "site/de/posts/a.md", "site/de/posts", "this folder is not read"),
    ],
)
def test_a_folder_named_like_a_language_is_a_warning(
    read: Load, settings: str, file: str, folder: str, result: str
) -> None:
    content = read({"contentsync.toml": CONFIG + settings, file: TEXT, "site/posts/b.md": TEXT})
    language = folder.split("/")[1]
    assert warned(content) == {folder: f"'{language}' is not a language of the site: {result}"}
    assert content.problems[0].hint == f"add '{language}' to site.locales in contentsync.toml"
    assert not content.errors


def test_a_similar_language_is_named(read: Load) -> None:
    content = read({"contentsync.toml": CONFIG + BELOW, "articles/FR/a.md": TEXT})
    assert [problem.hint for problem in content.problems] == ["did you mean 'fr'?"]


@pytest.mark.parametrize("file", ["articles/js/a.md", "articles/2026/a.md", "articles/x/de/a.md", "articles/de/a.txt"])
def test_other_folders_are_no_languages(read: Load, file: str) -> None:
    assert warned(read({"contentsync.toml": f'{CONFIG}{BELOW}exclude = ["*.txt"]\n', file: TEXT})) == {}


def test_without_language_folders_no_folder_is_one(read: Load) -> None:
    assert warned(read({"articles/de/a.md": TEXT})) == {}
