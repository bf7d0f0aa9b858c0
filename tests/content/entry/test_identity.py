"""contentsync.content.entry.identity."""

import tracemalloc
from collections.abc import Collection, Iterator

import pytest

from contentsync.content.entry.identity import EntryRef, IdentityIndex
from contentsync.content.formats.draft import Draft
from contentsync.model import Kind
from contentsync.model.slug import make_slug

from ..conftest import CONFIG, Load, only, spots

TITLE = "---\ntitle: A title\n---\nText\n"
NAME = "---\nname: A name\n---\nText\n"


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("pages/about.md", "about"),
        ("pages/About Us.md", "about-us"),
        ("pages/help/index.md", "help"),
        ("pages/help/_index.md", "help"),
        ("pages/index.md", "pages"),
        ("pages/Cafe\u0301.md", "cafe"),
        ("pages/de.md", "de"),
        ("pages/v1.2.md", "v1-2"),
        ("pages/2026-03-01-news.md", "news"),
        ("pages/2026-03-01.md", "2026-03-01"),
        ("articles/2026/hello.en.md", "hello"),
        ("articles/2026/hello.de.md", "hello-de"),
        ("articles/2026-01-02-trip/index.md", "trip"),
    ],
)
def test_the_slug_is_made_from_the_file_name(read: Load, path: str, key: str) -> None:
    """FI-20"""
    entry = only(read({path: TITLE}))
    assert entry.key == entry.fields["slug"] == key


def test_a_slug_in_the_front_matter_takes_precedence_over_the_file_name(read: Load) -> None:
    assert only(read({"pages/a.md": "---\ntitle: T\nslug: 2026\n---\n"})).key == "2026"


def test_an_empty_slug_counts_as_missing(read: Load) -> None:
    assert only(read({"pages/a.md": "---\ntitle: T\nslug:\n---\n"})).key == "a"


def test_a_file_name_without_letters_is_an_error(read: Load) -> None:
    """SL-01"""
    assert spots(read({"pages/🎉.md": TITLE})) == [("pages/🎉.md", 1, 1, "no-slug")]


@pytest.mark.parametrize("stem", ["p\u0430ypal", "d\u200be", "Москв\u0041"])
def test_a_file_name_with_look_alike_letters_is_an_error(read: Load, stem: str) -> None:
    """SL-04, SL-05"""
    path = f"pages/{stem}.md"
    content = read({path: TITLE})
    assert spots(content) == [(path, 1, 1, "bad-slug")]
    assert content.problems[0].hint == "set slug, or rename the file"
    assert only(read({path: "---\ntitle: T\nslug: a\n---\n"})).key == "a"


@pytest.mark.parametrize(("stem", "key"), [("Москва", "moskva"), ("北京", "bei-jing"), ("می\u200cخواهم", "mykhwhm")])
def test_a_file_name_in_another_script_is_transliterated(read: Load, stem: str, key: str) -> None:
    """SL-01"""
    assert only(read({f"pages/{stem}.md": TITLE})).key == key


def test_a_slug_with_spaces_or_capitals_is_an_error(read: Load) -> None:
    assert spots(read({"pages/a.md": "---\ntitle: T\nslug: About Us\n---\n"})) == [("pages/a.md", 3, 7, "bad-slug")]


def test_a_date_prefix_of_the_file_name_is_the_publication_date(read: Load) -> None:
    config = CONFIG + 'timezone = "Europe/Brussels"\n'
    dated = only(read({"contentsync.toml": config, "articles/2026-03-01-a.md": TITLE}))
    assert dated.fields["published_at"] == "2026-02-28T23:00:00.000000Z"


@pytest.mark.parametrize(("written", "instant"), [("2025-01-01", "2025-01-01T00:00:00.000000Z"), ("", None)])
def test_published_at_takes_precedence_over_the_date_prefix(read: Load, written: str, instant: str | None) -> None:
    text = f"---\ntitle: A\npublished_at: {written}\n---\nText\n"
    assert only(read({"articles/2026-03-01-a.md": text})).fields["published_at"] == instant


def test_a_date_prefix_that_does_not_exist_is_an_error(read: Load) -> None:
    """YA-12"""
    path = "articles/2026-02-30-a.md"
    content = read({path: TITLE})
    assert spots(content) == [(path, 1, 1, "bad-date")]
    assert content.problems[0].message == "the file name starts with 2026-02-30, a date that does not exist"


@pytest.mark.parametrize(
    "name", ["2026-3-1-a b", "2026-03-01.a b", "2026-03-01_a b", "2026-03-01 a b", "2026-3-1 - a b"]
)
def test_an_unread_date_prefix_is_a_warning_with_the_correct_file_name(read: Load, name: str) -> None:
    content = read({f"articles/{name}.md": TITLE})
    assert [(problem.code, problem.hint) for problem in content.problems] == [
        ("unread-date", "rename it to 2026-03-01-a b")
    ]
    (entry,) = content.entries
    assert entry.key == make_slug(name)
    assert "published_at" not in entry.fields


