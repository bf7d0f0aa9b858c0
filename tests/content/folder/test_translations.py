"""contentsync.content.folder.translations: which files are read together."""

from pathlib import Path

import pytest

from contentsync.content.config.collection_settings import (
    ArticleSettings,
    CollectionSettings,
    DocumentSettings,
    TranslatedSettings,
)
from contentsync.content.config.config import Config
from contentsync.content.config.config_tables import SiteSettings
from contentsync.content.folder.load import validate_files
from contentsync.content.folder.scan import ContentFile
from contentsync.content.folder.translations import Unit, group_files
from contentsync.model import Kind

from ...authoring.edit.pulls import pulled
from ..conftest import CONFIG, Files, Load, only, spots


def file(kind: Kind, path: str) -> ContentFile:
    return ContentFile(kind, path, path, path[path.rindex(".") :])


def config(locales: tuple[str, ...]) -> Config:
    """Return a config with the usual folders in these languages."""
    content = {
        Kind.PAGE: DocumentSettings(path=("pages",)),
        Kind.ARTICLE: ArticleSettings(path=("articles",)),
        Kind.ORGANIZER: TranslatedSettings(path=("organizers",)),
        Kind.LISTING: CollectionSettings(path=("listings",)),
    }
    return Config(SiteSettings(name="Test", locales=locales), content=content)


SOUND, ORPHANED = False, True


def paths(units: list[Unit]) -> list[tuple[list[str], bool]]:
    """Return the paths of each unit, and whether it is ORPHANED: without a file in the default language."""
    return [([file.path for file in unit.files], unit.is_orphaned) for unit in units]


def test_a_file_is_grouped_with_its_translations() -> None:
    names = ["articles/a.fr.md", "articles/a.md", "articles/a.nl.md", "articles/b.md", "organizers/a.md"]
    files = [file(Kind.ORGANIZER if name.startswith("o") else Kind.ARTICLE, name) for name in names]
    assert paths(group_files(files, config(("en", "fr", "nl")))) == [
        (["articles/a.md", "articles/a.fr.md", "articles/a.nl.md"], SOUND),
        (["articles/b.md"], SOUND),
        (["organizers/a.md"], SOUND),
    ]


def test_a_translation_without_its_file_is_an_orphan() -> None:
    files = [file(Kind.ARTICLE, "articles/a.fr.md"), file(Kind.ARTICLE, "articles/sub/a.md")]
    assert paths(group_files(files, config(("en", "fr")))) == [
        (["articles/sub/a.md"], SOUND),
        (["articles/a.fr.md"], ORPHANED),
    ]


def test_files_of_the_default_language_or_with_other_suffixes_stand_alone() -> None:
    files = [file(Kind.ARTICLE, f"articles/{name}.md") for name in ("a", "a.en", "a.v2")]
    assert [len(unit.files) for unit in group_files(files, config(("en", "fr")))] == [1, 1, 1]


def test_pages_and_listings_have_no_translations() -> None:
    files = [file(Kind.PAGE, "pages/a.fr.md"), file(Kind.LISTING, "listings/a.fr.md"), file(Kind.PAGE, "pages/a.md")]
    assert [len(unit.files) for unit in group_files(files, config(("en", "fr")))] == [1, 1, 1]


EN = "articles/hello.md"
FR = "articles/hello.fr.md"
ARTICLE = "---\ntitle: Hello\nseo:\n  title: Hello\n  description: Same\n---\nText\n"


def test_a_translated_file_is_part_of_its_entry(read: Load) -> None:
    entry = only(read({EN: ARTICLE, FR: "---\ntitle: Bonjour\nseo:\n  title: Salut\n---\n\nTexte\n"}))
    assert entry.key == "hello"
    assert entry.fields["translations"] == {"fr": {"title": "Bonjour", "seo": {"title": "Salut"}, "markdown": "Texte"}}
    assert entry.source is not None
    assert (entry.source.where("translations.fr.title").path, entry.source.where("translations.fr.title").line) == (
        FR,
        2,
    )
    assert entry.source.where("translations.fr.seo.title").line == 4
    assert entry.source.where("translations.fr.markdown").line == 7
    assert entry.source.where("title").path == EN


