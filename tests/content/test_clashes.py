"""contentsync.content.clashes: entries of one identity among very many."""

import tracemalloc
from collections.abc import Iterator

from contentsync.content.clashes import Clashes
from contentsync.content.draft import Draft
from contentsync.model import Kind


def pages(unit: int, lines: frozenset[int]) -> Iterator[Draft]:
    """Unit n holds pages at lines 1, 2 and 3: `same`, `other` and one of its own."""
    for line, key in enumerate(("same", "other", f"own-{unit}"), 1):
        if line in lines:
            draft = Draft(Kind.PAGE, f"pages/{unit}.md", line)
            draft.values["slug"] = draft.key = key
            yield draft


def test_every_entry_but_the_first_of_an_identity_is_told() -> None:
    clashes = Clashes()
    for unit in (2, 0, 1):
        clashes.add(Kind.PAGE, "slug", "same", unit, 1)
        clashes.add(Kind.PAGE, "slug", f"own-{unit}", unit, 3)
    told = [(problem.where.path, problem.code) for _, problem in clashes.found(pages)]
    assert told == [("pages/1.md", "duplicate-identity"), ("pages/2.md", "duplicate-identity")]


def test_equal_hashes_of_different_identities_are_no_clash() -> None:
    clashes = Clashes()
    clashes.add(Kind.PAGE, "slug", "whatever", 0, 1)
    clashes.add(Kind.PAGE, "slug", "whatever", 0, 2)  # what is read again there is another page
    assert list(clashes.found(pages)) == []


def test_the_same_value_of_another_kind_or_name_is_no_clash() -> None:
    clashes = Clashes()
    clashes.add(Kind.PAGE, "slug", "same", 0, 1)
    clashes.add(Kind.ARTICLE, "slug", "same", 1, 1)
    clashes.add(Kind.PAGE, "url", "same", 2, 1)
    assert list(clashes.found(pages)) == []


def test_an_identity_takes_a_few_bytes() -> None:
    """CS-22"""
    clashes = Clashes()
    tracemalloc.start()
    for number in range(100_000):
        clashes.add(Kind.LISTING, "url", f"https://{number}.example", 0, number)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < 3_000_000
