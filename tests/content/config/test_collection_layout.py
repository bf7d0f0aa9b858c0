"""content.config.collection_layout: languages, dates and slugs from the paths of files, by the rules of the config."""

from pathlib import Path

import pytest

from contentsync.authoring.scaffold import plan_new_entry
from contentsync.content.config.collection_layout import CollectionLayout
from contentsync.content.config.config import read_config
from contentsync.content.folder.load import Content, load_content
from contentsync.errors import Problem, Refused, UsageError
from contentsync.model import Kind

from ...authoring.edit.pulls import entry, pulled
from ..conftest import CONFIG, Load, only, spots, write

LOCALES = ("en", "fr", "pt-BR")
TEXT = "---\ntitle: A title\n---\nText\n"
BELOW = f'{CONFIG}[content.articles]\nlocales = "folder"\n'


def above(path: str) -> str:
    return f'{CONFIG}[content.articles]\npath = "{path}"\n'


@pytest.mark.parametrize(
    ("path", "base", "locale", "folders"),
    [
        ("posts/a.md", "posts/a", None, ()),
        ("posts/en/a.md", "posts/a", None, ()),
        ("posts/fr/a.md", "posts/a", "fr", ()),
        ("posts/pt-BR/x/a.md", "posts/x/a", "pt-BR", ("x",)),
        ("posts/fr/a/index.md", "posts/a/index", "fr", ()),
        ("posts/a.fr.md", "posts/a", "fr", ()),
        ("posts/x/fr/a.md", "posts/x/fr/a", None, ("x", "fr")),
        ("posts/fr.md", "posts/fr", None, ()),
    ],
)
def test_the_first_subfolder_can_be_a_language(
    path: str, base: str, locale: str | None, folders: tuple[str, ...]
) -> None:
    name = CollectionLayout(("posts",), LOCALES, in_folders=True).parse(path)
    assert (name.base, name.locale, tuple(name.folders)) == (base, locale, folders)


@pytest.mark.parametrize(
    ("path", "base", "locale"),
    [
        ("site/en/posts/a.md", "site/posts/a", None),
        ("site/posts/a.md", "site/posts/a", None),
        ("site/fr/posts/x/a.md", "site/posts/x/a", "fr"),
        ("site/fr/posts/fr/a.md", "site/posts/fr/a", "fr"),
    ],
)
def test_a_language_can_be_a_part_of_the_collection_path(path: str, base: str, locale: str | None) -> None:
    layout = CollectionLayout(("site/{locale}/posts",), LOCALES)
    assert layout.roots == ("site/en/posts", "site/posts", "site/fr/posts", "site/pt-BR/posts")
    assert (layout.parse(path).base, layout.parse(path).locale) == (base, locale)


def test_a_subfolder_is_not_a_language_without_the_setting() -> None:
    assert CollectionLayout(("posts",), LOCALES).parse("posts/fr/a.md").locale is None


@pytest.mark.parametrize(
    ("layout", "path", "translation"),
    [
        (CollectionLayout(("posts",), LOCALES), "posts/x/a.en.md", "posts/x/a.fr.md"),
        (CollectionLayout(("posts",), LOCALES), "posts/a.None.md", "posts/a.None.fr.md"),
        (CollectionLayout(("posts",), LOCALES, in_folders=True), "posts/x/a.md", "posts/fr/x/a.md"),
        (CollectionLayout(("posts",), LOCALES, in_folders=True), "posts/en/x/a.en.md", "posts/fr/x/a.md"),
        (CollectionLayout(("{locale}/posts",), LOCALES), "posts/x/a.md", "fr/posts/x/a.md"),
        (CollectionLayout(("{locale}",), LOCALES), "en/a/index.md", "fr/a/index.md"),
    ],
)
def test_a_new_translation_gets_the_path_that_the_layout_reads(
    layout: CollectionLayout, path: str, translation: str
) -> None:
    assert layout.translation_path(path, "fr", ".md") == translation
    assert layout.parse(translation).base == layout.parse(path).base
    assert layout.parse(translation).locale == "fr"


