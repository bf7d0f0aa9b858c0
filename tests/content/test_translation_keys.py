"""contentsync.content.translation_keys: translations under other file names."""

from pathlib import Path

import pytest

from contentsync.model import Kind

from .conftest import CONFIG, Load, only, spots
from .edit.pulls import pulled

SETTINGS = f'{CONFIG}[content.articles]\nlocales = "folder"\ntranslation_key = "translationKey"\n'


def text(title: str, key: str = "") -> str:
    return f"---\ntitle: {title}\n{f'translationKey: {key}' if key else ''}\n---\nText\n"


def test_files_with_the_same_key_are_one_entry(read: Load) -> None:
    files = {"articles/hello.md": text("Hello", "greeting"), "articles/fr/bonjour.md": text("Bonjour", "greeting")}
    entry = only(read({"contentsync.toml": SETTINGS, **files}))
    assert (entry.key, entry.fields["translations"]["fr"]["title"]) == ("hello", "Bonjour")


def test_toml_front_matter_has_keys_too(read: Load) -> None:
    toml = '+++\ntitle = "Bonjour"\ntranslationKey = "greeting"\n+++\n'
    files = {"articles/hello.md": text("Hello", "greeting"), "articles/bonjour.fr.md": toml}
    assert only(read({"contentsync.toml": SETTINGS, **files})).fields["translations"] == {"fr": {"title": "Bonjour"}}


@pytest.mark.parametrize(("original", "translation"), [("", ""), ("greeting", ""), ("", "greeting")])
def test_without_a_common_key_the_file_name_counts(read: Load, original: str, translation: str) -> None:
    files = {"articles/a.md": text("Hello", original), "articles/fr/a.md": text("Bonjour", translation)}
    assert only(read({"contentsync.toml": SETTINGS, **files})).fields["translations"]["fr"]["title"] == "Bonjour"


def test_files_with_different_keys_are_no_translations_of_each_other(read: Load) -> None:
    files = {"articles/a.md": text("Hello", "one"), "articles/fr/a.md": text("Bonjour", "two")}
    assert spots(read({"contentsync.toml": SETTINGS, **files})) == [("articles/fr/a.md", 1, 1, "orphan-translation")]


def test_two_entries_with_the_same_key_are_an_error(read: Load) -> None:
    files = {"articles/a.md": text("A", "one"), "articles/b.md": text("B", "one"), "articles/fr/c.md": text("C", "one")}
    content = read({"contentsync.toml": SETTINGS, **files})
    assert spots(content) == [("articles/b.md", 1, 1, "duplicate-translation-key")]
    assert "articles/a.md" in content.problems[0].message


def test_two_translations_with_the_same_key_are_an_error(read: Load) -> None:
    files = {f"articles/fr/{name}.md": text(name, "one") for name in ("b", "c")}
    content = read({"contentsync.toml": SETTINGS, "articles/a.md": text("A", "one"), **files})
    assert {(it.where.path, it.code) for it in content.problems} == {("articles/fr/c.md", "translation-twice")}


def test_a_file_that_cannot_be_read_is_reported_once(read: Load) -> None:
    content = read({"contentsync.toml": SETTINGS, "articles/a.md": "---\ntranslationKey: [\n---\n"})
    assert [problem.code for problem in content.problems] == ["yaml-syntax"]


def test_without_the_setting_the_key_is_unknown(read: Load) -> None:
    assert spots(read({"articles/a.md": text("A", "one")})) == [("articles/a.md", 3, 1, "unknown-key")]


def test_a_pull_edits_the_translation_with_the_key(tmp_path: Path) -> None:
    files = {"articles/hello.md": text("Hello", "greeting"), "articles/fr/bonjour.md": text("Bonjour", "greeting")}
    changes = {(Kind.ARTICLE, "hello"): {"translations.fr.title": "Salut"}}
    after = pulled(tmp_path, {"contentsync.toml": SETTINGS, **files}, changes)
    assert after == {"articles/fr/bonjour.md": text("Salut", "greeting")}


def test_a_key_that_changes_is_seen_by_a_warm_cache(read: Load, tmp_path: Path) -> None:
    from contentsync.content.load import load_content
    from contentsync.content.unit_cache import InMemoryCache

    files = {"articles/hello.md": text("Hello", "greeting"), "articles/fr/bonjour.md": text("Bonjour", "greeting")}
    read({"contentsync.toml": SETTINGS, **files})
    cache = InMemoryCache(margin=-(10**12))
    assert load_content(tmp_path / "site", cache).problems == ()
    (tmp_path / "site/articles/fr/bonjour.md").write_text(text("Bonjour", "other"), encoding="utf-8")
    codes = {problem.code for problem in load_content(tmp_path / "site", cache).problems}
    assert codes == {"orphan-translation"}
