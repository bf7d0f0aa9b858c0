"""[[markdown.replace]]: an author's own syntax is replaced when bodies are read, and never lost."""

from pathlib import Path

import pytest

from contentsync.authoring.edit.pull_edits import plan_edits
from contentsync.content.config.config import read_config
from contentsync.content.config.replacement import MAX_LENGTH, MAX_VALUE, Replacement, TooLong
from contentsync.content.folder.load import load_content
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.errors import Refused
from contentsync.model import Kind
from tests.growth import grows_evenly

from ...authoring.edit.pulls import incoming, pulled
from ..conftest import Load, spots, write

CONFIG = """
[site]
locales = ["en", "fr"]

[[markdown.replace]]
find = "{{< youtube {id} >}}"
replace = "[Video](https://www.youtube.com/watch?v={id})"

[[markdown.replace]]
find = "{{ site.name }}"
replace = "Open Tools"
"""
VIDEO = "[Video](https://www.youtube.com/watch?v=abc)"
Page = tuple[Kind, str]
ABOUT: Page = (Kind.PAGE, "about")


def replaced(find: str, replace: str, text: str) -> str:
    return Replacement(find=find, replace=replace).apply(text)


@pytest.mark.parametrize(
    ("find", "replace", "text", "result"),
    [
        ("{{< a >}}", "b", "x {{< a >}} y {{< a >}}", "x b y b"),
        ("{{< a {id} >}}", "[{id}]", "{{< a 1 >}}{{< a  2  >}}", "[1][2]"),
        ("{{< a {id} >}}", "[{id}]", "{{< a >}} {{< a 1\n>}}", "{{< a >}} {{< a 1\n>}}"),
        ('{{< img src="{src}" alt="{alt}" >}}', "![{alt}]({src})", '{{< img src="/a" alt="b c" >}}', "![b c](/a)"),
        ("{{title}}", "T{{title}}", "{{title}} {x}", "T{{title}} {x}"),
        ("(({a}))", "{a}{a}", "((((1))", "((1((1"),
        ("{: .{name}}", "", "a {: .wide}", "a "),
        ("aXa", "a", "aXaXa", "aXa"),
    ],
)
def test_a_placeholder_matches_any_text_on_one_line(find: str, replace: str, text: str, result: str) -> None:
    assert replaced(find, replace, text) == result


@pytest.mark.parametrize(
    ("find", "replace", "field"),
    [
        ("", "a", "find"),
        (" ", "a", "find"),
        ("a\\nb", "a", "find"),
        ("{id} >}}", "a", "find"),
        ("{{< {id}", "a", "find"),
        ("({a}{b})", "a", "find"),
        ("({a}-{a})", "a", "find"),
        ("({a})", "{b}", "replace"),
        ("({a})", "a\\nb", "replace"),
    ],
)
def test_a_replacement_that_cannot_match_is_an_error(tmp_path: Path, find: str, replace: str, field: str) -> None:
    (tmp_path / "contentsync.toml").write_text(f'[[markdown.replace]]\nfind = "{find}"\nreplace = "{replace}"\n')
    _, (problem,) = read_config(tmp_path)
    assert (problem.code, problem.where.path) == ("bad-replacement", "contentsync.toml")
    assert problem.message.startswith(f"markdown.replace.0.{field} ")


def test_replacements_apply_to_markdown_bodies_but_not_to_html(read: Load) -> None:
    content = read(
        {
            "contentsync.toml": CONFIG,
            "articles/a.md": "---\ntitle: '{{ site.name }}'\n---\nSee {{< youtube abc >}}",
            "articles/a.fr.md": "Voir {{< youtube abc >}}",
            "articles/b.html": "---\ntitle: B\n---\n<p>{{ site.name }}</p>",
            "listings/l.yaml": "- name: L\n  url: https://a.example/\n  content: At {{ site.name }}\n",
            "listings/t.csv": "name,url,content\nT,https://b.example/,At {{ site.name }}\n",
        }
    )
    assert content.problems == ()
    fields = {entry.key: entry.fields for entry in content.entries}
    assert (fields["a"]["title"], fields["a"]["markdown"]) == ("{{ site.name }}", f"See {VIDEO}")
    assert fields["a"]["translations"]["fr"]["markdown"] == f"Voir {VIDEO}"
    assert fields["b"]["content"] == "<p>{{ site.name }}</p>"
    assert [entry.fields["content"] for entry in content.entries if entry.kind is Kind.LISTING] == ["At Open Tools"] * 2


