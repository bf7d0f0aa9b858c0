"""content.links.former_addresses: entries by former addresses, and redirects to present ones, in one step."""

from pathlib import Path

import pytest

from contentsync.content.folder.load import Content, load_content
from contentsync.content.links.former_addresses import (
    AddressIndex,
    EntryAddresses,
    Redirects,
    find_redirects,
    normal_address,
)
from contentsync.errors import Where
from contentsync.model import EntryKey, Kind

from ..conftest import Files, write

A, B = (Kind.ARTICLE, "a"), (Kind.ARTICLE, "b")


def aliases(entry: EntryKey, path: str, address: str, line: int = 1) -> EntryAddresses:
    return entry, path, [], [(address, path, line, 5)]


@pytest.mark.parametrize(
    ("address", "normal"),
    [
        ("/blog/x/", "blog/x"),
        ("blog//x", "blog/x"),
        ("/Blog/X.html?a#b", "blog/x"),
        ("/blog/x/index.html", "blog/x"),
        ("/%C3%9Cber%20uns/", "uber-uns"),
        ("https://example.org/x/", "x"),
        ("https://[/x/", ""),
        ("/", ""),
        ("/x.pdf", "x-pdf"),
    ],
)
def test_spellings_of_one_address_have_one_normal_form(address: str, normal: str) -> None:
    assert normal_address(address) == normal


def test_an_entry_is_found_by_its_former_address() -> None:
    index = AddressIndex([aliases(A, "a.md", "/old/a/")])
    assert index
    assert index.find("/Old/a.html") == A
    assert index.find("/old/b/") is None
    assert not AddressIndex()


def test_the_first_file_gets_a_shared_former_address_in_any_order() -> None:
    entries = [aliases(A, "a.md", "/x/", 3), aliases(B, "b.md", "/x/", 4)]
    for order in (entries, entries[::-1]):
        index = AddressIndex(order)
        assert index.find("/x/") == A
        (problem,) = index.problems(lambda address: None)
        assert problem.where == Where("b.md", 4, 5)
        assert "a.md, line 3" in problem.message


def test_a_permalink_yields_to_an_explicit_former_address() -> None:
    entries: list[EntryAddresses] = [(A, "a.md", ["a", "x"], []), (B, "b.md", ["x"], [])]
    for order in (entries, entries[::-1]):
        index = AddressIndex(order)
        assert index.find("/x/") == B
        assert list(index.problems(lambda address: None)) == []


def test_a_former_address_that_another_entry_has_now_is_a_warning() -> None:
    index = AddressIndex([aliases(A, "a.md", "/blog/b/"), (B, "b.md", ["b", "blog/a"], [])])
    present = {"/blog/a": (A, "a.md"), "/blog/b": (B, "b.md")}
    (problem,) = index.problems(present.get)
    assert problem.message == "the former address /blog/b/ is the present address of b.md"


def test_the_present_address_of_an_entry_can_be_listed_as_former() -> None:
    index = AddressIndex([aliases(A, "a.md", "/blog/a/")])
    assert list(index.problems({"/blog/a": (A, "a.md")}.get)) == []


CONFIG = """\
[content.articles]
permalink = "/:year/:month/:title.html"
former_addresses = ["aliases"]
"""


def redirects(folder: Path, files: Files) -> dict[str, str]:
    content = load_content(write(folder, files))
    assert not content.errors, content.errors
    return {it.former: it.present for it in found_in(content).found}


def found_in(content: Content) -> Redirects:
    return find_redirects(content.config.site, content.entries, content.former_addresses)


def article(keys: str = "") -> str:
    return f"---\ntitle: T\npublished_at: 2020-05-01\n{keys}---\nx\n"


def test_former_slugs_of_every_kind_with_pages_redirect(tmp_path: Path) -> None:
    previous = "sync: {previous: [a, b]}"
    files = {
        "contentsync.toml": '[site]\norganizers = { prefix = "/people" }\n',
        "pages/now.md": f"---\ntitle: T\n{previous}\n---\n",
        "organizers/now.md": f"---\nname: T\n{previous}\n---\n",
        "listings/now.md": f"---\nname: T\nslug: now\n{previous}\n---\n",
        "categories.yaml": f"- {{title: T, slug: now, {previous}}}\n",
        "tags.yaml": f"- {{title: T, slug: now, {previous}}}\n",
    }
    prefixes = ("categories", "listings", "pages", "people")
    assert redirects(tmp_path, files) == {f"/{it}/{old}/": f"/{it}/now/" for it in prefixes for old in "ab"}


