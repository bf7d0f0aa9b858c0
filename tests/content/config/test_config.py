"""contentsync.content.config.config: contentsync.toml."""

from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from contentsync.content.config.config import Config, read_config, read_local_config
from contentsync.content.config.config_tables import Target
from contentsync.content.files.content_folder import find_folder
from contentsync.content.files.file_addresses import FileAddresses
from contentsync.content.folder.load import load_content
from contentsync.errors import Problem
from contentsync.model import Kind
from contentsync.model.urls import LOCAL_FILES

from ..conftest import write


def config(root: Path, text: str) -> tuple[Config, list[Problem]]:
    (root / "contentsync.toml").write_text(text, encoding="utf-8")
    return read_config(root)


def warnings(problems: list[Problem]) -> list[tuple[int, int, str]]:
    assert not any(problem.is_error for problem in problems)
    return places(problems)


def good(root: Path, text: str) -> Config:
    settings, problems = config(root, text)
    assert problems == []
    return settings


def places(problems: list[Problem]) -> list[tuple[int, int, str]]:
    """Return the line, the column and the code of each problem."""
    return [(problem.where.line, problem.where.column, problem.code) for problem in problems]


WHOLE = """default_target = "local"

[site]
name = "Open Tools"
description = "All tools"
locales = ["en", "fr"]
timezone = "Europe/Paris"
asset_base_url = "https://cdn.example.com/site/"
expired = "hide"
organizers = { enabled = false, prefix = "/agencies", label = "Agency" }

[content.articles]
path = "posts"
rename = { date = "published_at", draft = "!active" }
ignore = ["layout"]
skip_empty = true

[warnings]
ignore = ["single-value"]

[targets.local]
url = "embedded:.contentsync/site.db"

[targets.production]
url = "https://directory.example.com"
directory = 42
token_env = "TOKEN"
requests_per_minute = 60
prune = true
max_deletes = { percent = 10, count = 5 }
on_drift = "keep"
social_card_names = "twitter"
user_ids = { "editor@example.com" = 7 }
"""


def test_every_setting_is_read(tmp_path: Path) -> None:
    settings, problems = config(tmp_path, WHOLE)
    assert problems == []
    assert settings.default_target == "local"
    site = settings.site
    assert (site.name, site.locales, site.zone) == ("Open Tools", ("en", "fr"), ZoneInfo("Europe/Paris"))
    assert (site.asset_base_url, site.expired) == ("https://cdn.example.com/site/", "hide")
    assert site.description == "All tools"
    assert (site.organizers.enabled, site.organizers.prefix, site.organizers.label) == (False, "/agencies", "Agency")
    articles = settings.content[Kind.ARTICLE]
    assert (articles.paths, articles.ignore) == (("posts",), ("layout",))
    assert (articles.skip_empty, settings.warnings.ignore) == (True, ("single-value",))  # type: ignore[attr-defined]
    assert articles.rename == {"date": "published_at", "draft": "!active"}
    local, production = settings.targets["local"], settings.targets["production"]
    assert (local.name, local.is_embedded, production.name, production.is_embedded) == (
        "local",
        True,
        "production",
        False,
    )
    assert (production.directory, production.token_env, production.requests_per_minute) == (42, "TOKEN", 60)
    assert (production.prune, production.on_drift, production.social_card_names) == (True, "keep", "twitter")
    assert (production.max_deletes.percent, production.max_deletes.count) == (10, 5)
    assert production.user_ids == {"editor@example.com": 7}


def test_an_empty_config_has_defaults(tmp_path: Path) -> None:
    folder = tmp_path / "my site"
    folder.mkdir()
    settings = good(folder, "")
    site = settings.site
    assert (site.name, site.locales, site.timezone, site.zone) == ("my site", ("en",), "UTC", UTC)
    assert (site.asset_base_url, site.expired) == (None, "badge")
    assert (site.organizers.enabled, site.organizers.prefix, site.organizers.label) == (
        True,
        "/organizers",
        "Organizer",
    )
    assert (settings.default_target, settings.targets) == (None, {})
    assert settings.content[Kind.CATEGORY].paths == ("categories.yaml",)
    assert settings.content[Kind.CUSTOM_FIELD].paths == ("custom_fields.yaml",)
    assert settings.content[Kind.LISTING].paths == ("listings",)