@pytest.mark.parametrize(
    ("path", "date", "stem"),
    [
        ("2026/03/01-name.md", "2026-03-01", "name"),
        ("2026/03/01/name.md", "2026-03-01", "name"),
        ("2026/3/1/name/index.md", "2026-03-01", "name"),
        ("2026/03/01-name/index.md", "2026-03-01", "name"),
        ("2026/03/name.md", "2026-03-01", "name"),
        ("2026-03/name.md", "2026-03-01", "name"),
        ("2026-03-04/x/name.md", "2026-03-04", "name"),
        ("news/2026/03-04-name.md", "2026-03-04", "name"),
        ("2026/03/15.md", "2026-03-15", "15"),
        ("2026/03/2025-01-01-name.md", "2025-01-01", "name"),
        ("2026/10-things.md", None, "10-things"),
        ("2026/name.md", None, "name"),
        ("x2026/03/name.md", None, "name"),
        ("12026/03/name.md", None, "name"),
    ],
)
def test_date_folders_are_read_if_the_config_asks_for_them(path: str, date: str | None, stem: str) -> None:
    layout = CollectionLayout(("posts",), ("en",), dated_folders=True)
    name = layout.parse(f"posts/{path}")
    assert (name.date, name.stem) == (date, stem)
    assert date == "2025-01-01" or CollectionLayout(("posts",), ("en",)).parse(f"posts/{path}").date is None


def test_an_article_gets_the_date_of_its_folders(read: Load) -> None:
    config = f'{CONFIG}[content.articles]\ndates = "folders"\nslug = "{{year}}-{{name}}"\n'
    found = only(read({"contentsync.toml": config, "articles/2026/03/01-hello.md": TEXT}))
    assert (found.key, found.fields["published_at"]) == ("2026-hello", "2026-03-01T00:00:00.000000Z")


def test_invalid_date_folders_are_an_error_unless_the_file_has_a_date(read: Load) -> None:
    config = f'{CONFIG}[content.articles]\ndates = "folders"\n'
    dated = "---\ntitle: A\npublished_at: 2026-01-01\n---\nText\n"
    content = read({"contentsync.toml": config, "articles/2026/13/a.md": TEXT, "articles/2026/13/b.md": dated})
    assert spots(content) == [("articles/2026/13/a.md", 1, 1, "bad-date")]
    assert content.problems[0].message == "the path contains 2026-13-01, a date that does not exist"


@pytest.mark.parametrize(
    ("config", "original", "translation"),
    [
        (BELOW, "articles/x/a.md", "articles/fr/x/a.md"),
        (BELOW, "articles/en/2026-01-01-a.md", "articles/fr/2026-01-01-a.md"),
        (above("{locale}/news/_posts"), "news/_posts/a.md", "fr/news/_posts/a.md"),
        (above("content/{locale}/blog"), "content/en/blog/a/index.md", "content/fr/blog/a/index.md"),
    ],
)
def test_files_in_language_folders_are_translations(read: Load, config: str, original: str, translation: str) -> None:
    found = only(read({"contentsync.toml": config, original: TEXT, translation: "Texte\n"}))
    assert (found.key, found.fields["translations"]) == ("a", {"fr": {"markdown": "Texte"}})
    assert found.source is not None
    assert found.source.path == original


def test_a_collection_can_be_inside_of_one_with_language_folders(read: Load) -> None:
    config = above("content/{locale}/blog") + '[content.pages]\npath = "content/{locale}"\n'
    content = read({"contentsync.toml": config, "content/blog/a.md": TEXT, "content/about.md": "---\ntitle: A\n---\n"})
    assert content.problems == ()
    assert [(it.kind, it.key) for it in content.entries] == [(Kind.PAGE, "about"), (Kind.ARTICLE, "a")]


