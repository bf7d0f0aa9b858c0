"""contentsync.content.links.link_resolver: links that lead to no entry of the folder."""

from collections.abc import Collection, Mapping

import pytest

from contentsync.content.config.config_tables import OrganizerSettings, SiteSettings
from contentsync.content.formats.draft import Link
from contentsync.content.links.link_forms import EntryFiles
from contentsync.content.links.link_resolver import LinkResolver
from contentsync.errors import Problem, Severity, Where
from contentsync.model import Kind

SITE = SiteSettings(name="Test", locales=("en", "fr"))
SLUGS = {
    Kind.PAGE: ["about", "imprint"],
    Kind.ARTICLE: ["hello", "hello-world", "2026-03-01"],
    Kind.ORGANIZER: ["ada"],
    Kind.LISTING: ["tool"],
    Kind.CATEGORY: ["any", "others"],
}
DOCUMENTS = {
    "articles/hello.md": (Kind.ARTICLE, "hello"),
    "articles/hello.fr.md": (Kind.ARTICLE, "hello"),
    "pages/über uns.md": (Kind.PAGE, "about"),
    "organizers/ada.md": (Kind.ORGANIZER, "ada"),
}
FILES = EntryFiles(DOCUMENTS, ["articles", "organizers", "pages"])


def found(
    target: str,
    site: SiteSettings = SITE,
    slugs: Mapping[Kind, Collection[str] | None] = SLUGS,
    *,
    rewritten: bool = False,
    exists: bool = True,
) -> list[Problem]:
    """Return the problem of a link in articles/start.md, line 7, column 3; with `exists`, its file exists."""
    link = Link(target, "articles/start.md", 7, 3, rewritten)
    return list(LinkResolver(site, lambda kind: slugs.get(kind), FILES, lambda file: exists).problems([link]))


def organizers(**settings: object) -> SiteSettings:
    return SITE.model_copy(update={"organizers": OrganizerSettings.model_validate(settings)})


@pytest.mark.parametrize(
    "target",
    [
        "/blog/hello/",
        "/blog/hello",
        "/blog/hello/#part",
        "/blog/hello?a=/b#c",
        "/blog/hell%6F/",
        "/blog/../pages/about/",
        "/organizers/ada/",
        "/listings/tool/",
    ],
)
def test_a_link_to_the_address_of_an_entry_is_accepted(target: str) -> None:
    assert found(target) == []


@pytest.mark.parametrize(
    "target",
    [
        "/",
        "/blog/",
        "/categories",
        "/organizers/",
        "/blog/hello/comments/",
        "/blog/feed.xml",
        "/tags/x/",
        "/x.pdf",
        "/../x/",
    ],
)
def test_a_link_to_another_page_of_the_site_is_accepted(target: str) -> None:
    assert found(target) == []


@pytest.mark.parametrize(
    ("target", "suggestion"),
    [
        ("/blog/helo/", "/blog/hello/"),
        ("/blog/helo/#part", "/blog/hello/"),
        ("/fr/blog/helo", "/blog/hello/?locale=fr"),
        ("/blog/Hello/", "/blog/hello/"),
        ("/blog/Hello World", "/blog/hello-world/"),
        ("/blog/hello_world/", "/blog/hello-world/"),
        ("/blog/hello.html", "/blog/hello/"),
        ("/pages/abuot/", "/pages/about/"),
        ("/organizers/adda/", "/organizers/ada/"),
        ("/listings/tol/", "/listings/tool/"),
        ("/categories/ani/", "/categories/any/"),
        ("/fr/Categories/ani", "/categories/any/?locale=fr"),
    ],
)
def test_a_link_to_no_entry_is_a_warning_that_suggests_the_nearest(target: str, suggestion: str) -> None:
    (problem,) = found(target)
    assert (problem.code, problem.severity) == ("broken-link", Severity.WARNING)
    assert problem.where == Where("articles/start.md", 7, 3)
    assert problem.message.startswith(f"the link to '{target}' is broken: the folder has no ")
    assert problem.hint == f"did you mean '{suggestion}'?"


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("/fr/blog/hello/", "/blog/hello/?locale=fr"),
        ("/FR/blog/hello/", "/blog/hello/?locale=fr"),
        ("/fr/blog/hello?a=1#part", "/blog/hello/?a=1&locale=fr#part"),
        ("/en/pages/about", "/pages/about/"),
        ("/fr/", "/?locale=fr"),
        ("/fr/blog", "/blog/?locale=fr"),
        ("/fr/listings/tool/", "/listings/tool/?locale=fr"),
        ("/fr/categories/any/", "/categories/any/?locale=fr"),
        ("/fr/organizers/", "/organizers/?locale=fr"),
        ("/blog//hello/", "/blog/hello/"),
        ("/blog/hello//", "/blog/hello/"),
        ("/pages%2F/about/", "/pages/about/"),
        ("/fr//categories/any/", "/categories/any/?locale=fr"),
    ],
)
def test_a_link_in_another_spelling_is_a_warning_with_the_address(target: str, address: str) -> None:
    (problem,) = found(target)
    assert (problem.code, problem.hint) == ("broken-link", f"write {address}")