def test_a_target_has_defaults(tmp_path: Path) -> None:
    target = good(tmp_path, '[targets.a]\nurl = "https://a.example"\n').targets["a"]
    assert target == Target(name="a", url="https://a.example")
    assert (target.directory, target.token_env, target.requests_per_minute) == (None, "CONTENTSYNC_TOKEN", None)
    assert (target.prune, target.on_drift, target.social_card_names) == (None, "keep", "card")
    assert (target.max_deletes.percent, target.max_deletes.count) == (20, 10)


@pytest.mark.parametrize(
    ("text", "place", "near"),
    [
        ('x = 1\n[site]\nnmae = "A"', (1, 1, "unknown-key"), ""),
        ('[site]\nnmae = "A"', (2, 1, "unknown-key"), "name"),
        ("[sit]\na = 1", (1, 2, "unknown-key"), "site"),
        ("[contents.pages]\na = 1", (1, 2, "unknown-key"), "content"),
        ('[content.page]\npath = "x"', (1, 2, "unknown-key"), "pages"),
        ('[content.pages]\npaht = "x"', (2, 1, "unknown-key"), "path"),
        ('[targets.a]\nurl = "https://a.example"\ntoken = "x"', (3, 1, "unknown-key"), "token_env"),
        (
            '[targets.a]\nurl = "https://a.example"\ntoken_env = "MY-TOKEN"',
            (3, 13, "bad-variable"),
            "keep the token out",
        ),
        ('[targets.a]\nurl = "https://a.example"\ntoken_env = "1A"', (3, 13, "bad-variable"), ""),
        ('[targets.a]\nurl = "https://a.example"\ntoken_env = " "', (3, 13, "required"), ""),
        ('[targets.a]\nurl = "https://a.example"\nname = "x"', (3, 1, "unknown-key"), "table"),
        ("[site]\norganizers = { enabeld = true }", (2, 1, "unknown-key"), "enabled"),
        ("[site]\nname = 3", (2, 8, "not-text"), ""),
        ('[site]\nname = " "', (2, 8, "required"), ""),
        ("site = 3", (1, 8, "not-an-object"), ""),
        ('[site]\nlocales = "en"', (2, 11, "not-a-list"), ""),
        ("[site]\nlocales = []", (2, 11, "bad-locales"), ""),
        ('[site]\nlocales = ["en", "en"]', (2, 11, "bad-locales"), ""),
        ('[site]\nlocales = ["English"]', (2, 11, "bad-locales"), ""),
        ('[site]\nlocales = ["en", 3]', (2, 18, "not-text"), ""),
        ('[site]\ntimezone = "Europe/Pariss"', (2, 12, "unknown-timezone"), "Europe/Paris"),
        ('[site]\ntimezone = "../../etc/passwd"', (2, 12, "unknown-timezone"), ""),
        ('[site]\ntimezone = "Europe"', (2, 12, "unknown-timezone"), ""),
        ('[site]\nexpired = "gone"', (2, 11, "not-a-choice"), ""),
        ('[site]\nasset_base_url = "assets/"', (2, 18, "bad-url"), ""),
        ('[site]\norganizers = { prefix = "agencies" }', (2, 14, "bad-path"), ""),
        ('[assets]\npath = "../x"', (2, 8, "bad-path"), ""),
        ("[assets]\nmax_bytes = 0", (2, 13, "out-of-range"), ""),
        ('[assets]\n[targets.a]\nurl = "https://a.example"', (1, 2, "no-asset-address"), "asset_base_url"),
        ('[content.pages]\npath = "../x"', (2, 8, "bad-path"), ""),
        ('[content.pages]\npath = "/x"', (2, 8, "bad-path"), ""),
        ('[content.pages]\npath = "articles"', (2, 8, "same-path"), ""),
        ('[content.pages]\npath = ""', (2, 8, "bad-path"), ""),
        ("[content.pages]\npath = []", (2, 8, "bad-path"), ""),
        ("[content.pages]\npath = 3", (2, 8, "not-text"), "quotes"),
        ('[content.pages]\npath = ["a", 3]', (2, 14, "not-text"), "quotes"),
        ('[content.pages]\npath = ["a", "../b"]', (2, 14, "bad-path"), ""),
        ('[content.pages]\npath = ["a", "./a"]', (2, 8, "bad-path"), "delete one"),
        ('[content.pages]\npath = ["a/b", "a"]', (2, 8, "bad-path"), "delete 'a/b'"),
        (
            '[content.pages]\ninclude = ["*.md"]\npath = [".", "legal/pages"]',
            (3, 8, "bad-path"),
            "add 'legal' to include",
        ),
        ('[content.pages]\npath = ["a", "articles"]', (2, 8, "same-path"), ""),
        ('[content.pages]\npath = ["{locale}/a", "a"]', (2, 23, "bad-path"), "in any language"),
        ('[content.pages]\npath = ["{locale}", "a"]', (2, 21, "bad-path"), "in any language"),
        ('[content.tags]\npath = ["a.yaml", "{locale}.yaml"]', (2, 19, "bad-path"), ""),
        ('[content.pages]\npath = "."', (2, 8, "bad-path"), 'include = ["*.md"]'),
        ('[content.pages]\npath = "./"\ninclude = []', (2, 8, "bad-path"), 'include = ["*.md"]'),
        ('[content.pages]\ninclude = ["a/*.md"]', (2, 12, "bad-path"), "exclude"),
        ('[content.pages]\ninclude = "*.md"', (2, 11, "not-a-list"), ""),
        ('[content.tags]\npath = "contentsync.toml"', (2, 8, "bad-path"), ""),
        ('[content.tags]\npath = [".contentsync/tags"]', (2, 9, "bad-path"), ""),
        ("[content.pages]\nrename = { a = 1 }", (2, 10, "not-text"), ""),
        ("[targets.a]\ndirectory = 1", (1, 2, "required"), ""),
        ('[targets.a]\nurl = "ftp://a.example"', (2, 7, "bad-url"), ""),
        ('[targets.a]\nurl = "embedded:"', (2, 7, "bad-url"), ""),
        ('[targets.a]\nurl = "embedded:../../made.db"', (2, 7, "bad-path"), ""),
        ('[targets.a]\nurl = "embedded:/srv/made.db"', (2, 7, "bad-path"), ""),
        ('[targets.a]\nurl = "https://a.example"\ndirectory = "42"', (3, 13, "not-an-integer"), ""),
        ('[targets.a]\nurl = "https://a.example"\nmax_deletes = { percent = 101 }', (3, 15, "out-of-range"), ""),
        ('[targets.a]\nurl = "https://a.example"\nuser_ids = { editor = 7 }', (3, 12, "bad-email"), ""),
        (
            'default_target = "prod"\n[targets.production]\nurl = "https://a.example"',
            (1, 18, "unknown-target"),
            "production",
        ),
        ("targets = 3", (1, 11, "not-an-object"), ""),
        ('[warnings]\nignore = ["broken-link", "single-valu"]', (2, 26, "unknown-code"), "single-value"),
        ('[[warnings.overrides]]\nerror = ["brokn-link"]', (2, 10, "unknown-code"), "broken-link"),
        ("[targets]\na = 3", (2, 5, "not-an-object"), ""),
    ],
)
def test_a_config_mistake_is_reported_at_its_location_with_the_nearest_name(
    tmp_path: Path, text: str, place: tuple[int, int, str], near: str
) -> None:
    _, problems = config(tmp_path, text)
    assert place in places(problems)
    assert any(near in problem.hint for problem in problems)


