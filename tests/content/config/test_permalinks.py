"""contentsync.content.config.permalinks: the addresses that a pattern and the front matter give an entry."""

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from contentsync.content.config.config import read_config
from contentsync.content.config.permalinks import expand_addresses, take_former_addresses
from contentsync.content.files.file_names import parse_file_name
from contentsync.content.formats.draft import Draft
from contentsync.content.links.former_addresses import normal_address
from contentsync.errors import Where
from contentsync.model import Kind

from ..conftest import CONFIG, Load, write

PATH = "content/news/2020/2020-05-01-My_post.md"


def expanded(pattern: str, path: str = PATH, kind: Kind = Kind.ARTICLE, **values: object) -> list[str]:
    """Return the addresses of an entry in normal form; only the first is certain."""
    name = parse_file_name(path, ["en"])
    published = {"published_at": "2020-05-01T22:30:00.000000Z"} if kind is Kind.ARTICLE else {}
    draft = Draft(kind, path, values={"title": "A title", **published, **values}, key="my-post")
    expand_addresses(draft, pattern, name, "content/news", ZoneInfo("Europe/Paris"))
    return [*map(normal_address, draft.permalinks)]


@pytest.mark.parametrize(
    ("pattern", "addresses"),
    [
        ("/:year/:month/:day/:hour/", ["2020/05/02/00"]),
        ("/:i_month/:i_day/:short_year/:y_day/", ["5/2/20/123"]),
        ("/:monthname/:short_month/:weekdayname/", ["may/may/saturday"]),
        ("/:title/", ["my-post", "a-title"]),
        ("/:slug.html", ["my-post", "a-title"]),
        ("/:name/", ["2020-05-01-my-post", "my-post"]),
        ("/:categories/x", ["big-news/open/x"]),
        ("/:section/:sections/:collection/", ["news/news/2020/news"]),
        ("/:path:output_ext", ["2020/2020-05-01-my-post"]),
        ("/Fixed/", ["fixed"]),
    ],
)
def test_placeholders_are_replaced_by_the_values_of_the_entry(pattern: str, addresses: list[str]) -> None:
    assert expanded(pattern, categories=["Big news", "Open"]) == addresses


@pytest.mark.parametrize(("key", "addresses"), [("tags", ["x"]), ("Category", ["tools/x"])])
def test_categories_have_another_key_than_tags(key: str, addresses: list[str]) -> None:
    draft = Draft(Kind.ARTICLE, PATH, values={key: ["Tools"]}, key="my-post")
    draft.values = {"categories": draft.values.pop(key)}
    draft.rename(key, "categories")
    expand_addresses(draft, "/:categories/x", parse_file_name(PATH, ["en"]), "content/news", ZoneInfo("Europe/Paris"))
    assert [*map(normal_address, draft.permalinks)] == addresses


def test_an_entry_in_another_language_has_addresses_that_begin_with_it() -> None:
    draft = Draft(Kind.PAGE, "content/about.de.md", values={"title": "Über uns"}, key="de-about")
    name = parse_file_name("content/about.de.md", ["en", "de"])
    expand_addresses(draft, "/:sections/:path/", name, "content", ZoneInfo("Europe/Paris"))
    assert next(map(normal_address, draft.permalinks)).startswith("de/")


def test_sections_do_not_contain_the_folder_of_a_language(read: Load) -> None:
    config = '[site]\nlocales = ["en", "de"]\n[content.pages]\npath = "content/{locale}"\n'
    config += 'permalink = "/:sections/:slugorfilename/"\n'
    page = "---\ntitle: A\n---\n[a](/docs/a/)\n"
    content = read({"contentsync.toml": config, "content/en/docs/a.md": page})
    assert content.problems == ()


def test_the_title_placeholder_uses_the_title_or_the_dated_file_name() -> None:
    assert expanded("/:title/", "content/news/my-post.md") == ["a-title", "my-post"]