def test_an_unread_date_prefix_is_accepted_if_slug_and_date_are_set(read: Load) -> None:
    files = {
        "articles/2026-03-01.a.md": "---\ntitle: A\nslug: a\n---\nText\n",
        "articles/2026-03-01.b.md": "---\ntitle: B\npublished_at: 2026-03-01\n---\nText\n",
        "articles/2026-03-01.c.md": "---\ntitle: C\nslug: c\npublished_at: 2026-03-01\n---\nText\n",
    }
    assert [spot.path for spot in spots(read(files))] == ["articles/2026-03-01.a.md", "articles/2026-03-01.b.md"]


@pytest.mark.parametrize("name", ["2026-03-01", "2026-03-01a", "2026-03", "on-2026-03-01.a"])
def test_a_file_name_that_is_only_similar_to_a_date_is_accepted(read: Load, name: str) -> None:
    assert read({f"articles/{name}.md": TITLE}).problems == ()


def test_a_date_prefix_of_a_page_is_removed_from_its_slug(read: Load) -> None:
    assert "published_at" not in only(read({"pages/2026-03-01-a.md": TITLE})).fields


@pytest.mark.parametrize(
    ("front_matter", "key", "slug"),
    [
        ("name: A b", "a-b", "a-b"),
        ("name: A b\nslug: x", "x", "x"),
        ("name: A b\nurl:", "a-b", "a-b"),
        ("name: A b\nurl: HTTPS://Example.com:443/", "https://example.com", None),
        ("name: A b\nslug: x\nurl: https://example.com/a?b=1#c", "https://example.com/a?b=1", "x"),
    ],
)
def test_the_key_of_a_listing_is_its_url_or_slug_or_name(
    read: Load, front_matter: str, key: str, slug: str | None
) -> None:
    """SL-10, SL-11"""
    entry = only(read({"listings/a.yaml": front_matter}))
    assert (entry.key, entry.fields.get("slug")) == (key, slug)


def test_listings_of_one_name_with_different_urls_are_different(read: Load) -> None:
    content = read({"listings/a.csv": "name,url\nC,https://a.example\nC++,https://b.example\n"})
    assert content.problems == ()
    assert len(content.entries) == 2


def test_an_empty_slug_of_a_listing_is_an_error(read: Load) -> None:
    assert spots(read({"listings/a.yaml": "name: A\nslug: ''"})) == [("listings/a.yaml", 2, 7, "bad-slug")]


def test_the_keys_of_categories_tags_and_custom_fields_come_from_the_title(read: Load) -> None:
    content = read(
        {
            "categories.yaml": "- title: Café life\n",
            "tags.yaml": "- title: B\n  slug: bee\n",
            "custom_fields.yaml": "- label: Since Year\n  type: number\n",
        }
    )
    assert [(entry.key, entry.fields.get("slug"), entry.fields.get("name")) for entry in content.entries] == [
        ("cafe-life", "cafe-life", None),
        ("bee", "bee", None),
        ("since_year", None, "since_year"),
    ]


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [
        ({"pages/About.md": TITLE}, {"pages/about.md": TITLE}, ("pages/about.md", 1, 1)),
        ({"pages/a.md": TITLE}, {"pages/b.md": "---\ntitle: B\nslug: a\n---\n"}, ("pages/b.md", 3, 7)),
        ({"articles/a.md": TITLE}, {"articles/x/a.html": TITLE}, ("articles/x/a.html", 1, 1)),
        ({"articles/a.en.md": TITLE}, {"articles/a.md": TITLE}, ("articles/a.md", 1, 1)),
        ({"organizers/a.md": NAME}, {"organizers/b/a.md": NAME}, ("organizers/b/a.md", 1, 1)),
        ({"listings/a.csv": "name\nC\n"}, {"listings/b.yaml": "- name: C++\n"}, ("listings/b.yaml", 1, 9)),
        (
            {"listings/a.csv": "name,url\nC,https://a.example/\n"},
            {"listings/b.md": "---\nname: D\nurl: https://A.example\n---\n"},
            ("listings/b.md", 3, 6),
        ),
        (
            {"listings/a.csv": "name,url,slug\nC,https://a.example/,x\n"},
            {"listings/b.csv": "name,url,slug\nD,https://b.example/,x\n"},
            ("listings/b.csv", 2, 22),
        ),
    ],
)
def test_a_duplicate_entry_is_an_error_that_names_the_first_one(
    read: Load, first: dict[str, str], second: dict[str, str], place: tuple[str, int, int]
) -> None:
    """FI-19, SL-02, SL-03, CS-19"""
    content = read(first | second)
    assert spots(content) == [(*place, "duplicate-identity")]
    (other,) = {*first, *second} - {place[0]}
    assert f"{other}, line " in content.problems[0].message
    assert len(content.entries) == 1


def test_an_entry_with_errors_still_reserves_its_key(read: Load) -> None:
    content = read({"tags.yaml": "- title: A\n  color: red\n- title: a\n"})
    assert spots(content) == [("tags.yaml", 2, 10, "bad-colour"), ("tags.yaml", 3, 10, "duplicate-identity")]
    assert [problem.key for problem in content.problems] == ["a", "a"]