@pytest.mark.parametrize(
    ("table", "code"),
    [('url = "nowhere"', "bad-url"), ('url = "https://a.example"\nuser_ids = { editor = 7 }', "bad-email")],
)
def test_a_wrong_value_is_not_also_reported_as_missing(tmp_path: Path, table: str, code: str) -> None:
    _, problems = config(tmp_path, f"[targets.a]\n{table}\n")
    assert [problem.code for problem in problems] == [code]


@pytest.mark.parametrize("key", ["token", "api_key", "password", "client_secret"])
def test_a_secret_in_the_config_suggests_an_environment_variable(tmp_path: Path, key: str) -> None:
    """AU-12"""
    _, (problem,) = config(tmp_path, f'[targets.a]\nurl = "https://a.example"\n{key} = "x"\n')
    assert problem.hint == "put the token into an environment variable, and set token_env to the name of the variable"


SECRET = "s3cr3t"


@pytest.mark.parametrize(
    "line",
    [
        f'token_env = "cs-{SECRET}"',
        f'token_env = " {SECRET}"',
        f'token_env = "{SECRET}\\n"',
        f'token_env = "{SECRET * 50}"',
        f'token_env = ["{SECRET}"]',
        f'token_env = {{ x = "{SECRET}" }}',
        f"token_env = {SECRET}",
        f'token_env = "{SECRET}',
        f'token_env = "A"\ntoken_env = "{SECRET}"',
        f'token = "{SECRET}"',
    ],
)
def test_no_message_repeats_a_possible_token(tmp_path: Path, line: str) -> None:
    """AU-12"""
    _, problems = config(tmp_path, f'[targets.a]\nurl = "https://a.example"\n{line}\n')
    assert problems
    assert SECRET not in repr(problems)