@pytest.mark.parametrize(
    ("target", "hint"),
    [
        ("/pages/", "write the address of a page"),
        ("/fr/Pages", "write the address of a page"),
        ("/listings/", "write /, where the site lists all listings"),
    ],
)
def test_a_link_to_a_missing_list_page_is_a_warning(target: str, hint: str) -> None:
    (problem,) = found(target)
    assert (problem.code, problem.hint) == ("broken-link", hint)


def test_the_organizer_list_is_linkable_even_with_the_prefix_of_pages() -> None:
    assert found("/pages/", organizers(enabled=True, prefix="/pages")) == []


@pytest.mark.parametrize("target", ["/fr/blog/feed.xml", "/fr/tags/x/", "/fr/shop/", "/shop//x/", "/fr/x.pdf"])
def test_a_possible_page_of_the_service_is_not_checked(target: str) -> None:
    assert found(target) == []


def test_another_spelling_is_a_warning_even_if_not_all_entries_are_known() -> None:
    (problem,) = found("/fr/pages/any/", slugs={**SLUGS, Kind.PAGE: None})
    assert problem.hint == "write /pages/any/?locale=fr"


def test_the_hint_says_what_to_do_if_no_entry_is_similar() -> None:
    (problem,) = found("/blog/something-else/")
    assert problem.message == (
        "the link to '/blog/something-else/' is broken: the folder has no article 'something-else'"
    )
    assert problem.hint == "correct the link, or add the article"


def test_an_address_in_upper_case_is_a_warning() -> None:
    (problem,) = found("/Blog/hello/")
    assert problem.message.endswith("addresses are in lower case")
    assert problem.hint == "write /blog/hello/"


@pytest.mark.parametrize("slugs", [None, []])
def test_links_to_incompletely_known_entries_are_not_checked(slugs: list[str] | None) -> None:
    known = {**SLUGS, Kind.ARTICLE: slugs}
    assert found("/blog/helo/", slugs=known) == []
    assert len(found("/pages/abuot/", slugs=known)) == 1


def test_organizers_have_the_prefix_that_the_site_sets() -> None:
    site = organizers(prefix="/our/agencies")
    assert found("/our/agencies/ada/", site) == []
    assert found("/organizers/nobody/", site) == []
    assert found("/our/agencies/", site) == []
    (problem,) = found("/our/agencies/adda/", site)
    assert problem.hint == "did you mean '/our/agencies/ada/'?"


@pytest.mark.parametrize("target", ["/organizers/ada/", "/organizers/nobody/", "/organizers/"])
def test_a_link_to_organizers_that_the_site_hides_is_a_warning(target: str) -> None:
    (problem,) = found(target, organizers(enabled=False))
    assert problem.message == f"the link to '{target}' is broken: the site does not show organizers"
    assert "contentsync.toml" in problem.hint


def test_two_kinds_can_share_a_prefix() -> None:
    site = organizers(prefix="/blog")
    assert found("/blog/ada/", site) == found("/blog/hello/", site) == []
    assert found("/blog/helo/", site, {**SLUGS, Kind.ORGANIZER: None}) == []
    (problem,) = found("/blog/helo/", site)
    assert "no article or organizer 'helo'" in problem.message
    assert len(found("/blog/ada/", organizers(prefix="/blog", enabled=False))) == 1


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("hello.md", "/blog/hello/"),
        ("./hello.fr.md", "/blog/hello/"),
        ("../articles/hello.md?a=b#part", "/blog/hello/?a=b#part"),
        ("../pages/über%20uns.md", "/pages/about/"),
        ("../pages/u\u0308ber%20uns.md", "/pages/about/"),
        ("../organizers/ada.md", "/organizers/ada/"),
    ],
)
def test_a_relative_link_to_an_entry_suggests_its_address(target: str, address: str) -> None:
    (problem,) = found(target)
    assert (problem.code, problem.severity) == ("relative-link", Severity.WARNING)
    assert problem.message == f"the link to '{target}' is relative, but the service does not store files"
    assert problem.hint == f"write {address}"


