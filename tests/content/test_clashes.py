"""contentsync.content.clashes: entries of one identity among very many."""

import tracemalloc
from collections.abc import Iterator

from contentsync.content.clashes import Clashes, Place
from contentsync.content.draft import Draft
from contentsync.model import Kind

from .conftest import Load, spots


def pages(unit: int, numbers: frozenset[int]) -> Iterator[tuple[int, Draft]]:
    """Unit n holds three pages: `same`, `other` and one of its own."""
    for number, key in enumerate(("same", "other", f"own-{unit}")):
        if number in numbers:
            draft = Draft(Kind.PAGE, f"pages/{unit}.md", number + 1)
            draft.values["slug"] = draft.key = key
            yield number, draft


def test_every_entry_but_the_first_of_an_identity_is_told() -> None:
    clashes = Clashes()
    for unit in (2, 0, 1):
        clashes.add(Kind.PAGE, "slug", "same", Place(unit, 0))
        clashes.add(Kind.PAGE, "slug", f"own-{unit}", Place(unit, 2))
    told = [(place, problem.where.path, problem.code) for place, problem in clashes.found(pages)]
    assert told == [
        (Place(1, 0), "pages/1.md", "duplicate-identity"),
        (Place(2, 0), "pages/2.md", "duplicate-identity"),
    ]


def test_documents_clash_with_each_other_and_with_other_entries() -> None:
    clashes = Clashes()
    clashes.add(Kind.PAGE, "slug", "same", Place(1, 0))
    clashes.add_documents(Kind.PAGE, "slug", {0: "same", 2: "own", 3: "same"})
    assert [place for place, _ in clashes.found(pages)] == [Place(1, 0), Place(3, 0)]


def test_equal_hashes_of_different_identities_are_no_clash() -> None:
    clashes = Clashes()
    clashes.add(Kind.PAGE, "slug", "whatever", Place(0, 0))
    clashes.add(Kind.PAGE, "slug", "whatever", Place(0, 1))  # what is read again there is another page
    assert list(clashes.found(pages)) == []


def test_the_same_value_of_another_kind_or_name_is_no_clash() -> None:
    clashes = Clashes()
    clashes.add(Kind.PAGE, "slug", "same", Place(0, 0))
    clashes.add(Kind.ARTICLE, "slug", "same", Place(1, 0))
    clashes.add(Kind.PAGE, "url", "same", Place(2, 0))
    assert list(clashes.found(pages)) == []


def test_an_identity_takes_a_few_bytes() -> None:
    """CS-22"""
    clashes = Clashes()
    tracemalloc.start()
    for number in range(100_000):
        clashes.add(Kind.LISTING, "url", f"https://{number}.example", Place(0, number))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < 3_000_000


def test_both_identities_of_a_clashing_entry_count_for_those_behind_it(read: Load) -> None:
    rows = "name,url,slug\nA,https://a.example,s1\nB,https://a.example,s2\nC,https://c.example,s2\n"
    assert [spot[1:3] for spot in spots(read({"listings/a.csv": rows}))] == [(3, 3), (4, 21)]


def test_entries_of_one_line_are_told_apart(read: Load) -> None:
    line = "[{name: A, url: 'https://a.example'}, {name: B, url: 'https://b.example'}, {name: C, url: 'https://a.example'}]"
    content = read({"listings/a.yaml": line})
    assert spots(content) == [("listings/a.yaml", 1, line.rindex("'https") + 1, "duplicate-identity")]
    assert [entry.fields["name"] for entry in content.entries] == ["A", "B"]
    assert content.counts[Kind.LISTING] == 2
    places = [entry.source.where("name").column for entry in content.entries if entry.source]
    assert places == [line.index("A") + 1, line.index("B") + 1]


def test_an_entry_with_errors_is_not_taken_from_the_count_twice(read: Load) -> None:
    circle = "- {title: A, slug: a, parent_id: b}\n- {title: B, slug: b, parent_id: a}\n- {title: A2, slug: a}\n"
    content = read({"categories.yaml": circle})
    assert {code for *_, code in spots(content)} == {"parent-cycle", "duplicate-identity"}
    assert content.counts[Kind.CATEGORY] == len(content.entries) == 1