@pytest.mark.parametrize("name", ["_", "A", "site_TOKEN2"])
def test_a_variable_name_consists_of_letters_digits_and_underscores(tmp_path: Path, name: str) -> None:
    target = good(tmp_path, f'[targets.a]\nurl = "https://a.example"\ntoken_env = "{name}"\n').targets["a"]
    assert target.token_env == name


def test_a_target_can_have_the_name_of_a_setting(tmp_path: Path) -> None:
    _, problems = config(tmp_path, '[targets.max_deletes]\nurl = "https://a.example"\non_drift = "kep"\n')
    assert places(problems) == [(3, 12, "not-a-choice")]
    assert "keep" in problems[0].hint


def test_a_wrong_setting_does_not_discard_the_valid_ones(tmp_path: Path) -> None:
    settings, problems = config(
        tmp_path,
        '[site]\nname = "A"\nlocales = ["en", "fr"]\nexpired = 3\n[targets.a]\nprune = true\n[targets.b]\nurl = "https://b.example"\n',
    )
    assert places(problems) == [(4, 11, "not-a-choice"), (5, 2, "required")]
    assert (settings.site.name, settings.site.locales, settings.site.expired) == ("A", ("en", "fr"), "badge")
    assert list(settings.targets) == ["b"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[site]\nname = \n", (2, 8, "toml-syntax")),
        ('[site]\nname = "a"\nname = "b"\n', (3, 1, "duplicate-key")),
        ("a = [1,", (1, 8, "toml-syntax")),
        ("a = " + "9" * 5000, (1, 5, "toml-syntax")),
        ("a = " + "[" * 50_000, (1, 5, "too-deep")),
    ],
)
def test_a_toml_syntax_error_is_reported_with_line_and_column(
    tmp_path: Path, text: str, place: tuple[int, int, str]
) -> None:
    settings, problems = config(tmp_path, text)
    assert places(problems) == [place]
    assert settings.site.locales == ("en",)


def test_a_missing_config_is_a_problem(tmp_path: Path) -> None:
    _, problems = read_config(tmp_path)
    assert places(problems) == [(1, 1, "no-config")]


