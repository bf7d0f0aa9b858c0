from dataclasses import replace

import pytest

from contentsync.model import Entry, Kind, Notes, Source
from contentsync.sync.comparing.base import UNKNOWN_BASE, Base
from contentsync.sync.comparing.matching import Matching

from ..bases import lines, synced
from ..entries import actual, desired


def page(key: str, path: str, title: str = "T", notes: Notes = Notes(), **fields: object) -> Entry:  # noqa: B008
    return Entry(Kind.PAGE, key, {"slug": key, "title": title, **fields}, Source(path), notes)


def there(key: str, id_: int, title: str = "T", **fields: object) -> Entry:
    """Return a record of the server, with the entry's key as its slug."""
    return actual(Kind.PAGE, key, id_, slug=key, title=title, **fields)


def ids(matching: Matching, *entries: Entry) -> list[int | None]:
    """Return the id of the record of each entry; None for a new entry."""
    return [record.id if (record := matching.find(entry).actual) else None for entry in entries]


def test_an_entry_is_matched_by_its_key() -> None:
    one = page("a", "a.md")
    assert ids(Matching([one], [there("a", 1), there("b", 2)], UNKNOWN_BASE), one) == [1]


def test_a_file_with_a_new_slug_is_matched_by_its_path() -> None:
    """SL-14"""
    base = synced((page("old", "a.md"), there("old", 1)))
    renamed = page("new", "a.md", "Another title")
    assert ids(Matching([renamed], [there("old", 1)], base), renamed) == [1]


def test_two_files_that_exchange_their_slugs_keep_their_records() -> None:
    """SL-15"""
    base = synced((page("a", "x.md", "X"), there("a", 1, "X")), (page("b", "y.md", "Y"), there("b", 2, "Y")))
    swapped = page("b", "x.md", "X"), page("a", "y.md", "Y")
    assert ids(Matching(swapped, [there("a", 1), there("b", 2)], base), *swapped) == [1, 2]


def test_three_files_that_rotate_their_slugs_keep_their_records() -> None:
    names = ("a", "b", "c")
    base = synced(*((page(name, f"{name}.md", name), there(name, number, name)) for number, name in enumerate(names)))
    moved = [page(after, f"{before}.md", before) for before, after in zip(names, ("b", "c", "a"), strict=True)]
    assert ids(Matching(moved, [there(name, number) for number, name in enumerate(names)], base), *moved) == [0, 1, 2]


def test_an_entry_renamed_to_a_foreign_key_is_matched_to_the_foreign_record() -> None:
    base = synced((page("old", "a.md"), there("old", 1)))
    renamed = page("new", "a.md")
    matching = Matching([renamed], [there("old", 1), there("new", 2)], base)
    assert ids(matching, renamed) == [2]
    assert [record.id for _, record in matching.orphans() if record] == [1]


def test_a_moved_file_with_the_same_text_is_matched() -> None:
    before = page("old", "old.md", markdown="the text", order=3)
    base = synced((before, there("old", 1, markdown="the text", order=3)))
    moved = page("new", "other/new.md", markdown="the text", order=3)
    assert ids(Matching([moved], [there("old", 1, markdown="the text", order=3)], base), moved) == [1]


def test_a_new_file_with_another_text_is_a_new_entry() -> None:
    base = synced((page("old", "old.md", markdown="the text"), there("old", 1, markdown="the text")))
    other = page("new", "new.md", markdown="quite another")
    assert ids(Matching([other], [there("old", 1, markdown="the text")], base), other) == [None]


def test_an_entry_that_matches_two_records_is_not_matched() -> None:
    pairs = [(page(f"old{n}", f"{n}.md", markdown="x"), there(f"old{n}", n, markdown="x")) for n in (1, 2)]
    moved = page("new", "new.md", markdown="x")
    assert ids(Matching([moved], [record for _, record in pairs], synced(*pairs)), moved) == [None]


def test_a_file_that_git_reports_as_moved_is_matched() -> None:
    base = synced((page("old", "old.md", markdown="one"), there("old", 1, markdown="one")))
    moved = page("new", "new.md", markdown="another")
    matching = Matching([moved], [there("old", 1, markdown="one")], base, {"new.md": "old.md"})
    assert ids(matching, moved) == [1]


def test_a_former_key_needs_no_base() -> None:
    renamed = page("new", "a.md", notes=Notes(previous=("older", "old")))
    assert ids(Matching([renamed], [there("old", 1)], UNKNOWN_BASE), renamed) == [1]


def test_a_former_key_that_another_entry_has_now_belongs_to_that_entry() -> None:
    renamed, holder = page("new", "a.md", notes=Notes(previous=("old",))), page("old", "b.md")
    assert ids(Matching([renamed, holder], [there("old", 1)], UNKNOWN_BASE), renamed, holder) == [None, 1]


def test_a_former_key_is_matched_once() -> None:
    renamed = page("new", "a.md", notes=Notes(previous=("old",)))
    matching = Matching([renamed], [there("old", 1), there("new", 2)], UNKNOWN_BASE)
    assert ids(matching, renamed) == [2]


