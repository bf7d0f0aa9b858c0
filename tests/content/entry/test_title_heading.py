"""contentsync.content.entry.title_heading: the title is the first heading of the text, and is written back there."""

from pathlib import Path

import pytest

from contentsync.content.entry.title_heading import find_title_heading, title_of_name
from contentsync.content.folder.load import load_content
from contentsync.model import Kind
from contentsync.model.markdown_budget import StepBudget

from ...authoring.adopt.repositories import write

CONFIG = '[content.pages]\ntitle = "heading"\n[content.articles]\ntitle = "heading"\n'


@pytest.mark.parametrize(
    ("body", "title", "text"),
    [
        ("# About\n\nText", "About", "Text"),
        ("# About\nText", "About", "Text"),
        ("#\tAbout us ##  \n\n\nText", "About us", "Text"),
        ("About us\n========\nText", "About us", "Text"),
        ("About\nus\n=\n\nText", "About us", "Text"),
        ("# The **big** [shed](/a) of `us` &amp; \\*you\\*", "The big shed of us & *you*", ""),
        ("# About {#id}\n\nText", "About", "Text"),
        ("# C#\n", "C#", ""),
        ("![Badge](b.svg)\n\n# About\n\nText", "About", "![Badge](b.svg)\n\n\n\nText"),
        ("Above\n\nAbout\nus\n==\nText", "About us", "Above\n\n\n\n\nText"),
        ("<!-- # No -->\n# About\n    code", "About", "<!-- # No -->\n\n    code"),
        ("```\n# No\n```\n# About", "About", "```\n# No\n```"),
        ("# About\n\n    code", "About", "    code"),
        ("[a]: https://example.org\nAbout\n===\n\nText", "About", "[a]: https://example.org\n\n\n\nText"),
    ],
)
def test_the_first_heading_becomes_the_title_and_is_removed_from_the_text(body: str, title: str, text: str) -> None:
    heading = find_title_heading(body.rstrip())
    assert heading is not None
    assert (heading.title, heading.text) == (title, text)
    assert heading.before + heading.source + heading.after == body.rstrip()


@pytest.mark.parametrize(
    "body",
    [
        "Text",
        "## Part\n\n# About",  # another heading is first
        "> # Quoted\n\nText",
        "- # In a list",
        "```\n# Code\n```",
        "# ![](logo.png)",  # without a text
        "#\n\nText",
        "#hashtag",
    ],
)
def test_a_text_without_a_first_level_heading_has_no_title(body: str) -> None:
    assert find_title_heading(body) is None


def test_a_text_beyond_the_step_budget_has_no_title() -> None:
    assert find_title_heading("[" * 900 + "\n\n# Deep") is not None
    assert find_title_heading("[" * 900 + "\n\n# Deep", StepBudget(100)) is None


@pytest.mark.parametrize(
    "title",
    ["Plain", "*Stars* and `code`", "# Hash #", "1. One", "[a](b)", "A & B &amp; C", "x {#id}", "- dash", "a_b_c"],
)
@pytest.mark.parametrize("body", ["# Old\n\nText", "Old\n===\n\nText", "Above\n\n# Old {#id}\n\nText"])
def test_a_written_title_is_read_back_unchanged(title: str, body: str) -> None:
    heading = find_title_heading(body)
    assert heading is not None
    written = find_title_heading(heading.edited(title=title))
    assert written is not None
    assert (written.title, written.text) == (title, heading.text)
    assert heading.edited(title="Old") == body


@pytest.mark.parametrize(
    ("body", "text", "whole"),
    [
        ("# Old\n\nText", "New", "# Old\n\nNew"),
        ("# Old\nText", "New", "# Old\nNew"),
        ("# Old", "New", "# Old\n\nNew"),
        ("# Old\n\nText", "", "# Old"),
        ("Old\n===\n\nText", "# Other\n\nNew", "Old\n===\n\n# Other\n\nNew"),
        ("Above\n\n# Old\n\nText", "Above\n\n\n\nNew", "Above\n\n# Old\n\nNew"),
        ("Above\n\n# Old\n\nText", "Changed\n\n\n\nText", "# Old\n\nChanged\n\n\n\nText"),
    ],
)
def test_a_new_text_is_written_below_its_heading(body: str, text: str, whole: str) -> None:
    heading = find_title_heading(body)
    assert heading is not None
    assert heading.edited(text=text) == whole
    written = find_title_heading(whole)
    assert written is not None
    assert (written.title, written.text) == ("Old", text)


def titles(folder: Path) -> dict[str, tuple[object, object]]:
    return {entry.key: (entry.fields["title"], entry.fields.get("markdown")) for entry in load_content(folder).entries}