def test_an_exclude_pattern_applies_to_each_language_folder(read: Load) -> None:
    config = above("{locale}/posts") + 'exclude = ["drafts/*"]\n'
    files = {"posts/a.md": TEXT, "posts/drafts/b.md": TEXT, "fr/posts/drafts/c.md": TEXT}
    assert only(read({"contentsync.toml": config, **files})).key == "a"


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ('[content.articles]\npath = "posts-{locale}"\n', "bad-path"),
        ('[content.articles]\npath = "{locale}/{locale}"\n', "bad-path"),
        ('[content.listings]\npath = "{locale}/listings"\n', "bad-path"),
        ('[content.listings]\nlocales = "folder"\n', "unknown-key"),
        ('[content.articles]\nlocales = "folders"\n', "not-a-choice"),
        ('[content.articles]\npath = "{locale}/posts"\n[content.pages]\npath = "fr/posts"\n', "same-path"),
    ],
)
def test_a_wrong_layout_setting_is_an_error_in_the_config(tmp_path: Path, settings: str, code: str) -> None:
    _, problems = read_config(write(tmp_path, {"contentsync.toml": CONFIG + settings}))
    assert {problem.code for problem in problems} == {code}


def test_a_pulled_translation_is_written_into_the_folder_of_its_language(tmp_path: Path) -> None:
    files = {"contentsync.toml": above("{locale}/posts"), "posts/x/a.md": TEXT, "fr/posts/b.md": "B\n"}
    files |= {"posts/b.md": TEXT}
    changes = {(Kind.ARTICLE, "a"): {"translations.fr.title": "Un titre"}}
    new = [entry(Kind.ARTICLE, "c", markdown="Text", translations={"fr": {"markdown": "Texte"}})]
    after = pulled(tmp_path, files, changes, new)
    assert after.keys() == {"fr/posts/x/a.md", "posts/c.md", "fr/posts/c.md"}
    assert after["fr/posts/x/a.md"] == "---\ntitle: Un titre\n---\n"


def test_a_new_entry_is_written_in_the_default_language(tmp_path: Path) -> None:
    content = load_content(write(tmp_path, {"contentsync.toml": above("{locale}/posts"), "fr/posts/b.md": TEXT}))
    assert plan_new_entry(content, Kind.ARTICLE, "a").path == "en/posts/a.md"
    (tmp_path / "posts").mkdir()
    assert plan_new_entry(load_content(tmp_path), Kind.ARTICLE, "a").path == "posts/a.md"


def test_a_path_in_a_language_folder_belongs_to_its_kind(tmp_path: Path) -> None:
    config, _ = read_config(write(tmp_path, {"contentsync.toml": above("{locale}/posts")}))
    assert config.kinds_at("fr/posts/a.md") == config.kinds_at("posts") == {Kind.ARTICLE}
    assert config.kinds_at("de/posts/a.md") == frozenset()


DATED = "---\ntitle: A title\npublished_at: 2025-12-31 09:00\n---\nText\n"


def with_slug(pattern: str, kind: str = "articles") -> str:
    return f'{CONFIG}[content.{kind}]\nslug = "{pattern}"\n'


@pytest.mark.parametrize(
    ("pattern", "path", "slug"),
    [
        ("{name}", "articles/guides/2026-03-01-Setup.md", "setup"),
        ("{path}", "articles/guides/Côte d'Azur/2026-03-01-setup.md", "guides-cote-d-azur-setup"),
        ("{path}", "articles/setup.md", "setup"),
        ("{path}", "articles/guides/setup/index.md", "guides-setup"),
        ("{parent}-{name}", "articles/a/guides/setup.md", "guides-setup"),
        ("{parent}-{name}", "articles/guides/setup/index.md", "guides-setup"),
        ("{year}-{month}-{day}-{name}", "articles/2026-03-01-setup.md", "2026-03-01-setup"),
        ("{year}-{month}-{day}-{name}", "articles/setup.md", "2025-12-31-setup"),  # from `published_at`
        ("post-{year}-{name}", "articles/2026-03-01-setup/index.md", "post-2026-setup"),
    ],
)
def test_a_slug_pattern_determines_the_slug(read: Load, pattern: str, path: str, slug: str) -> None:
    assert only(read({"contentsync.toml": with_slug(pattern), path: DATED})).key == slug


