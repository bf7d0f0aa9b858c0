"""contentsync.content.entry.invisible_characters: characters that readers do not see, or take for others."""

import pytest

from contentsync.content.entry.invisible_characters import warn_of_confusing_characters
from contentsync.content.formats.draft import Draft, Location
from contentsync.errors import Problem, Severity
from contentsync.model import Kind
from contentsync.report.problems import problems_text

from ...growth import grows_evenly
from ...report.surveys import plain
from ..conftest import Load, spots


def reported(title: str, **values: object) -> list[Problem]:
    """Return the warnings about the characters of an article."""
    draft = Draft(Kind.ARTICLE, "articles/a.md", values={"title": title, **values})
    warn_of_confusing_characters(draft)
    return draft.problems


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("\u202e", "U+202E (right-to-left override)"),
        ("\u2066", "U+2066 (left-to-right isolate)"),
        ("\u200e", "U+200E (left-to-right mark)"),
        ("\u200b", "U+200B (zero width space)"),
        ("\u200c", "U+200C (zero width non-joiner)"),
        ("\u200d", "U+200D (zero width joiner)"),
        ("\u2060", "U+2060 (word joiner)"),
        ("\ufeff", "U+FEFF (zero width no-break space)"),
        ("\U000e0041", "U+E0041 (tag latin capital letter a)"),
        ("\u00ad", "U+00AD (soft hyphen)"),
        ("\u3164", "U+3164 (hangul filler)"),
        ("\u0092", "U+0092 (control character)"),
        ("\ufe0f\ufe0f\ufe01", "U+FE0F (variation selector-16)"),
    ],
)
def test_an_invisible_character_is_a_warning_that_names_it(character: str, name: str) -> None:
    """SL-05"""
    (problem,) = reported(f"The pay{character}pal account")
    assert (problem.code, problem.severity) == ("invisible-character", Severity.WARNING)
    assert name in problem.message
    assert problem.message.isascii()


def test_the_message_shows_the_surrounding_words_with_escapes() -> None:
    (problem,) = reported("Die neue pay\u200bpal\u200bbörse im Netz")
    assert problem.message == (
        "title contains the invisible character U+200B (zero width space) in "
        r"'Die neue pay\u200bpal\u200bbörse i', and 1 more"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Café, naïve, Łódź, Ærø",
        "東京の道具",
        "family: 👨‍👩‍👧 👩🏽‍💻 🏳️‍🌈 🙂‍↔️",
        "flag: 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "I ❤️ ✈️ and #️⃣",
        "葛\U000e0100飾区",
        "می‌خواهم",
        "PDF‌ها",
        "क्‍ष और क्‌ष",
        "ශ්‍රී ලංකා",
        "ᠬᠠᠷ\u180eᠠ",
        "❤️‍🔥 👁️‍🗨️ 👩‍❤️‍💋‍👨 🧔‍♀️",
        "שלום\u200f, (\u2066abc\u2069)",
        "ภาษา\u200bไทย",
        "ភាសា\u200bខ្មែរ",
    ],
)
def test_invisible_characters_with_a_purpose_are_accepted(text: str) -> None:
    """SL-05"""
    assert reported(text, markdown=text) == []


def test_soft_hyphens_are_accepted_in_texts_but_not_in_titles() -> None:
    """SL-05"""
    assert reported("A", markdown="Donau\u00addampf\u00adschiff", seo={"description": "Donau\u00addampf"}) == []


@pytest.mark.parametrize(
    "text", ["שלום\u202eabc", "क\u2060ख", "🏴\U000e0041\U000e007f", "\U000e0067\U000e0062", "a\u200d👩"]
)
def test_invisible_characters_outside_of_their_purpose_are_reported(text: str) -> None:
    """SL-05"""
    assert [problem.code for problem in reported(text)] == ["invisible-character"]


def test_every_text_of_an_entry_is_checked() -> None:
    """SL-05"""
    bad = "a\u200bb"
    problems = reported(
        "A",
        thumbnail_alt_text=bad,
        categories=["fine", bad],
        seo={"description": bad, "title": "fine"},
        translations={"fr": {"title": bad, "seo": {"keywords": bad}}, "de": None},
        active=True,
    )
    assert [problem.message.partition(" ")[0] for problem in problems] == [
        "thumbnail_alt_text",
        "categories.1",
        "seo.description",
        "translations.fr.title",
        "translations.fr.seo.keywords",
    ]


def test_invisible_characters_in_a_body_are_one_warning_at_the_first(read: Load) -> None:
    """SL-05"""
    content = read({"pages/a.md": "---\ntitle: A\n---\n\nFine.\nNot\u200bfine, and not\u200bhere.\n"})
    assert spots(content) == [("pages/a.md", 6, 4, "invisible-character")]
    assert content.problems[0].message.endswith(", and 1 more")
    assert len(content.entries) == 1  # the entry is read: it is only a warning