def test_index_files_and_dated_files_have_translations_too(read: Load) -> None:
    content = read(
        {
            "articles/trip/index.md": ARTICLE,
            "articles/trip/index.fr.md": "---\ntitle: Voyage\n---\n",
            "articles/2026-01-01-news.md": ARTICLE,
            "articles/2026-01-01-news.fr.md": "---\ntitle: Nouvelles\n---\n",
        }
    )
    assert content.problems == ()
    assert [(entry.key, entry.fields["translations"]["fr"]["title"]) for entry in content.entries] == [
        ("news", "Nouvelles"),
        ("trip", "Voyage"),
    ]


def test_an_organizer_is_translated_too(read: Load) -> None:
    entry = only(read({"organizers/a.md": "---\nname: A\n---\nText\n", "organizers/a.fr.md": "Texte\n"}))
    assert entry.fields["translations"] == {"fr": {"content": "Texte"}}


def test_a_translation_equal_to_the_default_text_is_kept(read: Load) -> None:
    """The server may have another text: the diff decides whether it makes a difference."""
    entry = only(read({EN: ARTICLE, FR: "---\ntitle: Hello\nseo:\n  title: Hello\n  description: Autre\n---\nText\n"}))
    assert entry.fields["translations"] == {
        "fr": {"title": "Hello", "markdown": "Text", "seo": {"title": "Hello", "description": "Autre"}}
    }


def test_a_translations_block_in_the_front_matter_is_merged(read: Load) -> None:
    text = "---\ntitle: Hello\ntranslations:\n  fr: {title: Bonjour}\n---\nText\n"
    entry = only(read({EN: text, FR: "Texte\n"}))
    assert entry.fields["translations"] == {"fr": {"title": "Bonjour", "markdown": "Texte"}}


def test_a_field_that_is_translated_twice_is_an_error(read: Load) -> None:
    text = "---\ntitle: Hello\ntranslations:\n  fr:\n    title: Bonjour\n---\nText\n"
    content = read({EN: text, FR: "---\ntitle: Salut\n---\nTexte\n"})
    assert spots(content) == [(FR, 2, 1, "translation-twice")]
    assert f"{EN}, line 5" in content.problems[0].message


def test_a_language_that_is_removed_and_translated_is_an_error(read: Load) -> None:
    text = "---\ntitle: Hello\ntranslations: {fr: }\n---\nText\n"
    assert spots(read({EN: text, FR: "Texte\n"})) == [(FR, 1, 1, "translation-twice")]


def test_a_language_is_removed_by_an_empty_key(read: Load) -> None:
    text = "---\ntitle: Hello\ntranslations: {fr: }\n---\nText\n"
    assert only(read({EN: text})).fields["translations"] == {"fr": None}


def test_a_field_without_translations_is_an_error_in_a_translation(read: Load) -> None:
    content = read({EN: ARTICLE, FR: "---\ntitle: Salut\nactive: no\ntitel: x\nsync: {skip: true}\n---\n"})
    assert spots(content) == [(FR, 3, 1, "not-translated"), (FR, 4, 1, "unknown-key"), (FR, 5, 1, "not-translated")]


def test_a_broken_rule_in_a_translation_is_reported_in_its_file(read: Load) -> None:
    content = read({EN: ARTICLE, FR: f"---\ntitle: {'x' * 256}\nseo:\n  og_image: nowhere\n---\n"})
    assert spots(content) == [(FR, 2, 8, "too-long"), (FR, 4, 13, "bad-url")]


def test_a_translation_without_its_default_file_is_an_error(read: Load) -> None:
    content = read({FR: "---\ntitle: Salut\n---\n"})
    assert spots(content) == [(FR, 1, 1, "orphan-translation")]
    assert "articles/hello.md" in content.problems[0].message