def test_a_slug_in_the_front_matter_takes_precedence_over_the_pattern(read: Load) -> None:
    text = "---\ntitle: T\nslug: mine\n---\nText\n"
    assert only(read({"contentsync.toml": with_slug("{parent}-{name}"), "articles/a.md": text})).key == "mine"


@pytest.mark.parametrize(
    ("pattern", "path", "reason"),
    [
        ("{parent}-{name}", "pages/a.md", "the file is not in a subfolder"),
        ("{parent}-{name}", "pages/a/index.md", "the file is not in a subfolder"),
        ("{year}-{name}", "pages/a.md", "the entry has no date"),
        ("{path}", "pages/x/🎉.md", "from the file name"),
    ],
)
def test_a_placeholder_without_a_value_is_an_error_at_the_entry(
    read: Load, pattern: str, path: str, reason: str
) -> None:
    content = read({"contentsync.toml": with_slug(pattern, "pages"), path: "---\ntitle: A\n---\n"})
    assert spots(content) == [(path, 1, 1, "no-slug")]
    assert reason in content.problems[0].message


def test_a_folder_name_with_look_alike_letters_is_refused_in_a_slug_pattern(read: Load) -> None:
    files = {"pages/p\u0430ypal/a.md": "---\ntitle: A\n---\n"}
    assert only(read(files)).key == "a"
    content = read({**files, "contentsync.toml": with_slug("{path}", "pages")})
    assert [problem.code for problem in content.problems] == ["bad-slug"]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("{nmae}", "has the unknown placeholder {nmae}"),
        ("{year}-{month}", "must contain {name} or {path}"),
        ("about", "must contain {name} or {path}"),
        ("{name", "must contain only placeholders in braces"),
        ("/{year}/{name}", "must contain only placeholders in braces"),
        ("", "is required"),
    ],
)
def test_a_wrong_slug_pattern_is_an_error_in_the_config(tmp_path: Path, pattern: str, message: str) -> None:
    _, problems = read_config(write(tmp_path, {"contentsync.toml": with_slug(pattern)}))
    assert [(it.where.line, it.where.column, it.is_error) for it in problems] == [(5, 8, True)]
    assert message in problems[0].message or not pattern


def test_tags_have_no_slug_pattern(tmp_path: Path) -> None:
    _, problems = read_config(write(tmp_path, {"contentsync.toml": with_slug("{name}", "tags")}))
    assert [problem.code for problem in problems] == ["unknown-key"]


def test_a_slug_that_the_pattern_would_not_make_is_written_into_the_file(tmp_path: Path) -> None:
    config = {"contentsync.toml": with_slug("{year}-{name}", "pages")}
    content = load_content(write(tmp_path, config))
    assert b"\nslug: team\n" in plan_new_entry(content, Kind.PAGE, "team").data
    assert "\nslug: team\n" in pulled(tmp_path, config, new=[entry(Kind.PAGE, "team")])["pages/team.md"]


def duplicates(content: Content) -> list[Problem]:
    return [problem for problem in content.problems if problem.code == "duplicate-identity"]


@pytest.mark.parametrize(
    ("paths", "proposed"),
    [
        (["guides/setup.md", "tools/setup.md", "setup.md"], "{path}"),
        (["2025-01-01-news.md", "2026-01-01-news.md"], "{year}-{month}-{day}-{name}"),
        (["a/setup.md", "b/setup.md", "c/x.md", "d/x.md", "d/other.md"], "{path}"),
    ],
)
def test_duplicate_slugs_suggest_a_pattern_that_makes_them_differ(read: Load, paths: list[str], proposed: str) -> None:
    found = duplicates(read({f"articles/{path}": TEXT for path in paths}))
    assert found
    for problem in found:
        assert f'set slug = "{proposed}" under [content.articles] in contentsync.toml' in problem.hint
    assert load_with(read, paths, proposed) == []


