"""contentsync.content.links.link_rewriting: the links of an entry, noted at their places."""

import pytest

from contentsync.content.files.file_addresses import FileAddresses
from contentsync.content.formats.draft import Draft
from contentsync.content.links.link_rewriting import collect_links
from contentsync.content.links.parsed_body import parsed_bodies
from contentsync.errors import Severity, Where
from contentsync.model import Kind
from contentsync.model.markdown_budget import MAX_STEPS, StepBudget

BASE = "https://cdn.example.com/site/"
PATH = "articles/a.md"


def draft(body: str, name: str = "markdown", kind: Kind = Kind.ARTICLE) -> Draft:
    """Return an entry with a body that starts in line 5 of its file."""
    return Draft(kind, PATH, values={name: body}, body_locations={name: (PATH, (5, 1))})


def collect(
    entry: Draft,
    files: FileAddresses = FileAddresses(),  # noqa: B008  # it cannot change
    *,
    step_budget: StepBudget | None = None,
    may_be_former: bool = False,
) -> None:
    bodies = parsed_bodies(entry, step_budget or StepBudget())
    collect_links(entry, bodies, files, may_be_former=may_be_former)


def test_links_are_collected_with_their_locations() -> None:
    entry = draft("First\nsecond ![x](a.png) and [y](/blog/b/)\n\n    [no](c.png)")
    collect(entry)
    assert entry.links == [("a.png", PATH, 6, 13, False, "", 0), ("/blog/b/", PATH, 6, 28, False, "", 0)]
    assert entry.problems == []


def test_each_of_several_links_to_one_target_has_its_location() -> None:
    entry = draft("[x](/blog/b/) [y](/blog/b/)\n[z](/blog/b/)")
    collect(entry)
    assert [(line, column) for _, _, line, column, *_ in entry.links] == [(5, 5), (5, 19), (6, 5)]


def test_a_link_in_a_body_field_is_located_at_the_field() -> None:
    entry = Draft(Kind.PAGE, "pages/a.md", values={"markdown": "\n\n[x](b.md)"})
    entry.value_locations["markdown"] = ("pages/a.md", (3, 11))
    collect(entry)
    assert entry.links == [("b.md", "pages/a.md", 3, 11, False, "markdown", 6)]


def test_locations_are_computed_only_for_bodies_with_a_link() -> None:
    class Asked(Exception):
        pass

    def locate() -> tuple[dict[str, tuple[str, tuple[int, int]]], dict[str, tuple[str, tuple[int, int]]]]:
        raise Asked

    def located(body: str) -> Draft:
        return Draft(Kind.ARTICLE, PATH, values={"markdown": body}, locate=locate)

    entry = located("Text, [x](https://a.example) and ![x](/a.png)")
    collect(entry)
    assert entry.links == []
    with pytest.raises(Asked):
        collect(located("Text, [x](b.md)"))


@pytest.mark.parametrize(
    ("kind", "name", "links"),
    [
        (Kind.ARTICLE, "markdown", ["a", "b"]),
        (Kind.ARTICLE, "content", ["b"]),
        (Kind.PAGE, "markdown", ["a", "b"]),
        (Kind.ORGANIZER, "content", ["a", "b"]),
        (Kind.LISTING, "content", ["a", "b"]),
    ],
)
def test_only_the_content_of_an_article_is_html(kind: Kind, name: str, links: list[str]) -> None:
    entry = draft('[x](a)\n\n<a href="b">x</a>', name, kind)
    collect(entry)
    assert [link[0] for link in entry.links] == links


def test_links_of_a_translated_body_are_located_in_its_file() -> None:
    entry = Draft(Kind.ARTICLE, PATH, values={"translations": {"fr": {"markdown": "[x](/blog/b/)"}, "de": None}})
    entry.body_locations["translations.fr.markdown"] = ("articles/a.fr.md", (4, 1))
    collect(entry)
    assert entry.links == [("/blog/b/", "articles/a.fr.md", 4, 5, False, "", 0)]


def test_links_to_files_are_rewritten_if_there_is_an_asset_address() -> None:
    entry = draft("![x](../img/a.png) [z](../../c.png) [w](/blog/d/)")
    collect(entry, FileAddresses(BASE))
    assert entry.values["markdown"] == f"![x]({BASE}img/a.png) [z](../../c.png) [w](/blog/d/)"
    assert [(link[0], link[4]) for link in entry.links] == [
        ("../img/a.png", True),
        ("../../c.png", False),
        ("/blog/d/", False),
    ]


