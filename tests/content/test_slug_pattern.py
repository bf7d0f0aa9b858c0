"""contentsync.content.slug_pattern: slugs that are made from file names as the config says."""

from pathlib import Path

import pytest

from contentsync.content.config import read_config
from contentsync.content.file_names import FileName
from contentsync.content.load import Content, load_content
from contentsync.content.scaffold import plan_new_entry
from contentsync.content.slug_pattern import SlugSource
from contentsync.errors import Problem
from contentsync.model import Kind

from .conftest import CONFIG, Load, only, spots, write
from .edit.pulls import entry, pulled

TEXT = "---\ntitle: A title\n---\nText\n"
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
def test_a_pattern_makes_the_slug(read: Load, pattern: str, path: str, slug: str) -> None:
    assert only(read({"contentsync.toml": with_slug(pattern), path: DATED})).key == slug


def test_a_slug_in_the_front_matter_goes_before_the_pattern(read: Load) -> None:
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
def test_a_placeholder_without_a_value_is_an_error_of_the_entry(
    read: Load, pattern: str, path: str, reason: str
) -> None:
    content = read({"contentsync.toml": with_slug(pattern, "pages"), path: "---\ntitle: A\n---\n"})
    assert spots(content) == [(path, 1, 1, "no-slug")]
    assert reason in content.problems[0].message


def test_a_folder_that_looks_like_another_is_refused_only_if_the_pattern_uses_it(read: Load) -> None:
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
def test_a_wrong_pattern_is_an_error_of_the_config(tmp_path: Path, pattern: str, message: str) -> None:
    _, problems = read_config(write(tmp_path, {"contentsync.toml": with_slug(pattern)}))
    assert [(it.where.line, it.where.column, it.is_error) for it in problems] == [(5, 8, True)]
    assert message in problems[0].message or not pattern


def test_listings_have_no_pattern(tmp_path: Path) -> None:
    _, problems = read_config(write(tmp_path, {"contentsync.toml": with_slug("{name}", "listings")}))
    assert [problem.code for problem in problems] == ["unknown-key"]


def test_new_and_pulled_files_contain_the_slug_that_the_pattern_would_not_make(tmp_path: Path) -> None:
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
def test_equal_slugs_propose_a_pattern_that_makes_them_differ(read: Load, paths: list[str], proposed: str) -> None:
    found = duplicates(read({f"articles/{path}": TEXT for path in paths}))
    assert found
    for problem in found:
        assert f'set slug = "{proposed}" under [content.articles] in contentsync.toml' in problem.hint
    assert load_with(read, paths, proposed) == []


def load_with(read: Load, paths: list[str], pattern: str) -> list[Problem]:
    return duplicates(read({"contentsync.toml": with_slug(pattern), **{f"articles/{path}": TEXT for path in paths}}))


def test_equal_slugs_in_folders_of_languages_propose_to_read_these(read: Load) -> None:
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
def test_no_pattern_is_proposed_if_none_makes_all_slugs_differ(read: Load, paths: list[str]) -> None:
    found = duplicates(read({f"articles/{path}": TEXT for path in paths}))
    assert {problem.hint for problem in found} == {"delete one of them, or give this one a different slug"}


def test_a_slug_that_the_author_wrote_stays_as_it_is(read: Load) -> None:
    found = duplicates(read({"pages/a/x.md": "---\ntitle: A\n---\n", "pages/b.md": "---\ntitle: B\nslug: x\n---\n"}))
    assert ['slug = "{path}"' in problem.hint for problem in found] == [True]


def test_a_date_with_one_digit_gets_two() -> None:
    source = SlugSource(FileName("pages/a", "a", None, None), "2026-3-1 9:00")
    assert source.make("{year}{month}{day}-{name}") == "20260301-a"