def load_with(read: Load, paths: list[str], pattern: str) -> list[Problem]:
    return duplicates(read({"contentsync.toml": with_slug(pattern), **{f"articles/{path}": TEXT for path in paths}}))


def test_duplicate_slugs_in_language_folders_suggest_the_language_setting(read: Load) -> None:
    paths = ["articles/a.md", "articles/fr/a.md", "articles/b.md", "articles/fr/b.md"]
    found = duplicates(read(dict.fromkeys(paths, TEXT)))
    assert ['locales = "folder" under [content.articles]' in problem.hint for problem in found] == [True, True]
    settings = f'{CONFIG}[content.articles]\nlocales = "folder"\n'
    assert not duplicates(read({"contentsync.toml": settings, **dict.fromkeys(paths, TEXT)}))


@pytest.mark.parametrize(
    "paths",
    [
        ["setup.md", "Setup.markdown"],
        ["a/setup.md", "b/setup.md", "x.md", "x.markdown"],  # no pattern helps all
    ],
)
def test_no_pattern_is_suggested_if_none_makes_all_slugs_differ(read: Load, paths: list[str]) -> None:
    found = duplicates(read({f"articles/{path}": TEXT for path in paths}))
    assert {problem.hint for problem in found} == {"delete one of them, or give this one a different slug"}


def test_no_pattern_is_suggested_at_an_entry_with_an_explicit_slug(read: Load) -> None:
    found = duplicates(read({"pages/a/x.md": "---\ntitle: A\n---\n", "pages/b.md": "---\ntitle: B\nslug: x\n---\n"}))
    assert ['slug = "{path}"' in problem.hint for problem in found] == [True]


# Layouts of each form: with one path, several paths, and the content folder itself.
SEVERAL_LAYOUTS = [
    CollectionLayout(paths, LOCALES, in_folders=in_folders)
    for in_folders in (False, True)
    for paths in (
        ("posts",),
        ("posts", "site/news"),
        ("",),
        ("{locale}",),
        ("{locale}/posts", "news"),
        ("site/{locale}/posts", "posts/{locale}", "news"),
    )
]


@pytest.mark.parametrize("layout", SEVERAL_LAYOUTS)
def test_all_answers_about_a_path_agree(layout: CollectionLayout) -> None:
    """A translation has the base of its entry, in the same path of the collection, and leads back to its original."""
    for root in filter(lambda root: layout.locale_of(root) is None, layout.roots):
        for inner in ("a.md", "a/b.md", "a/index.md", "index.md", "2026-01-01-a.md"):
            path = f"{root}/{inner}".lstrip("/")
            assert layout.split(path) == (root, inner)
            name = layout.parse(path)
            assert (name.locale, name.inner) == (None, inner)
            for locale in LOCALES[1:]:
                translation = layout.translation_path(path, locale, ".md")
                translated = layout.parse(translation)
                assert (translated.base, translated.locale) == (name.base, locale), (path, translation)
                assert (translated.stem, translated.date, translated.folders) == (name.stem, name.date, name.folders)
                assert layout.original_path(translation, {root}) == path
                assert layout.translation_path(translation, locale, ".md") == translation


@pytest.mark.parametrize("layout", SEVERAL_LAYOUTS)
def test_entries_in_different_paths_have_different_bases(layout: CollectionLayout) -> None:
    """So a translation never belongs to the entry with the same name in another path."""
    bases = {
        path: {layout.parse(f"{root}/a.md".lstrip("/")).base for root in layout.roots_of(path)} for path in layout.paths
    }
    assert len(set[str]().union(*bases.values())) == len(layout.paths)
    assert sorted(root for path in layout.paths for root in layout.roots_of(path)) == sorted(layout.roots)


