"""Problems of the folder as a whole: links between entries, translations, windows, identities."""

import pytest

from contentsync.errors import Severity

from ..conftest import CONFIG, Load, spots

PAGE = "---\ntitle: A\n---\n"
BASE = CONFIG + 'asset_base_url = "https://cdn.example.com/"\n'


def article(body: str) -> str:
    return f"---\ntitle: A\n---\n\n{body}\n"


def test_a_link_to_a_missing_article_is_a_warning_at_its_line(read: Load) -> None:
    content = read(
        {
            "articles/hello.md": article("Text\n\nsee [this](/blog/helo/#part) and [that](/blog/news/)"),
            "articles/2026-01-01-news.md": article("back to [hello](/blog/hello/)"),
        }
    )
    (problem,) = content.problems
    assert (problem.code, problem.severity) == ("broken-link", Severity.WARNING)
    assert (problem.where.path, problem.where.line, problem.where.column) == ("articles/hello.md", 7, 12)
    assert problem.hint == "did you mean '/blog/hello/'?"
    assert len(content.entries) == 2


@pytest.mark.parametrize(
    ("files", "where", "found"),
    [
        (
            {"tags.yaml": "- {title: A, slug: a}\n- {title: B, slug: b, sync: {merged: [c, a]}}\n"},
            ("tags.yaml", 2),
            "'a', but tags.yaml has a tag",
        ),
        (
            {"pages/a.md": "---\ntitle: A\nsync:\n  merged: [b]\n---\n", "pages/b.md": PAGE},
            ("pages/a.md", 4),
            "'b', but pages/b.md has a page",
        ),
        (
            {"listings/a.csv": "name,slug,sync.merged\nA,a,\nB,b,c|a\n"},
            ("listings/a.csv", 3),
            "'a', but listings/a.csv has a listing",
        ),
    ],
)
def test_a_merged_entry_that_exists_is_a_warning(
    read: Load, files: dict[str, str], where: tuple[str, int], found: str
) -> None:
    (problem,) = read(files).problems
    assert (problem.code, problem.severity) == ("merged-exists", Severity.WARNING)
    assert (problem.where.path, problem.where.line) == where
    assert problem.message == f"sync.merged names {found} with this key"


def test_links_between_all_kinds_are_accepted(read: Load) -> None:
    links = "[a](/blog/a/) [p](/pages/p/) [o](/agencies/o/) [no](/blog/x/) [no](/pages/x/) [no](/agencies/x/)"
    content = read(
        {
            "contentsync.toml": CONFIG + 'organizers = { prefix = "/agencies" }\n',
            "articles/a.html": article('<a href="/pages/p/">p</a> <a href="/pages/x/">no</a>'),
            "pages/p.md": f"{PAGE}{links}\n",
            "organizers/o.md": f"---\nname: O\n---\n{links}\n",
            "listings/l.csv": f'name,content\nL,"{links}"\n',
        }
    )
    found = [(problem.where.path, problem.where.line) for problem in content.problems if problem.code == "broken-link"]
    assert found == [
        ("articles/a.html", 5),
        *[("listings/l.csv", 2)] * 3,
        *[("organizers/o.md", 4)] * 3,
        *[("pages/p.md", 4)] * 3,
    ]


def test_links_to_a_kind_that_is_missing_or_unreadable_are_not_checked(read: Load) -> None:
    content = read({"pages/a.md": f"{PAGE}[x](/blog/x/) [y](/pages/y/)\n", "pages/b.md": "---\ntitle: [\n---\n"})
    assert {problem.code for problem in content.problems} == {"yaml-syntax"}


def test_links_to_listings_without_a_slug_are_not_checked(read: Load) -> None:
    content = read({"pages/a.md": f"{PAGE}[x](/listings/x/)\n", "listings/l.csv": "name,url\nL,https://a.example\n"})
    assert content.problems == ()


def test_an_entry_with_errors_can_be_linked_to(read: Load) -> None:
    content = read({"pages/a.md": f"{PAGE}[x](/pages/b/)\n", "pages/b.md": "---\ntitle: B\norder: x\n---\n"})
    assert [problem.code for problem in content.problems] == ["not-an-integer"]