def test_a_link_to_a_config_inside_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "shared.toml").write_text('[site]\nname = "Linked"\n')
    (tmp_path / "contentsync.toml").symlink_to("shared.toml")
    settings, problems = read_config(tmp_path)
    assert (settings.site.name, problems) == ("Linked", [])


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("../other.toml", "a place outside of the content folder"),
        ("missing.toml", "nothing"),
        ("contentsync.toml", "nothing"),
        (".hidden.toml", "a hidden file"),
    ],
)
def test_a_config_link_to_an_unreadable_place_is_an_error(tmp_path: Path, target: str, reason: str) -> None:
    """FI-14"""
    folder = tmp_path / "site"
    folder.mkdir()
    for file in (tmp_path / "contentsync.toml", tmp_path / "other.toml", folder / ".hidden.toml"):
        file.write_text('[site]\nname = "Other"\n')
    (folder / "contentsync.toml").symlink_to(target)
    assert find_folder(folder) == folder
    settings, problems = read_config(folder)
    assert [(problem.code, problem.message) for problem in problems] == [
        ("bad-link", f"the symbolic link points to {reason}")
    ]
    assert settings.site.name == "site"


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ('default_target = "p"\n[targets.p]\nulr = "https://a.example"\n', (3, 1, "unknown-key")),
        ('default_target = "p"\n[target.p]\nurl = "https://a.example"\n', (2, 2, "unknown-key")),
        ('default_target = "p"\n[targets.p]\nurl = "a.example"\n', (3, 7, "bad-url")),
        ('[content.articles]\npth = "_posts"\nrename = { date = "published_at" }\n', (2, 1, "unknown-key")),
        ('[content.article]\nrename = { date = "published_at" }\n', (1, 2, "unknown-key")),
        ('[site]\nlocale = ["en", "fr"]\n', (2, 1, "unknown-key")),
        ("[content.articles\n", (1, 18, "toml-syntax")),
    ],
)
def test_one_wrong_key_causes_one_message(text: str, reported: tuple[int, int, str], tmp_path: Path) -> None:
    article = "---\ntitle: A\ndate: 2026-03-01\ntranslations: {fr: {title: B}}\n---\nText\n"
    write(tmp_path, {"contentsync.toml": text, "articles/a.md": article, "articles/b.fr.md": article})
    content = load_content(tmp_path)
    assert places([problem for problem in content.problems if problem.where.path == "contentsync.toml"]) == [reported]
    if reported[0] != 3:  # a target does not say what the content means
        assert len(content.problems) == 1


def test_mistakes_in_targets_and_content_are_reported_together(tmp_path: Path) -> None:
    write(tmp_path, {"contentsync.toml": '[targets.p]\nurl = "x"\n', "pages/a.md": "---\ntitel: A\n---\n"})
    assert [problem.code for problem in load_content(tmp_path).problems] == ["bad-url", "unknown-key"]


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("", None),
        ('[site]\nasset_base_url = "https://cdn.example.com/"\n', "https://cdn.example.com/"),
        ("[assets]\n", LOCAL_FILES),
        ('[assets]\n[targets.a]\nurl = "embedded:a.db"\n', LOCAL_FILES),
        ('[assets]\n[site]\nasset_base_url = "https://cdn.example.com/"\n', "https://cdn.example.com/"),
    ],
)
def test_the_asset_address_is_that_of_the_config_or_the_built_in_server(
    tmp_path: Path, text: str, base: str | None
) -> None:
    settings = good(tmp_path, text)
    assert settings.file_addresses.base == base
    assert read_local_config(tmp_path)[0].file_addresses.base == (LOCAL_FILES if settings.assets else base)


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ('store = "s3://pictures/a/b"\nstore_url = "https://cdn.example.com"', ""),
        ('store = "gs://pictures"\nstore_url = "https://cdn.example.com"', ""),
        ('store = "az://pictures"\nstore_url = "https://cdn.example.com"', ""),
        ('store = "../published"\nstore_url = "https://cdn.example.com"', ""),
        ('store = "published"\nstore_url = "https://cdn.example.com"', "bad-store"),
        ('store = "../../a/../published"\nstore_url = "https://cdn.example.com"', ""),
        ('store = "https://pictures.example.com"\nstore_url = "https://cdn.example.com"', "bad-store"),
        ('store = "s3://key:secret@pictures"\nstore_url = "https://cdn.example.com"', "bad-store"),
        ('store = "s3://pictures/../other"\nstore_url = "https://cdn.example.com"', "bad-store"),
        ('store = "../published"', "no-asset-address"),
        ('store_url = "https://cdn.example.com"', "bad-store"),
    ],
)
def test_an_asset_store_is_a_bucket_or_an_outside_folder_with_an_address(
    tmp_path: Path, settings: str, code: str
) -> None:
    _, problems = config(tmp_path, f"[assets]\n{settings}\n")
    assert [problem.code for problem in problems] == ([code] if code else [])
    assert not any("secret" in problem.message for problem in problems)


def test_an_asset_store_serves_remote_targets_but_not_a_local_site(tmp_path: Path) -> None:
    store = '[assets]\nstore = "../published"\nstore_url = "https://cdn.example.com/p"\n'
    settings = good(tmp_path, f'{store}[targets.far]\nurl = "https://directory.example.com"\ndirectory = 1\n')
    assert settings.publishes
    assert (settings.store_base, settings.file_addresses.base) == ("https://cdn.example.com/p/", None)
    local = read_local_config(tmp_path)[0]
    assert not local.publishes
    assert (local.store_base, local.file_addresses.base) == (None, LOCAL_FILES)