@pytest.mark.parametrize("code", ["", "`code` "])
def test_a_link_to_a_document_is_kept_with_its_offset_in_the_rewritten_text(code: str) -> None:
    entry = draft(f"{code}![x](../img/a.png) [y](b.md#part)")
    collect(entry, FileAddresses(BASE))
    target, *_, rewritten, field, offset = entry.links[1]
    assert (target, rewritten, field) == ("b.md#part", False, "markdown")
    assert entry.values["markdown"][offset:] == "b.md#part)"


def test_a_link_that_also_occurs_in_code_is_kept_with_its_own_offset() -> None:
    entry = draft("`[x](b.md)` and [x](b.md)")
    collect(entry)
    assert [(link[0], *link[5:]) for link in entry.links] == [("b.md", "markdown", 20)]


def test_a_site_address_is_kept_if_it_may_be_a_former_address() -> None:
    for may_be_former, field in ((False, ""), (True, "markdown")):
        entry = draft("[x](/2020/05/b/)")
        collect(entry, may_be_former=may_be_former)
        assert [link[5] for link in entry.links] == [field]


HOSTILE = "[x](a" * 20_000


def test_a_too_intricate_text_is_a_warning_at_its_location() -> None:
    entry = draft(HOSTILE)
    collect(entry)
    (problem,) = entry.problems
    assert (problem.code, problem.severity, problem.where) == ("links-unchecked", Severity.WARNING, Where(PATH, 5, 1))
    assert problem.hint
    assert entry.links == []


def test_a_too_intricate_text_is_an_error_if_links_would_be_rewritten() -> None:
    entry = draft(HOSTILE)
    collect(entry, FileAddresses(BASE))
    assert [(it.code, it.severity) for it in entry.problems] == [("links-unwritten", Severity.ERROR)]
    assert entry.values["markdown"] == HOSTILE


@pytest.mark.parametrize(
    "body", ["[x](/blog/a/" * 4_000, "> # x\na\n" * 1_000 + "`a` [x](/blog/a/) [y](https://a.example)"]
)
def test_a_too_intricate_text_without_relative_links_stays_a_warning(body: str) -> None:
    entry, allowance = draft(body), StepBudget()
    allowance.spend(MAX_STEPS * 4 // 5)
    collect(entry, FileAddresses(BASE), step_budget=allowance)
    assert [it.code for it in entry.problems] == ["links-unchecked"]


def test_all_texts_of_a_file_share_one_step_budget() -> None:
    allowance = StepBudget()
    for body, codes in (
        (HOSTILE, ["links-unchecked"]),
        ("- [x](b.md)\n" * 80, []),
        ("`a`" + "![" * 5_000 + "](x)", ["links-unchecked"]),
    ):
        entry = draft(body)
        collect(entry, step_budget=allowance)
        assert [it.code for it in entry.problems if it.code != "relative-link"] == codes
    alone = draft("`a`" + "![" * 5_000 + "](x)")
    collect(alone)
    assert alone.problems == []


def test_ordinary_texts_are_rewritten_even_after_the_budget_is_spent() -> None:
    allowance = StepBudget()
    allowance.spend(MAX_STEPS)  # by those before
    for _ in range(3):
        entry = draft("Some words of an ordinary text, and [a link](b.png) now and then.\nAnd words.\n\n" * 100)
        collect(entry, FileAddresses(BASE), step_budget=allowance)
        assert entry.problems == []
        assert f"({BASE}articles/b.png)" in entry.values["markdown"]
        assert "(b.png)" not in entry.values["markdown"]


@pytest.mark.parametrize(
    "link",
    [
        "[x]({{site.url}}/a.png)",
        '<img src="{{ site.baseurl }}/img/a.png">',
        "[x](me@example.com)",
        "[x](www.example.com/)",
        "[x](example.org/docs/a.pdf)",
        "Text[^1].\n\n[^1]: word",
    ],
)
def test_a_target_that_is_not_a_file_path_is_not_rewritten(link: str) -> None:
    entry = draft(f"{link} or not\n\n![y](b.png)" if "^" not in link else f"![y](b.png) {link}")
    before = entry.values["markdown"]
    collect(entry, FileAddresses(BASE))
    assert entry.values["markdown"] == before.replace("b.png", f"{BASE}articles/b.png")


def test_a_footnote_is_not_a_link() -> None:
    entry = draft("Text[^1] and [x][y].\n\n[^1]: word\n[y]: a.png")
    collect(entry)
    assert [link[0] for link in entry.links] == ["a.png"]


def test_html_is_never_too_intricate() -> None:
    entry, allowance = draft('<a href="b.md">' * 5_000, "content"), StepBudget()
    allowance.spend(MAX_STEPS)
    collect(entry, FileAddresses(BASE), step_budget=allowance)
    assert entry.problems == []
    assert len(entry.links) == 5_000
