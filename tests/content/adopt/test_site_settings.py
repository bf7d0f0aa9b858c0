"""contentsync.content.adopt.site_settings: the name, the time zone and the languages of the site."""

from collections.abc import Mapping
from typing import Any

import pytest

from contentsync.content.adopt.recognise import Generator, Site
from contentsync.content.adopt.site_settings import propose_asset_base, propose_locales, propose_site
from contentsync.content.scan import ContentFile
from contentsync.errors import Problem, Where
from contentsync.model import Kind


def site(settings: Mapping[str, Any], generator: Generator = Generator.JEKYLL) -> Site:
    return Site(generator, "_config.yml", settings)


def articles(*paths: str) -> list[ContentFile]:
    return [ContentFile(Kind.ARTICLE, path, path, ".md") for path in paths]


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"title": "Shed", "timezone": "Europe/Vienna"}, {"name": "Shed", "timezone": "Europe/Vienna"}),
        ({"title": " ", "timezone": "Moon/Base"}, {"name": "folder"}),
        ({"title": ["x"], "timeZone": "UTC"}, {"name": "folder", "timezone": "UTC"}),
        ({"title": "x" * 999}, {}),
    ],
)
def test_only_values_that_are_allowed_are_proposed(settings: dict[str, Any], found: dict[str, str]) -> None:
    assert {it.name: it.value for it in propose_site(site(settings), "folder")} == found


@pytest.mark.parametrize(
    ("settings", "files", "locales"),
    [
        ({}, ["a/x.md", "a/y.md"], []),
        ({}, ["a/x.md", "a/x.fr.md", "a/y.md", "a/y.fr.md"], ["en", "fr"]),
        ({}, ["a/x.md", "a/x.fr.md"], []),  # one file may be named so by chance
        ({}, ["a/node.js.md", "a/vue.js.md", "a/x.md"], []),
        ({"lang": "de-AT"}, ["a/x.md"], ["de"]),
        ({"languages": {"de": {}, "en": {}}, "defaultContentLanguage": "de"}, ["a/x.md", "a/x.en.md"], ["de", "en"]),
        ({"languages": ["en", "fr", "es"]}, ["a/x.en.md", "a/x.es.md"], ["en", "es"]),
    ],
)
def test_languages_are_those_of_translated_files(
    settings: dict[str, Any], files: list[str], locales: list[str]
) -> None:
    assert [it.value for it in propose_locales(site(settings), articles(*files))] == locales


@pytest.mark.parametrize(
    ("settings", "generator", "answer", "proposed"),
    [
        ({"url": "https://a.example.org", "baseurl": "/x"}, Generator.JEKYLL, "yes", ["https://a.example.org/x/"]),
        ({"url": "https://a.example.org"}, Generator.JEKYLL, "no", []),
        ({"url": "localhost"}, Generator.JEKYLL, "yes", []),
        ({"baseURL": "https://a.example.org"}, Generator.HUGO, "yes", []),  # it serves them at other paths
    ],
)
def test_the_address_of_files_is_proposed_if_texts_link_to_them(
    settings: dict[str, Any], generator: Generator, answer: str, proposed: list[str]
) -> None:
    found = site(settings, generator)
    problems = [Problem("relative-link", "the link", Where("a.md"))]
    assert [it.value for it in propose_asset_base(found, problems, lambda question: answer)] == proposed
    assert [*propose_asset_base(found, [], lambda question: answer)] == []