def test_an_orphan_beside_a_dated_file_suggests_the_dated_name(read: Load) -> None:
    content = read({"articles/2026-01-01-a.md": ARTICLE, "articles/a.fr.md": "Texte\n", "articles/b.fr.md": "Texte\n"})
    assert [(problem.code, problem.hint) for problem in content.problems] == [
        ("orphan-translation", "rename it to 2026-01-01-a.fr.md"),
        ("orphan-translation", "add that file, or remove the language from the file name"),
    ]


@pytest.mark.parametrize("text", ["", "---\n---\n"])
def test_an_empty_translation_is_a_warning_and_ignored(read: Load, text: str) -> None:
    """FI-07"""
    content = read({EN: ARTICLE, FR: text})
    assert spots(content) == [(FR, 1, 1, "empty-file")]
    assert [entry.fields.get("translations") for entry in content.entries] == [None]


def test_a_translation_of_an_unreadable_file_is_not_an_orphan(read: Load) -> None:
    assert spots(read({EN: "---\ntitle: [\n---\n", FR: "---\ntitle: Salut\n---\n"})) == [(EN, 2, 9, "yaml-syntax")]


def test_several_orphans_are_one_problem_per_language(read: Load, tmp_path: Path) -> None:
    names = [*(f"articles/{name}.fr.md" for name in "abcd"), "organizers/a.fr.md", "articles/a.nl.md"]
    config = '[site]\nlocales = ["en", "fr", "nl"]\n'
    content = read({"contentsync.toml": config, **dict.fromkeys(names, "---\ntitle: Salut\n---\n")})
    found = {it.where.path: it for it in content.problems if it.code == "orphan-translation"}
    assert found.keys() == {"articles/a.fr.md", "articles/a.nl.md", "organizers/a.fr.md"}
    several = found["articles/a.fr.md"]
    assert several.message == (
        "4 files in 'fr' translate entries that do not exist: "
        "articles/a.fr.md, articles/b.fr.md, articles/c.fr.md and 1 more"
    )
    assert 'orphan_translations = "entry" under [content.articles]' in several.hint
    report, _ = validate_files(tmp_path / "site", ["articles/c.fr.md"])
    assert [(it.where.path, it.code) for it in report.problems] == [("articles/c.fr.md", "orphan-translation")]


SEPARATE = 'orphan_translations = "entry"\n'


def test_an_orphan_translation_can_become_an_entry(read: Load) -> None:
    """It is not translated into the default language, and needs no translation into the others."""
    config = f'[site]\nlocales = ["en", "fr", "nl"]\n[content.articles]\n{SEPARATE}'
    text = "---\ntitle: T\n---\nTexte\n"
    translated = {f"articles/{name}{end}.md": text for name in ("b", "c") for end in ("", ".fr", ".nl")}
    files = {"contentsync.toml": config, "articles/a.nl.md": text, "articles/a.fr.md": text, **translated}
    content = read({**files, "articles/d.fr.md": text})
    assert content.problems == ()
    entries = {entry.key: entry for entry in content.entries}
    assert [(key, [*it.fields.get("translations", ())]) for key, it in entries.items()] == [
        ("a", ["nl"]),
        ("b", ["fr", "nl"]),
        ("c", ["fr", "nl"]),
        ("d", []),
    ]
    source = entries["a"].source
    assert source is not None
    assert source.path == "articles/a.fr.md"


