from typing import Any

from contentsync.model import Entry, Kind
from contentsync.sync import UNKNOWN_BASE, AppliedEntry, Base, applied_entry
from contentsync.sync.comparing.base import ServerRecords
from contentsync.sync.comparing.fingerprint import fingerprint

from ..entries import actual, desired


def test_a_line_remembers_each_field_under_its_dotted_name() -> None:
    article = desired(Kind.ARTICLE, "a", title="A", seo={"title": "S"}, translations={"fr": {"title": "T"}})
    assert applied_entry(article).fields.keys() == {"title", "seo.title", "translations.fr.title"}


def test_a_field_that_the_server_keeps_otherwise_is_remembered_both_ways() -> None:
    line = applied_entry(desired(Kind.PAGE, "a", title="Hello  World"), actual(Kind.PAGE, "a", 1, title="Hello World"))
    kept = line.fingerprints("title")
    assert kept is not None
    assert kept.sent != kept.stored


def test_a_field_that_means_the_same_there_is_remembered_once() -> None:
    line = applied_entry(desired(Kind.PAGE, "a", title=" A "), actual(Kind.PAGE, "a", 1, title="A"))
    assert "/" not in line.fields["title"]


def test_no_value_stands_in_a_line() -> None:
    line = applied_entry(desired(Kind.PAGE, "a", markdown="a secret", title="T"))
    assert "secret" not in repr(line)


def test_an_unknown_base_is_not_an_empty_one() -> None:
    assert not UNKNOWN_BASE.is_known
    assert Base.from_entries([]).is_known


def test_a_base_with_something_recorded_is_known() -> None:
    assert UNKNOWN_BASE.with_updates([applied_entry(desired(Kind.PAGE, "a"))]).is_known


def test_a_whole_number_is_one_number_however_it_is_written() -> None:
    line = applied_entry(desired(Kind.LISTING, "a", latitude=5), actual(Kind.LISTING, "a", 1, latitude=5.0))
    assert line.fields["latitude"] == fingerprint(Kind.LISTING, "latitude", 5.0)


MONDAY, TUESDAY = "2026-03-02T09:00:00.000000Z", "2026-03-03T09:00:00.000000Z"


def record(key: str, id_: int, created: str | None = None, **fields: Any) -> Entry:
    entry = actual(Kind.PAGE, key, id_, **{"slug": key, "title": "Page", **fields})
    return Entry(entry.kind, entry.key, entry.fields, id=id_, created=created)


def line(there: Entry, **fields: Any) -> AppliedEntry:
    return applied_entry(desired(Kind.PAGE, there.key, **{"slug": there.key, "title": "Page", **fields}), there)


def known(applied: AppliedEntry, *there: Entry) -> tuple[int | None, int | None]:
    """The ids of the record of a line, and of the one that may be deleted for it."""
    records = ServerRecords(there)
    found, surely = records.find(applied), records.find_exact(applied)
    return found.id if found else None, surely.id if surely else None


def test_a_record_is_known_by_its_id_and_when_it_was_made_whatever_becomes_of_it() -> None:
    ours = line(record("pricing", 7, MONDAY, markdown="Old"), markdown="Old")
    assert known(ours, record("our-prices", 7, MONDAY, title="Our prices", markdown="New")) == (7, 7)


def test_an_id_that_was_given_away_again_is_not_ours_even_under_its_key() -> None:
    """Ids begin again where a database is restored, or made again."""
    ours = line(record("pricing", 7, MONDAY, markdown="Same"), markdown="Same")
    assert known(ours, record("pricing", 7, TUESDAY, markdown="Same")) == (None, None)
    assert known(ours, record("contact", 7, TUESDAY, markdown="Same")) == (None, None)


def test_a_record_of_our_key_under_another_id_is_not_ours() -> None:
    assert known(line(record("pricing", 7, MONDAY)), record("pricing", 8, TUESDAY)) == (None, None)


def test_where_no_user_tells_when_it_was_made_the_id_and_the_key_are_enough() -> None:
    assert known(line(record("pricing", 7)), record("pricing", 7, MONDAY, title="Another")) == (7, 7)
    assert known(line(record("pricing", 7, MONDAY)), record("pricing", 7, title="Another")) == (7, 7)


def test_one_of_another_key_is_then_known_by_its_title_or_its_text_and_is_not_deleted() -> None:
    ours = line(record("pricing", 7, markdown="Text"), markdown="Text")
    assert known(ours, record("moved", 7, markdown="Other")) == (7, None)
    assert known(ours, record("moved", 7, title="Other", markdown="Text")) == (7, None)
    assert known(ours, record("contact", 7, title="Other", markdown="Other")) == (None, None)


def test_what_is_empty_or_a_default_on_both_sides_makes_nothing_alike() -> None:
    defaults: dict[str, Any] = {"title": None, "markdown": "", "order": 0, "is_active": True}
    ours = line(record("pricing", 7, **defaults), **defaults)
    assert known(ours, record("contact", 7, **defaults)) == (None, None)


def test_a_line_of_a_commit_is_about_the_record_of_its_key() -> None:
    ours = applied_entry(desired(Kind.PAGE, "pricing", slug="pricing", title="Page"))
    assert known(ours, record("pricing", 7, MONDAY)) == (7, 7)
    assert known(ours, record("other", 7, MONDAY)) == (None, None)


def test_a_record_that_got_the_id_of_a_lost_one_replaces_it_in_the_base() -> None:
    lost, other = line(record("pricing", 7, MONDAY)), line(record("about", 8, MONDAY))
    found = line(record("contact", 7, TUESDAY))
    assert Base.from_entries([lost, other]).with_updates([found]) == Base.from_entries([other, found])


def test_two_records_that_swapped_their_keys_both_stay_in_the_base() -> None:
    before = Base.from_entries([line(record("a", 1)), line(record("b", 2))])
    swapped = [line(record("a", 2)), line(record("b", 1))]
    assert before.with_updates(swapped, removals=[(Kind.PAGE, "a")]) == Base.from_entries(swapped)