def pages(unit: int, numbers: Collection[int]) -> Iterator[Draft]:
    """Yield those with these numbers of the three pages of unit n: `same`, `other` and one of its own."""
    keys = ("same", "other", f"own-{unit}")
    for number in sorted(numbers):
        key = keys[number]
        draft = Draft(Kind.PAGE, f"pages/{unit}.md", number + 1)
        draft.values["slug"] = draft.key = key
        yield draft


def test_every_entry_but_the_first_of_an_identity_is_reported() -> None:
    clashes = IdentityIndex()
    for unit in (2, 0, 1):
        clashes.add(Kind.PAGE, "slug", "same", EntryRef(unit, 0))
        clashes.add(Kind.PAGE, "slug", f"own-{unit}", EntryRef(unit, 2))
    reported = [(place, problem.where.path, problem.code) for place, problem in clashes.find_duplicates(pages)]
    assert reported == [
        (EntryRef(1, 0), "pages/1.md", "duplicate-identity"),
        (EntryRef(2, 0), "pages/2.md", "duplicate-identity"),
    ]


def test_documents_clash_with_each_other_and_with_other_entries() -> None:
    clashes = IdentityIndex()
    clashes.add(Kind.PAGE, "slug", "same", EntryRef(1, 0))
    clashes.add_documents(Kind.PAGE, "slug", {0: "same", 2: "own", 3: "same"})
    assert [place for place, _ in clashes.find_duplicates(pages)] == [EntryRef(1, 0), EntryRef(3, 0)]


def test_only_entries_with_equal_hashes_are_read_again() -> None:
    """Not the other rows of their tables."""
    reads: list[tuple[int, list[int]]] = []

    def read(unit: int, numbers: Collection[int]) -> Iterator[Draft]:
        reads.append((unit, [*numbers]))
        return pages(unit, numbers)

    clashes = IdentityIndex()
    for unit in range(3):
        clashes.add(Kind.PAGE, "slug", f"own-{unit}", EntryRef(unit, 2))
    clashes.add(Kind.PAGE, "slug", "same", EntryRef(2, 0))
    clashes.add(Kind.PAGE, "slug", "same", EntryRef(0, 0))
    assert len([*clashes.find_duplicates(read)]) == 1
    assert reads == [(0, [0]), (2, [0])]


def test_equal_hashes_of_different_keys_are_no_duplicates() -> None:
    clashes = IdentityIndex()
    clashes.add(Kind.PAGE, "slug", "whatever", EntryRef(0, 0))
    clashes.add(Kind.PAGE, "slug", "whatever", EntryRef(0, 1))  # what is read again there is another page
    assert list(clashes.find_duplicates(pages)) == []


def test_equal_values_of_another_kind_or_name_are_no_duplicates() -> None:
    clashes = IdentityIndex()
    clashes.add(Kind.PAGE, "slug", "same", EntryRef(0, 0))
    clashes.add(Kind.ARTICLE, "slug", "same", EntryRef(1, 0))
    clashes.add(Kind.PAGE, "url", "same", EntryRef(2, 0))
    assert list(clashes.find_duplicates(pages)) == []


def test_an_indexed_key_takes_at_most_30_bytes() -> None:
    """CS-22"""
    clashes = IdentityIndex()
    tracemalloc.start()
    for number in range(25_000):
        clashes.add(Kind.LISTING, "url", f"https://{number}.example", EntryRef(0, number))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < 750_000


def test_a_duplicate_listing_still_reserves_its_url_and_slug(read: Load) -> None:
    rows = "name,url,slug\nA,https://a.example,s1\nB,https://a.example,s2\nC,https://c.example,s2\n"
    assert [spot[1:3] for spot in spots(read({"listings/a.csv": rows}))] == [(3, 3), (4, 21)]


def test_entries_on_one_line_are_distinguished_by_column(read: Load) -> None:
    line = "[{name: A, url: 'https://a.example'}, {name: B, url: 'https://b.example'}, {name: C, url: 'https://a.example'}]"
    content = read({"listings/a.yaml": line})
    assert spots(content) == [("listings/a.yaml", 1, line.rindex("'https") + 1, "duplicate-identity")]
    assert [entry.fields["name"] for entry in content.entries] == ["A", "B"]
    assert content.counts[Kind.LISTING] == 2
    places = [entry.source.where("name").column for entry in content.entries if entry.source]
    assert places == [line.index("A") + 1, line.index("B") + 1]


def test_an_entry_with_two_errors_is_subtracted_from_the_count_once(read: Load) -> None:
    circle = "- {title: A, slug: a, parent_id: b}\n- {title: B, slug: b, parent_id: a}\n- {title: A2, slug: a}\n"
    content = read({"categories.yaml": circle})
    assert {spot.code for spot in spots(content)} == {"parent-cycle", "duplicate-identity"}
    assert content.counts[Kind.CATEGORY] == len(content.entries) == 1