def test_a_file_outside_of_all_paths_is_in_none() -> None:
    layout = CollectionLayout(("posts", "news"), LOCALES)
    assert layout.split("postscript/a.md") == (None, "postscript/a.md")
    assert layout.split("news") == ("news", "")


SEVERAL = f'{CONFIG}[content.articles]\npath = ["posts", "old/news"]\n'
TOP = f'{CONFIG}[content.pages]\npath = "."\ninclude = ["*.md", "legal"]\nexclude = ["README.md"]\n'


def test_the_folders_of_a_slug_begin_at_the_path_of_the_file(read: Load) -> None:
    files = {"contentsync.toml": f'{SEVERAL}slug = "{{path}}"\n', "posts/x/a.md": TEXT, "old/news/y/b.md": TEXT}
    content = read({**files, "old/news/c.md": TEXT})
    assert {entry.key for entry in content.entries} == {"x-a", "y-b", "c"}


def test_equal_slugs_in_two_folders_are_an_error_as_in_one(read: Load) -> None:
    content = read({"contentsync.toml": SEVERAL, "posts/a.md": TEXT, "old/news/a.md": TEXT})
    assert spots(content) == [("posts/a.md", 1, 1, "duplicate-identity")]


def test_an_entry_has_its_translations_in_its_own_folder(read: Load) -> None:
    files = {"contentsync.toml": SEVERAL, "posts/a.md": TEXT, "old/news/b.md": TEXT}
    content = read({**files, "posts/b.fr.md": "Texte\n", "old/news/b.fr.md": "Le texte\n"})
    (problem,) = content.problems
    assert problem.message == "this is a translation of posts/b.md, which does not exist"
    translations = {entry.key: entry.fields.get("translations") for entry in content.entries}
    assert translations == {"a": None, "b": {"fr": {"markdown": "Le texte"}}}


def test_the_files_at_the_top_are_read_with_their_translations(read: Load) -> None:
    top = TOP.replace("pages", "articles")
    files = {"contentsync.toml": top, "index.md": TEXT, "index.fr.md": "Texte\n", "README.md": "x", "legal/a.md": TEXT}
    content = read({**files, "themes/b.md": TEXT, "pages/c.md": TEXT})
    assert content.problems == ()
    found = {entry.key: entry.fields.get("translations") for entry in content.entries}
    assert found == {"index": {"fr": {"markdown": "Texte"}}, "a": None, "c": None}


def test_new_entries_are_written_to_the_first_path(tmp_path: Path) -> None:
    files = {"contentsync.toml": SEVERAL, "posts/a.md": TEXT, "old/news/b.md": TEXT}
    assert pulled(tmp_path, files, new=[entry(Kind.ARTICLE, "c", markdown="Text")]).keys() == {"posts/c.md"}
    assert plan_new_entry(load_content(tmp_path), Kind.ARTICLE, "d").path == "posts/d.md"


def test_a_new_page_at_the_top_gets_a_name_that_is_read(tmp_path: Path) -> None:
    files = {"contentsync.toml": TOP.replace('"*.md"', '"page-*.md"'), "page-a.md": TEXT, "legal/b.md": TEXT}
    after = pulled(tmp_path, files, new=[entry(Kind.PAGE, "about", markdown="Text")])
    assert after.keys() == {"page-about.md"}
    with pytest.raises(UsageError, match=r"team\.md: the config leaves such a file out"):
        plan_new_entry(load_content(tmp_path), Kind.PAGE, "team")


def test_a_pull_refuses_new_pages_if_include_names_none(tmp_path: Path) -> None:
    files = {"contentsync.toml": TOP.replace('"*.md", "legal"', '"about.md"'), "about.md": TEXT}
    with pytest.raises(Refused, match=r"\. takes no new pages") as refused:
        pulled(tmp_path, files, new=[entry(Kind.PAGE, "team", markdown="Text")])
    assert "include" in refused.value.hint