def test_a_root_relative_link_to_an_entry_file_suggests_its_address() -> None:
    (problem,) = found("/articles/hello.md#part")
    assert (problem.code, problem.hint) == ("broken-link", "write /blog/hello/#part")


@pytest.mark.parametrize("target", ["a.png", "unknown.md", "../../secret.md"])
def test_a_relative_link_to_a_file_suggests_an_asset_address(target: str) -> None:
    (problem,) = found(target)
    assert (problem.code, "asset_base_url" in problem.hint) == ("relative-link", True)
    (problem,) = found(target, SITE.model_copy(update={"asset_base_url": "https://cdn.example.com"}))
    assert problem.hint == "write the full address"


def test_an_organizer_without_a_public_page_has_no_address() -> None:
    (problem,) = found("../organizers/ada.md", organizers(enabled=False))
    assert "full address" in problem.hint


def test_a_rewritten_link_is_not_reported() -> None:
    assert found("guide.md", rewritten=True) == []


@pytest.mark.parametrize("rewritten", [False, True])
def test_a_path_to_a_missing_file_is_a_warning(rewritten: bool) -> None:
    (problem,) = found("img/typo.png", rewritten=rewritten, exists=False)
    assert (problem.code, problem.severity) == ("relative-link", Severity.WARNING)
    assert problem.message == "the link to 'img/typo.png' does not match a file in the folder"
    assert problem.hint == "correct the path, or write the full address"


@pytest.mark.parametrize(
    ("target", "message", "hint"),
    [
        ("www.example.com/", "is an address without https://", "did you mean 'https://www.example.com/'?"),
        ("me@example.com", "is an e-mail address without mailto:", "did you mean 'mailto:me@example.com'?"),
        (
            "{{site.baseurl}}/a.png",
            "contains template syntax, which the site does not process",
            "write the full address",
        ),
        (
            "@site/static/a.png",
            "begins with @site, which only Docusaurus replaces",
            "write the path from this file, or the full address",
        ),
    ],
)
def test_a_target_that_is_not_a_path_is_explained(target: str, message: str, hint: str) -> None:
    (problem,) = found(target, exists=False)
    assert (problem.code, problem.message, problem.hint) == ("relative-link", f"the link to '{target}' {message}", hint)


def test_a_link_with_template_syntax_suggests_the_full_address() -> None:
    (problem,) = found("/blog/{{page.next}}/")
    assert (problem.code, problem.hint) == ("broken-link", "write the full address")


def test_slugs_are_read_only_when_a_link_needs_them() -> None:
    asked: list[object] = []

    def slugs(kind: Kind) -> Collection[str]:
        asked.append(kind)
        return SLUGS[kind]

    addresses = LinkResolver(SITE, slugs, FILES, bool)
    assert list(addresses.problems([])) == asked == []
    links = [Link(target, "a.md", line, 1) for line, target in enumerate(("/x/", "/blog/helo/", "/blog/helo/"))]
    assert len(list(addresses.problems(links))) == 2
    assert asked == [Kind.ARTICLE]


def test_the_search_for_the_nearest_slug_is_limited() -> None:
    many = {**SLUGS, Kind.ARTICLE: {f"post-{number}" for number in range(60_000)} | {"hello-world"}}
    (problem,) = found("/blog/post-1x/", slugs=many)
    assert problem.hint == "correct the link, or add the article"
    (problem,) = found("/blog/helo-wrld/", slugs=many)
    assert problem.hint == "did you mean '/blog/hello-world/'?"
    (problem,) = found("/blog/Post_1/", slugs=many)
    assert problem.hint == "did you mean '/blog/post-1/'?"


def test_a_slug_with_two_mistakes_is_found_among_2000() -> None:
    many = {**SLUGS, Kind.ARTICLE: {f"post-{number}" for number in range(2_000)}}
    (problem,) = found("/blog/psot-100x/", slugs=many)
    assert problem.hint == "did you mean '/blog/post-100/'?"


def test_suggestions_do_not_depend_on_the_order_of_links() -> None:
    """Some links come from the cache, and the others are read after them."""
    slugs = [f"word-{number:04d}-{'alpha' if number < 50 else 'x' * 50}" for number in range(1_000)]
    links = [Link(f"/blog/word-{number:04d}-alpa/", f"articles/{number:04d}.md", 1, 1) for number in range(100)]
    orders = (links, links[50:] + links[:50])
    one, other = (list(LinkResolver(SITE, lambda kind: slugs, FILES, bool).problems(order)) for order in orders)
    assert one == other
    assert "did you mean" in one[0].hint
    assert "did you mean" not in one[-1].hint