def test_problems_keep_their_lines_after_a_replacement(read: Load) -> None:
    body = "{{ site.name }} [a](/pages/none/)\n\n[b](/pages/none/)\n\n{{ other }}"
    content = read({"contentsync.toml": CONFIG, "pages/a.md": f"---\ntitle: A\n---\n{body}"})
    assert spots(content) == [
        ("pages/a.md", 4, 1, "broken-link"),  # the columns of a replaced line are not those of the file
        ("pages/a.md", 6, 5, "broken-link"),
        ("pages/a.md", 8, 1, "template-syntax"),
    ]


def test_a_changed_replacement_invalidates_the_cache(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"contentsync.toml": CONFIG, "pages/a.md": "---\ntitle: A\n---\n{{ site.name }}"})
    cache = InMemoryCache(margin=0)  # the files of tests are new
    assert load_content(site, cache).entries[0].fields["markdown"] == "Open Tools"
    write(site, {"contentsync.toml": CONFIG.replace('"Open Tools"', '"Tools"')})
    assert load_content(site, cache).entries[0].fields["markdown"] == "Tools"


def test_a_replacement_that_makes_a_body_too_long_is_an_error() -> None:
    with pytest.raises(TooLong):
        replaced("a", "b" * 500, "a" * (MAX_LENGTH // 500 + 1))


def test_a_text_with_many_unfinished_matches_takes_linear_time() -> None:
    long = "((" + "y" * (MAX_VALUE + 1) + "))"
    assert replaced("(({a}))", "x", long) == long
    pattern = Replacement(find="({a};{b})", replace="x")
    assert grows_evenly(lambda size: pattern.apply("(a;" * size), 2_000)


FOLDER = {"contentsync.toml": CONFIG, "pages/about.md": "---\ntitle: About\n---\nSee {{< youtube abc >}}\n"}


def test_a_pull_of_another_value_keeps_the_replaced_syntax(tmp_path: Path) -> None:
    after = pulled(tmp_path, FOLDER, {ABOUT: {"title": "Us"}})
    assert after["pages/about.md"] == "---\ntitle: Us\n---\nSee {{< youtube abc >}}\n"


@pytest.mark.parametrize(
    ("files", "key", "field"),
    [
        (FOLDER, ABOUT, "markdown"),
        ({**FOLDER, "pages/about.md": "---\ntitle: About\n---\nPlain\n"}, ABOUT, "markdown"),
        (
            {"contentsync.toml": CONFIG, "listings/t.csv": "name,url,content\nT,https://b.example/,{{ site.name }}\n"},
            (Kind.LISTING, "https://b.example"),
            "content",
        ),
        (
            {
                "contentsync.toml": CONFIG,
                "articles/a.md": "---\ntitle: A\n---\nText",
                "articles/a.fr.md": "{{ site.name }}",
            },
            (Kind.ARTICLE, "a"),
            "translations.fr.markdown",
        ),
    ],
    ids=["document", "what the server has", "table", "translation"],
)
def test_a_pull_refuses_to_overwrite_replaced_syntax(
    tmp_path: Path, files: dict[str, str], key: Page, field: str
) -> None:
    content = load_content(write(tmp_path / "site", files))
    (entry,) = content.entries
    text = "Plain {{ site.name }}" if "Plain" in str(entry.fields) else "Edited on the server"
    with pytest.raises(Refused, match=r"\[\[markdown.replace\]\]"):
        plan_edits(content, incoming(content, {(entry.kind, entry.key): {field: text}}, [], []))
