"""contentsync.authoring.adopt.recognise: the files of a repository, its generator, and the generator's config."""

from pathlib import Path
from typing import Any

import pytest

from contentsync.authoring.adopt.generators.generated_site import Generator, Site, language_code
from contentsync.authoring.adopt.recognise import propose_site, recognise
from contentsync.authoring.adopt.repository_tree import list_files

from .repositories import REPOSITORIES, Files, write

HUGO = 'baseURL = "https://a.example.org/x/"\ntitle = "A"\n[languages.de]\nweight = 1\n[languages.en]\nweight = 2\n'


def site(folder: Path, files: Files) -> Site:
    write(folder, files)
    return recognise(folder, list_files(folder))


@pytest.mark.parametrize(
    ("name", "generator"),
    [
        ("jekyll", Generator.JEKYLL),
        ("hugo", Generator.HUGO),
        ("astro", Generator.ASTRO),
        ("eleventy", Generator.ELEVENTY),
        ("awesome", Generator.PLAIN),
        ("spreadsheet", Generator.PLAIN),
    ],
)
def test_a_repository_is_recognised_by_its_config(name: str, generator: Generator, tmp_path: Path) -> None:
    assert site(tmp_path, REPOSITORIES[name](2)).generator is generator


@pytest.mark.parametrize(
    "path", ["hugo.toml", "config.toml", "config/_default/hugo.toml", "config/_default/config.toml"]
)
def test_hugo_may_have_its_config_in_several_places(path: str, tmp_path: Path) -> None:
    found = site(tmp_path, {path: HUGO, "content/a.md": "A\n"})
    assert (found.generator, found.evidence) == (Generator.HUGO, path)
    assert (found.title, found.address, found.languages) == ("A", "https://a.example.org/x/", ["de", "en"])


def test_a_config_toml_without_a_content_folder_does_not_mean_hugo(tmp_path: Path) -> None:
    assert site(tmp_path, {"config.toml": HUGO, "src/main.rs": ""}).generator is Generator.PLAIN


def test_a_javascript_config_is_searched_for_texts_and_never_run(tmp_path: Path) -> None:
    script = (
        "require('fs').writeFileSync('ran', '');\n"
        "module.exports = { title: 'Docs', url: \"https://d.example.org\", baseUrl: '/docs/',\n"
        "  i18n: { defaultLocale: 'fr' }, presets: [{ title: 'Other' }] };\n"
    )
    found = site(tmp_path, {"docusaurus.config.js": script, "docs/a.md": "A\n"})
    assert (found.generator, found.title) == (Generator.DOCUSAURUS, "Docs")
    assert (found.address, found.language) == ("https://d.example.org/docs/", "fr")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("config", ["a: [", "- 1\n", "\x00", "a: *b\n", "title: {x: 1}\n", "x" * 300_000])
def test_an_unreadable_config_still_identifies_the_generator(config: str, tmp_path: Path) -> None:
    found = site(tmp_path, {"_config.yml": config, "_posts/a.md": "A\n"})
    assert (found.generator, found.title, found.address) == (Generator.JEKYLL, "", "")


@pytest.mark.parametrize(
    ("text", "code"),
    [("en", "en"), ("pt-BR", "pt"), ("de_AT", "de"), ("english", ""), ("", ""), ("../x", ""), ("e" * 9999, "")],
)
def test_a_language_is_a_code_of_two_or_three_letters(text: str, code: str) -> None:
    assert language_code(text) == code


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"title": "Shed", "timezone": "Europe/Vienna"}, {"name": "Shed", "timezone": "Europe/Vienna"}),
        ({"title": " ", "timezone": "Moon/Base"}, {"name": "folder"}),
        ({"title": ["x"], "timeZone": "UTC"}, {"name": "folder", "timezone": "UTC"}),
        ({"title": "x" * 999}, {}),
    ],
)
def test_only_valid_site_settings_are_proposed(settings: dict[str, Any], found: dict[str, str]) -> None:
    assert {it.name: it.value for it in propose_site(Site(Generator.JEKYLL, settings=settings), "folder")} == found
