"""A fragment names an id of the text that the page shows."""

from pathlib import Path

import pytest

from contentsync.content.folder.load import load_content
from contentsync.content.links.fragments import names_part

from ..conftest import write

# Nine fragments as GitHub writes them, with their headings.
OF_GITHUB = {
    "whats-new": "What's new",
    "über-uns": "Über uns",
    "straße--co": "Straße & Co",
    "ヘディング": "ヘディング",
    "a_b-c": "A_b c",
    "nodejs": "Node.js",
    "faq": "FAQ?",
    "the-code": "The `code`",
    "prices-1": "Prices\n\n## Prices",
}


def warnings(folder: Path, files: dict[str, str]) -> list[tuple[str, int, str, str | None]]:
    problems = load_content(write(folder, files)).problems
    return [(problem.where.path, problem.where.line, problem.message, problem.hint) for problem in problems]


@pytest.mark.parametrize("start", ["", "to.md", "/pages/to/"])
@pytest.mark.parametrize("fragment", OF_GITHUB)
def test_a_fragment_in_the_style_of_github_matches_its_heading(tmp_path: Path, fragment: str, start: str) -> None:
    text = f"---\ntitle: A\n---\n[x]({start}#{fragment})\n\n## {OF_GITHUB[fragment]}\n"
    assert warnings(tmp_path, {"pages/to.md": text, "pages/from.md": text}) == []


@pytest.mark.parametrize("fragment", ["", "top", "TOP", ":~:text=a", "a", "a:~:text=b", "%C3%BC", "ü"])
def test_a_fragment_for_an_id_or_the_top_of_the_page_is_accepted(fragment: str) -> None:
    assert names_part(f"/pages/x/#{fragment}", {"a", "ü"})


@pytest.mark.parametrize("fragment", ["A", "b", "a-", "fn:1"])
def test_a_fragment_must_match_an_id_exactly(fragment: str) -> None:
    assert not names_part(f"#{fragment}", {"a", "ü"})


def test_a_missing_fragment_of_the_same_text_is_reported_at_its_link(tmp_path: Path) -> None:
    text = "---\ntitle: A\n---\n# Our prices\n\nSee [x](#Our-Prices).\n\n[y](#none) `[z](#code)` <a href='#old'>\n"
    message = "the link to '{}' leads to a part that this text does not have"
    assert warnings(tmp_path, {"pages/a.md": text}) == [
        ("pages/a.md", 6, message.format("#Our-Prices"), "did you mean '#our-prices'?"),
        ("pages/a.md", 8, message.format("#none"), "correct the fragment, or add the heading"),
        ("pages/a.md", 8, message.format("#old"), "correct the fragment, or add the heading"),
    ]


def test_texts_in_lists_and_tables_are_checked_too(tmp_path: Path) -> None:
    listings = "- name: A\n  url: https://a.example\n  content: '[x](#b)'\n"
    table = "name,url,content\nB,https://b.example,<p>x</p><a href=#c>\n"
    found = warnings(tmp_path, {"listings/a.yaml": listings, "listings/b.csv": table})
    assert [(path, line) for path, line, *_ in found] == [("listings/a.yaml", 3), ("listings/b.csv", 2)]


FRENCH = {
    "contentsync.toml": '[site]\nlocales = ["en", "fr"]\n',
    "articles/to.md": "---\ntitle: A\n---\n# Prices\n",
    "articles/to.fr.md": "---\ntitle: A\n---\n# Prix\n",
    "articles/from.md": "---\ntitle: B\n---\n[x](to.md#prices)\n[x](to.md#prix)\n",
    "articles/from.fr.md": "---\ntitle: B\n---\n[x](to.md#prices)\n[x](/blog/to/#prix)\n",
}


def test_a_fragment_is_checked_in_the_language_of_its_text(tmp_path: Path) -> None:
    found = warnings(tmp_path, FRENCH)
    assert [(path, line) for path, line, *_ in found] == [("articles/from.fr.md", 4), ("articles/from.md", 5)]


def test_fragments_match_only_the_text_that_the_page_shows(tmp_path: Path) -> None:
    """Not a comment of the front matter, not the heading that is the title, and not the other text of an article."""
    files = {
        "contentsync.toml": '[content.pages]\ntitle = "heading"\n',
        "pages/a.md": "---\n# yaml: 1\nactive: true\n---\n# Title\n\n[x](#title) [y](#yaml-1)\n",
        "articles/b.md": "---\ntitle: B\ncontent: <h2 id=html>x</h2>\n---\n# Shown\n",
        "articles/c.md": "---\ntitle: C\n---\n[x](b.md#shown)\n[y](b.md#html)\n",
    }
    found = warnings(tmp_path, files)
    assert [(path, line) for path, line, *_ in found if line > 3] == [
        ("articles/c.md", 5),
        ("pages/a.md", 7),
        ("pages/a.md", 7),
    ]


IN_FRENCH = "---\ntitle: A\n---\n## Prix\n"
IN_ENGLISH = "---\ntitle: A\n---\n## Prices\n"
LINK = "---\ntitle: B\n---\n[x](/blog/a/#prices)\n"


@pytest.mark.parametrize(
    ("files", "is_shown_in_french"),
    [
        ({"pages/b.md": LINK}, True),
        ({"articles/b.md": LINK}, True),
        ({"articles/b.md": LINK, "articles/b.fr.md": "---\ntitle: B\n---\n"}, True),
        ({"articles/b.md": LINK, "articles/b.fr.md": "---\ntitle: B\n---\nTexte.\n"}, False),
        ({"listings/b.md": LINK.replace("title", "name")}, True),
        ({"listings/all.csv": "name,content\nB,[x](/blog/a/#prices)\n"}, True),
    ],
)
def test_a_fragment_is_checked_in_every_language_that_shows_its_text(
    tmp_path: Path, files: dict[str, str], is_shown_in_french: bool
) -> None:
    config = '[site]\nname = "T"\nlocales = ["en", "fr"]\n'
    folder = {"contentsync.toml": config, "articles/a.md": IN_ENGLISH, "articles/a.fr.md": IN_FRENCH, **files}
    found = [problem for problem in load_content(write(tmp_path, folder)).problems if problem.code == "broken-fragment"]
    assert [problem.where.path for problem in found] == ([*files][:1] if is_shown_in_french else [])
    assert all("in 'fr', where this text is shown too" in problem.message for problem in found)