@pytest.mark.parametrize(
    ("pattern", "file"),
    [
        ("{year}-{name}", "2023-05-01-walk-16.md"),
        ("{year}-{month}-{name}", "2023-05-01-walk-16.md"),
        ("{path}", "a/2023-05-01-walk-16.md"),
        ("{name}-{year}", "2023-05-01-walk-16.md"),
    ],
)
def test_the_title_placeholder_is_the_file_name_if_slugs_have_another_pattern(
    read: Load, pattern: str, file: str
) -> None:
    settings = f'[content.articles]\npermalink = "/notes/:year/:month/:title/"\nslug = "{pattern}"\n'
    content = read(
        {
            "contentsync.toml": CONFIG + settings,
            f"articles/{file}": "---\ntitle: W\n---\n[x](/notes/2023/05/walk-16/)\n",
        }
    )
    (entry,) = content.entries
    assert content.problems == ()
    assert entry.fields["markdown"] == f"[x](/blog/{entry.key}/)"


def test_a_former_key_has_the_file_name_that_the_slug_pattern_put_into_it(read: Load) -> None:
    settings = '[content.articles]\npermalink = "/notes/:title/"\nslug = "{year}-{name}"\n'
    post = "---\ntitle: W\nsync: {previous: [2023-old-walk], merged: [older-walk]}\n---\n"
    content = read(
        {
            "contentsync.toml": CONFIG + settings,
            "articles/2023-05-01-walk.md": f"{post}[x](/notes/old-walk/) [y](/notes/older-walk/)\n",
        }
    )
    (entry,) = content.entries
    assert entry.fields["markdown"] == "[x](/blog/2023-walk/) [y](/blog/2023-walk/)"


def test_the_folder_of_a_bundle_is_not_a_section() -> None:
    assert expanded("/:sections/:slug/", "content/news/x/index.md", title="") == ["news/my-post"]


def test_a_permalink_with_a_date_is_unknown_for_an_undated_entry() -> None:
    assert expanded("/:year/:slug/", "content/news/x.md", published_at=None) == []
    assert expanded("/:year/:slug/", "pages/2020-05-01-x.md", Kind.PAGE)[0] == "2020/my-post"


def test_former_addresses_are_read_from_the_front_matter_with_locations() -> None:
    draft = Draft(Kind.PAGE, "a.md", values={"title": "A", "aliases": ["/x/", None], "redirect_from": "/y/"})
    draft.value_locations.update({"aliases.0": ("a.md", (3, 5)), "redirect_from": ("a.md", (4, 16))})
    take_former_addresses(draft, ["aliases", "redirect_from"])
    assert draft.values == {"title": "A"}
    assert draft.former_addresses == [("/x/", "a.md", 3, 5), ("/y/", "a.md", 4, 16)]
    assert not draft.problems


def test_a_former_address_of_another_type_is_an_error_at_its_location() -> None:
    draft = Draft(Kind.PAGE, "a.md", values={"aliases": {"a": "b"}})
    draft.value_locations["aliases"] = ("a.md", (2, 10))
    take_former_addresses(draft, ["aliases"])
    assert [(it.code, it.where) for it in draft.problems] == [("not-text", Where("a.md", 2, 10))]


@pytest.mark.parametrize(
    ("key", "text", "addresses"),
    [
        ("aliases", "/a/, /b/,/c.html", ["/a/", "/b/", "/c.html"]),
        ("redirect_from", "/a/\n/b/\n", ["/a/", "/b/"]),
        ("aliases", "/a,b/", ["/a,b/"]),
        ("aliases", "/Tom, Dick and Harry/", ["/Tom, Dick and Harry/"]),
        ("aliases", "https://old.example.org/a/", ["https://old.example.org/a/"]),
        ("aliases", "false", []),
        ("url", "https://talks.example.org/a/", []),
        ("url", "//talks.example.org/a/", []),
        ("permalink", "/:year/a/", ["/:year/a/"]),
        ("url", "false", []),
    ],
)
def test_a_text_has_the_former_addresses_that_it_lists(key: str, text: str, addresses: list[str]) -> None:
    draft = Draft(Kind.PAGE, "a.md", values={key: text})
    take_former_addresses(draft, [key])
    assert [address for address, *_ in draft.former_addresses] == addresses
    assert draft.has_own_permalink == (key in ("permalink", "url") and bool(addresses))
    assert draft.problems == []