ASSET_URL = '[assets]\npath = "static"\nbase_url = "https://www.example.com/"\n'


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("", LOCAL_FILES),
        ('[targets.a]\nurl = "embedded:a.db"\n', LOCAL_FILES),
        ('[targets.a]\nurl = "https://a.example"\ndirectory = 1\n', None),
        ('[site]\nasset_base_url = "https://cdn.example.com/"\n', "https://cdn.example.com/"),
    ],
)
def test_the_asset_folder_can_have_an_address_of_its_own(tmp_path: Path, text: str, base: str | None) -> None:
    settings = good(tmp_path, ASSET_URL + text)
    assert settings.file_addresses == FileAddresses(base, "static", "https://www.example.com/")
    local = read_local_config(tmp_path)[0]
    assert local.file_addresses == FileAddresses(LOCAL_FILES, "static")


def test_a_path_without_its_include_is_not_read(tmp_path: Path) -> None:
    """Not even for the other problems of the folder: it would report each file of a repository."""
    settings, problems = config(tmp_path, '[content.pages]\npath = "."\ninclude = ["docs/*.md"]\n')
    assert [problem.code for problem in problems] == ["bad-path"]
    assert (settings.is_content_valid, settings.content[Kind.PAGE].paths) == (False, ("pages",))


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ('path = "./legal/"', ("legal",)),
        ('path = ["legal"]', ("legal",)),
        ('path = ["legal", "a.md"]', ("legal", "a.md")),
        ('path = "."\ninclude = ["*.md"]', ("",)),
        ('path = "pages"', ("pages",)),
    ],
)
def test_a_kind_has_one_path_or_several(tmp_path: Path, text: str, paths: tuple[str, ...]) -> None:
    settings = good(tmp_path, f"[content.pages]\n{text}\n")
    assert settings.content[Kind.PAGE].paths == paths


def test_a_file_at_the_top_has_a_kind_only_if_include_names_it(tmp_path: Path) -> None:
    text = '[content.pages]\npath = "."\ninclude = ["*.md", "legal", "*.toml"]\nexclude = ["README.md"]\n'
    settings = good(tmp_path, text)
    read = ("about.md", "legal", "legal/a/b.md", "README.md", "")
    assert all(settings.kinds_at(path) == {Kind.PAGE} for path in read)
    assert settings.kinds_at("articles/a.md") == {Kind.ARTICLE}
    other = ("contentsync.toml", "themes", "themes/about.md", "about.txt", ".contentsync/site.db")
    assert not any(settings.kinds_at(path) for path in other)
    left_out = ("README.md", "legal/README.md", "themes/about.md", "contentsync.toml")
    assert all(settings.excludes(Kind.PAGE, path) for path in left_out)
    assert not any(settings.excludes(Kind.PAGE, path) for path in ("about.md", "legal/a.md", "legal"))
    assert settings.concerns("articles") and settings.concerns("legal/a") and not settings.concerns("themes/legal")


def test_a_folder_with_collections_concerns_them(tmp_path: Path) -> None:
    settings = good(tmp_path, '[content.pages]\npath = ["a/b", "c"]\n')
    assert [path for path in ("a", "a/b", "a/b/x.md", "c", "a/x", "d") if settings.concerns(path)] == [
        "a",
        "a/b",
        "a/b/x.md",
        "c",
    ]


def test_a_file_in_nested_collections_has_the_kind_of_the_innermost(tmp_path: Path) -> None:
    text = '[content.pages]\npath = "."\ninclude = ["*"]\n[content.articles]\npath = ["a", "a-longer-path/b"]\n'
    settings = good(tmp_path, text)
    kinds = [settings.kind_at(path) for path in ("x.md", "a/x.md", "a-longer-path/x.md", "listings/x.csv", "tags.yml")]
    assert kinds == [Kind.PAGE, Kind.ARTICLE, Kind.PAGE, Kind.LISTING, Kind.TAG]
    assert settings.kinds_at("a/x.md") == {Kind.PAGE, Kind.ARTICLE}
    assert settings.kind_at("contentsync.toml") is None
