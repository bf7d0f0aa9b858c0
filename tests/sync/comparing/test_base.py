from typing import Any

from contentsync.model import Entry, Kind
from contentsync.sync.comparing.base import UNKNOWN_BASE, AppliedEntry, Base, ServerRecords, applied_entry
from contentsync.sync.comparing.fingerprint import fingerprint

from ..entries import actual, desired


def test_an_applied_entry_has_a_fingerprint_for_each_dotted_field() -> None:
    article = desired(Kind.ARTICLE, "a", title="A", seo={"title": "S"}, translations={"fr": {"title": "T"}})
    assert applied_entry(article).fields.keys() == {"title", "seo.title", "translations.fr.title"}


def test_a_field_that_the_server_stores_differently_has_two_fingerprints() -> None:
    line = applied_entry(desired(Kind.PAGE, "a", title="Hello  World"), actual(Kind.PAGE, "a", 1, title="Hello World"))
    kept = line.fingerprints("title")
    assert kept is not None
    assert kept.sent != kept.stored


def test_a_field_that_the_server_stores_equivalently_has_one_fingerprint() -> None:
    line = applied_entry(desired(Kind.PAGE, "a", title=" A "), actual(Kind.PAGE, "a", 1, title="A"))
    assert "/" not in line.fields["title"]


def test_an_applied_entry_contains_no_value() -> None:
    line = applied_entry(desired(Kind.PAGE, "a", markdown="a secret", title="T"))
    assert "secret" not in repr(line)


def test_an_unknown_base_differs_from_an_empty_one() -> None:
    assert not UNKNOWN_BASE.is_known
    assert Base.from_entries([]).is_known


def test_a_base_with_an_entry_is_known() -> None:
    assert UNKNOWN_BASE.with_updates([applied_entry(desired(Kind.PAGE, "a"))]).is_known


def test_equal_numbers_have_one_fingerprint() -> None:
    line = applied_entry(desired(Kind.LISTING, "a", latitude=5), actual(Kind.LISTING, "a", 1, latitude=5.0))
    assert line.fields["latitude"] == fingerprint(Kind.LISTING, "latitude", 5.0)


MONDAY, TUESDAY = "2026-03-02T09:00:00.000000Z", "2026-03-03T09:00:00.000000Z"


def record(key: str, id_: int, created: str | None = None, **fields: Any) -> Entry:
    entry = actual(Kind.PAGE, key, id_, **{"slug": key, "title": "Page", **fields})
    return Entry(entry.kind, entry.key, entry.fields, id=id_, created=created)


def line(there: Entry, **fields: Any) -> AppliedEntry:
    return applied_entry(desired(Kind.PAGE, there.key, **{"slug": there.key, "title": "Page", **fields}), there)


def known(applied: AppliedEntry, *there: Entry) -> tuple[int | None, int | None]:
    """Return the ids of the record of a line, and of the record that may be deleted for it."""
    records = ServerRecords(there)
    found, surely = records.find(applied), records.find_exact(applied)
    return found.id if found else None, surely.id if surely else None


def test_a_record_is_identified_by_id_and_creation_time_after_any_change() -> None:
    managed = line(record("pricing", 7, MONDAY, markdown="Old"), markdown="Old")
    assert known(managed, record("our-prices", 7, MONDAY, title="Our prices", markdown="New")) == (7, 7)


def test_a_reused_id_with_another_creation_time_is_not_our_record() -> None:
    """A database that is restored or created again assigns the same ids."""
    managed = line(record("pricing", 7, MONDAY, markdown="Same"), markdown="Same")
    assert known(managed, record("pricing", 7, TUESDAY, markdown="Same")) == (None, None)
    assert known(managed, record("contact", 7, TUESDAY, markdown="Same")) == (None, None)


def test_a_record_with_our_key_and_another_id_is_not_our_record() -> None:
    assert known(line(record("pricing", 7, MONDAY)), record("pricing", 8, TUESDAY)) == (None, None)


def test_id_and_key_identify_a_record_without_a_creation_time() -> None:
    assert known(line(record("pricing", 7)), record("pricing", 7, MONDAY, title="Another")) == (7, 7)
    assert known(line(record("pricing", 7, MONDAY)), record("pricing", 7, title="Another")) == (7, 7)


def test_a_record_with_another_key_is_identified_by_title_or_text() -> None:
    managed = line(record("pricing", 7, markdown="Text"), markdown="Text")
    assert known(managed, record("moved", 7, markdown="Other")) == (7, None)
    assert known(managed, record("moved", 7, title="Other", markdown="Text")) == (7, None)
    assert known(managed, record("contact", 7, title="Other", markdown="Other")) == (None, None)


def test_empty_and_default_values_do_not_identify_a_record() -> None:
    defaults: dict[str, Any] = {"title": None, "markdown": "", "order": 0, "is_active": True}
    managed = line(record("pricing", 7, **defaults), **defaults)
    assert known(managed, record("contact", 7, **defaults)) == (None, None)


def test_an_entry_of_a_base_commit_is_identified_by_its_key() -> None:
    managed = applied_entry(desired(Kind.PAGE, "pricing", slug="pricing", title="Page"))
    assert known(managed, record("pricing", 7, MONDAY)) == (7, 7)
    assert known(managed, record("other", 7, MONDAY)) == (None, None)


def test_a_record_with_a_reused_id_replaces_the_lost_one_in_the_base() -> None:
    lost, other = line(record("pricing", 7, MONDAY)), line(record("about", 8, MONDAY))
    found = line(record("contact", 7, TUESDAY))
    assert Base.from_entries([lost, other]).with_updates([found]) == Base.from_entries([other, found])


def test_two_records_with_exchanged_keys_both_stay_in_the_base() -> None:
    before = Base.from_entries([line(record("a", 1)), line(record("b", 2))])
    swapped = [line(record("a", 2)), line(record("b", 1))]
    assert before.with_updates(swapped, removals=[(Kind.PAGE, "a")]) == Base.from_entries(swapped)