def test_a_relative_link_is_a_warning_at_its_location(read: Load) -> None:
    text = "---\ntitle: A\n---\n\nFirst\nsecond ![x](../img/a.png) and [y](../b.pdf)\n\n    [no](c.png)\n"
    content = read({"pages/a.md": text, "img/a.png": b"", "b.pdf": b""})
    assert spots(content) == [("pages/a.md", 6, 13, "relative-link"), ("pages/a.md", 6, 35, "relative-link")]
    assert {problem.severity for problem in content.problems} == {Severity.WARNING}
    assert all("asset_base_url" in problem.hint for problem in content.problems)
    assert len(content.entries) == 1


@pytest.mark.parametrize("config", [CONFIG, BASE])
def test_a_link_to_a_missing_file_is_a_warning(read: Load, config: str) -> None:
    text = f"{PAGE}![x](../img/a.png) ![y](../img/ty%20po.png) [z](../img/) [w](../u\u0308.pdf)\n"
    content = read({"contentsync.toml": config, "pages/a.md": text, "img/a.png": b"", "\u00fc.pdf": b""})
    missing = [problem.message for problem in content.problems if "does not match a file" in problem.message]
    assert missing == ["the link to '../img/ty%20po.png' does not match a file in the folder"]
    assert len(content.problems) == (1 if config is BASE else 4)


@pytest.mark.parametrize("config", [CONFIG, BASE])
def test_a_link_to_the_file_of_an_entry_is_rewritten_to_its_address(read: Load, config: str) -> None:
    content = read(
        {
            "contentsync.toml": config,
            "pages/deep/a.md": f"{PAGE}[x](../../articles/2026-01-01-hello.md#part)\n",
            "articles/2026-01-01-hello.md": article("# Part"),
        }
    )
    assert spots(content) == []
    assert content.entries[0].fields["markdown"] == "[x](/blog/hello/#part)"


def test_a_link_that_is_also_shown_as_code_is_rewritten(read: Load) -> None:
    content = read({"pages/a.md": f"{PAGE}`[x](a.md)` [x](a.md)\n"})
    assert spots(content) == []
    assert content.entries[0].fields["markdown"] == "`[x](a.md)` [x](/pages/a/)"


def test_a_link_to_a_translation_file_leads_to_its_entry(read: Load) -> None:
    content = read(
        {
            "articles/a.md": article("Text"),
            "articles/a.fr.md": article("[x](b.fr.md)"),
            "articles/b.md": article("Text"),
            "articles/b.fr.md": article("Texte"),
        }
    )
    assert spots(content) == []
    assert content.entries[0].fields["translations"]["fr"]["markdown"] == "[x](/blog/b/)"


@pytest.mark.parametrize(
    ("cell", "marks"),
    [
        ("![x](a.png)", [(2, 3)]),
        ('"x\n![x](a.png)"', [(3, 6)]),
        ('"![x](a.png)\n[y](b.png)"', [(2, 9), (3, 5)]),
        ('  "\n\n  ![x](a.png)\n[y](b.png)"', [(4, 8), (5, 5)]),
        ('"""![x](a.png)""\n[y](b.png)"', [(2, 3), (3, 1)]),
    ],
    ids=["bare", "second-line", "first-line", "blank-lines", "doubled-quotes-move-columns"],
)
def test_a_link_in_a_cell_of_several_lines_is_reported_at_its_line(
    read: Load, cell: str, marks: list[tuple[int, int]]
) -> None:
    content = read({"listings/a.csv": f"name,content\nA,{cell}\n"})
    assert spots(content) == [("listings/a.csv", *mark, "relative-link") for mark in marks]


@pytest.mark.parametrize(
    ("block", "marks"),
    [
        ("|\n  x\n  [x](a.png)\n", [(5, 7)]),
        ("|2- # shown\n\n   \n     [x](a.png)\n  [y](b.png)\n", [(6, 10), (7, 7)]),
        ("\n  |+\n   [x](a.png)\n\n", [(5, 8)]),
        ('"x [x](a.png)"\n', [(3, 11)]),
        (">\n  x\n\n  [x](a.png)\n", [(3, 11)]),
    ],
    ids=["literal", "indented-and-blank", "below-its-key", "quoted", "folded"],
)
def test_a_link_in_a_literal_block_is_reported_at_its_line(
    read: Load, block: str, marks: list[tuple[int, int]]
) -> None:
    content = read({"pages/a.md": f"---\ntitle: A\nmarkdown: {block}---\n"})
    assert spots(content) == [("pages/a.md", *mark, "relative-link") for mark in marks]