def test_names_with_commas_are_not_former_addresses() -> None:
    draft = Draft(Kind.PAGE, "a.md", values={"aliases": "Loans, lending"})
    take_former_addresses(draft, ["aliases"])
    assert draft.former_addresses == []
    assert [it.message for it in draft.problems] == ["aliases must be an address or a list of addresses"]


def test_a_permalink_that_hides_its_entry_is_an_error() -> None:
    draft = Draft(Kind.ARTICLE, "a.md", values={"permalink": "false"})
    take_former_addresses(draft, ["permalink"])
    (problem,) = draft.problems
    assert problem.message == "permalink: false hides the article, and is not an address"
    assert problem.hint == "to hide the article, write active: false, and delete this key"


def test_an_explicit_permalink_replaces_the_pattern(read: Load) -> None:
    content = read(
        {
            "contentsync.toml": CONFIG
            + '[content.articles]\npermalink = "/:slug/"\nformer_addresses = ["permalink", "aliases"]\n',
            "articles/a.md": "---\ntitle: A\npublished_at: 2020-05-01\npermalink: /:year/own/\n---\n"
            "[x](/2020/own/) [x](/b/) [x](/c/)\n",
            "articles/b.md": "---\ntitle: B\naliases: [/c/]\n---\n[x](/a/)\n",
        }
    )
    texts = [entry.fields["markdown"] for entry in content.entries]
    assert texts == ["[x](/blog/a/) [x](/blog/b/) [x](/blog/b/)", "[x](/a/)"]
    assert [problem.code for problem in content.problems] == ["broken-link"]


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        ("", ["unknown-key"]),
        ('permalink = "/:slug/"', []),
        ('former_addresses = ["aliases"]', []),
        ('permalink = "/:slug/"\nformer_addresses = []', ["unknown-key"]),
        ('permalink = "/:slug/"\nformer_addresses = ["aliases", "title"]', ["duplicate-key", "required"]),
    ],
)
def test_former_address_keys_are_read_only_if_the_config_asks_for_addresses(
    read: Load, lines: str, codes: list[str]
) -> None:
    content = read(
        {
            "contentsync.toml": f"{CONFIG}[content.pages]\n{lines}\n",
            "pages/a.md": "---\ntitle: A\naliases: [/x/]\n---\n",
        }
    )
    assert [problem.code for problem in content.problems] == codes
    assert all(entry.fields.keys() <= {"title", "slug", "markdown"} for entry in content.entries)


@pytest.mark.parametrize(
    ("pattern", "code", "message", "hint"),
    [
        ("/:yaer/:slug/", "unknown-placeholder", "has an unknown placeholder :yaer", "did you mean 'year'?"),
        ("/:sections[1:]/", "unknown-placeholder", "has an unknown placeholder :sections[1:]", ""),
        ("blog/:slug/", "bad-path", "must be a path that starts with one slash", ""),
        ("//blog/:slug/", "bad-path", "must be a path that starts with one slash", ""),
    ],
)
def test_a_wrong_permalink_pattern_is_an_error_in_the_config(
    tmp_path: Path, pattern: str, code: str, message: str, hint: str
) -> None:
    write(tmp_path, {"contentsync.toml": f'[content.articles]\npermalink = "{pattern}"\n'})
    _, (problem,) = read_config(tmp_path)
    assert (problem.code, problem.where) == (code, Where("contentsync.toml", 2, 13))
    assert message in problem.message
    assert hint in problem.hint


def test_a_kind_without_pages_has_no_permalink(tmp_path: Path) -> None:
    write(tmp_path, {"contentsync.toml": '[content.listings]\npermalink = "/:slug/"\n'})
    _, (problem,) = read_config(tmp_path)
    assert problem.code == "unknown-key"