def test_a_title_in_the_front_matter_takes_precedence(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "contentsync.toml": CONFIG,
            "pages/a.md": "# A\n\nText\n",
            "pages/b.md": "---\norder: 2\n---\n\n# B\n\nText\n",
            "pages/c.md": "---\ntitle: C\n---\n# Heading\n",
            "pages/d.md": "# Only a title\n",
        },
    )
    assert titles(tmp_path) == {
        "a": ("A", "Text"),
        "b": ("B", "Text"),
        "c": ("C", "# Heading"),
        "d": ("Only a title", None),
    }


def test_problems_are_reported_at_their_location_in_the_file(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "contentsync.toml": CONFIG,
            "pages/a.md": "---\norder: 1\n---\n\n# A\n\nText\n\n[x](nowhere.md)\n",
            "pages/b.md": "Text\n\n  # B\u200b\n\n[x](nowhere.md)\n",
            "pages/c.md": f"\n# {'x' * 300}\n",
        },
    )
    found = {(it.where.path, it.code): (it.where.line, it.where.column) for it in load_content(tmp_path).problems}
    assert found["pages/a.md", "relative-link"] == (9, 5)
    assert found["pages/b.md", "relative-link"] == (5, 5)
    assert found["pages/b.md", "invisible-character"] == (3, 6)
    assert found["pages/c.md", "too-long"] == (2, 3)


def test_a_translation_has_its_own_title_heading(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "contentsync.toml": f'[site]\nlocales = ["en", "fr"]\n{CONFIG}',
            "articles/2026-01-01-a.md": "# Hello\n\nText\n",
            "articles/2026-01-01-a.fr.md": "Bonjour\n=======\n\nTexte\n",
        },
    )
    (entry,) = load_content(tmp_path).entries
    assert entry.fields["translations"]["fr"] == {"title": "Bonjour", "markdown": "Texte"}


def test_a_missing_title_suggests_the_heading_setting(tmp_path: Path) -> None:
    write(tmp_path, {"contentsync.toml": "", "pages/a.md": "# A\n\nText\n", "pages/b.md": "Text\n"})
    with_heading, without_heading = load_content(tmp_path).problems
    assert (with_heading.code, without_heading.code) == ("required", "required")
    assert 'set title = "heading" under [content.pages]' in with_heading.hint
    assert with_heading.kind == Kind.PAGE
    assert with_heading.setting is not None
    assert without_heading.setting is None  # it would not help, as the text must change first
    assert without_heading.hint == (
        "add it to the front matter, or begin the text with a heading such as # My title"
        ' and set title = "heading" under [content.pages] in contentsync.toml'
    )


def test_a_missing_title_suggests_a_heading_if_the_setting_is_on(tmp_path: Path) -> None:
    write(tmp_path, {"contentsync.toml": CONFIG, "articles/2026-01-01-b.md": "Text\n"})
    (problem,) = load_content(tmp_path).problems
    assert problem.hint == "add it to the front matter, or begin the text with a heading such as # My title"


def test_changing_the_heading_setting_invalidates_the_cache(tmp_path: Path) -> None:
    from contentsync.cli import run

    write(tmp_path, {"contentsync.toml": "", **{f"pages/{number}.md": "# A\n" for number in range(60)}})
    assert run(["validate", str(tmp_path)]) == 1
    (tmp_path / "contentsync.toml").write_text(CONFIG, encoding="utf-8")
    assert run(["validate", str(tmp_path)]) == 0


@pytest.mark.parametrize(
    ("stem", "title"),
    [
        ("House rules", "House rules"),
        ("house-rules", "House rules"),
        ("house_rules--2", "House rules 2"),
        ("iPhone-repair", "iPhone-repair"),
        ("über-uns", "Über uns"),
        ("2017-01-03", "2017-01-03"),
        ("covid-19-in-2020", "Covid 19 in 2020"),
    ],
)
def test_the_name_of_a_file_is_its_title_with_words(stem: str, title: str) -> None:
    assert title_of_name(stem) == title


def test_a_file_without_a_title_has_that_of_its_name(tmp_path: Path) -> None:
    settings = '[site]\nname = "A"\nlocales = ["en", "fr"]\n[content.articles]\ntitle = "file-name"\n'
    write(
        tmp_path,
        {
            "contentsync.toml": settings,
            "articles/2026-01-02-first-loan.md": "Text\n",
            "articles/2026-01-02-first-loan.fr.md": "---\ntitle: Premier\n---\nTexte\n",
            "articles/tools/index.md": "---\npublished_at: 2026-01-02\n---\n# Heading\n",
            "articles/tools/index.fr.md": "Texte\n",
            "articles/own.md": "---\ntitle: My own\npublished_at: 2026-01-02\n---\nText\n",
        },
    )
    content = load_content(tmp_path)
    assert content.errors == []
    titles = {entry.key: entry.fields["title"] for entry in content.entries}
    assert titles == {"first-loan": "First loan", "tools": "Tools", "own": "My own"}
    translations = {entry.key: entry.fields["translations"] for entry in content.entries if entry.key != "own"}
    assert translations["first-loan"]["fr"]["title"] == "Premier"
    assert "title" not in translations["tools"]["fr"]