def test_a_literal_block_of_a_translation_or_renamed_key_has_its_own_lines(read: Load) -> None:
    content = read(
        {
            "contentsync.toml": f'{CONFIG}[content.articles]\nrename = {{ body = "markdown" }}\n',
            "articles/a.md": "---\ntitle: A\nbody: |\n  [x](a.png)\n---\n",
            "articles/a.fr.md": "---\ntitle: A\nmarkdown: |\n  x\n  \u200b\n---\n",
        }
    )
    assert spots(content) == [
        ("articles/a.fr.md", 5, 3, "invisible-character"),
        ("articles/a.md", 4, 7, "relative-link"),
    ]


def test_an_asset_address_rewrites_bodies_and_keeps_locations(read: Load) -> None:
    (entry,) = read({"contentsync.toml": BASE, "pages/a.md": f"{PAGE}![x](../img/a.png)\n"}).entries
    assert entry.fields["markdown"] == "![x](https://cdn.example.com/img/a.png)"
    assert entry.source is not None
    assert entry.source.where("markdown").line == 4


def test_an_image_with_a_site_address_is_not_checked(read: Load) -> None:
    assert read({"pages/a.md": f"{PAGE}![x](/blog/x.png) ![y](/pages/y/)\n"}).problems == ()


def test_links_of_many_files_are_checked_with_several_processes(read: Load) -> None:
    files = {f"pages/p{number}.md": f"{PAGE}[x](/pages/p{number + 1}/)\n" for number in range(600)}
    content = read(files)
    assert spots(content) == [("pages/p599.md", 4, 5, "broken-link")]


def test_a_missing_translation_is_reported_if_most_entries_have_one(read: Load) -> None:
    files = {f"articles/{name}.md": article("Text") for name in "abcd"}
    block = "---\ntitle: D\ntranslations:\n  fr: {title: D}\n---\nText\n"
    content = read({**files, **{f"articles/{name}.fr.md": article("Texte") for name in "ab"}, "articles/d.md": block})
    assert spots(content) == [("articles/c.md", 1, 1, "missing-translation")]


def test_a_file_of_a_misspelt_language_is_reported(read: Load) -> None:
    content = read({"articles/a.md": article("Text"), "articles/a.fe.md": article("Texte")})
    assert spots(content) == [("articles/a.fe.md", 1, 1, "unknown-locale-suffix")]
    assert [entry.key for entry in content.entries] == ["a", "a-fe"]


@pytest.mark.parametrize(
    ("path", "text", "line", "column"),
    [
        ("listings/a.yaml", "name: A\nstarts_at: 2026-03-02\nends_at: 2026-03-01\n", 3, 10),
        ("listings/a.csv", "name,starts_at,ends_at\nA,2026-03-02 10:00,2026-03-02 09:59\n", 2, 20),
        ("listings/a.md", "---\nname: A\nends_at: 2026-03-01T23:00:00Z\nstarts_at: 2026-03-02T00:00\n---\n", 3, 10),
    ],
)
def test_a_period_that_ends_before_it_starts_is_an_error(
    read: Load, path: str, text: str, line: int, column: int
) -> None:
    assert spots(read({path: text})) == [(path, line, column, "ends-before-start")]


def test_a_period_of_one_day_is_accepted(read: Load) -> None:
    """TM-03"""
    assert read({"listings/a.yaml": "name: A\nstarts_at: 2026-03-01\nends_at: 2026-03-01\n"}).problems == ()


def test_an_external_page_needs_an_address(read: Load) -> None:
    content = read(
        {
            "pages/a.md": "---\ntitle: A\nis_external: yes\n---\n",
            "pages/b.md": "---\ntitle: B\nis_external: yes\nexternal_url:\n---\n",
            "pages/c.md": "---\ntitle: C\nis_external: yes\nexternal_url: https://a.example\n---\n",
        }
    )
    assert [spot[::3] for spot in spots(content)] == [("pages/a.md", "required-with"), ("pages/b.md", "required-with")]