def test_the_slugs_of_merged_entries_redirect(tmp_path: Path) -> None:
    files = {
        "contentsync.toml": "",
        "categories.yaml": "- {title: T, slug: now, sync: {previous: [a], merged: [b]}}\n",
        "tags.yaml": "- {title: T, slug: now, sync: {merged: [b]}}\n",
    }
    assert redirects(tmp_path, files) == {"/categories/a/": "/categories/now/", "/categories/b/": "/categories/now/"}


def test_redirects_keep_the_spelling_of_former_addresses(tmp_path: Path) -> None:
    files = {
        "contentsync.toml": CONFIG,
        "articles/news.md": article(
            'aliases: [/Über uns, old/Page.HTML, "https://www.example.org/x/#part", "/a,b/*{c}\\\\\\""]\n'
        ),
    }
    assert redirects(tmp_path, files) == dict.fromkeys(
        [
            "/2020/05/news.html",
            "/2020/05/t.html",  # as another generator makes the title
            "/a%2Cb/%2A%7Bc%7D%5C%22",
            "/old/Page.HTML",
            "/x/",
            "/%C3%9Cber%20uns",
        ],
        "/blog/news/",
    )


def test_a_colon_starts_a_placeholder_only_before_a_known_name(tmp_path: Path) -> None:
    files = {"contentsync.toml": CONFIG, "articles/a.md": article('aliases: ["/wiki/Talk:Us", "/:year/x"]\n')}
    assert redirects(tmp_path, files).keys() >= {"/wiki/Talk%3AUs", "/2020/x"}


def test_a_redirect_has_no_address_that_a_browser_never_asks_for(tmp_path: Path) -> None:
    files = {
        "contentsync.toml": '[site]\nlocales = ["en", "fr"]\n'
        '[content.articles]\npermalink = "/blog/:categories/:slug/"\n'
        '[content.pages]\npermalink = "/:section/:slug/"\norphan_translations = "entry"\nslug = "{path}"\n',
        "articles/a.md": article("aliases: [../b, ./c/, ../../d/e]\n"),
        "pages/about.fr.md": "---\ntitle: T\n---\n",
    }
    found = redirects(tmp_path, files)
    assert {*found} >= {"/b", "/c/", "/d/e"}
    assert not [former for former in found if "//" in former or "/." in former]


def test_a_present_address_does_not_redirect(tmp_path: Path) -> None:
    former = [
        "/blog/one",  # the present address
        "/BLOG/One/",  # the present address for a server that ignores case, which would redirect in a loop
        "/blog/one.html",  # another address, and the only one that redirects
        "/",  # the home page
        "/blog/two.html",  # it stands for the present address of the other article
    ]
    files = {
        "contentsync.toml": '[content.articles]\nformer_addresses = ["aliases"]\n',
        "articles/one.md": article(f"aliases: [{', '.join(former)}]\n"),
        "articles/two.md": article("sync: {previous: [one, two]}\n"),  # slugs that the articles have now
    }
    assert redirects(tmp_path, files) == {"/blog/one.html": "/blog/one/"}


def test_a_shared_former_address_redirects_to_the_entry_that_links_lead_to(tmp_path: Path) -> None:
    files = {
        "contentsync.toml": '[content.articles]\nformer_addresses = ["aliases"]\n',
        "articles/b.md": article("aliases: /old/\n"),
        "articles/a.md": article("aliases: [/Old/, /old]\n"),
    }
    assert redirects(tmp_path, files) == {"/Old/": "/blog/a/"}


@pytest.mark.parametrize("key", ["url", "slug"])
def test_an_entry_without_a_known_address_has_no_redirect(tmp_path: Path, key: str) -> None:
    listing = {"url": "url: https://example.com/\n", "slug": "slug: x\n"}[key]
    note = "sync: {previous: [old], skip: true}" if key == "slug" else "sync: {previous: [old]}"
    files = {"contentsync.toml": "", "listings/x.md": f"---\nname: T\n{listing}{note}\n---\n"}
    assert redirects(tmp_path, files) == {}


def test_a_former_address_with_a_query_is_reported(tmp_path: Path) -> None:
    files = {
        "contentsync.toml": '[content.articles]\nformer_addresses = ["aliases"]\n',
        "articles/a.md": article("aliases: /?p=12\n"),
    }
    found = found_in(load_content(write(tmp_path, files)))
    assert (found.found, found.with_query) == ([], ["/?p=12"])


def test_a_permalink_redirects_for_former_slugs_too(tmp_path: Path) -> None:
    config = '[content.articles]\npermalink = "/:year/:slug/"\n'
    files = {"contentsync.toml": config, "articles/now.md": article("sync: {previous: [old]}\n")}
    found = redirects(tmp_path, files)
    assert found["/2020/old/"] == found["/blog/old/"] == "/blog/now/"