def test_a_row_with_a_new_url_is_matched_by_its_name() -> None:
    before = desired(Kind.LISTING, "https://a.example", url="https://a.example", name="Tool")
    record = actual(Kind.LISTING, "https://a.example", 4, url="https://a.example", name="Tool", slug="tool")
    after = desired(Kind.LISTING, "https://b.example", url="https://b.example", name="Tool")
    other = desired(Kind.LISTING, "https://c.example", url="https://c.example", name="Other")
    assert ids(Matching([after, other], [record], synced((before, record))), after, other) == [4, None]


def test_an_entry_whose_slug_changed_on_the_server_is_matched() -> None:
    base = synced((page("a", "a.md", order=1), there("a", 1, order=1)))
    one = page("a", "a.md", order=1)
    assert ids(Matching([one], [there("b", 1, order=1)], base), one) == [1]


def synced_pages(count: int) -> tuple[Base, list[Entry]]:
    """Return a base of pages a, b, c, ... with the ids 0, 1, 2, ..., and those pages."""
    pages = [page(name, f"{name}.md", name) for name in "abcde"[:count]]
    return synced(*((one, there(one.key, number, one.key)) for number, one in enumerate(pages))), pages


@pytest.mark.parametrize("slugs", ["ba", "bca", "bcd", "bcae", "baedc"])
def test_entries_whose_slugs_were_exchanged_on_the_server_keep_their_records(slugs: str) -> None:
    base, pages = synced_pages(len(slugs))
    records = [there(slug, number, "abcde"[number]) for number, slug in enumerate(slugs)]
    matching = Matching(pages, records, base)
    assert ids(matching, *pages) == list(range(len(slugs)))
    assert all(matching.find(one).applied is not None for one in pages)


def test_slugs_exchanged_with_a_foreign_record_are_not_followed() -> None:
    base, pages = synced_pages(2)
    matching = Matching(pages, [there("b", 0, "a"), there("other", 1, "b"), there("a", 7, "theirs")], base)
    assert ids(matching, *pages) == [7, 0]
    assert [matching.find(one).applied is not None for one in pages] == [False, False]


def test_a_renamed_file_keeps_its_record_after_an_exchange_on_the_server() -> None:
    base, (_, b) = synced_pages(2)
    renamed = page("c", "a.md", "a")
    matching = Matching([renamed, b], [there("b", 0, "a"), there("c", 1, "b")], base)
    assert ids(matching, renamed, b) == [0, 1]


def test_a_reused_id_of_a_new_database_is_not_matched() -> None:
    base = synced((page("a", "a.md", markdown="x"), there("a", 1, markdown="x")))
    one = page("a", "a.md", markdown="x")
    matching = Matching([one], [there("contact", 1, "Contact", markdown="y")], base)
    assert ids(matching, one) == [None]
    assert not matching.is_matched(there("contact", 1))


def test_an_entry_recreated_by_another_user_is_not_in_our_base() -> None:
    base = Base.from_entries(lines(synced((page("a", "a.md"), there("a", 1))).values()))
    one = page("a", "a.md")
    match = Matching([one], [there("a", 7)], base).find(one)
    assert (match.actual and match.actual.id, match.applied) == (7, None)


def test_a_base_commit_contains_no_ids() -> None:
    base = Base.from_entries(lines(synced((page("old", "a.md"), there("old", 1))).values(), id=None))
    renamed = page("new", "a.md")
    assert ids(Matching([renamed], [there("old", 1)], base), renamed) == [1]


def test_a_record_that_another_entry_matches_is_not_an_orphan() -> None:
    """Another user renamed it on the server, the file of its old name is deleted, and a new file has the new name."""
    before = replace(there("old", 1, markdown="one"), created="2026-03-01T09:00:00.000000Z")
    renamed = replace(before, key="new", fields={**before.fields, "slug": "new"})
    written = page("new", "new.md", "Another title", markdown="quite another")
    matching = Matching([written], [renamed], synced((page("old", "old.md", markdown="one"), before)))
    assert ids(matching, written) == [1]
    assert [(line.key, record) for line, record in matching.orphans()] == [("old", None)]


def test_a_key_adopted_from_the_server_keeps_the_record() -> None:
    """For example after the merge of a proposal, in which the entry may have other changes too."""
    old = replace(actual(Kind.TAG, "old", 1, slug="old", title="T"), created="2026-01-01")
    new = replace(old, key="new", fields={"slug": "new", "title": "U"})
    before = desired(Kind.TAG, "old", slug="old", title="T")
    after = desired(Kind.TAG, "new", slug="new", title="U", icon="x")
    base = synced((before, old))
    assert Matching([after], [new], base).find(after) == (new, base[Kind.TAG, "old"])
    restored = replace(new, created="2026-02-02")
    assert Matching([after], [restored], base).find(after) == (restored, None)
    both = Matching([before, after], [new], base)
    assert both.find(before).actual is not both.find(after).actual
