"""contentsync.sync.comparing.orphan_rows: rows of tables under new keys."""

from contentsync.model import Entry, Kind, Source
from contentsync.sync.comparing.matching import Matching

from .test_former_keys import applied, ids


def row(slug: str, name: str, city: str, **fields: object) -> Entry:
    return Entry(Kind.LISTING, slug, {"slug": slug, "name": name, "city": city, **fields}, Source("l/a.csv"))


def test_rows_of_one_name_keep_their_records_under_slugs_of_another_pattern() -> None:
    base, records = applied(row("cafe-rome", "Cafe", "Rome"), row("cafe-oslo", "Cafe", "Oslo"))
    after = row("oslo-cafe", "Cafe", "Oslo"), row("rome-cafe", "Cafe", "Rome")
    assert ids(Matching(after, records, base), *after) == [2, 1]


def test_a_new_column_does_not_separate_rows_from_their_records() -> None:
    base, records = applied(row("cafe-rome", "Cafe", "Rome"), row("cafe-oslo", "Cafe", "Oslo"))
    after = row("cafe-no", "Cafe", "Oslo", land="no"), row("cafe-it", "Cafe", "Rome", land="it")
    assert ids(Matching(after, records, base), *after) == [2, 1]


def test_a_new_row_above_its_namesake_does_not_get_its_record() -> None:
    base, records = applied(row("cafe", "Cafe", "Rome"))
    new, old = row("cafe-oslo", "Cafe", "Oslo"), row("cafe-rome", "Cafe", "Rome")
    assert ids(Matching([new, old], records, base), new, old) == [None, 1]


def test_rows_that_are_equal_but_for_their_slugs_are_not_matched() -> None:
    base, records = applied(row("a", "Cafe", "Rome"), row("b", "Cafe", "Rome"))
    after = row("c", "Cafe", "Rome")
    assert ids(Matching([after], records, base), after) == [None]
