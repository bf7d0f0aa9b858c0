"""Identification of an entry under another name."""

from contentsync.model import Entry, Kind, Notes, Source
from contentsync.sync.comparing.base import UNKNOWN_BASE, AppliedEntry, Base, applied_entry
from contentsync.sync.comparing.matching import Matching

from ..bases import lines, synced
from ..entries import actual, desired


def page(key: str, path: str, *previous: str, **fields: object) -> Entry:
    return Entry(Kind.PAGE, key, {"slug": key, "title": path, **fields}, Source(path), Notes(previous=previous))


def tag(key: str, *previous: str, **fields: object) -> Entry:
    return Entry(Kind.TAG, key, {"slug": key, **fields}, Source("tags.yaml"), Notes(previous=previous))


def there(entry: Entry, id_: int) -> Entry:
    """Return the server's entry after an entry of the folder was applied."""
    return actual(entry.kind, entry.key, id_, **entry.fields)


def applied(*entries: Entry) -> tuple[Base, list[Entry]]:
    """Return the base and the server after a sync: ids count from 1."""
    records = [there(entry, number) for number, entry in enumerate(entries, 1)]
    return synced(*zip(entries, records, strict=True)), records


def ids(matching: Matching, *entries: Entry) -> list[int | None]:
    """Return the id of the record that each entry is matched with; None without one."""
    return [record.id if (record := matching.find(entry).actual) else None for entry in entries]


def test_a_renamed_listing_is_matched_by_its_own_file() -> None:
    before = Entry(Kind.LISTING, "https://a.example", {"url": "https://a.example", "name": "A"}, Source("l/a.md"))
    base, records = applied(before)
    after = Entry(Kind.LISTING, "https://b.example", {"url": "https://b.example", "name": "B"}, Source("l/a.md"))
    assert ids(Matching([after], records, base), after) == [1]


def test_a_table_with_one_row_does_not_match_another_row() -> None:
    base, records = applied(tag("beta", title="Beta"))
    other = tag("python", title="Python")
    assert ids(Matching([other], records, base), other) == [None]


def test_rows_that_differ_only_in_title_and_key_are_not_matched() -> None:
    look = {"color": "#ff0000", "text_color": "#ffffff", "show_icon": False}
    base, records = applied(tag("beta", title="Beta", **look), tag("x", title="X"))
    other = tag("python", title="Python", **look)
    assert ids(Matching([other, tag("x", title="X")], records, base), other) == [None]


def test_two_files_that_exchange_their_paths_keep_their_records() -> None:
    base, records = applied(page("a", "a.md", order=1, markdown="A"), page("b", "b.md", order=2, markdown="B"))
    moved = page("a", "b.md", order=1, markdown="A"), page("b", "a.md", order=2, markdown="B")
    assert ids(Matching(moved, records, base), *moved) == [1, 2]


def test_two_files_with_equal_texts_and_exchanged_paths_keep_their_keys() -> None:
    base, records = applied(page("a", "a.md", title="T"), page("b", "b.md", title="T"))
    moved = page("a", "b.md", title="T"), page("b", "a.md", title="T")
    assert ids(Matching(moved, records, base), *moved) == [1, 2]


def test_a_noted_exchange_of_keys_is_applied_once() -> None:
    base, records = applied(tag("a", title="A"), tag("b", title="B"))
    swapped = tag("a", "b", title="B"), tag("b", "a", title="A")
    assert ids(Matching(swapped, records, base), *swapped) == [2, 1]
    base, records = applied(*swapped)
    assert ids(Matching(swapped, records, base), *swapped) == [1, 2]


def test_a_new_note_counts_beside_a_used_one() -> None:
    base, records = applied(tag("a", "older", title="A"), tag("b", title="B"))
    after = tag("a", "older", "b", title="B"), tag("b", "a", title="A")
    assert ids(Matching(after, records, base), *after) == [2, 1]


def test_a_matched_entry_does_not_take_a_record_of_another_user() -> None:
    """A note that was used before, and a foreign record under the old name."""
    base, records = applied(page("new", "a.md"))
    noted = page("new", "a.md", "old")
    assert ids(Matching([noted], [*records, there(page("old", "x.md"), 9)], base), noted) == [1]


def test_an_unmatched_entry_can_take_a_foreign_record_by_its_note() -> None:
    noted = page("new", "a.md", "old")
    match = Matching([noted], [there(page("old", "x.md"), 9)], UNKNOWN_BASE).find(noted)
    assert (match.actual and match.actual.id, match.applied) == (9, None)


def test_our_record_renamed_on_the_server_is_not_taken_by_another_entry() -> None:
    base, _ = applied(page("a", "a.md", title="A"))
    renamed = there(page("elsewhere", "a.md", title="A"), 1)
    entries = page("b", "b.md", "a", title="B"), page("a", "a.md", title="A")
    assert ids(Matching(entries, [renamed], base), *entries) == [None, 1]