def test_pages_in_language_folders_are_one_problem_or_entries(read: Load) -> None:
    text = "---\ntitle: T\n---\n"
    settings = '[content.pages]\nlocales = "folder"\n'
    files = dict.fromkeys(["pages/en/a.md", "pages/b.md", "pages/fr/a.md", "pages/fr/b.md"], text)
    content = read({"contentsync.toml": CONFIG + settings, **files})
    assert spots(content) == [("pages/fr/a.md", 1, 1, "page-translation")]
    assert content.problems[0].message == (
        "2 files in 'fr' are pages, which cannot be translated: pages/fr/a.md, pages/fr/b.md"
    )
    assert [entry.key for entry in content.entries] == ["a", "b"]
    separate = read({"contentsync.toml": f'{CONFIG}{settings}{SEPARATE}slug = "{{path}}"\n', **files})
    assert separate.problems == ()
    assert [entry.key for entry in separate.entries] == ["a", "b", "fr-a", "fr-b"]


def test_a_page_with_the_default_language_in_its_name_is_an_error(read: Load) -> None:
    files = {"pages/a.en.md": "---\ntitle: A\n---\n"}
    assert spots(read(files)) == [("pages/a.en.md", 1, 1, "page-translation")]
    assert only(read({**files, "contentsync.toml": f"{CONFIG}[content.pages]\n{SEPARATE}"})).key == "a"


def test_a_page_has_no_translations(read: Load) -> None:
    text = "---\ntitle: A\n---\n"
    content = read({"pages/a.md": text, "pages/a.fr.md": text})
    assert spots(content) == [("pages/a.fr.md", 1, 1, "page-translation")]
    assert [(entry.kind, entry.key) for entry in content.entries] == [(Kind.PAGE, "a")]


REPEATED = "---\ntitle: Salut\nslug: hello\npublished_at: 2026-01-01\nactive: yes\n---\nTexte\n"


def test_a_translation_can_repeat_the_values_of_its_entry(read: Load) -> None:
    text = "---\ntitle: Hello\nslug: hello\npublished_at: 2026-01-01\n---\nText\n"
    content = read({EN: text, FR: REPEATED})
    assert content.problems == ()
    assert only(content).fields["translations"]["fr"] == {"title": "Salut", "markdown": "Texte"}
    assert spots(read({EN: text, FR: REPEATED.replace("01-01", "01-02")})) == [(FR, 4, 1, "not-translated")]


def test_ignore_in_translations_applies_to_translations_only(read: Load) -> None:
    config = (
        CONFIG + '[content.articles]\nrename = { tags = "categories" }\nignore_in_translations = ["tags", "slug"]\n'
    )
    english = "---\ntitle: Hello\ntags: [news]\nslug: hello\n---\nText\n"
    french = "---\ntitle: Salut\ntags: [nouvelles, {a: 1}]\nslug: salut\n---\nTexte\n"
    content = read({"contentsync.toml": config, EN: english, FR: french})
    assert content.problems == ()
    assert only(content).fields["categories"] == ["news"]


def test_a_differing_value_in_a_translation_suggests_to_ignore_its_key(read: Load) -> None:
    found = read({EN: ARTICLE, FR: "---\ntitle: Salut\nslug: x\nactive: no\n---\n"}).problems
    settings = [problem.setting and (problem.setting.name, problem.setting.key) for problem in found]
    assert settings == [("ignore_in_translations", "slug"), None]


SETTINGS = f'{CONFIG}[content.articles]\nlocales = "folder"\ntranslation_key = "translationKey"\n'


def text(title: str, key: str = "") -> str:
    """Return an article whose translations have the same `translationKey`, if one is set."""
    return f"---\ntitle: {title}\n{f'translationKey: {key}' if key else ''}\n---\nText\n"


def test_files_with_the_same_translation_key_become_one_entry(read: Load) -> None:
    files = {"articles/hello.md": text("Hello", "greeting"), "articles/fr/bonjour.md": text("Bonjour", "greeting")}
    entry = only(read({"contentsync.toml": SETTINGS, **files}))
    assert (entry.key, entry.fields["translations"]["fr"]["title"]) == ("hello", "Bonjour")


