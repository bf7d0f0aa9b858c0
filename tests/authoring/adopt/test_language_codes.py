"""contentsync.authoring.adopt.language_codes: which names are codes of languages."""

import pytest

from contentsync.authoring.adopt.language_codes import is_common, is_language, language_of
from contentsync.content.config.config_tables import SiteSettings


@pytest.mark.parametrize("name", ["fr", "fil", "yue", "pt-br", "pt-BR", "zh-Hans", "zh-hant-TW", "sr-latn", "es-419"])
def test_a_code_that_exists_is_a_language_in_any_case(name: str) -> None:
    assert is_language(name)
    assert SiteSettings(name="A", locales=("en", name)).locales == ("en", name)  # as the config accepts it


@pytest.mark.parametrize(
    "name",
    ["", "js", "xx", "api", "doc", "new", "fr-XX", "zh-Abcd", "en-gb-oed", "fr_FR", "FR", "frr1", "fr-", "en-us-x"],
)
def test_another_name_is_not_a_language(name: str) -> None:
    assert not is_language(name)


@pytest.mark.parametrize(("name", "common"), [("fr", True), ("pt-br", True), ("io", False), ("os", False)])
def test_a_code_that_is_also_a_usual_name_is_not_common(name: str, *, common: bool) -> None:
    assert is_language(name)
    assert is_common(name) == common


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("FR", "fr"),
        ("PT-br", "pt-BR"),
        ("zh-hans", "zh-Hans"),
        ("ES-419", "es-419"),
        ("fr", "fr"),
        ("JS", ""),
        ("", ""),
    ],
)
def test_a_code_in_any_case_is_a_language_in_its_usual_spelling(name: str, language: str) -> None:
    assert language_of(name) == language