def test_a_managed_record_renamed_to_the_key_of_a_new_entry_keeps_its_entry() -> None:
    base, _ = applied(tag("x", title="X"))
    renamed = there(tag("y", title="X"), 1)
    for entries in ((tag("x", title="X"), tag("y", title="Y")), (tag("y", title="Y"), tag("x", title="X"))):
        matching = Matching(entries, [renamed], base)
        assert {entry.key: ids(matching, entry) for entry in entries} == {"x": [1], "y": [None]}


def test_a_protected_entry_is_matched_only_by_a_note() -> None:
    terms = page("terms", "a.md", markdown="Law")
    base, records = applied(terms)
    base = Base.from_entries(lines(base.values(), protect=True))
    in_its_file, equal = page("party", "a.md", markdown="Fun"), page("law", "b.md", title="a.md", markdown="Law")
    assert ids(Matching([in_its_file, equal], records, base), in_its_file, equal) == [None, None]
    reported = page("party", "a.md", "terms", markdown="Fun")
    assert ids(Matching([reported], records, base), reported) == [1]


def test_an_excluded_entry_is_matched_only_by_a_note() -> None:
    base, records = applied(page("old", "old/a.md", title="T", markdown="Same"))

    def left_out(line: AppliedEntry) -> bool:
        return line.path.startswith("old/")

    new = page("new", "new.md", title="T", markdown="Same")
    assert ids(Matching([new], records, base), new) == [1]
    assert ids(Matching([new], records, base, is_excluded=left_out), new) == [None]
    assert ids(Matching([new], records, base, {"new.md": "old/a.md"}, left_out), new) == [None]
    reported = page("new", "new.md", "old", title="T", markdown="Same")
    assert ids(Matching([reported], records, base, is_excluded=left_out), reported) == [1]


def test_a_protected_row_is_not_matched_by_its_name() -> None:
    before = desired(Kind.LISTING, "https://a.example", url="https://a.example", name="Tool")
    base, records = applied(before)
    after = desired(Kind.LISTING, "https://b.example", url="https://b.example", name="Tool")
    assert ids(Matching([after], records, base), after) == [1]
    assert ids(Matching([after], records, Base.from_entries(lines(base.values(), protect=True))), after) == [None]


def test_a_record_that_an_entry_cannot_take_is_left_to_the_next_match() -> None:
    """A record that one entry names, but cannot have, belongs to another entry by its file."""
    base, records = applied(page("b", "b.md"))
    base = Base.from_entries(lines(base.values(), id=None))  # of a commit
    foreign = there(page("taken", "t.md"), 9)
    falls, renamed = page("taken", "x.md", "b"), page("c", "b.md")
    assert ids(Matching([falls, renamed], [*records, foreign], base), falls, renamed) == [9, 1]


def test_a_note_takes_precedence_over_an_equal_text() -> None:
    base, records = applied(page("old", "old.md", markdown="Text"))
    by_text, by_note = page("copy", "copy.md", title="old.md", markdown="Text"), page("new", "new.md", "old")
    assert ids(Matching([by_text, by_note], records, base), by_text, by_note) == [None, 1]


def test_a_moved_file_is_matched_by_its_custom_field_values() -> None:
    def organizer(key: str, path: str, **fields: object) -> Entry:
        return Entry(Kind.ORGANIZER, key, {"slug": key, "name": path, "level": 3, "effort": 4, **fields}, Source(path))

    fields = [Entry(Kind.CUSTOM_FIELD, name, {"name": name}) for name in ("level", "effort")]
    records = [there(entry, number) for number, entry in enumerate([*fields, organizer("old", "o/a.md")], 1)]
    custom = {"level": 1, "effort": 2}
    pairs = zip([*fields, organizer("old", "o/a.md")], records, strict=True)
    base = Base.from_entries(applied_entry(here, its, None, custom) for here, its in pairs)
    moved = organizer("new", "o/b.md")
    assert ids(Matching([*fields, moved], records, base), moved) == [3]


def test_moved_files_that_link_to_each_other_are_matched() -> None:
    base, records = applied(
        page("a", "a.md", title="A", markdown="See [b](/pages/b/)."),
        page("b", "b.md", title="B", markdown="Go back to [a](/pages/a/)."),
    )
    moved = (
        page("c", "c.md", title="A", markdown="See [b](/pages/d/)."),
        page("d", "d.md", title="B", markdown="Go back to [a](/pages/c/)."),
    )
    assert ids(Matching(moved, records, base), *moved) == [1, 2]


def test_a_moved_file_with_another_text_is_a_new_entry() -> None:
    base, records = applied(page("a", "a.md", title="A", order=1, markdown="See [b](/pages/b/)."))
    moved = page("c", "c.md", title="A", order=1, markdown="Read [b](/pages/b/).")
    assert ids(Matching([moved], records, base), moved) == [None]