def test_the_translation_key_is_read_from_toml_front_matter(read: Load) -> None:
    toml = '+++\ntitle = "Bonjour"\ntranslationKey = "greeting"\n+++\n'
    files = {"articles/hello.md": text("Hello", "greeting"), "articles/bonjour.fr.md": toml}
    assert only(read({"contentsync.toml": SETTINGS, **files})).fields["translations"] == {"fr": {"title": "Bonjour"}}


@pytest.mark.parametrize(("original", "translation"), [("", ""), ("greeting", ""), ("", "greeting")])
def test_the_file_name_pairs_files_without_a_common_key(read: Load, original: str, translation: str) -> None:
    files = {"articles/a.md": text("Hello", original), "articles/fr/a.md": text("Bonjour", translation)}
    assert only(read({"contentsync.toml": SETTINGS, **files})).fields["translations"]["fr"]["title"] == "Bonjour"


def test_files_with_different_keys_are_not_translations_of_each_other(read: Load) -> None:
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


def test_an_unreadable_file_with_a_translation_key_is_reported_once(read: Load) -> None:
    content = read({"contentsync.toml": SETTINGS, "articles/a.md": "---\ntranslationKey: [\n---\n"})
    assert [problem.code for problem in content.problems] == ["yaml-syntax"]


def test_the_translation_key_is_unknown_without_the_setting(read: Load) -> None:
    assert spots(read({"articles/a.md": text("A", "one")})) == [("articles/a.md", 3, 1, "unknown-key")]


def test_a_pull_edits_the_translation_with_the_same_key(tmp_path: Path) -> None:
    files = {"articles/hello.md": text("Hello", "greeting"), "articles/fr/bonjour.md": text("Bonjour", "greeting")}
    changes = {(Kind.ARTICLE, "hello"): {"translations.fr.title": "Salut"}}
    after = pulled(tmp_path, {"contentsync.toml": SETTINGS, **files}, changes)
    assert after == {"articles/fr/bonjour.md": text("Salut", "greeting")}


def test_a_changed_translation_key_invalidates_the_cache(read: Load, tmp_path: Path) -> None:
    from contentsync.content.folder.load import load_content
    from contentsync.content.folder.unit_cache import InMemoryCache

    files = {"articles/hello.md": text("Hello", "greeting"), "articles/fr/bonjour.md": text("Bonjour", "greeting")}
    read({"contentsync.toml": SETTINGS, **files})
    cache = InMemoryCache(margin=-(10**12))
    assert load_content(tmp_path / "site", cache).problems == ()
    (tmp_path / "site/articles/fr/bonjour.md").write_text(text("Bonjour", "other"), encoding="utf-8")
    codes = {problem.code for problem in load_content(tmp_path / "site", cache).problems}
    assert codes == {"orphan-translation"}


@pytest.mark.parametrize(
    ("path", "settings"),
    [
        ("articles/hello.FR.md", ""),
        ("articles/hello.Fr.md", ""),
        ("articles/FR/hello.md", '[content.articles]\nlocales = "folder"\n'),
    ],
)
def test_a_language_may_be_written_in_any_case(read: Load, path: str, settings: str) -> None:
    config = f'[site]\nname = "A"\nlocales = ["en", "fr", "pt-BR", "zh-Hans"]\n{settings}'
    entry = only(read({"contentsync.toml": config, EN: ARTICLE, path: "---\ntitle: Bonjour\n---\nTexte\n"}))
    assert [*entry.fields["translations"]] == ["fr"]


@pytest.mark.parametrize(("suffix", "locale"), [("pt-br", "pt-BR"), ("PT-br", "pt-BR"), ("zh-hans", "zh-Hans")])
def test_a_language_is_sent_as_the_config_spells_it(read: Load, suffix: str, locale: str) -> None:
    config = '[site]\nname = "A"\nlocales = ["en", "pt-BR", "zh-Hans"]\n'
    files: Files = {EN: ARTICLE, f"articles/hello.{suffix}.md": "---\ntitle: B\n---\nText\n"}
    assert [*only(read({"contentsync.toml": config, **files})).fields["translations"]] == [locale]