def test_an_invisible_character_in_a_field_is_reported_at_the_field(read: Load) -> None:
    """SL-05: an escape of YAML makes one too."""
    content = read({"pages/a.md": '---\ntitle: "A\\u202eB"\nseo:\n  title: a\u2060b\n---\n'})
    assert spots(content) == [("pages/a.md", 2, 8, "invisible-character"), ("pages/a.md", 4, 10, "invisible-character")]


def test_an_invisible_character_in_a_slug_is_an_error(read: Load) -> None:
    """SL-05"""
    content = read({"pages/a.md": "---\ntitle: A\nslug: a\u200bb\n---\n"})
    assert ("pages/a.md", 3, 7, "bad-slug") in spots(content)
    assert content.errors


def test_an_invisible_character_in_a_key_is_an_error(read: Load) -> None:
    """SL-05"""
    content = read({"pages/a.md": "---\ntitle: A\nor\u200bder: 1\n---\n"})
    (problem,) = content.errors
    assert (problem.code, problem.where.line, problem.hint) == ("unknown-key", 3, "did you mean 'order'?")
    assert r"or\u200bder is not a known key" in plain(problems_text([problem]))


@pytest.mark.parametrize(
    ("title", "shown", "script"),
    [
        ("Your pаypal account", r"p\u0430ypal", "Cyrillic"),
        ("Аpple", r"\u0410pple", "Cyrillic"),
        ("Wi-Fі", r"F\u0456", "Cyrillic"),
        ("Gοogle", r"G\u03bfogle", "Greek"),
        ("ΒMW", r"\u0392MW", "Greek"),
        ("МосквA", r"Москв\u0041", "Latin"),
        ("Cентябрь", r"\u0043ентябрь", "Latin"),
    ],
)
def test_a_word_with_look_alike_letters_of_another_script_is_a_warning(title: str, shown: str, script: str) -> None:
    """SL-04"""
    (problem,) = reported(title)
    assert (problem.code, problem.severity) == ("mixed-script", Severity.WARNING)
    assert f"'{shown}'" in problem.message
    assert script in problem.message


@pytest.mark.parametrize(
    "title",
    [
        "Привет, мир",
        "Java-разработчик в IT-компании",
        "WebМастер, SMSка, МегаFon",
        "Обзор iPhone 15 и Galaxy S24",
        "4хUSB и 15см",
        "Καλημέρα κόσμε",
        "Οδηγός για το Git",
        "Δt, μm, kΩ, ΔH, λ-calculus, β2, πr², νmax, αs",
        "日本語 and English",
        "東京Tools",
        "Größe, Çelik, Łódź",
    ],
)
def test_words_of_several_scripts_and_formulas_are_accepted(title: str) -> None:
    """SL-04"""
    assert reported(title) == []


def test_only_titles_and_names_are_checked_for_mixed_scripts() -> None:
    """SL-04"""
    assert reported("A", markdown="pаypal", seo={"description": "pаypal"}) == []
    (problem,) = reported("A", translations={"fr": {"title": "pаypal"}})
    assert problem.message.startswith("translations.fr.title: ")


def test_locations_are_not_computed_for_an_entry_without_problems() -> None:
    def locate() -> tuple[dict[str, Location], dict[str, Location]]:
        raise AssertionError("was asked")

    draft = Draft(Kind.PAGE, "pages/a.md", values={"title": "Café", "seo": {"title": "plain"}}, locate=locate)
    warn_of_confusing_characters(draft)
    assert draft.problems == []


@pytest.mark.parametrize(
    "block",
    [
        '---\ntitle: "A\\u200bB"\n---\n',
        '+++\ntitle = "A\\u200bB"\n+++\n',
        '---\ntitle: A\nseo: {keywords: "a\\u202eb"}\n---\n',
    ],
    ids=["yaml", "toml", "inside"],
)
def test_an_escaped_character_in_an_ascii_file_is_found(read: Load, block: str) -> None:
    """SL-05"""
    assert block.isascii()
    assert [problem.code for problem in read({"articles/a.md": f"{block}Text\n"}).problems] == ["invisible-character"]


def test_a_character_in_the_translation_of_an_ascii_file_is_found(read: Load) -> None:
    """SL-05"""
    config = '[site]\nlocales = ["en", "fr"]\n'
    files = {"articles/a.md": "---\ntitle: A\n---\nText\n", "articles/a.fr.md": "---\ntitle: A\n---\nTe\u200bxte\n"}
    content = read({"contentsync.toml": config, **files})
    assert spots(content) == [("articles/a.fr.md", 4, 3, "invisible-character")]


@pytest.mark.parametrize("part", ["\u200e", "\u200d", "\ufe0f", "\U000e0041", "🏴\U000e0041", "aа", "а", "\u200b\n"])
def test_the_check_takes_linear_time(part: str) -> None:
    assert grows_evenly(lambda size: reported(part * size, markdown=part * size), 2_000)
